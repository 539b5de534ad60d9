"""Tests which hits count: the arguments sides, skip, mask and skip_instance, and set_masks."""

import pickle

import ballotcast as bc
import numpy as np
import pytest

ORIGIN, DOWN = [0.5, 0.4, 10], [0, 0, -1]


def cube(**options):
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
    faces = [(0, 6, 4), (0, 2, 6), (0, 3, 2), (0, 1, 3), (2, 7, 6), (2, 3, 7)]
    faces += [(4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (1, 5, 7), (1, 7, 3)]
    return bc.Scene(corners, faces, device="cpu", **options)


def test_sides():
    scene = cube()
    assert scene.cast(ORIGIN, DOWN, sides="front").t == 9
    assert scene.cast(ORIGIN, DOWN, sides="back").t == 10
    assert scene.count(ORIGIN, DOWN) == 2
    assert scene.count(ORIGIN, DOWN, sides="back") == 1
    assert scene.all(ORIGIN, DOWN, sides="front").t.tolist() == [9]
    inside = [0.5, 0.4, 0.5]
    assert not scene.any(inside, DOWN, sides="front")
    assert scene.any(inside, DOWN, sides="back")
    assert scene.hits_per_triangle(ORIGIN, DOWN, sides="back").sum() == 1
    with pytest.raises(ValueError, match="sides: expected one of 'both', 'front', 'back', got 'f'"):
        scene.cast(ORIGIN, DOWN, sides="f")


def test_rays_leave_the_triangle_on_which_they_start():
    scene = cube()
    rng = np.random.default_rng(3)
    ways = rng.normal(size=(2000, 3))
    hits = scene.cast([0.3, 0.4, 0.6], ways)
    back = [0.3, 0.4, 0.6] - hits.point
    onward = scene.cast(hits.point, back, skip=hits)
    assert not (onward.id == hits.id).any()
    assert (onward.t[onward.hit] > 1).all()
    assert np.array_equal(scene.cast(hits.point, back, skip=hits.id).raw, onward.raw)
    none = scene.cast(hits.point, back, skip=-1)
    assert np.array_equal(none.raw, scene.cast(hits.point, back).raw)
    # One triangle to skip for all rays; then several ids, which determine the shape of the rays.
    assert scene.cast(ORIGIN, DOWN, skip=scene.cast(ORIGIN, DOWN).id).t == 10
    first = scene.cast(ORIGIN, DOWN).id
    assert scene.cast(ORIGIN, DOWN, skip=[-1, first]).t.tolist() == [9, 10]
    # `out` may be the same hits that give the ids to skip.
    kept = scene.cast(np.float32([ORIGIN] * 2), DOWN)
    assert scene.cast(np.float32([ORIGIN] * 2), DOWN, skip=kept, out=kept).t.tolist() == [10, 10]


def test_rays_skip_the_instance_of_their_sensor():
    there = np.eye(4)
    there[2, 3] = -5
    scene = bc.Scene.from_instances([cube()], [(0, None), (0, there)], device="cpu")
    assert scene.cast(ORIGIN, DOWN, skip_instance=0).t == 14
    hits = scene.cast(ORIGIN, DOWN, skip_instance=[-1, 0, 1])
    assert hits.instance.tolist() == [0, 1, 0]
    assert scene.count(ORIGIN, DOWN, skip_instance=0) == 2
    assert scene.any(ORIGIN, DOWN, skip_instance=[0, 1]).all()
    assert scene.all(ORIGIN, DOWN, skip_instance=np.uint32(1)).t.tolist() == [9, 10]
    assert scene.hits_per_triangle(ORIGIN, DOWN, skip_instance=0)[:12].sum() == 0
    assert scene.explain(ORIGIN, DOWN, skip_instance=0).hit.instance == 1
    look = {"pixel": (320, 180), "eye": ORIGIN, "look_at": [0.5, 0.4, 0], "up": [0, 1, 0]}
    assert scene.explain(**look).hit.instance == 0
    assert scene.explain(**look, skip_instance=0).hit.instance == 1
    with pytest.raises(ValueError, match="skips instance 2, but the scene has 2"):
        scene.cast(ORIGIN, DOWN, skip_instance=[0, 2])
    with pytest.raises(ValueError, match="rays skip instance 2, but the scene has 2"):
        scene.cast(ORIGIN, DOWN, skip_instance=2)
    with pytest.raises(ValueError, match="rays skip instances, but the scene has none"):
        cube().cast(ORIGIN, DOWN, skip_instance=0)
    with pytest.raises(TypeError, match="skip_instance: expected numbers of instances, integers"):
        scene.cast(ORIGIN, DOWN, skip_instance=0.5)


def test_instances_come_and_go():
    there = np.eye(4)
    there[2, 3] = -5
    scene = bc.Scene.from_instances([cube()], [(0, None), (0, there)], device="cpu")
    assert scene.cast(ORIGIN, DOWN).instance == 0
    scene.set_masks([0, 1])
    assert scene.cast(ORIGIN, DOWN).t == 14
    assert scene.count(ORIGIN, DOWN) == 2
    assert not scene.contains([0.5, 0.5, 0.5])
    assert pickle.loads(pickle.dumps(scene)).cast(ORIGIN, DOWN).t == 14
    scene.set_masks(np.uint32([1, 2**31]))
    assert scene.cast(ORIGIN, DOWN, mask=[1, 2**31, 2]).instance.tolist() == [0, 1, -1]
    assert scene.cast(ORIGIN, DOWN, mask=2**31).instance == 1
    assert scene.explain(ORIGIN, DOWN, mask=2**31).hit.instance == 1


def test_arguments():
    scene = cube()
    for call in (scene.cast, scene.any, scene.count, scene.all, scene.hits_per_triangle):
        with pytest.raises(TypeError, match="skip: expected ids of triangles, integers, got float"):
            call(ORIGIN, DOWN, skip=0.5)
        with pytest.raises(ValueError, match="skip: ids of triangles must be from 0 to"):
            call(ORIGIN, DOWN, skip=-2)
        with pytest.raises(ValueError, match=r"ray 0: skips triangle 12, but the scene has 12"):
            call(ORIGIN, DOWN, skip=12)
        with pytest.raises(ValueError, match="skip: expected a number or a shape"):
            call([ORIGIN] * 2, DOWN, skip=[1, 2, 3])
        with pytest.raises(TypeError, match="mask: expected integers, got float64"):
            call(ORIGIN, DOWN, mask=1.0)
        with pytest.raises(ValueError, match="mask: masks must be from 0 to"):
            call(ORIGIN, DOWN, mask=-1)
        with pytest.raises(ValueError, match="rays have masks, but the scene has no instances"):
            call(ORIGIN, DOWN, mask=1)
    with pytest.raises(ValueError, match="masks are of instances, and the scene has none"):
        scene.set_masks([1])
    two = bc.Scene.from_instances([scene], [(0, None), (0, None)], device="cpu")
    with pytest.raises(ValueError, match="3 masks for a scene that has 2 instances"):
        two.set_masks([1, 2, 3])
    for wrong in ([[1, 2]], None, 1):
        with pytest.raises(ValueError, match=r"masks: expected a shape \(n,\)"):
            two.set_masks(wrong)
    with pytest.raises(TypeError, match="masks: expected integers"):
        two.set_masks([0.5, 1])
    with pytest.raises(ValueError, match="masks: masks must be from 0 to"):
        two.set_masks([1, 2**32])
    with pytest.raises(ValueError, match="unknown sides 'f'"):
        scene.render(8, 8, sides="f")


def test_pictures_and_explanations():
    scene = cube()
    camera = {"eye": [0.5, 0.4, 4], "look_at": [0.5, 0.4, 0]}
    depth = scene.render(9, 9, sides="back", outputs=["depth"], **camera)["depth"]
    assert depth[4, 4] == pytest.approx(4)
    assert "sides='back'" in scene.render(9, 9, sides="back", **camera).explained_by(4, 4)
    told = scene.explain(pixel=(4, 4), width=9, height=9, sides="back", **camera)
    assert told.hit.t == pytest.approx(4)
    assert any("the front, which does not count" in test.verdict for test in told.tested)
    hit = scene.explain(ORIGIN, DOWN).hit
    assert scene.explain(ORIGIN, DOWN, skip=hit.id).hit.t == 10
