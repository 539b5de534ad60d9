"""Which points are inside of a mesh: rays from them vote."""

from __future__ import annotations

import typing
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _gpu_hits as gpu
from ._arrays import as_vectors
from ._gpu_arrays import on_gpu
from ._gpu_casts import GpuRays

if TYPE_CHECKING:
    from ._scene import Scene

# The direction of the first ray that tells inside from outside. Any would do; meshes have few edges
# along this one.
_NO_AXIS = np.array([0.4395064455, 0.617598629942, 0.652231566745])


def contains(scene: "Scene", points: Any, rule: str, rays: int) -> np.ndarray:
    """See Scene.contains."""
    if on_gpu(points):
        asked = rays_that_vote(scene, points, rule, rays)
        return typing.cast(np.ndarray, asked.library.given(gpu.inside(asked)))
    where = as_vectors(points, "points")
    if rule not in ("parity", "nonzero"):
        raise ValueError(f"rule: expected 'parity' or 'nonzero', got {rule!r}")
    if rays < 1 or rays % 2 == 0:
        raise ValueError(f"rays: expected an odd number, got {rays}")
    votes = np.zeros(where.shape[:-1], np.int64)
    for way in directions_that_vote(rays):
        if rule == "parity":
            votes += scene.count(where, way) % 2
        else:
            hits = scene.all(where, way)
            turns = np.where(hits.normal @ way > 0, 1, -1)
            sums = np.concatenate([[0], np.cumsum(turns)])
            votes += (np.diff(sums[hits.starts]) != 0).reshape(votes.shape)
    return np.asarray(2 * votes > rays)


def rays_that_vote(scene: "Scene", points: Any, rule: str, rays: int) -> GpuRays:
    """The rays of points in GPU memory."""
    if rule != "parity" or rays != 1:
        raise ValueError("points in GPU memory: only rule='parity' with rays=1")
    return GpuRays(scene, points, _NO_AXIS, 0.0, np.inf, None)


def directions_that_vote(count: int) -> np.ndarray:
    """The same directions at every call."""
    others = np.random.default_rng(0).normal(size=(count - 1, 3))
    return np.concatenate([_NO_AXIS[None], others])
