"""The engine for trimesh."""

import copy
import pickle

import numpy as np
import pytest

trimesh = pytest.importorskip("trimesh")
from ballotcast.trimesh import RayMeshIntersector, install  # noqa: E402


@pytest.fixture
def box():
    return trimesh.creation.box()


def test_shapes_and_dtypes(box):
    engine = RayMeshIntersector(box)
    origins, directions = [[0.1, 0.2, -3], [9, 9, 9]], [[0, 0, 1], [0, 0, 1]]
    triangle, ray, place = engine.intersects_id(origins, directions, return_locations=True)
    assert triangle.dtype == ray.dtype == np.int64 and place.dtype == np.float64
    np.testing.assert_array_equal(ray, [0, 0])
    np.testing.assert_allclose(place, [[0.1, 0.2, -0.5], [0.1, 0.2, 0.5]])
    assert len(engine.intersects_id(origins, directions)) == 2
    location, ray_again, triangle_again = engine.intersects_location(origins, directions)
    np.testing.assert_array_equal(location, place)
    np.testing.assert_array_equal(ray_again, ray)
    np.testing.assert_array_equal(triangle_again, triangle)
    first = engine.intersects_first(origins, directions)
    np.testing.assert_array_equal(first, [triangle[0], -1])
    assert engine.intersects_any(origins, directions).tolist() == [True, False]
    one = engine.intersects_id(origins, directions, multiple_hits=False)
    np.testing.assert_array_equal(one[0], triangle[:1])
    assert len(engine.intersects_id(origins, directions, max_hits=1)[0]) == 1


def test_nothing_at_all(box):
    engine = RayMeshIntersector(box)
    location, ray, triangle = engine.intersects_location([[9, 9, 9]], [[0, 0, 1]])
    assert location.shape == (0, 3) and ray.shape == triangle.shape == (0,)
    location, ray, triangle = engine.intersects_location(np.zeros((0, 3)), np.zeros((0, 3)))
    assert location.shape == (0, 3) and ray.shape == triangle.shape == (0,)
    with pytest.raises(ValueError):
        engine.intersects_id(np.zeros((2, 3)), np.zeros((3, 3)))
    with pytest.raises(ValueError):
        engine.contains_points(np.zeros((2, 2)))


def test_a_surface_at_the_origin_counts(box):
    assert RayMeshIntersector(box).intersects_any([[0.1, 0.2, 0.5]], [[0, 0, 1]]).all()


def test_rays_at_corners_hit_once(box):
    directions = box.vertices / np.linalg.norm(box.vertices, axis=1)[:, None]
    engine = RayMeshIntersector(box)
    _, ray, _ = engine.intersects_location(np.zeros((8, 3)), directions)
    np.testing.assert_array_equal(ray, np.arange(8))


@pytest.mark.parametrize("scale", [1e-4, 1.0, 1e8])
def test_contains_at_any_scale(scale):
    ball = trimesh.creation.icosphere(subdivisions=3)
    ball.apply_scale(scale)
    points = np.random.default_rng(2).uniform(-1, 1, size=(2000, 3)) * scale
    radius = np.linalg.norm(points, axis=1) / scale
    inside = RayMeshIntersector(ball).contains_points(points)
    assert inside[radius < 0.98].all() and not inside[radius > 1.0].any()


def test_a_changed_mesh_is_followed(box):
    engine = RayMeshIntersector(box)
    assert engine.intersects_any([[0.1, 0.2, -3]], [[0, 0, 1]]).all()
    box.apply_translation([5, 0, 0])
    assert not engine.intersects_any([[0.1, 0.2, -3]], [[0, 0, 1]]).any()


def test_copies(box):
    engine = RayMeshIntersector(box)
    engine.intersects_any([[0.1, 0.2, -3]], [[0, 0, 1]])
    for other in (copy.copy(engine), copy.deepcopy(engine), pickle.loads(pickle.dumps(engine))):
        assert other.intersects_any([[0.1, 0.2, -3]], [[0, 0, 1]]).all()


def test_install_makes_it_the_engine_of_meshes():
    install()
    mesh = trimesh.creation.box()
    assert isinstance(mesh.ray, RayMeshIntersector)
    np.testing.assert_array_equal(mesh.contains([[0, 0, 0], [1, 1, 1]]), [True, False])
