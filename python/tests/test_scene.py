"""Tests scenes: how they are made, moved, pickled and read from files."""

import os
import pickle

import ballotcast as bc
import numpy as np
import pytest
from shapes import CORNERS, FACES, sheet


def test_meshes_far_from_zero_keep_their_shape():
    away = np.array([4e6, -7e6, 5e5])
    scene = bc.Scene(CORNERS + away, FACES)
    np.testing.assert_allclose(scene.bounds, [away, away + 1])
    hits = scene.cast(away + [0.125, 0.25, -5], [0, 0, 1])
    assert hits.t == 5
    np.testing.assert_allclose(hits.point - away, [0.125, 0.25, 0], atol=1e-9)
    floats = scene.cast(np.float32(away + [0.5, 0.25, -5]), np.float32([0, 0, 1]))
    np.testing.assert_allclose(floats.point - away, [0.5, 0.25, 0], atol=0.5)


def test_vertices_move():
    scene = bc.Scene(CORNERS, FACES, moves=True)
    before = scene.cast([0.1, 0.1, -5], [0, 0, 1])
    scene.set_vertices(CORNERS + [0, 0, 2])
    after = scene.cast([0.1, 0.1, -5], [0, 0, 1])
    assert after.t == 7 and after.point[2] == 2
    with pytest.raises(RuntimeError, match="the scene has moved since this cast"):
        before.normal
    with pytest.raises(ValueError, match="moves"):
        bc.Scene(CORNERS, FACES).set_vertices(CORNERS)


def test_instances_and_worlds():
    mesh = bc.Scene(CORNERS, FACES)
    there = np.eye(4)
    there[0, 3] = 8
    scene = bc.Scene.from_instances([mesh], [(0, None), bc.Instance(0, there, world=1)], moves=True)
    assert scene.instance_count == 2 and scene.world_count == 2 and scene.triangle_count == 8
    origins = np.array([[0.1, 0.1, -5], [8.1, 0.1, -5]])
    np.testing.assert_array_equal(scene.any(origins, [0, 0, 1]), [True, False])
    hits = scene.cast(origins, [0, 0, 1], world=[0, 1])
    np.testing.assert_array_equal(hits.instance, [0, 1])
    np.testing.assert_array_equal(hits.triangle, [0, 0])
    np.testing.assert_array_equal(hits.id, [0, 4])
    scene.set_transforms([there, np.eye(4)])
    np.testing.assert_array_equal(scene.any(origins, [0, 0, 1]), [False, True])
    with pytest.raises(ValueError, match="ray 1: world 2, but the scene has 2"):
        scene.cast(origins, [0, 0, 1], world=[0, 2])


@pytest.mark.parametrize("far", [(0, 0, 0), (3e5, -5e6, 20), (1e9, 1e9, 1e9)])
def test_instances_of_meshes_that_are_far_from_zero(far, tmp_path):
    points, faces = sheet(10)
    mesh, same = bc.Scene(points + far, faces), bc.Scene(points + far, faces)
    text = "".join("v %r %r %r\n" % tuple(p) for p in (points + far).tolist())
    text += "".join("f %d %d %d\n" % tuple(f) for f in (faces + 1).tolist())
    (tmp_path / "far.obj").write_text(text)
    file = bc.load(tmp_path / "far.obj")
    turned = np.eye(4)
    turned[:2, :2] = [[0, -1], [1, 0]]
    turned[:3, 3] = far - turned[:3, :3] @ far + [0, 0, 4]  # about the middle of the mesh
    back = np.eye(4)
    back[:3, 3] = -np.array(far) - [0, 0, 2]  # moves the mesh to zero
    origins = np.random.default_rng(4).uniform(-1, 1, (200, 3)) * [0.9, 0.9, 0] + [0, 0, 9]
    down = [0.0, 0.0, -1.0]
    for scenes in ([mesh], [file]):
        scene = bc.Scene.from_instances(scenes, [(0, None), (0, np.zeros((3, 4)))], moves=True)
        for held in (scene, pickle.loads(pickle.dumps(scene))):
            hits = held.cast(origins + far, down)
            expected = same.cast(origins + far, down)
            assert hits.hit.all() and (hits.instance == 0).all()
            np.testing.assert_array_equal(hits.triangle, expected.triangle)
            np.testing.assert_allclose(hits.t, expected.t, atol=1e-5)
            np.testing.assert_allclose(hits.point, expected.point, atol=1e-5)
            nearest = held.closest_point(origins + far)
            np.testing.assert_allclose(
                nearest.point, same.closest_point(origins + far).point, atol=1e-5
            )
        np.testing.assert_allclose(scene.bounds, same.bounds, atol=1e-5)
        np.testing.assert_allclose(
            scene.vertices, file.vertices if file in scenes else same.vertices
        )
        scene.set_transforms([turned, np.zeros((4, 4))])
        made = bc.Scene.from_instances(scenes, [(0, turned)])
        hits = scene.cast(origins + far, down)
        assert hits.hit.all()
        np.testing.assert_allclose(hits.t, made.cast(origins + far, down).t, atol=1e-5)
        np.testing.assert_allclose(expected.t.mean() - hits.t.mean(), 4, atol=0.1)
        near = bc.Scene.from_instances(scenes, [(0, back)])
        there = bc.Scene(points, faces).cast(origins, down)
        assert abs(near.bounds).max() < 5
        np.testing.assert_allclose(near.cast(origins, down).t, there.t + 2, atol=1e-5)


def test_several_meshes():
    meshes = [(CORNERS, FACES), (CORNERS + [3, 0, 0], FACES[::-1]), (CORNERS[:0], FACES[:0])]
    scene = bc.Scene.from_meshes(meshes)
    origins = np.array([[0.1, 0.1, -5], [3.1, 0.1, -5], [9, 9, 9]])
    for same in (scene, pickle.loads(pickle.dumps(scene))):
        hits = same.cast(origins, [0, 0, 1])
        np.testing.assert_array_equal(hits.mesh, [0, 1, -1])
        np.testing.assert_array_equal(hits.triangle, [0, 3, -1])
        np.testing.assert_array_equal(hits.id, [0, 7, 2**32 - 1])
    with pytest.raises(ValueError, match=r"faces of meshes\[1\]: vertex 7 of 4"):
        bc.Scene.from_meshes([meshes[0], (CORNERS, [[0, 1, 7]])])
    assert not bc.Scene.from_meshes([]).any([0, 0, 0], [0, 0, 1])


def test_pickle_gives_the_same_hits():
    points, faces = sheet(10)
    for scene in (
        bc.Scene(points + 1e7, faces),
        bc.Scene.from_instances([bc.Scene(points, faces)], [(0, None)]),
    ):
        again = pickle.loads(pickle.dumps(scene))
        origin = scene.bounds.mean(axis=0) + [0.01, 0.02, 3]
        assert scene.cast(origin, [0, 0, -1]).raw == again.cast(origin, [0, 0, -1]).raw
        assert again.cast(origin, [0, 0, -1]).hit


def test_a_pickle_is_the_scene_as_it_is_now(tmp_path):
    points, faces = sheet(10)
    (tmp_path / "one.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    origins = np.random.default_rng(4).uniform(-1, 1, size=(200, 3)) * [1, 1, 0] + [0, 0, 9]
    there = np.tile(np.float32(np.eye(3, 4)), (2, 1, 1))
    there[:, 2, 3] = 1.5, -2
    far = points + 1e7
    for scene, move, at in (
        (bc.Scene(points, faces, moves=True), "set_vertices", points + [0, 0, 2]),
        (bc.Scene(far, faces, moves=True), "set_vertices", far + [0, 0, 2]),
        (bc.Scene(far, faces, moves=True), "refit", far * [1, 1, 1] + [0, 0, 2]),
        (bc.Scene.from_meshes([(points, faces)] * 2, moves=True), "set_vertices", None),
        (
            bc.load(tmp_path / "one.obj", moves=True),
            "set_vertices",
            [[0, 0, 4], [1, 0, 4], [0, 1, 4]],
        ),
        (
            bc.Scene.from_instances([bc.Scene(points, faces)], [(0, None)] * 2, moves=True),
            "set_transforms",
            there,
        ),
    ):
        at = np.concatenate([points, points + [0, 0, 3]]) if at is None else at
        rays = origins + scene.bounds.mean(axis=0) * [1, 1, 1], [0, 0, -1.0]
        before = scene.cast(*rays).raw.tobytes()
        getattr(scene, move)(at)
        hits = scene.cast(*rays)
        assert hits.hit.any() and hits.raw.tobytes() != before
        at = np.array(at)
        at += 100  # the scene must have copied this array
        again, their = pickle.loads(pickle.dumps((scene, hits)))
        assert again.cast(*rays).raw.tobytes() == hits.raw.tobytes()
        np.testing.assert_array_equal(again.cast(*rays).mesh, hits.mesh)
        np.testing.assert_array_equal(their.point, hits.point)
        np.testing.assert_array_equal(again.vertices, scene.vertices)
        getattr(again, move)(at)  # the restored scene can be moved again
        assert again.cast(*rays).raw.tobytes() != hits.raw.tobytes()
        np.testing.assert_array_equal(their.normal, hits.normal)  # unpickled hits have no scene


def test_a_scene_keeps_no_array_of_the_caller():
    points, faces = np.array(CORNERS), np.array(FACES, np.uint32)
    there = np.float32(np.eye(4))[None]
    placed = bc.Instance(0, there[0])
    scene = bc.Scene(points, faces, moves=True)
    two = bc.Scene.from_instances([bc.Scene(points, faces)], [placed], moves=True)
    ray = [0.1, 0.1, -5], [0, 0, 1]
    two.set_transforms(there)
    points += 7
    faces[:] = 0
    there += 3
    for each in (scene, two):
        assert pickle.loads(pickle.dumps(each)).cast(*ray).t == each.cast(*ray).t == 5


def test_instances_show_meshes_as_they_were_made():
    mesh = bc.Scene(CORNERS, FACES, moves=True)
    scene = bc.Scene.from_instances([mesh], [(0, None)])
    mesh.set_vertices(CORNERS + 1)
    ray = [0.1, 0.1, -5], [0, 0, 1]
    assert pickle.loads(pickle.dumps(scene)).cast(*ray).t == scene.cast(*ray).t == 5
    with pytest.raises(ValueError, match=r"meshes\[0\]: the scene has moved"):
        bc.Scene.from_instances([mesh], [(0, None)])
    with pytest.raises(TypeError, match=r"meshes\[1\]: expected a ballotcast.Scene, got a "):
        bc.Scene.from_instances([bc.Scene(CORNERS, FACES), CORNERS], [(0, None)])


def test_a_file_is_found_from_other_folders(tmp_path, monkeypatch):
    (tmp_path / "one.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    monkeypatch.chdir(tmp_path)
    kept = pickle.dumps(bc.load("one.obj"))
    monkeypatch.chdir("/")
    assert pickle.loads(kept).triangle_count == 1
    assert bc.load(os.fsencode(tmp_path / "one.obj")).triangle_count == 1


def test_files(tmp_path):
    path = tmp_path / "one.obj"
    path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2\n")
    scene = bc.load(path)
    assert scene.name == "one" and scene.triangle_count == 1 and len(scene.warnings) == 1
    assert pickle.loads(pickle.dumps(scene)).triangle_count == 1
    with pytest.raises(bc.InputError, match="absent.obj: no such file"):
        bc.load(tmp_path / "absent.obj")
