"""Tests whether points are inside of a mesh."""

from __future__ import annotations

import typing
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import PointArrays, whole_number
from ._gpu_arrays import any_on_gpu
from ._gpu_casts import GpuPoints

if TYPE_CHECKING:
    from ._queries import QueriedScene

# The rules, in the order of the library's enum InsideRule.
RULES = ("parity", "nonzero", "winding")

# The first direction if several rays per point vote. Results are right with any direction; rays in
# this one pass through few edges, because few edges of typical meshes are parallel to it.
_NO_AXIS = np.array([0.4395064455, 0.617598629942, 0.652231566745])


def contains(scene: "QueriedScene", points: Any, rule: str, rays: int, world: Any) -> np.ndarray:
    """Returns bool: which points are inside of the mesh. For the arguments see Scene.contains."""
    if any_on_gpu(points, world):
        asked = gpu_points(scene, points, rule, rays, world)
        return typing.cast(np.ndarray, asked.library.for_caller(asked.inside(RULES.index(rule))))
    _require(rule, rays)
    if rays > 1:
        return _vote(scene, points, rule, rays, world)
    where = PointArrays(points, world)
    inside = np.zeros(where.size, np.uint8)
    if where.size:
        scene._host.contains(where.rows(), where.world, RULES.index(rule), inside)
    return inside.view(bool).reshape(where.shape)


def winding_number(scene: "QueriedScene", points: Any, world: Any) -> np.ndarray:
    """Returns float64: the winding number of each point. For the arguments see
    Scene.winding_number."""
    if any_on_gpu(points, world):
        asked = GpuPoints(scene, points, world)
        return typing.cast(np.ndarray, asked.library.for_caller(asked.winding_numbers()))
    where = PointArrays(points, world)
    numbers = np.empty(where.size)
    if where.size:
        scene._host.winding_numbers(where.rows(), where.world, numbers)
    return numbers.reshape(where.shape)


def gpu_points(scene: "QueriedScene", points: Any, rule: str, rays: int, world: Any) -> GpuPoints:
    """Returns points in GPU memory, for queries with one ray each. Raises ValueError for an
    unknown rule, and if `rays` is not 1."""
    _require(rule, rays)
    if rays != 1:
        raise ValueError("points in GPU memory: only rays=1")
    return GpuPoints(scene, points, world)


def _require(rule: str, rays: int) -> None:
    if rule not in RULES:
        raise ValueError(f"rule: expected one of {', '.join(map(repr, RULES))}, got {rule!r}")
    if whole_number(rays, "rays") % 2 == 0:
        raise ValueError(f"rays: expected an odd number, got {rays}")
    if rule == "winding" and rays != 1:
        raise ValueError("rays: rule 'winding' casts none, so several can't vote")


def _vote(scene: "QueriedScene", points: Any, rule: str, rays: int, world: Any) -> np.ndarray:
    where = PointArrays(points, world)
    votes = np.zeros(where.size, np.int64)
    for way in _directions(rays):
        if rule == "parity":
            votes += scene.count(where.points, way, world=where.world_of_rows) % 2
        else:
            hits = scene.all(where.points, way, world=where.world_of_rows)
            turns = np.where(hits.normal @ way > 0, 1, -1)
            sums = np.concatenate([[0], np.cumsum(turns)])
            votes += np.diff(sums[hits.starts]) != 0
    return np.asarray(2 * votes > rays).reshape(where.shape)


def _directions(count: int) -> np.ndarray:
    """Returns `count` directions, the same at every call."""
    others = np.random.default_rng(0).normal(size=(count - 1, 3))
    return np.concatenate([_NO_AXIS[None], others])
