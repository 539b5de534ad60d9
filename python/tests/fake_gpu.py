"""A GPU for tests on machines without one: its memory is host memory, and its scene is one on the
CPU. It has the functions of the extension module that move instances and cast the rays of
sensors."""

import ctypes
from types import SimpleNamespace

import ballotcast as bc
import numpy as np
from ballotcast import _gpu_arrays, _native


class FakeArray:
    """An array "in GPU memory"."""

    def __init__(self, array):
        self.array = array

    @property
    def shape(self):
        return self.array.shape

    @property
    def __cuda_array_interface__(self):
        own = self.array.__array_interface__
        return {**own, "version": 3, "stream": None}


class FakeMemory:
    def __init__(self, size, device):
        self.words = np.zeros(size // 4, np.uint32)
        self.address = self.words.ctypes.data

    def fill(self, words):
        self.words[:] = words


def at(address, dtype, count):
    """The numbers at an address."""
    size = np.dtype(dtype).itemsize * count
    return np.frombuffer((ctypes.c_uint8 * size).from_address(address), dtype)


def strided(address, is_double, strides, step, value):
    return SimpleNamespace(address=address, double=is_double, strides=strides, step=step)


def vectors(numbers, sizes):
    """The vectors of strided numbers, float64 sizes + (3,)."""
    kind = np.dtype(np.float64 if numbers.double else np.float32)
    places = sum(np.ix_(*(np.arange(n) * s for n, s in zip(sizes, numbers.strides))))
    places = places[..., None] + np.arange(3) * numbers.step
    raw = at(numbers.address, kind, int(places.max()) + 1)
    return raw[places].astype(np.float64)


class FakeScene:
    """Stands for _native.GpuScene."""

    def __init__(self, scene):
        self.scene = scene
        self.moves = 0

    def poses(self, sizes, x, y, z, at):
        rows = [vectors(row, sizes) for row in (x, y, z)]
        return np.concatenate([np.stack(rows, -2), vectors(at, sizes)[..., None]], -1)

    def set_poses(self, poses, chosen, per_world, of_world, origins, to, count, stream):
        self.moves += 1
        if chosen:
            poses = poses[:, at(chosen, np.int32, per_world)]
        assert of_world == 0 or poses.size == 12 * count
        rows = self.scene._native.placed(np.ascontiguousarray(poses, np.float64).reshape(-1, 12))
        at(to, np.float32, 12 * count)[:] = rows.reshape(-1)
        self.scene._native.set_transforms(rows)

    def follow_transforms(self, moved, rows):
        pass  # it shares the scene of the host

    def set_masks(self, masks):
        self.scene.set_masks(masks)

    def place_rays(self, sensors, own, per_world, t_min, rays, worlds, count, stream):
        local = at(own, np.float64, 6 * per_world).reshape(-1, 6)
        turn, place = sensors[:, None, :, :3], sensors[:, None, :, 3]
        start = (turn * local[:, None, :3]).sum(-1) + place
        way = (turn * local[:, None, 3:]).sum(-1)
        low, high = np.full((*way.shape[:2], 1), t_min), np.full((*way.shape[:2], 1), np.inf)
        records = np.concatenate([start, low, way, high], -1)
        at(rays, np.float32, 8 * count)[:] = records.reshape(-1)
        at(worlds, np.int32, count)[:] = np.repeat(np.arange(len(sensors)), per_world)

    def cast(self, rays, hits, count, any_hit, each, world, hit_filter, stream):
        records = at(rays, np.float32, 8 * count).reshape(-1, 8)
        worlds = at(each, np.uint32, count) if each else world
        found = self.scene.cast(
            records[:, :3],
            records[:, 4:7],
            t_min=records[:, 3],
            t_max=records[:, 7],
            world=worlds,
            mask=hit_filter.mask,
        )
        at(hits, np.uint8, 16 * count)[:] = found.raw.view(np.uint8).reshape(-1)
        self.instances = found.instance

    def store_ranges(self, numbers, instances, miss, hits, ranges, found, count, stream):
        raw = at(hits, np.float32, 4 * count).reshape(-1, 4)
        hit = self.instances >= 0
        geoms = at(numbers, np.int32, instances)
        at(ranges, np.float32, count)[:] = np.where(hit, raw[:, 0], miss)
        at(found, np.int32, count)[:] = np.where(hit, geoms[self.instances % instances], -1)


class FakeFilter:
    def __init__(self, sides, mask, masks, skip, skip_instance, skip_instances):
        self.mask = mask


def install(monkeypatch):
    """Makes casts of FakeArrays go to a FakeScene. Returns the list of those that were made."""
    made = []

    def empty(self, shape, dtype):
        return FakeArray(np.full(shape, 77, dtype))

    def gpu_scene(native, device):
        copy = bc.Scene.__new__(bc.Scene)
        copy._hold(native, None, {"moves": "on"})
        made.append(FakeScene(copy))
        return made[-1]

    monkeypatch.setattr(_native, "strided", strided)
    monkeypatch.setattr(_native, "GpuMemory", FakeMemory)
    monkeypatch.setattr(_native, "GpuFilter", FakeFilter)
    monkeypatch.setattr(_native, "gpu_scene", gpu_scene)
    monkeypatch.setattr(_native, "gpu_device_of", lambda address: 0)
    monkeypatch.setattr(_gpu_arrays.Library, "empty", empty)
    monkeypatch.setattr(_gpu_arrays.Library, "address_of", lambda self, a: a.array.ctypes.data)
    return made
