"""Tests numbers as pictures, cameras as matrices, parts by name, and surfaces at hits."""

import ballotcast as bc
import numpy as np
import pytest
from ballotcast.open3d import RaycastingScene

K = np.array([[500, 0, 100], [0, 400, 30], [0, 0, 1.0]])


def wall(**options):
    corners = [[-1, -1, 2], [1, -1, 2], [1, 1, 2], [-1, 1, 2]]
    return bc.Scene(corners, [[0, 1, 2], [0, 2, 3]], device="cpu", **options)


def small(x, y, z, size=0.02):
    """Returns a small triangle around a point."""
    return [[x - size, y - size, z], [x + size, y - size, z], [x, y + size, z]]


def test_outputs_are_arrays_by_name():
    got = wall().render(
        16,
        12,
        outputs=["colour", "depth", "normal", "uv", "triangle", "part", "alpha"],
        eye=(0, 0, 0),
        look_at=(0, 0, 1),
        fov=90,
        samples=4,
    )
    assert list(got) == ["colour", "depth", "normal", "uv", "triangle", "part", "alpha"]
    assert got["colour"].shape == (12, 16, 4) and got["colour"].dtype == np.uint8
    assert got["normal"].shape == (12, 16, 3) and got["uv"].shape == (12, 16, 2)
    seen = np.isfinite(got["depth"])
    assert seen.sum() == 36 and np.allclose(got["depth"][seen], 2, rtol=0, atol=1e-6)
    assert (got["triangle"][~seen] == -1).all() and set(got["triangle"][seen]) == {0, 1}
    assert got["triangle"].dtype == np.int32 and (got["part"] == np.where(seen, 0, -1)).all()
    assert got["alpha"].shape == (12, 16) and got["alpha"].max() == 1
    assert (got["normal"][seen] == [0, 0, -1]).all()


def test_outputs_that_do_not_exist_are_refused():
    with pytest.raises(ValueError, match="unknown output 'dept'"):
        wall().render(4, 4, outputs=["dept"])
    with pytest.raises(TypeError, match="list of names"):
        wall().render(4, 4, outputs="depth")


def test_a_camera_matrix_shows_points_in_the_pixels_of_opencv():
    corners = small(0, 0, 5) + small(1, 1, 5)
    scene = bc.Scene(corners, [[0, 1, 2], [3, 4, 5]], device="cpu")
    for matrix in (K, (500, 400, 100, 30)):
        got = scene.render(320, 240, intrinsics=matrix, pose=np.eye(4), outputs=["triangle"])
        assert got["triangle"][30, 100] == 0 and got["triangle"][110, 200] == 1
        rows, columns = np.nonzero(got["triangle"] == 0)
        assert abs(columns.mean() - 100) < 0.6 and columns.min() == 99 and columns.max() == 101


def test_rays_of_a_camera_matrix_project_back_to_their_pixels():
    turn = np.array([[0, 0, 1], [-1, 0, 0], [0, -1, 0.0]])  # the camera looks along x, with z up
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = turn, (3, 4, 5)
    origins, directions = bc.camera_rays(64, 48, intrinsics=K, pose=pose)
    assert origins.shape == directions.shape == (48, 64, 3) and origins.dtype == np.float64
    there = (origins + 7 * directions - pose[:3, 3]) @ turn  # in the camera's coordinates
    assert np.allclose(there[..., 2], 7)
    seen = there @ K.T
    columns, rows = np.meshgrid(np.arange(64), np.arange(48))
    assert np.abs(seen[..., 0] / seen[..., 2] - columns).max() < 1e-5
    assert np.abs(seen[..., 1] / seen[..., 2] - rows).max() < 1e-5


def test_rays_are_those_of_open3d_whose_pixels_begin_half_a_pixel_earlier():
    shifted = K + [[0, 0, 0.5], [0, 0, 0.5], [0, 0, 0]]
    theirs = np.asarray(RaycastingScene.create_rays_pinhole(shifted, np.eye(4), 64, 48))
    _, ours = bc.camera_rays(64, 48, intrinsics=K, pose=np.eye(4))
    assert np.abs(theirs[..., 3:] - ours).max() < 1e-6


def test_conventions_say_where_the_axes_of_a_camera_point():
    points = {"opencv": (1, 1, 5), "opengl": (1, -1, -5), "ros": (5, -1, -1)}
    for convention, point in points.items():
        corners = np.array(point) + 0.03 * np.array([[-1, -1, -1], [1, -1, 0], [0, 1, 1]])
        scene = bc.Scene(corners, [[0, 1, 2]], device="cpu")
        view = dict(intrinsics=K, pose=np.eye(4), convention=convention)
        depth = scene.render(320, 240, outputs=["depth"], **view)["depth"]
        rows, columns = np.nonzero(np.isfinite(depth))
        assert abs(rows.mean() - 110) < 2 and abs(columns.mean() - 200) < 2, convention


def test_cameras_that_are_none_are_refused():
    for wrong, words in (
        (dict(intrinsics=np.eye(4)), "shape"),
        (dict(intrinsics=[[1, 2, 0], [0, 1, 0], [0, 0, 1]]), "skew"),
        (dict(intrinsics=(0, 1, 1, 1)), "above 0"),
        (dict(intrinsics=(9, 9, 1, 1), fov=40), "exclude"),
        (dict(pose=np.eye(3)), "shape"),
        (dict(pose=2 * np.eye(4)), "last row|rotation"),
        (dict(pose=np.eye(4), eye=(0, 0, 0)), "exclude"),
        (dict(pose=np.eye(4), convention="x"), "unknown convention"),
    ):
        with pytest.raises(ValueError, match=words):
            wall().render(8, 8, **wrong)
    with pytest.raises(ValueError, match="eye and look_at"):
        bc.camera_rays(8, 8, fov=40)


def test_pixels_of_a_camera_matrix_are_explained():
    scene = wall()
    told = scene.explain(pixel=(100, 30), width=320, height=240, intrinsics=K, pose=np.eye(4))
    assert told.hit.hit and told.hit.t == 2
    assert abs(told.direction[0]) < 1e-6 and abs(told.direction[1]) < 1e-6


def test_parts_have_the_names_of_their_file(tmp_path):
    path = tmp_path / "a.obj"
    corners = "".join(f"v {x} 0 0\nv {x + 1} 0 0\nv {x + 1} 1 0\n" for x in (0, 2, 4))
    path.write_text(f"{corners}o table\ng top\nf 1 2 3\ng legs\nf 4 5 6\no lamp\nf 7 8 9\n")
    scene = bc.load(path, device="cpu")
    hits = scene.cast([[0.8, 0.3, 1], [2.8, 0.3, 1], [4.8, 0.3, 1], [9, 9, 1]], [0, 0, -1])
    assert [scene.parts[i] for i in hits.part[:3]] == ["top", "legs", "lamp"]
    assert hits.part[3] == -1 and hits.part.dtype == np.int64
    assert scene.explain([2.8, 0.3, 1], [0, 0, -1]).data["part"]["name"] == "legs"
    assert wall().parts == ["triangles in memory"]


def test_surfaces_at_hits_have_their_materials_and_texture_coordinates(tmp_path):
    (tmp_path / "a.mtl").write_text("newmtl red\nKd 1 0 0\nnewmtl lamp\nKd 0 0 0\nKe 2 3 4\n")
    path = tmp_path / "a.obj"
    path.write_text(
        "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 2 0 0\nv 3 0 0\nv 2 1 0\n"
        "vt 0 0\nvt 1 0\nvt 0 1\nusemtl red\nf 1/1 2/2 3/3\nusemtl lamp\nf 4/1 5/2 6/3\n"
    )
    scene = bc.load(path, device="cpu")
    hits = scene.cast([[[0.25, 0.5, 1]], [[2.25, 0.5, 1]], [[9, 9, 1]]], [0, 0, -1])
    got = scene.surface(hits)
    assert got["uv"].shape == (3, 1, 2) and np.allclose(got["uv"][0, 0], [0.25, 0.5])
    assert [scene.materials[i] for i in got["material"][:2, 0]] == ["red", "lamp"]
    assert got["material"][2, 0] == -1 and np.isnan(got["position"][2]).all()
    assert np.allclose(got["emission"][1, 0], [2, 3, 4])
    assert got["color"][0, 0].tolist() == [1, 0, 0] and got["normal"][0, 0].tolist() == [0, 0, 1]
    with pytest.raises(TypeError, match="hits of this scene"):
        wall().surface(hits)
