"""Tests that wrong arguments in GPU memory are refused before a GPU is used. These tests need no
GPU."""

from types import SimpleNamespace

import ballotcast as bc
import numpy as np
import pytest
from ballotcast import _gpu_arrays, _gpu_hits, _native


class InGpuMemory:
    """Has the interface of an array in GPU memory, from an unknown library."""

    def __init__(self, shape, dtype="<f4", address=0, strides=None):
        self.__cuda_array_interface__ = {
            "shape": shape,
            "typestr": dtype,
            "data": (address, False),
            "strides": strides,
            "version": 3,
        }


@pytest.fixture(scope="module")
def scene():
    return bc.Scene(np.eye(3), [[0, 1, 2]])


@pytest.mark.parametrize("axes", [5, 12])
def test_too_many_axes(scene, axes):
    shape = (1,) * axes
    many = InGpuMemory((*shape, 3))
    with pytest.raises(ValueError, match="at most 4 leading axes"):
        scene.cast(many, many)
    with pytest.raises(ValueError, match="at most 4 leading axes"):
        scene.cast([0, 0, 0], [0, 0, 1], t_max=InGpuMemory(shape))
    with pytest.raises(ValueError, match="at most 4 leading axes"):
        scene.closest_point(many)
    with pytest.raises(ValueError, match="at most 4 leading axes, got 5"):
        _native.strided(0, False, [1] * 5, 1, [0.0] * 3)


def test_a_column_of_limits_would_make_each_ray_many(scene):
    column = InGpuMemory((7, 1))
    with pytest.raises(ValueError, match="t_max: "):
        scene.cast(np.zeros(3), InGpuMemory((7, 3)), t_max=column)


def test_numbers_at_odd_places(scene):
    with pytest.raises(ValueError, match="origins: its numbers do not lie at multiples of 4 bytes"):
        scene.cast(InGpuMemory((2, 3), address=4098), [0, 0, 1])
    with pytest.raises(ValueError, match="points: .* multiples of 8 bytes"):
        scene.contains(InGpuMemory((2, 3), "<f8", strides=(28, 8)))


def hits_of(library, size, double=False):
    """Returns hits of GPU arrays for checks of `out`. They have no memory."""
    hits = _gpu_hits.GpuHits.__new__(_gpu_hits.GpuHits)
    hits._library, hits._shape, hits._size = library, (size,), size
    hits._raw, hits._distances = "memory", "distances" if double else None
    return hits


def test_out_must_be_of_the_same_library_device_and_type(scene):
    class Cast(Exception):
        pass

    def cast(raw, any_hit):
        raise Cast(raw)

    here = _gpu_arrays.Library(0)
    for double in (False, True):
        rays = SimpleNamespace(library=here, size=7, double=double, cast=cast)
        with pytest.raises(Cast, match="memory"):
            _gpu_hits.cast(scene, rays, hits_of(_gpu_arrays.Library(0), 7, double))
        for wrong in (
            hits_of(here, 8, double),
            hits_of(here, 7, not double),
            hits_of(_gpu_arrays.Library(1), 7, double),
            hits_of(_gpu_arrays._Jax(0), 7, double),
            scene.cast(np.zeros((7, 3)), [0, 0, 1]),
        ):
            kind = "float64" if double else "float32"
            with pytest.raises(ValueError, match=f"out: expected the hits of 7 rays of {kind}"):
                _gpu_hits.cast(scene, rays, wrong)
