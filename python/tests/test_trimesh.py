"""Tests the engine for trimesh."""

import copy
import pickle

import numpy as np
import pytest

trimesh = pytest.importorskip("trimesh")
import ballotcast as bc  # noqa: E402
from ballotcast.trimesh import (  # noqa: E402
    ProximityQuery,
    RayMeshIntersector,
    install,
    installed,
    uninstall,
)


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


def test_faces_given_twice_count_once(box):
    twice = trimesh.Trimesh(
        box.vertices, np.vstack([box.faces, box.faces[:, [1, 2, 0]]]), process=False
    )
    one, two = RayMeshIntersector(box), RayMeshIntersector(twice)
    origins, directions = [[0.1, 0.2, -3], [9, 9, 9]], [[0, 0, 1], [0, 0, 1]]
    for call in ("intersects_id", "intersects_location", "intersects_first", "intersects_any"):
        for a, b in zip(
            getattr(one, call)(origins, directions), getattr(two, call)(origins, directions)
        ):
            np.testing.assert_array_equal(a, b)
    points = np.random.default_rng(1).uniform(-1, 1, (500, 3))
    np.testing.assert_array_equal(two.contains_points(points), one.contains_points(points))
    # If the copies are not neighbours, the results are still indices of the mesh's faces.
    order = np.r_[0, 0:12]
    mixed = trimesh.Trimesh(box.vertices, box.faces[order], process=False)
    first = RayMeshIntersector(mixed).intersects_first(origins, directions)
    assert order[first[0]] == one.intersects_first(origins, directions)[0] and first[1] == -1


def test_unknown_keywords_are_refused(box):
    for call in ("intersects_id", "intersects_location", "intersects_first", "intersects_any"):
        with pytest.raises(TypeError, match="unexpected keyword argument 'max_hit'"):
            getattr(RayMeshIntersector(box), call)([[0, 0, 0]], [[0, 0, 1]], max_hit=1)


def test_masked_elements_are_refused(box):
    masked = np.ma.masked_array(np.zeros((1, 3)), mask=[[0, 0, 1]])
    for call in (
        lambda: RayMeshIntersector(box).intersects_any(masked, [[0, 0, 1]]),
        lambda: RayMeshIntersector(box).contains_points(masked),
        lambda: ProximityQuery(box).on_surface(masked),
    ):
        with pytest.raises(TypeError, match="masked array"):
            call()


def test_a_scene_of_trimesh_is_a_mesh(box, tmp_path):
    both = trimesh.Scene([box, trimesh.creation.icosphere()])
    scene = bc.Scene(both, device="cpu")
    assert scene.triangle_count == 12 + 1280
    assert bc.Scene.from_meshes([both, box], device="cpu").cast([0, 0, 9], [0, 0, -1]).mesh == 0
    with pytest.raises(TypeError, match=r"got a Scene; .* use Scene\(mesh\)"):
        bc.load(both)
    with pytest.raises(TypeError, match=r"expected a ballotcast.Scene, got a trimesh\..*Scene"):
        bc.Scene.from_instances([both], [(0, None)])
    for empty in (trimesh.Scene(), trimesh.Scene([trimesh.PointCloud(np.eye(3))])):
        with pytest.raises(ValueError, match="vertices: a trimesh.Scene without triangles"):
            bc.Scene(empty)


def test_closest_points_as_trimesh_has_them():
    pytest.importorskip("scipy")
    ball = trimesh.creation.icosphere(subdivisions=2)
    points = np.random.default_rng(3).uniform(-2, 2, (300, 3))
    ours, theirs = ProximityQuery(ball), trimesh.proximity.ProximityQuery(ball)
    for a, b in zip(ours.vertex(points), theirs.vertex(points)):
        np.testing.assert_array_equal(a, b)
    pytest.importorskip("rtree")
    (place, distance, face), (place2, distance2, face2) = (
        query.on_surface(points) for query in (ours, theirs)
    )
    np.testing.assert_allclose(place, place2, atol=1e-6)
    np.testing.assert_allclose(distance, distance2, atol=1e-6)
    assert (face == face2).mean() > 0.9 and face.dtype == np.int64
    np.testing.assert_allclose(
        ours.signed_distance(points), theirs.signed_distance(points), atol=1e-6
    )


def test_signed_distances_are_positive_inside(box):
    query = ProximityQuery(box)
    signed = query.signed_distance([[0, 0, 0], [2, 0, 0], [0.5, 0.1, 0.1]])
    np.testing.assert_allclose(signed, [0.5, -1.5, 0], atol=1e-12)
    place, distance, face = query.on_surface([[2, 0.1, 0.2]])
    np.testing.assert_allclose(place, [[0.5, 0.1, 0.2]])
    np.testing.assert_allclose(distance, [1.5])
    assert np.allclose(box.face_normals[face[0]], [1, 0, 0])
    with pytest.raises(ValueError, match=r"points must be \(n,3\)"):
        query.on_surface([0, 0, 0])


def test_the_engine_of_meshes_while_it_is_installed():
    uninstall()
    before = type(trimesh.creation.box().ray), type(trimesh.creation.box().nearest)
    with installed():
        mesh = trimesh.creation.box()
        assert isinstance(mesh.ray, RayMeshIntersector)
        assert isinstance(mesh.nearest, ProximityQuery)
        np.testing.assert_array_equal(mesh.contains([[0, 0, 0], [1, 1, 1]]), [True, False])
        with installed():
            pass
        assert isinstance(trimesh.creation.box().ray, RayMeshIntersector)
    assert (type(trimesh.creation.box().ray), type(trimesh.creation.box().nearest)) == before
    install()
    install()
    assert isinstance(trimesh.creation.box().ray, RayMeshIntersector)
    uninstall()
    uninstall()
    assert type(trimesh.creation.box().ray) is before[0]
