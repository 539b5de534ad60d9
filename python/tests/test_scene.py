"""Tests scenes and casts from Python."""

import os
import pickle
import threading
import warnings

import ballotcast as bc
import numpy as np
import pytest

CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])


def sheet(n: int = 40):
    """Returns a wavy sheet of 2 n^2 triangles, the same at every call."""
    x, y = np.meshgrid(np.linspace(-1, 1, n + 1), np.linspace(-1, 1, n + 1))
    points = np.stack([x, y, 0.2 * np.sin(5 * x) * np.cos(4 * y)], axis=-1).reshape(-1, 3)
    i = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).reshape(-1)
    a, b, c, d = i, i + 1, i + n + 1, i + n + 2
    return points, np.concatenate([np.stack([a, b, d], 1), np.stack([a, d, c], 1)])


@pytest.fixture(params=["cpu", "emulated"])
def tetrahedron(request):
    return bc.Scene(CORNERS, FACES, device=request.param)


def test_hits_per_triangle(tetrahedron):
    origins = np.random.default_rng(3).uniform(-1, 1, (40, 50, 3)) * [1, 1, 0] + [0, 0, -5]
    for t_max in 10, 1:
        hits = tetrahedron.cast(origins, [0, 0, 1], t_max=t_max)
        expected = np.bincount(hits.triangle[hits.hit], minlength=4)
        counts = tetrahedron.hits_per_triangle(origins, [0, 0, 1], t_max=t_max)
        assert counts.dtype == np.uint64 and counts.shape == (4,)
        np.testing.assert_array_equal(counts, expected)
    assert tetrahedron.hits_per_triangle(np.empty((0, 3)), [0, 0, 1]).tolist() == [0, 0, 0, 0]


def test_the_parts_of_a_hit(tetrahedron):
    hits = tetrahedron.cast([[0.125, 0.25, -5], [5, 5, 5]], [0, 0, 2])
    assert hits.shape == (2,) and len(hits) == 2
    np.testing.assert_array_equal(hits.hit, [True, False])
    np.testing.assert_array_equal(hits.t, [2.5, np.inf])
    np.testing.assert_array_equal(hits.triangle, [0, -1])
    np.testing.assert_array_equal(hits.mesh, [0, -1])
    np.testing.assert_array_equal(hits.instance, [0, -1])
    np.testing.assert_array_equal(hits.point, [[0.125, 0.25, 0], [np.nan] * 3])
    np.testing.assert_array_equal(hits.normal, [[0, 0, -1], [0, 0, 0]])
    np.testing.assert_array_equal(hits.uv, [[0.25, 0.125], [0, 0]])
    assert hits.t.dtype == np.float64 and hits.triangle.dtype == np.int64
    assert hits.normal.dtype == np.float32 and hits.uv.dtype == np.float32


def test_floats_give_floats(tetrahedron):
    origins = np.float32([[0.125, 0.25, -5], [5, 5, 5]])
    hits = tetrahedron.cast(origins, np.float32([0, 0, 1]))
    assert hits.t.dtype == np.float32
    np.testing.assert_array_equal(hits.t, np.float32([5, np.inf]))
    np.testing.assert_array_equal(hits.point[0], [0.125, 0.25, 0])


@pytest.mark.parametrize("shape", [(), (1,), (7,), (2, 3), (0,), (2, 0, 3)])
def test_any_leading_shape(tetrahedron, shape):
    origins = np.zeros((*shape, 3)) + [0.1, 0.1, -1]
    hits = tetrahedron.cast(origins, [0, 0, 1])
    assert hits.t.shape == hits.triangle.shape == hits.hit.shape == shape
    assert hits.uv.shape == (*shape, 2) and hits.point.shape == (*shape, 3)
    assert tetrahedron.any(origins, [0, 0, 1]).shape == shape
    assert tetrahedron.count(origins, [0, 0, 1]).shape == shape
    assert (tetrahedron.count(origins, [0, 0, 1]) == 2).all()


def test_arrays_that_are_not_contiguous(tetrahedron):
    rays = np.random.default_rng(1).normal(size=(50, 12))
    apart = tetrahedron.cast(rays[::2, 0:9:3], rays[::2, 1:10:3])
    packed = tetrahedron.cast(rays[::2, 0:9:3].copy(), rays[::2, 1:10:3].copy())
    np.testing.assert_array_equal(apart.raw, packed.raw)
    fortran = np.asfortranarray(rays[:, :3])
    np.testing.assert_array_equal(
        tetrahedron.cast(fortran, [0, 0, 1]).raw, tetrahedron.cast(rays[:, :3], [0, 0, 1]).raw
    )


def test_limits_of_t(tetrahedron):
    origin = [0.125, 0.25, -5]
    assert tetrahedron.cast(origin, [0, 0, 1], t_max=4.5).t == np.inf
    assert tetrahedron.cast(origin, [0, 0, 1], t_min=5.25).t > 5.25
    many = tetrahedron.cast(origin, [0, 0, 1], t_max=[1.0, 9.0])
    np.testing.assert_array_equal(many.hit, [False, True])


def test_all_hits(tetrahedron):
    hits = tetrahedron.all([[0.125, 0.25, -5], [9, 9, 9], [0.125, 0.25, 0.25]], [0, 0, 1])
    np.testing.assert_array_equal(hits.starts, [0, 2, 2, 3])
    np.testing.assert_array_equal(hits.ray, [0, 0, 2])
    np.testing.assert_array_equal(hits.triangle, [0, 3, 3])
    np.testing.assert_array_equal(hits.t, [5, 5.625, 0.375])


def test_devices_give_the_same_bits():
    points, faces = sheet()
    rng = np.random.default_rng(3)
    origins, directions = rng.normal(size=(3000, 3)), rng.normal(size=(3000, 3))
    raws = [
        bc.Scene(points, faces, device=device, build=build).cast(origins, directions).raw
        for device in ("cpu", "emulated")
        for build in ("fast", "balanced")
    ]
    assert np.isfinite(raws[0]["t"]).sum() > 300
    for raw in raws[1:]:
        assert raw.tobytes() == raws[0].tobytes()


def test_double_rays_keep_their_precision():
    scene = bc.Scene(CORNERS, FACES)
    for far in (1e3, 1e6, 1e9, 1e12):
        origin = np.array([0.3, 0.2, 0.1]) - far * np.array([0.6, 0.0, 0.8])
        hits = scene.cast(origin, [0.6, 0.0, 0.8])
        assert hits.hit
        # Face 0 lies in the plane z = 0, face 2 in x = 0.
        exact = -origin[2] / 0.8 if hits.triangle == 0 else -origin[0] / 0.6
        assert abs(hits.t - exact) <= 4 * np.spacing(far)


def test_meshes_far_from_zero_keep_their_shape():
    away = np.array([4e6, -7e6, 5e5])
    scene = bc.Scene(CORNERS + away, FACES)
    np.testing.assert_allclose(scene.bounds, [away, away + 1])
    hits = scene.cast(away + [0.125, 0.25, -5], [0, 0, 1])
    assert hits.t == 5
    np.testing.assert_allclose(hits.point - away, [0.125, 0.25, 0], atol=1e-9)
    floats = scene.cast(np.float32(away + [0.5, 0.25, -5]), np.float32([0, 0, 1]))
    np.testing.assert_allclose(floats.point - away, [0.5, 0.25, 0], atol=0.5)


def test_nan_rays_miss_and_are_counted(tetrahedron):
    origins = np.zeros((5, 3)) + [0.1, 0.1, -1]
    origins[1, 2] = np.nan
    hits = tetrahedron.cast(origins, [0, 0, 1])
    assert hits.nan_rays == 1
    np.testing.assert_array_equal(hits.hit, [True, False, True, True, True])
    assert tetrahedron.cast(np.float32(origins), np.float32([0, 0, 1])).nan_rays == 1
    assert tetrahedron.cast([0, 0, 0], [0, 0, np.inf]).nan_rays == 0
    assert not tetrahedron.cast([0, 0, 0], [0, 0, 0]).hit


def test_out_is_overwritten(tetrahedron):
    out = tetrahedron.cast([[9, 9, 9], [9, 9, 9.0]], [0, 0, 1])
    raw = out.raw
    again = tetrahedron.cast([[0.1, 0.1, -1], [9, 9, 9.0]], [0, 0, 1], out=out)
    assert again is out and np.shares_memory(out.raw, raw)
    np.testing.assert_array_equal(out.hit, [True, False])
    np.testing.assert_array_equal(out.triangle, [0, -1])
    with pytest.raises(ValueError, match="out: expected the hits of 3 rays of float64"):
        tetrahedron.cast(np.zeros((3, 3)), [0, 0, 1], out=out)
    with pytest.raises(ValueError, match="float32"):
        tetrahedron.cast(np.zeros((2, 3), "f4"), np.float32([0, 0, 1]), out=out)


def test_contains():
    scene = bc.Scene(CORNERS, FACES)
    np.testing.assert_array_equal(
        scene.contains([[0.1, 0.1, 0.1], [1, 1, 1], [0.3, 0.3, 0.39]]), [True, False, True]
    )


def test_overlaps_and_holes():
    overlapping = bc.Scene.from_meshes([(CORNERS, FACES), (CORNERS + 0.05, FACES)])
    both, outside = [0.2, 0.2, 0.2], [2, 2, 2]
    np.testing.assert_array_equal(overlapping.contains([both, outside]), [False, False])
    np.testing.assert_array_equal(
        overlapping.contains([both, outside], rule="nonzero"), [True, False]
    )
    open_box = bc.Scene(CORNERS, FACES[:3])  # the box without its upper side
    points = np.array([[0.1, 0.1, 0.1], [0.2, 0.1, 0.1], [-1, -1, -1]])
    assert not open_box.contains(points, rays=1)[0]
    np.testing.assert_array_equal(open_box.contains(points, rays=101)[2], False)
    np.testing.assert_array_equal(open_box.contains(points, rule="winding"), [True, True, False])
    numbers = open_box.winding_number(points)
    assert numbers.dtype == np.float64 and 0.5 < numbers[0] < 1 and -0.1 < numbers[2] < 0.1
    np.testing.assert_allclose(overlapping.winding_number([both, outside]), [2, 0], atol=1e-9)
    assert np.isnan(overlapping.winding_number([np.nan, 0, 0]))
    with pytest.raises(ValueError, match="rule: expected"):
        overlapping.contains([0, 0, 0], rule="even")
    with pytest.raises(ValueError, match="rays: expected an odd number"):
        overlapping.contains([0, 0, 0], rays=2)
    with pytest.raises(ValueError, match="'winding' casts none"):
        overlapping.contains([0, 0, 0], rule="winding", rays=3)


def test_contains_is_exact_on_the_surface_and_next_to_it():
    scene = bc.Scene(CORNERS, FACES)
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    # Points count as if they were shifted a little towards +x. So the corner at zero is inside, and
    # the corners far along an axis are outside.
    np.testing.assert_array_equal(scene.contains(corners), [True, False, False, False])
    tiny = np.float64(1e-200)
    points = [[tiny, 0.2, 0.2], [-tiny, 0.2, 0.2], [0.2, 0.2, tiny], [0.2, 0.2, -tiny]]
    np.testing.assert_array_equal(scene.contains(points), [True, False, True, False])
    # The square of such a small distance is 0 in float64, but the distance still has a sign.
    np.testing.assert_array_equal(np.signbit(scene.signed_distance(points))[2:], [True, False])
    random = np.random.default_rng(2)
    points = random.random((2000, 3)) * 1.2 - 0.1
    expected = (points > 0).all(axis=1) & (points.sum(axis=1) < 1)
    for rule in ("parity", "nonzero", "winding"):
        np.testing.assert_array_equal(scene.contains(points, rule=rule), expected)
    np.testing.assert_array_equal(scene.contains(points, rays=3), expected)


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


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_hits_stay_when_the_arrays_of_the_rays_change(dtype):
    scene = bc.Scene(*sheet(10))
    rays = np.tile(np.array([0.1, 0.2, 5, 0, 0, -1], dtype), (50, 1))
    rays[:, :2] += np.random.default_rng(1).uniform(-0.5, 0.5, (50, 2))
    hits = scene.cast(rays[:, :3], rays[:, 3:])
    t, points = hits.t.copy(), hits.point.copy()
    np.testing.assert_allclose(points, rays[:, :3] + t[:, None] * rays[:, 3:], atol=1e-6)
    rays += 1
    np.testing.assert_array_equal(hits.t, t)
    np.testing.assert_array_equal(hits.point, points)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_arrays_in_any_memory_order(dtype):
    scene = bc.Scene(*sheet(10))
    random = np.random.default_rng(1)
    rows = random.uniform(-0.5, 0.5, (60, 6)).astype(dtype)
    rows[:, 2], rows[:, 5] = 5, -3
    origins, ways = rows[:, :3].copy(), rows[:, 3:].copy()
    expected = scene.cast(origins, ways)
    assert expected.hit.sum() > 10
    records = np.zeros(60, [("pad", "u1"), ("origin", dtype, 3), ("way", dtype, 3)])
    records["origin"], records["way"] = origins, ways
    unaligned = np.zeros(60 * rows.itemsize * 3 + 1, np.uint8)[1:].view(dtype).reshape(60, 3)
    unaligned[:] = origins
    wide = np.zeros((60, 3, 2), dtype)
    wide[..., 0] = origins
    for starts, directions in (
        (rows[:, :3], rows[:, 3:]),
        (np.asfortranarray(origins), np.asfortranarray(ways)),
        (origins[::-1].copy()[::-1], ways[::-1].copy()[::-1]),
        (records["origin"], records["way"]),
        (unaligned, ways),
        (wide[..., 0], ways),
    ):
        hits = scene.cast(starts, directions)
        np.testing.assert_array_equal(hits.raw, expected.raw)
        np.testing.assert_array_equal(hits.point, expected.point)
        np.testing.assert_array_equal(scene.count(starts, directions), scene.count(origins, ways))
        found, same = scene.all(starts, directions), scene.all(origins, ways)
        np.testing.assert_array_equal(found.raw, same.raw)
    square = rows.reshape(6, 10, 6)
    hits = scene.cast(square[..., :3].transpose(1, 0, 2), square[..., 3:].transpose(1, 0, 2))
    np.testing.assert_array_equal(hits.t, expected.t.reshape(6, 10).T)
    hits = scene.cast(origins[0], ways)  # one direction for all rays
    np.testing.assert_array_equal(hits.raw, scene.cast(np.tile(origins[:1], (60, 1)), ways).raw)


def test_a_single_ray_into_many_worlds():
    mesh = bc.Scene(CORNERS, FACES)
    sizes = [np.diag([k, k, k, 1.0]) for k in (1, 2, 3)]
    scene = bc.Scene.from_instances([mesh], [bc.Instance(0, s, w) for w, s in enumerate(sizes)])
    for dtype in (np.float32, np.float64):
        ray = np.array([0.25, 0.25, -5], dtype), np.array([0, 0, 1], dtype)
        each = np.tile(ray[0], (3, 1)), ray[1]
        worlds = np.arange(3)
        np.testing.assert_array_equal(
            scene.cast(*ray, world=worlds).raw, scene.cast(*each, world=worlds).raw
        )
        np.testing.assert_array_equal(scene.any(*ray, world=worlds), [True] * 3)
        np.testing.assert_array_equal(
            scene.count(*ray, world=worlds), scene.count(*each, world=worlds)
        )
        assert len(scene.all(*ray, world=worlds).starts) == 4


def test_out_must_be_what_cast_gives():
    scene = bc.Scene(CORNERS, FACES)
    rays = np.tile([0.1, 0.1, -5.0], (8, 1)), [0, 0, 1.0]
    for wrong in (scene.all(*rays), scene.closest_point(rays[0]), "hits", rays[0]):
        with pytest.raises(TypeError, match="out: expected the Hits"):
            scene.cast(*rays, out=wrong)
    # `out` may share memory with the arrays of the rays: these are read before `out` is written.
    random = np.random.default_rng(2)
    origins, ways = random.normal(size=(500, 3)), random.normal(size=(500, 3))
    hits = scene.cast(origins, ways)
    starts, limits = hits.point[::-1], hits.t[::-1]
    expected = scene.cast(starts.copy(), ways, t_max=limits.copy())
    again = scene.cast(starts, ways, t_max=limits, out=hits)
    np.testing.assert_array_equal(again.raw, expected.raw)
    np.testing.assert_array_equal(again.point, expected.point)
    with pytest.raises(ValueError, match="read-only"):
        hits.raw["id"][0] = 7


@pytest.mark.parametrize(
    "call, kind, message",
    [
        (lambda s: s.set_vertices(CORNERS * 1j), TypeError, "vertices: expected numbers"),
        (lambda s: s.set_vertices([["a", "b", "c"]] * 4), TypeError, "vertices: expected numbers"),
        (lambda s: bc.Scene(CORNERS, FACES).refit(CORNERS), ValueError, "refit: .*moves=True"),
        (lambda s: bc.Scene(CORNERS, FACES, device="gpu"), ValueError, "'gpu'"),
        (lambda s: bc.Scene(CORNERS, FACES, build="quick"), ValueError, "'quick'"),
        (lambda s: bc.Scene(CORNERS, FACES, partition=0), ValueError, "partition"),
        (lambda s: bc.Scene(CORNERS, FACES, partition="all"), TypeError, "partition"),
        (lambda s: bc.Scene(CORNERS, FACES, max_memory=-1), ValueError, "max_memory"),
        (lambda s: bc.Scene(CORNERS, FACES, max_memory="2G"), TypeError, "max_memory"),
        (
            lambda s: bc.Scene(CORNERS, FACES, moves=True, partition=2).cast([0, 0, 5], [0, 0, 1]),
            ValueError,
            "moves.*parts",
        ),
        (lambda s: s.render(-1, 5), ValueError, "width"),
        (lambda s: s.render(64.5, 5), TypeError, "width"),
        (lambda s: s.render(4, 4, samples="a"), TypeError, "samples"),
        (lambda s: s.render(4, 4, fov="3"), TypeError, "fov"),
        (lambda s: s.distance(CORNERS, max_distance="a"), TypeError, "max_distance"),
        (lambda s: s.contains(CORNERS, rays=3.0), TypeError, "rays"),
        (lambda s: bc.Scene.from_meshes([(1, 2, 3)]), ValueError, r"meshes\[0\]"),
        (lambda s: bc.Scene.from_instances([s], [0]), TypeError, r"instances\[0\]"),
        (lambda s: bc.Scene.from_instances([s], [(0.7, None)]), TypeError, r"instances\[0\]"),
        (
            lambda s: bc.Scene.from_instances([s], [(0, np.diag([1, 1, 1, 2]))]),
            ValueError,
            "last row",
        ),
    ],
)
def test_messages_name_the_argument(call, kind, message):
    with pytest.raises(kind, match=message):
        call(bc.Scene(CORNERS, FACES, moves=True))


@pytest.mark.parametrize("device", ["cpu", "emulated", "cpu+emulated"])
def test_a_scene_in_parts(device, tmp_path):
    points, faces = sheet()
    random = np.random.default_rng(4)
    rays = random.normal(size=(2000, 3)), random.normal(size=(2000, 3))
    whole = bc.Scene(points, faces, device="cpu")
    expected = whole.cast(*rays).raw, whole.any(*rays), whole.count(*rays), whole.all(*rays).raw
    half = faces[: len(faces) // 2]
    (tmp_path / "sheet.obj").write_text(
        "".join(f"v {x} {y} {z}\n" for x, y, z in points)
        + "".join(f"f {a} {b} {c}\n" for a, b, c in faces + 1)
    )
    for scene in (
        bc.Scene(points, faces, device=device, partition=3),
        bc.Scene(points, faces, device=device, partition="auto", max_memory=1 << 20),
        bc.Scene.from_meshes(
            [(points, half), (points, faces[len(half) :])], device=device, partition=2
        ),
        bc.load(tmp_path / "sheet.obj", device=device, partition=2),
        pickle.loads(pickle.dumps(bc.Scene(points, faces, device=device, partition=3))),
    ):
        got = scene.cast(*rays).raw, scene.any(*rays), scene.count(*rays), scene.all(*rays).raw
        for one, wanted in zip(got, expected):
            np.testing.assert_array_equal(one, wanted)


def test_a_scene_that_is_too_large_says_what_helps():
    points, faces = sheet()
    scene = bc.Scene(points, faces, device="cpu", max_memory=1000)
    with pytest.raises(bc.OutOfDeviceMemory, match="smallest sufficient budget"):
        scene.cast([0, 0, 5], [0, 0, -1])


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


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda s: bc.Scene(CORNERS[:, :2], FACES), ValueError, r"vertices: .*\(n, 3\), got"),
        (lambda s: bc.Scene(CORNERS, FACES + 0.5), TypeError, "faces: expected integers"),
        (lambda s: bc.Scene(CORNERS, FACES - 1), ValueError, "faces: indices must be"),
        (lambda s: bc.Scene(CORNERS, [[0, 1, 7]]), bc.InputError, "vertex 7 of 4"),
        (lambda s: bc.Scene(CORNERS), TypeError, "faces: missing"),
        (lambda s: bc.Scene("mesh", FACES), TypeError, "vertices: expected numbers"),
        (lambda s: s.cast([[0, 0]], [0, 0, 1]), ValueError, r"origins: .*\(\.\.\., 3\)"),
        (lambda s: s.cast(np.zeros((2, 3)), np.zeros((3, 3))), ValueError, "origins .2,., dir"),
        (lambda s: s.cast([0, 0, 0], [0, 0, 1], world=0.5), TypeError, "world: expected integers"),
        (lambda s: s.cast([0, 0, 0], [0, 0, 1], world=-1), ValueError, "world: numbers of worlds"),
        (lambda s: bc.Scene(CORNERS, FACES, device="tpu").device, ValueError, "device 'tpu'"),
    ],
)
def test_errors_name_the_argument(tetrahedron, call, error, words):
    with pytest.raises(error, match=words):
        call(tetrahedron)


def test_threads_share_a_scene():
    points, faces = sheet()
    scene = bc.Scene(points, faces)
    rng = np.random.default_rng(5)
    rays = [(rng.normal(size=(2000, 3)), rng.normal(size=(2000, 3))) for _ in range(8)]
    expected = [scene.cast(*r).raw.tobytes() for r in rays]
    got = [b""] * 8

    def work(i):
        for _ in range(5):
            got[i] = scene.cast(*rays[i]).raw.tobytes()

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == expected


def test_a_process_that_forks_gets_an_answer():
    import multiprocessing

    points, faces = sheet()
    scene = bc.Scene(points, faces, device="cpu")
    rng = np.random.default_rng(6)
    origins, directions = rng.normal(size=(20000, 3)), rng.normal(size=(20000, 3))
    expected = scene.cast(origins, directions).raw.tobytes()

    def child(pipe):
        here = scene.cast(origins, directions).raw.tobytes()
        new = bc.Scene(points, faces, device="cpu").cast(origins, directions).raw.tobytes()
        pipe.send((here == expected, new == expected))

    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(False)
    process = context.Process(target=child, args=(there,))
    process.start()
    assert here.poll(60), "the forked process hangs"
    assert here.recv() == (True, True)
    process.join(10)
    assert process.exitcode == 0


def test_machines_that_share_the_work_find_the_same() -> None:
    rays = np.random.default_rng(5).normal(size=(3000, 6)).astype(np.float32)
    alone = bc.Scene(CORNERS, FACES, device="cpu").cast(rays[:, :3], rays[:, 3:])
    scene = bc.Scene(CORNERS, FACES, device="cpu+emulated:0,1")
    several = scene.cast(rays[:, :3], rays[:, 3:])
    assert scene.device == "cpu+emulated:0+emulated:1"
    for name in ("t", "triangle"):
        assert np.array_equal(getattr(alone, name), getattr(several, name), equal_nan=True)


def test_machines_that_must_not_fail(tmp_path):
    file = tmp_path / "corners.obj"
    file.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    mesh = bc.Scene(CORNERS, FACES, device="cpu")
    strict = {"device": "emulated:0,1", "strict_devices": True}
    for scene in (
        bc.Scene(CORNERS, FACES, **strict),
        bc.Scene.from_meshes([(CORNERS, FACES)], **strict),
        bc.Scene.from_instances([mesh], [(0, None)], **strict),
        bc.load(file, **strict),
    ):
        again = pickle.loads(pickle.dumps(scene))
        for one in (scene, again):
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                assert one.cast([0.2, 0.2, 1], [0, 0, -1]).hit
