"""Tests Scene.explain, which says why a ray hits what it hits."""

import ballotcast as bc
import numpy as np
import pytest
from shapes import CORNERS, FACES

VIEW = dict(eye=(3, 2, 4), look_at=(0.3, 0.3, 0.3), fov=30)


def cloud():
    """Returns a scene of many small triangles, and rays at them."""
    rng = np.random.default_rng(2)
    vertices = rng.normal(size=(900, 1, 3)) + 0.2 * rng.normal(size=(900, 3, 3))
    return vertices.reshape(-1, 3), np.arange(2700).reshape(-1, 3)


@pytest.mark.parametrize("device", ["cpu", "emulated"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_an_explanation_ends_with_the_hit_of_a_cast(device, dtype):
    scene = bc.Scene(*cloud(), device=device)
    rng = np.random.default_rng(3)
    origins = (4 * rng.normal(size=(60, 3))).astype(dtype)
    directions = (rng.normal(size=(60, 3)) - origins).astype(dtype)
    hits = scene.cast(origins, directions)
    assert 10 < hits.hit.sum() < 60
    for i in range(60):
        told = scene.explain(origins[i], directions[i])
        assert told.hit.raw.tobytes() == hits.raw[i].tobytes()
        assert told.hit.t == hits.t[i] and told.hit.t.dtype == hits.t.dtype
        np.testing.assert_array_equal(told.hit.point, hits.point[i])
        assert f"{device}" in str(told) and "finds the same, bit for bit" in str(told)
        taken = [test for test in told.tested if test.taken]
        assert bool(taken) == hits.hit[i]
        if taken:
            assert taken[-1].triangle == hits.triangle[i]
            assert taken[-1].t == pytest.approx(hits.t[i], rel=1e-5)
            assert taken[-1].uv == tuple(hits.uv[i])
        for test in told.tested:
            assert test.verdict.startswith("taken") == test.taken
        steps = told.data["steps"]
        assert sum("node" in step for step in steps) == told.nodes
        assert sum("leaf" in step for step in steps) == told.leaves
        assert str(told.nodes) in repr(told)


def test_text_is_that_of_the_program():
    scene = bc.Scene(CORNERS, FACES)
    text = str(scene.explain(np.float32([0.25, 0.25, -5]), np.float32([0, 0, 1])))
    assert text.startswith("  ray")
    for words in ("from 0.25, 0.25, -5", "towards 0, 0, 1", "hit       triangle 0 at t 5"):
        assert words in text
    assert "given" not in text


def test_rays_of_float64_say_how_they_are_cast():
    scene = bc.Scene(CORNERS, FACES)
    told = scene.explain([0.25, 0.25, -1e9], [0, 0, 4])
    assert told.hit.t == 2.5e8 and told.tested[0].t == 2.5e8
    assert "from 0.25, 0.25, -1000000000.0" in str(told)
    assert abs(told.origin[2]) < 10 and told.direction[2] == 1


def test_pixels():
    scene = bc.Scene(CORNERS + 1e7, FACES)
    view = {**VIEW, "eye": (1e7 + 3, 1e7 + 2, 1e7 + 4), "look_at": np.full(3, 1e7 + 0.3)}
    picture = scene.render(32, 24, shading="normal", **view)
    for column, row in ((0, 0), (16, 12), (12, 15), (15, 12), (9, 15), (19, 9), (31, 23)):
        told = scene.explain(pixel=(column, row), width=32, height=24, **view)
        away = np.abs(picture[row, column] - picture[row, 0].astype(int)).max()
        assert told.hit.hit == (away > 20), "the first column shows the background"
        assert np.abs(told.origin - view["eye"]).max() < 1e-6
    assert scene.explain(pixel=(320, 180), **view).hit.hit
    call = picture.explained_by(16, 12).replace("array", "")
    assert call.startswith("scene.explain(pixel=(16,12), width=32, height=24, eye=[10000003.0,")
    assert eval(call).hit.triangle == 3


def test_instances_and_worlds():
    mesh = bc.Scene(CORNERS, FACES)
    there = np.eye(4)
    there[0, 3] = 8
    scene = bc.Scene.from_instances([mesh], [(0, None), bc.Instance(0, there, 1)], moves=True)
    ray = np.float32([8.1, 0.1, -5]), np.float32([0, 0, 1])
    assert not scene.explain(*ray).hit.hit
    told = scene.explain(*ray, world=1)
    assert (told.hit.instance, told.hit.triangle, told.instances) == (1, 0, 1)
    assert {(test.instance, test.mesh) for test in told.tested} == {(1, 0)}
    with pytest.raises(ValueError, match="world 2, but the scene has 2"):
        scene.explain(*ray, world=2)
    scene.set_transforms([there, np.eye(4)])
    assert scene.explain(*ray).hit.instance == 0


def test_a_scene_that_moves():
    scene = bc.Scene(CORNERS, FACES, moves=True)
    scene.set_vertices(CORNERS + [0, 0, 2])
    assert scene.explain([0.1, 0.1, -5], [0, 0, 1]).hit.t == 7


def test_any():
    scene = bc.Scene(CORNERS, FACES)
    told = scene.explain([0.1, 0.1, -5], [0, 0, 1], any=True)
    assert told.hit.hit and "any hit" in str(told)
    assert not scene.explain([9, 9, 9], [0, 0, 1], any=True).tested[:0]


def test_rays_that_can_hit_nothing():
    told = bc.Scene(CORNERS, FACES).explain([0, 0, np.nan], [0, 0, 1])
    assert not told.hit.hit and "The ray is invalid" in str(told) and not told.tested
    assert not bc.Scene(CORNERS, FACES).explain([0, 0, 0], [0, 0, 0]).hit.hit
    empty = bc.Scene(CORNERS[:0], FACES[:0]).explain([0, 0, 0], [0, 0, 1])
    assert not empty.hit.hit and empty.tested == []


def test_a_picture_says_what_explains_it(tmp_path):
    path = tmp_path / "one {}.obj"
    path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    scene = bc.load(path, moves=True)
    picture = scene.render(8, 6, shading="normal", eye=np.float32([0, 0, 3]), ortho_height=2)
    command = f"ballotcast explain '{path}' --size 8x6 --eye 0.0,0.0,3.0 --ortho 2 --pixel 3,4"
    assert picture.explained_by(3, 4) == command
    assert picture[1:].copy().explained_by(3, 4) == command
    scene.set_vertices([[0, 0, 1], [1, 0, 1], [0, 1, 1]])
    assert scene.render(8, 6, shading="normal", eye=(0, 0, 3), fov=40.0).explained_by(3, 4) == (
        "scene.explain(pixel=(3,4), width=8, height=6, eye=[0, 0, 3], fov=40.0)"
    )
    picture.save(tmp_path / "a.png")
    assert bc.read_png(tmp_path / "a.png").explained_by(3, 4) is None


@pytest.mark.parametrize(
    "arguments, error, words",
    [
        ({}, ValueError, "origin and direction, or pixel"),
        ({"origin": [0, 0, 0]}, ValueError, "origin and direction, or pixel"),
        ({"origin": [0, 0, 0], "pixel": (0, 0)}, ValueError, "not both"),
        ({"origin": [[0, 0, 0]], "direction": [0, 0, 1]}, ValueError, r"single ray.*\(1,\)"),
        ({"origin": [0, 0], "direction": [0, 0, 1]}, ValueError, "origins: expected"),
        ({"pixel": (3,)}, ValueError, "pixel: expected a column and a row"),
        ({"pixel": (0.5, 1)}, ValueError, "pixel: expected a column and a row"),
        ({"pixel": (640, 0)}, ValueError, "pixel: column 640 and row 0 of a picture of width 640"),
        ({"pixel": (0, -1)}, ValueError, "pixel: column 0 and row -1"),
        ({"pixel": (0, 0), "eye": (1, 2)}, ValueError, "eye: expected three numbers"),
        ({"pixel": (0, 0), "fov": 190.0}, ValueError, "camera: fov must"),
    ],
)
def test_errors(arguments, error, words):
    with pytest.raises(error, match=words):
        bc.Scene(CORNERS, FACES).explain(**arguments)
