"""Tests shapes: surfaces without triangles."""

import pickle

import ballotcast as bc
import numpy as np
import pytest

KINDS = {
    "sphere": 0.5,
    "ellipsoid": (0.5, 1, 1.5),
    "box": (0.5, 1, 1.5),
    "capsule": (0.5, 1),
    "cylinder": (0.5, 1),
    "cone": (0.5, 1),
    "disc": 0.5,
    "plane": (0.5, 1),
}
HEIGHTS = {"sphere": 0.5, "ellipsoid": 1.5, "box": 1.5, "capsule": 1.5, "cylinder": 1, "cone": 1}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("device", ["cpu", "emulated"])
def test_a_ray_from_above_meets_the_top(kind, device):
    scene = bc.shape(kind, KINDS[kind], device=device)
    hits = scene.cast([[1e-6, 0, 5], [9, 9, 5]], [0, 0, -1])
    assert hits.hit.tolist() == [True, False]
    height = HEIGHTS.get(kind, 0)
    assert hits.t[0] == pytest.approx(5 - height, abs=1e-5)
    assert np.allclose(hits.point[0], [1e-6, 0, height], atol=2e-5)
    assert hits.triangle[0] == 0
    if kind != "cone":
        assert np.allclose(hits.normal[0], [0, 0, 1], atol=1e-5)
    crossings = 1 if kind in ("disc", "plane") else 2
    assert scene.count([[1e-6, 0, 5]], [0, 0, -1]).tolist() == [crossings]
    assert scene.all([[1e-6, 0, 5]], [0, 0, -1]).starts.tolist() == [0, crossings]
    assert scene.contains([[0, 0, -0.1], [0, 0, 5]]).tolist() == [crossings == 2, False]


def test_instances_scale_and_move_a_shape():
    ball = bc.shape("sphere", 1)
    flat = np.diag([2.0, 1, 0.5, 1])
    flat[:3, 3] = 10, 0, 0
    scene = bc.Scene.from_instances([ball], [(0, None), (0, flat)], moves=True)
    hits = scene.cast([[0, 0, 5], [10, 0, 5], [11.9, 0, 5]], [0, 0, -1])
    assert np.allclose(hits.t, [4, 4.5, 5 - 0.5 * np.sqrt(1 - 0.95**2)])
    assert hits.instance.tolist() == [0, 1, 1]
    scene.set_transforms([flat, np.eye(4)])
    assert scene.cast([[0, 0, 5], [10, 0, 5]], [0, 0, -1]).instance.tolist() == [1, 0]
    scene.set_masks([1, 2])
    assert scene.any([[0, 0, 5]] * 2, [0, 0, -1], mask=np.uint32([1, 2])).tolist() == [False, True]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("kind", KINDS)
def test_a_point_above_is_closest_to_the_top(kind, dtype):
    scene = bc.shape(kind, KINDS[kind], device="cpu")
    height = HEIGHTS.get(kind, 0)
    points = np.array([[0.01, 0.02, 5], [0.01, 0.02, height - 0.01]], dtype)
    at = scene.closest_point(points)
    assert at.found.all() and np.isfinite(at.normal).all() and at.distance.dtype == dtype
    assert np.allclose(at.distance, np.linalg.norm(at.point - points, axis=1), atol=1e-6)
    assert at.distance[0] == pytest.approx(5 - height, abs=1e-3)
    sign = -1 if kind in HEIGHTS and kind != "cone" else 1
    assert np.allclose(scene.signed_distance(points), at.distance * [1, sign])


def test_signed_distances_of_solids_that_overlap():
    solids = [bc.shape("sphere", 1), bc.shape("box", [1, 1, 1])]
    scene = bc.Scene.from_instances(solids, [(0, None), (1, None)], device="cpu")
    points = [[0.5, 0, 0], [0.9, 0.9, 0.9], [3, 0, 0]]
    corner = np.sqrt(3 * 0.9**2) - 1
    expected = [-0.5, -0.1, 2]
    assert corner > 0.1
    assert np.allclose(scene.signed_distance(points, rule="nonzero"), expected)
    assert np.allclose(scene.signed_distance(points), [0.5, -0.1, 2])


def test_a_plane_has_the_winding_number_of_two_triangles():
    plane = bc.shape("plane", [2, 1], device="cpu")
    corners = [[-2, -1, 0], [2, -1, 0], [2, 1, 0], [-2, 1, 0]]
    mesh = bc.Scene(corners, [[0, 1, 2], [0, 2, 3]], device="cpu")
    points = [[0.3, 0.1, -1e-6], [0, 0, 1], [5, 6, -7]]
    assert np.array_equal(plane.winding_number(points), mesh.winding_number(points))


def test_sides_are_where_rays_enter_and_leave():
    ball = bc.shape("sphere", 1)
    ray = [[0, 0, 5]], [0, 0, -1]
    assert ball.cast(*ray, sides="front").t == [4]
    assert ball.cast(*ray, sides="back").t == [6]
    assert ball.cast([[0, 0, 0]], [0, 0, -1]).t == [1]


def test_a_shape_can_be_pickled_and_explained():
    ball = bc.shape("sphere", 2, device="cpu")
    again = pickle.loads(pickle.dumps(ball))
    assert again.cast([[0, 0, 5]], [0, 0, -1]).t == [3]
    told = again.explain([0, 0, 5], [0, 0, -1])
    assert "a sphere, which the ray meets" in str(told)
    assert [test.taken for test in told.tested] == [True, False]


def test_what_makes_no_sense_is_refused():
    with pytest.raises(bc.UsageError, match="unknown shape 'ball'; known: sphere"):
        bc.shape("ball", 1)
    with pytest.raises(bc.UsageError, match="box: needs 3 sizes"):
        bc.shape("box", 1)
    for size in (0, -1, np.nan, np.inf, 1e30):
        with pytest.raises(bc.UsageError, match="sphere: size 1"):
            bc.shape("sphere", size)
    with pytest.raises(bc.UsageError, match="in a scene with a disc"):
        bc.shape("disc", 1).winding_number([[0, 0, 2]])
