"""Tests closest points, distances and their signs."""

import ballotcast as bc
import numpy as np
import pytest
from shapes import CORNERS, FACES


def test_the_parts(tetrahedron):
    near = tetrahedron.closest_point([[0.25, 0.25, -2], [-3, -4, 0], [0.5, -1, 0]])
    assert near.shape == (3,) and near.found.all()
    np.testing.assert_array_equal(near.distance, [2, 5, 1])
    np.testing.assert_array_equal(near.triangle, [0, 0, 0])
    np.testing.assert_array_equal(near.point, [[0.25, 0.25, 0], [0, 0, 0], [0.5, 0, 0]])
    assert near.distance.dtype == np.float64 and near.uv.dtype == np.float32
    assert tetrahedron.signed_distance(np.float32([2, 0, 0])).dtype == np.float32
    floats = tetrahedron.closest_point(np.float32([0.25, 0.25, -2]))
    assert floats.distance.dtype == np.float32 and floats.distance == 2


def test_nothing_within_the_limit(tetrahedron):
    near = tetrahedron.closest_point([[0.25, 0.25, -2], [0.25, 0.25, -0.5]], max_distance=1)
    np.testing.assert_array_equal(near.found, [False, True])
    np.testing.assert_array_equal(near.distance, [np.inf, 0.5])
    np.testing.assert_array_equal(near.triangle, [-1, 0])
    assert np.isnan(near.point[0]).all()


def test_signs(tetrahedron):
    points = [[0.1, 0.1, 0.1], [2, 0, 0], [0.25, 0.25, -0.5]]
    np.testing.assert_allclose(tetrahedron.signed_distance(points), [-0.1, 1, 0.5])
    np.testing.assert_allclose(tetrahedron.distance(points), [0.1, 1, 0.5])
    assert tetrahedron.distance(np.zeros((2, 5, 3))).shape == (2, 5)
    assert tetrahedron.signed_distance(np.zeros((0, 3))).shape == (0,)


def test_normals_are_those_of_the_scene_that_was_asked():
    scene = bc.Scene(CORNERS, FACES, moves=True)
    near = scene.closest_point([0.25, 0.25, -2])
    np.testing.assert_array_equal(near.normal, [0, 0, -1])
    scene.set_vertices(CORNERS[:, ::-1])
    with pytest.raises(RuntimeError, match="the scene has moved"):
        near.normal


def test_far_from_zero():
    away = np.array([4e6, -7e6, 5e5])
    scene = bc.Scene(CORNERS + away, FACES)
    near = scene.closest_point(away + [0.25, 0.25, -2])
    assert near.distance == 2
    np.testing.assert_allclose(near.point - away, [0.25, 0.25, 0], atol=1e-9)


def test_against_every_triangle():
    rng = np.random.default_rng(8)
    vertices, faces = rng.normal(size=(30, 3)).astype("f4"), rng.integers(0, 30, (40, 3))
    points = rng.normal(size=(50, 3)).astype("f4") * 2
    near = bc.Scene(vertices, faces).closest_point(points)
    # The closest of many random points of each triangle is nearly the closest point of the mesh.
    u, v = rng.random((2, 4000))
    u, v = np.where(u + v > 1, 1 - u, u), np.where(u + v > 1, 1 - v, v)
    a, b, c = np.moveaxis(vertices[faces], 1, 0)
    samples = (a[:, None] + u[:, None] * (b - a)[:, None] + v[:, None] * (c - a)[:, None]).reshape(
        -1, 3
    )
    sampled = np.linalg.norm(points[:, None] - samples, axis=-1).min(axis=1)
    assert (near.distance <= sampled + 1e-6).all() and (near.distance >= sampled - 0.1).all()
    np.testing.assert_allclose(
        np.linalg.norm(near.point - points, axis=1), near.distance, rtol=1e-5
    )


def test_points_of_float64_near_the_surface_keep_their_distance(tetrahedron):
    points = np.array([[0.2, 0.2, 1e-30], [1 / 3, 1 / 7, -1e-7], [0.25, 0.3, -1e-13]])
    np.testing.assert_allclose(tetrahedron.distance(points), [1e-30, 1e-7, 1e-13], rtol=1e-7)
    random = np.random.default_rng(3)
    corners = random.normal(size=(3, 3)).astype(np.float32).astype(np.float64)
    scene = bc.Scene(corners, [[0, 1, 2]])
    normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
    normal /= np.linalg.norm(normal)
    weights = random.dirichlet([2, 2, 2], 300)
    for height in (1e-3, 1e-6, 1e-9):
        near = scene.distance(weights @ corners + height * normal)
        np.testing.assert_allclose(near, height, atol=1e-14)


def test_errors(tetrahedron):
    with pytest.raises(ValueError, match=r"points: expected a shape \(\.\.\., 3\)"):
        tetrahedron.closest_point([1, 2])
    with pytest.raises(ValueError, match="max_distance"):
        tetrahedron.closest_point([1, 2, 3], max_distance=-1)
    with pytest.raises(TypeError, match="world: expected integers"):
        tetrahedron.closest_point([1, 2, 3], world=0.5)
    with pytest.raises(ValueError, match="points in world 2, but the scene has 1"):
        tetrahedron.distance([1, 2, 3], world=2)
    with pytest.raises(ValueError, match=r"world: expected a number or a shape \(2,\)"):
        tetrahedron.contains([[1, 2, 3]] * 2, world=[0, 0, 0])


@pytest.mark.parametrize("device", ["cpu", "emulated"])
def test_instances_and_worlds(device):
    mesh = bc.Scene(CORNERS, FACES)
    there, mirrored = np.eye(4), np.diag([-2.0, 1, 1, 1])
    there[0, 3] = 8
    placed = [(0, None), bc.Instance(0, there, 1), bc.Instance(0, mirrored, 1)]
    scene = bc.Scene.from_instances([mesh, mesh], placed, device=device)
    points = np.array([[0.25, 0.25, -2], [8.25, 0.25, -2], [-0.5, 0.25, -3]])
    near = scene.closest_point(points, world=[0, 1, 1])
    np.testing.assert_array_equal(near.distance, [2, 2, 3])
    np.testing.assert_array_equal(near.instance, [0, 1, 2])
    np.testing.assert_array_equal(near.triangle, [0, 0, 0])
    np.testing.assert_array_equal(near.mesh, [0, 0, 0])
    np.testing.assert_array_equal(near.point, points * [1, 1, 0])
    np.testing.assert_array_equal(scene.distance(points[1], world=1), 2)
    inside = np.array([[0.1, 0.1, 0.1], [8.1, 0.1, 0.1], [-0.2, 0.1, 0.1]])
    for rule in ("parity", "nonzero", "winding"):
        found = [scene.contains(inside, rule=rule, world=world) for world in (0, 1)]
        np.testing.assert_array_equal(found, [[True, False, False], [False, True, True]])
    np.testing.assert_array_equal(scene.contains(inside, rays=3, world=1), found[1])
    assert (scene.signed_distance(inside, world=[0, 1, 1]) < 0).all()
    np.testing.assert_allclose(scene.winding_number(inside, world=1), [0, 1, 1], atol=1e-9)
    assert scene.distance(np.zeros((0, 3)), world=1).shape == (0,)
