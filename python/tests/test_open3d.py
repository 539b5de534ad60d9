"""Tests the engine for Open3D. If Open3D is installed, the results are compared with Open3D's
own."""

import numpy as np
import pytest
from ballotcast.open3d import RaycastingScene


def numbers(result):
    return result.numpy() if hasattr(result, "numpy") else result


def box(low, high):
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], np.float32)
    faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1]]
    faces += [[2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]
    return (corners * (np.float32(high) - np.float32(low)) + np.float32(low)), np.uint32(faces)


def two_boxes(scene):
    assert scene.add_triangles(*box([0, 0, 0], [1, 1, 1])) == 0
    assert scene.add_triangles(*box([3, 0, 0], [4, 2, 1])) == 1
    return scene


def test_keeps_no_array_of_the_caller():
    corners, faces = box([0, 0, 0], [1, 1, 1])
    scene = RaycastingScene()
    scene.add_triangles(corners, faces)
    corners[:] = 99
    faces[:] = 0
    assert numbers(scene.cast_rays(RAYS[:1, :1])["t_hit"]) == 2


RAYS = np.float32(
    [
        [[0.25, 0.5, -2, 0, 0, 1], [3.25, 0.5, -2, 0, 0, 2]],
        [[2, 0, -2, 0, 0, 1], [-1, 0.5, 0.25, 1, 0, 0]],
    ]
)


def test_the_closest_hits():
    hits = two_boxes(RaycastingScene()).cast_rays(RAYS)
    dtypes = {
        "t_hit": np.float32,
        "geometry_ids": np.uint32,
        "primitive_ids": np.uint32,
        "primitive_uvs": np.float32,
        "primitive_normals": np.float32,
    }
    assert {name: numbers(hits[name]).dtype for name in hits} == dtypes
    np.testing.assert_array_equal(numbers(hits["t_hit"]), [[2, 1], [np.inf, 1]])
    none = RaycastingScene.INVALID_ID
    np.testing.assert_array_equal(numbers(hits["geometry_ids"]), [[0, 1], [none, 0]])
    assert numbers(hits["primitive_ids"])[1, 0] == none
    assert (numbers(hits["primitive_ids"])[[0, 0, 1], [0, 1, 1]] < 12).all()
    normals = numbers(hits["primitive_normals"])
    np.testing.assert_array_equal(np.abs(normals[0]), [[0, 0, 1], [0, 0, 1]])
    np.testing.assert_array_equal(normals[1, 0], [0, 0, 0])
    assert numbers(hits["primitive_uvs"]).shape == (2, 2, 2)


def test_the_other_queries():
    scene = two_boxes(RaycastingScene())
    occluded = numbers(scene.test_occlusions(RAYS))
    assert occluded.dtype == bool
    np.testing.assert_array_equal(occluded, [[True, True], [False, True]])
    np.testing.assert_array_equal(
        numbers(scene.test_occlusions(RAYS, tnear=1.5, tfar=2)), [[True, True], [False, True]]
    )
    np.testing.assert_array_equal(
        numbers(scene.test_occlusions(RAYS, tfar=1.75)), [[False, True], [False, True]]
    )
    counts = numbers(scene.count_intersections(RAYS))
    assert counts.dtype == np.int32
    np.testing.assert_array_equal(counts, [[2, 2], [0, 4]])
    found = {name: numbers(value) for name, value in scene.list_intersections(RAYS).items()}
    np.testing.assert_array_equal(found["ray_splits"], [0, 2, 4, 4, 8])
    np.testing.assert_array_equal(found["ray_ids"], [0, 0, 1, 1, 3, 3, 3, 3])
    np.testing.assert_array_equal(found["geometry_ids"], [0, 0, 1, 1, 0, 0, 1, 1])
    np.testing.assert_array_equal(found["t_hit"], [2, 3, 1, 1.5, 1, 2, 4, 5])
    assert found["primitive_uvs"].shape == (8, 2)


def test_distances():
    scene = two_boxes(RaycastingScene())
    points = np.float32([[0.5, 0.5, -2], [0.5, 0.5, 0.75], [3.5, 3, 0.5]])
    near = {name: numbers(value) for name, value in scene.compute_closest_points(points).items()}
    np.testing.assert_array_equal(near["points"], [[0.5, 0.5, 0], [0.5, 0.5, 1], [3.5, 2, 0.5]])
    np.testing.assert_array_equal(near["geometry_ids"], [0, 0, 1])
    np.testing.assert_array_equal(
        np.abs(near["primitive_normals"]), [[0, 0, 1], [0, 0, 1], [0, 1, 0]]
    )
    assert near["primitive_ids"].dtype == np.uint32 and (near["primitive_ids"] < 12).all()
    np.testing.assert_array_equal(numbers(scene.compute_distance(points)), np.float32([2, 0.25, 1]))
    signed = numbers(scene.compute_signed_distance(points, nsamples=3))
    np.testing.assert_array_equal(signed, np.float32([2, -0.25, 1]))
    assert signed.dtype == np.float32
    np.testing.assert_array_equal(numbers(scene.compute_occupancy(points)), np.float32([0, 1, 0]))
    with pytest.raises(RuntimeError, match="nsamples: expected an odd number"):
        scene.compute_signed_distance(points, nsamples=2)


def test_an_empty_scene_is_missed():
    scene = RaycastingScene()
    assert np.isinf(numbers(scene.cast_rays(RAYS)["t_hit"])).all()
    assert not numbers(scene.test_occlusions(RAYS)).any()


def test_wrong_arrays_are_runtime_errors():
    scene = two_boxes(RaycastingScene())
    for rays in (RAYS.astype(np.float64), RAYS[..., :5], RAYS[0, 0]):
        with pytest.raises(RuntimeError, match="rays: expected"):
            scene.cast_rays(rays)
    with pytest.raises(RuntimeError, match="query_points: expected a shape"):
        scene.compute_distance(np.zeros(3, np.float32))
    with pytest.raises(RuntimeError, match="triangle_indices: expected uint32"):
        scene.add_triangles(np.zeros((3, 3), np.float32), np.zeros((1, 3), np.int64))
    with pytest.raises(RuntimeError, match="index 9 for 3 vertices"):
        scene.add_triangles(np.zeros((3, 3), np.float32), np.uint32([[0, 1, 9]]))


def test_the_camera_sees_what_it_looks_at():
    scene = two_boxes(RaycastingScene())
    rays = RaycastingScene.create_rays_pinhole(
        fov_deg=60,
        center=[0.5, 0.5, 0.5],
        eye=[0.5, 0.5, -4],
        up=[0, 1, 0],
        width_px=9,
        height_px=7,
    )
    assert numbers(rays).shape == (7, 9, 6)
    ids = numbers(scene.cast_rays(rays)["geometry_ids"])
    assert ids[3, 4] == 0
    rays = RaycastingScene.create_rays_pinhole(
        np.array([[10, 0, 4.5], [0, 10, 3.5], [0, 0, 1]]), np.eye(4), 9, 7
    )
    np.testing.assert_array_equal(numbers(rays)[3, 4], [0, 0, 0, 0, 0, 1])


class Lent:
    def __init__(self, positions):
        self.positions = self.indices = positions


class Mesh:
    """Has the members of open3d.t.geometry.TriangleMesh."""

    vertex = Lent(np.eye(3, dtype=np.float32))
    triangle = Lent(np.int64([[0, 1, 2]]))


class Legacy:
    """Has the members of open3d.geometry.TriangleMesh."""

    vertices = np.eye(3)
    triangles = np.int32([[0, 1, 2]])


def test_both_ways_to_add_triangles():
    scene = RaycastingScene()
    assert scene.add_triangles(Mesh()) == 0
    assert scene.add_triangles(mesh=Mesh()) == 1
    corners, faces = box([0, 0, 0], [1, 1, 1])
    assert scene.add_triangles(vertex_positions=corners, triangle_indices=faces) == 2
    both = r"(?s)1\. \(vertex_positions.*2\. \(mesh"
    for words in ({}, {"vertex_positions": corners}, {"mesh": Mesh(), "triangle_indices": faces}):
        with pytest.raises(TypeError, match=both):
            scene.add_triangles(**words)
    with pytest.raises(TypeError, match=both + ".*from_legacy"):
        scene.add_triangles(Legacy())
    with pytest.raises(TypeError, match=both + ".*from_legacy"):
        scene.add_triangles(mesh=Legacy())


def test_a_camera_that_has_no_up_is_refused():
    view = dict(fov_deg=60, center=[0, 0, 0], eye=[0, 0, 2], width_px=4, height_px=3)
    for up in ([0, 0, 1], [0, 0, -3e-200], [0, 0, 0]):
        with pytest.raises(RuntimeError, match="up is zero or parallel to the line of sight"):
            RaycastingScene.create_rays_pinhole(**view, up=up)
    rays = numbers(RaycastingScene.create_rays_pinhole(**view, up=[0, 1e-200, 0]))
    assert np.isfinite(rays).all()
    with pytest.raises(RuntimeError, match="eye and center are the same point"):
        RaycastingScene.create_rays_pinhole(**{**view, "center": [0, 0, 2]}, up=[0, 1, 0])
    with pytest.raises(RuntimeError, match="eye, center and up must be finite"):
        RaycastingScene.create_rays_pinhole(**view, up=[0, np.nan, 0])
    with pytest.raises(RuntimeError, match="fov_deg must be between 0 and 180, got 180"):
        RaycastingScene.create_rays_pinhole(**{**view, "fov_deg": 180}, up=[0, 1, 0])
    with pytest.raises(RuntimeError, match="intrinsic_matrix: expected finite numbers and an inv"):
        RaycastingScene.create_rays_pinhole(np.zeros((3, 3)), np.eye(4), 4, 3)
    with pytest.raises(RuntimeError, match=r"extrinsic_matrix: expected a shape \(4, 4\)"):
        RaycastingScene.create_rays_pinhole(np.eye(3), np.eye(3), 4, 3)


def test_a_limit_of_threads_changes_nothing():
    few, all_ = two_boxes(RaycastingScene(nthreads=1)), two_boxes(RaycastingScene())
    points = RAYS[..., :3]
    for call, given in (
        ("cast_rays", RAYS),
        ("list_intersections", RAYS),
        ("count_intersections", RAYS),
        ("test_occlusions", RAYS),
        ("compute_closest_points", points),
        ("compute_distance", points),
        ("compute_signed_distance", points),
        ("compute_occupancy", points),
    ):
        a, b = getattr(few, call)(given), getattr(all_, call)(given, nthreads=1)
        for x, y in zip(a.values(), b.values()) if isinstance(a, dict) else [(a, b)]:
            np.testing.assert_array_equal(numbers(x), numbers(y))


def test_against_open3d_itself():
    open3d = pytest.importorskip("open3d")
    theirs, ours = two_boxes(open3d.t.geometry.RaycastingScene()), two_boxes(RaycastingScene())
    rng = np.random.default_rng(4)
    origins = rng.uniform(-2, 5, (40, 25, 3))
    rays = np.concatenate([origins, rng.normal(size=origins.shape)], -1).astype(np.float32)
    expected, got = theirs.cast_rays(rays), ours.cast_rays(rays)
    assert expected.keys() == got.keys()
    for name in expected:
        assert expected[name].dtype == got[name].dtype and expected[name].shape == got[name].shape
        np.testing.assert_allclose(got[name].numpy(), expected[name].numpy(), atol=1e-4)
    for call in ("count_intersections", "test_occlusions"):
        a, b = getattr(theirs, call)(rays), getattr(ours, call)(rays)
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a.numpy(), b.numpy())
    expected, got = theirs.list_intersections(rays), ours.list_intersections(rays)
    for name in expected:
        assert expected[name].dtype == got[name].dtype and expected[name].shape == got[name].shape
    np.testing.assert_array_equal(got["ray_splits"].numpy(), expected["ray_splits"].numpy())
    view = dict(fov_deg=50, center=[1, 0, 0], eye=[3, 2, 5], up=[0, 1, 0], width_px=8, height_px=6)
    np.testing.assert_allclose(
        ours.create_rays_pinhole(**view).numpy(),
        theirs.create_rays_pinhole(**view).numpy(),
        atol=1e-6,
    )
