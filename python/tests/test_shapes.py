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
    "floor": (0.5, 1),
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
    crossings = 1 if kind in ("disc", "plane", "floor") else 2
    assert scene.count([[1e-6, 0, 5]], [0, 0, -1]).tolist() == [crossings]
    assert scene.all([[1e-6, 0, 5]], [0, 0, -1]).starts.tolist() == [0, crossings]
    assert scene.contains([[0, 0, -0.1], [0, 0, 5]]).tolist() == [crossings == 2, False]


@pytest.mark.parametrize("device", ["cpu", "emulated"])
def test_a_floor_is_not_hit_from_below(device):
    rays = np.array([[0, 0, 1, 0, 0, -1], [0, 0, -1, 0, 0, 1]], float)
    for kind, below in (("plane", True), ("floor", False)):
        scene = bc.shape(kind, (1, 1), device=device)
        assert scene.cast(rays).hit.tolist() == [True, below]
        assert scene.any(rays).tolist() == [True, below]
        assert scene.count(rays).tolist() == [1, int(below)]


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
    with pytest.raises(bc.UsageError, match="closest points are not supported"):
        bc.shape("sphere", 1).distance([[0, 0, 2]])
    with pytest.raises(bc.UsageError, match="a flat shape"):
        bc.shape("disc", 1).winding_number([[0, 0, 2]])
