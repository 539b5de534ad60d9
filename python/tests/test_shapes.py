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
    with pytest.raises(bc.UsageError, match="a disc, a plane or"):
        bc.shape("disc", 1).winding_number([[0, 0, 2]])


def test_a_heightfield_is_hit_like_a_mesh_of_its_triangles():
    random = np.random.default_rng(3)
    heights = random.uniform(-0.2, 0.2, (5, 7)).astype(np.float32)
    y, x = np.mgrid[-0.5:0.5:5j, -1:1:7j]
    a = (np.arange(6) + 7 * np.arange(4)[:, None]).reshape(-1, 1)
    for diagonal, corners in (
        ("rising", ((0, 1, 8), (0, 8, 7))),
        ("falling", ((0, 1, 7), (1, 8, 7))),
    ):
        field = bc.heightfield(heights, (1, 0.5), diagonal)
        faces = np.concatenate([a + np.array(c) for c in corners])
        mesh = bc.Scene(np.stack([x, y, heights], -1).reshape(-1, 3), faces)
        origins = np.append(random.uniform(-0.6, 0.6, (2000, 2)), np.ones((2000, 1)), 1)
        rays = origins, random.uniform(-1, 1, (2000, 3)) * (1, 1, 0) - (0, 0, 1)
        hits, expected = field.cast(*rays), mesh.cast(*rays)
        assert 500 < hits.hit.sum() < 2000
        assert (hits.hit != expected.hit).sum() < 3  # x and y are not rounded alike
        both = hits.hit & expected.hit
        assert np.allclose(hits.t[both], expected.t[both], atol=1e-5)
        assert np.allclose(hits.point[both], expected.point[both], atol=1e-5)
        alike = np.abs(hits.normal[both] - expected.normal[both]).max(1) < 1e-4
        assert alike.mean() > 0.99  # the others are on edges
        assert hits.triangle[both].max() == 0


def test_a_heightfield_can_be_placed_pickled_and_explained():
    heights = np.zeros((3, 3))
    heights[1, 1] = 1
    field = bc.heightfield(heights, 2, device="cpu")
    ray = [[0.25, 0.25, 5]], [0, 0, -1]
    scene = bc.Scene.from_instances([field], [(0, None), (0, np.diag([1, 1, -1, 1]))])
    assert scene.count(*ray).tolist() == [2]
    again = pickle.loads(pickle.dumps(field))
    assert again.cast(*ray).t == field.cast(*ray).t == [4.125]
    assert "triangle 0 of cell 1, 1" in str(field.explain([0.5, 0.25, 5], [0, 0, -1]))


def test_heightfields_that_make_no_sense_are_refused():
    good = np.zeros((3, 4))
    with pytest.raises(bc.UsageError, match="1 columns and 1 rows, but there must be from 2"):
        bc.heightfield([[1]], 1)
    for bad in (np.nan, np.inf, -1e7):
        with pytest.raises(bc.UsageError, match="the height in column 2 of row 1"):
            bc.heightfield(np.where(np.arange(12).reshape(3, 4) == 6, bad, good), 1)
    with pytest.raises(ValueError, match=r"expected a shape \(rows, columns\)"):
        bc.heightfield([1, 2, 3], 1)
    with pytest.raises(ValueError, match="size: expected one or two numbers"):
        bc.heightfield(good, (1, 2, 3))
    with pytest.raises(bc.UsageError, match="heightfield: size 2"):
        bc.heightfield(good, (1, 0))
    with pytest.raises(bc.UsageError, match="unknown diagonal 'up'; known: rising, falling"):
        bc.heightfield(good, 1, "up")
    with pytest.raises(bc.UsageError, match="a heightfield needs heights"):
        bc.shape("heightfield", (1, 1))
