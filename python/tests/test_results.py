"""Tests hits and closest points as objects: repr, indexing, pickling, and errors."""

import copy
import pickle
import tracemalloc
from types import SimpleNamespace

import ballotcast as bc
import numpy as np
import pytest
from shapes import sheet
from test_gpu_arguments import InGpuMemory

DOWN = [0, 0, -1]


@pytest.fixture(scope="module")
def scene():
    points, faces = sheet(60)
    return bc.Scene.from_meshes([(points, faces), (points + [0, 0, 5], faces)], device="cpu")


def rays(dtype, count=200):
    rng = np.random.default_rng(5)
    origins = rng.uniform(-1, 1, (count, 3)) + [0, 0, 10]
    return origins.astype(dtype), np.array(DOWN, dtype)


@pytest.mark.parametrize("device", ["cpu", "emulated"])
def test_points_of_all_have_the_digits_of_doubles(device):
    corners = np.array([[0, 0, 0], [1000, 0, 0], [0, 1000, 0]], float)
    scene = bc.Scene(corners, [[0, 1, 2]], device=device)
    origins = np.random.default_rng(0).uniform(0, 400, (500, 3)) + [0, 0, 5]
    every = scene.all(origins, np.array(DOWN, float))
    np.testing.assert_allclose(every.point, origins * [1, 1, 0], rtol=1e-15, atol=1e-13)
    np.testing.assert_array_equal(every.point, scene.cast(origins, np.array(DOWN, float)).point)
    near = scene.closest_point(origins)
    np.testing.assert_allclose(near.point, origins * [1, 1, 0], rtol=0, atol=1e-10)
    np.testing.assert_allclose(
        np.linalg.norm(near.point - origins, axis=1), near.distance, rtol=1e-14
    )


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_pickled_results_have_all_their_parts_and_no_scene(scene, dtype):
    origins, way = rays(dtype)
    for result in (
        scene.cast(origins, way),
        scene.cast(origins.reshape(10, 20, 3), way),
        scene.cast(origins[0], way),
        scene.all(origins, way),
        scene.closest_point(origins),
    ):
        text = pickle.dumps(result)
        assert len(text) < 2000 + 120 * result.id.size
        for again in (pickle.loads(text), pickle.loads(pickle.dumps(pickle.loads(text)))):
            assert type(again) is type(result) and again.shape == result.shape
            for name, part in result.asdict().items():
                np.testing.assert_array_equal(getattr(again, name), part)
                assert getattr(again, name).dtype == part.dtype
        assert repr(pickle.loads(text)) == repr(result)
        if result.shape:
            np.testing.assert_array_equal(pickle.loads(text)[1:3].normal, result.normal[1:3])
    assert len(pickle.dumps(scene.cast(origins[:1], way))) < 2000
    copied = copy.copy(scene.cast(origins, way))
    np.testing.assert_array_equal(copied.point, scene.cast(origins, way).point)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_single_result_does_not_look_at_all_others(scene, dtype):
    hits = scene.cast(*rays(dtype, 100_000))
    for result in (hits, scene.closest_point(rays(dtype, 100_000)[0])):
        tracemalloc.start()
        one = result[-7]
        assert tracemalloc.get_traced_memory()[1] < 20_000
        tracemalloc.stop()
        assert one.shape == ()
        np.testing.assert_array_equal(one.point, result[[-7]].point[0])
    grid = scene.cast(rays(dtype)[0].reshape(10, 20, 3), rays(dtype)[1])
    for i, row in enumerate(grid):
        assert row.shape == (20,) and row.raw.tobytes() == grid.raw[i].tobytes()
    np.testing.assert_array_equal(grid[np.int8(-1)].t, grid.t[9])
    again = pickle.loads(pickle.dumps(grid))
    np.testing.assert_array_equal(again[3].normal, grid.normal[3])
    for beyond in (10, -11):
        with pytest.raises(IndexError, match="out of bounds"):
            grid[beyond]
    assert grid[True].shape == (1, 10, 20)


class FailsAfterMoving:
    """A native scene that moves and then raises an exception, as a warning about a failed
    machine may."""

    def __init__(self, native):
        self._native = native

    def __getattr__(self, name):
        return getattr(self._native, name)

    def set_vertices(self, rows):
        self._native.set_vertices(rows)
        raise RuntimeWarning("a machine was lost")


@pytest.mark.parametrize("where", ["in the scene", "on a GPU"])
def test_hits_are_old_if_the_scene_moved_and_something_failed(where):
    def fails(call, rows):
        raise RuntimeWarning("a machine was lost")

    moving = bc.Scene(np.eye(3), [[0, 1, 2]], moves=True, device="cpu")
    ray = np.zeros((1, 3), np.float32), np.ones(3, np.float32)
    hits = moving.cast(*ray)
    before = hits.point
    for wrong in (np.eye(3)[:2], np.full((3, 3), np.nan), InGpuMemory((3, 3))):
        with pytest.raises(ValueError):
            moving.set_vertices(wrong)
        np.testing.assert_array_equal(hits.point, before)
    native = moving._native
    if where == "on a GPU":
        moving._on_gpus[0] = SimpleNamespace(follow=fails, device=0)
    else:
        moving._native = FailsAfterMoving(native)
    with pytest.raises(RuntimeWarning):
        moving.set_vertices(np.eye(3) + 1)
    moving._native = native
    with pytest.raises(bc.SceneError, match="the scene has moved"):
        hits.point
    assert not moving._on_gpus, "it is made anew, for it may not have followed"
    np.testing.assert_allclose(moving.cast(*ray).point, [[4 / 3] * 3], rtol=1e-6)
    np.testing.assert_allclose(pickle.loads(pickle.dumps(moving)).cast(*ray).t, 4 / 3, rtol=1e-6)


def test_pickled_hits_of_a_moved_scene_lack_places():
    moving = bc.Scene(np.eye(3), [[0, 1, 2]], moves=True, device="cpu")
    rays = np.zeros((1, 3)), np.ones(3)
    both = [moving.cast(*rays), moving.cast(*(part.astype(np.float32) for part in rays))]
    moving.set_vertices(np.eye(3) + 1)
    for hits in both:
        again = pickle.loads(pickle.dumps(hits))
        assert again.triangle.tolist() == [0] and again.t.tolist() == hits.t.tolist()
        for name in ("point", "normal"):
            with pytest.raises(bc.SceneError, match="has moved since"):
                getattr(again, name)


def test_hits_are_written_into_unpickled_ones(scene):
    origins, way = rays(np.float64)
    out = pickle.loads(pickle.dumps(scene.cast(origins + 3, way)))
    scene.cast(origins, way, out=out)
    np.testing.assert_array_equal(out.normal, scene.cast(origins, way).normal)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_parts_by_indices_slices_and_masks(scene, dtype):
    origins, way = rays(dtype)
    for result in (
        scene.cast(origins.reshape(10, 20, 3), way),
        scene.all(origins, way),
        scene.closest_point(origins),
    ):
        mask = result.id != 2**32 - 1
        for which in (0, -1, slice(1, 4), [2, 0], mask, ..., (slice(None), None)):
            part = result[which]
            for name in ("id", "triangle", "mesh", "uv", "point", "normal"):
                np.testing.assert_array_equal(getattr(part, name), getattr(result, name)[which])
            assert part.shape == result.id[which].shape
        assert len(result) == len(result.id) == len(list(result))
        with pytest.raises(IndexError):
            result[len(result)]
    hits = scene.cast(origins, way)
    assert [float(hit.t) for hit in hits] == hits.t.tolist()
    assert hits[0].shape == () and hits[hits.hit].hit.all()
    with pytest.raises(TypeError, match="no length"):
        len(hits[0])
    assert hits.asdict().keys() >= {"hit", "t", "triangle", "point", "normal"}
    assert "ray" in scene.all(origins, way).asdict()


def test_reprs(scene):
    assert repr(scene.cast([0, 0, 10], DOWN)).startswith("<ballotcast.Hits: triangle ")
    assert repr(scene.cast([9, 9, 10], DOWN)) == "<ballotcast.Hits: a miss>"
    two = repr(scene.cast([[0, 0, 10], [9, 9, 10]], DOWN))
    assert two.startswith("<ballotcast.Hits: 1 hits of 2 rays, shape (2,), t from ")
    every = repr(scene.all([[0, 0, 10], [9, 9, 10]], DOWN))
    assert every.startswith("<ballotcast.AllHits: 2 hits of 2 rays, t from ")
    assert "7200 triangles" not in repr(scene) and f"{scene.triangle_count} tri" in repr(scene)
    assert "from (-1, -1, " in repr(scene)


KINDS = {
    "SceneError": RuntimeError,
    "UsageError": ValueError,
    "InputError": ValueError,
    "OutputError": OSError,
    "DeviceError": RuntimeError,
    "OutOfDeviceMemory": MemoryError,
}


@pytest.mark.parametrize("name", KINDS)
def test_every_named_error_is_an_error_of_the_package(name):
    kind = getattr(bc, name)
    assert issubclass(kind, bc.Error) and issubclass(kind, KINDS[name])
    assert kind.__doc__ and kind.__module__ == "ballotcast"
    assert isinstance(pickle.loads(pickle.dumps(kind("why"))), kind)


def test_errors_are_caught_by_their_base():
    assert bc.Error.__doc__
    with pytest.raises(bc.Error, match="missing.obj"):
        bc.load("missing.obj")
    with pytest.raises(bc.Error, match="unknown"):
        bc.Scene(np.eye(3), [[0, 1, 2]], build="slow")
    with pytest.raises(ValueError, match="missing.obj"):
        bc.load("missing.obj")
