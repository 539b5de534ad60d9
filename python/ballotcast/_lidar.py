"""Rays of spinning lidars."""

from __future__ import annotations

import math
from typing import Any, NamedTuple, Tuple

import numpy as np

from . import _native
from ._arrays import as_numbers, described, one_number
from ._camera import pose_in_ros

MOST_RAYS = 2**28


class LidarRays(NamedTuple):
    """The rays of one turn of a lidar: first all rings of the first column, then all rings of
    the next column, and so on."""

    rays: np.ndarray  #: float64 (n, 6): origins, and directions of length 1
    ring: np.ndarray  #: int32 (n,): index of the ray's elevation
    column: np.ndarray  #: int32 (n,): index of the ray's azimuth step
    time: np.ndarray  #: float64 (n,): the share of the turn that has passed, from 0 on, below 1


def lidar_rays(
    elevations: Any,
    azimuth_step: float,
    *,
    start: float = 0.0,
    turn: float = 360.0,
    offsets: Any = None,
    pose: Any = None,
    end_pose: Any = None,
    convention: str = "ros",
) -> LidarRays:
    """The rays of a lidar whose rings are at fixed elevations, for `Scene.cast(lidar.rays)`.

    Args:
      elevations: angles of the rings above the lidar's horizon, in degrees, as in its manual.
      azimuth_step: degrees from one column to the next. If positive, the lidar turns to the left,
        seen from above; if negative to the right, as most lidars do.
      start: the azimuth of the first column; 0 is ahead, 90 on the left.
      turn: how many degrees the lidar turns. 360 is once around; the last column is just before
        `start + turn`.
      offsets: angles in degrees that are added to the azimuth of each ring.
      pose: (3, 4) or (4, 4), from the lidar's coordinates to the world's; by default the lidar is
        at the origin. convention: the directions of its axes, as for cameras; the default is x
        ahead, y to the left, z up.
      end_pose: the pose at the end of the turn, for a lidar that moves. It moves and rotates evenly
        in between.
    """
    rings = _angles(elevations, "elevations")
    shifts = np.zeros(rings.size) if offsets is None else _angles(offsets, "offsets")
    if shifts.shape != rings.shape:
        raise ValueError(f"offsets: expected one for each of {rings.size} rings")
    columns = _columns(one_number(azimuth_step, "azimuth_step"), one_number(turn, "turn"))
    if columns * rings.size > MOST_RAYS:
        raise ValueError(f"lidar_rays: {columns} columns of {rings.size} rings are over 2^28 rays")
    step, first = float(azimuth_step), one_number(start, "start")
    if not math.isfinite(first):
        raise ValueError(f"start: expected a number, got {first}")
    azimuths = first + step * np.arange(columns)[:, None] + shifts
    column, ring = np.divmod(np.arange(columns * rings.size, dtype=np.int64), rings.size)
    directions = _towards(np.broadcast_to(rings, azimuths.shape), azimuths)
    time = column / columns
    at = np.eye(4) if pose is None else pose_in_ros(pose, "pose", convention)
    if end_pose is None:
        rays = _placed(directions, at[:3, :3].T, at[:3, 3])
    else:
        rays = _moved(directions, at, pose_in_ros(end_pose, "end_pose", convention), time)
    return LidarRays(rays, ring.astype(np.int32), column.astype(np.int32), time)


def _angles(value: Any, name: str) -> np.ndarray:
    array = as_numbers(value, name)
    if array.ndim != 1 or not array.size or not np.isfinite(array).all():
        raise ValueError(f"{name}: expected degrees, one for each ring, got {described(array)}")
    return array.astype(np.float64)


def _columns(step: float, turn: float) -> int:
    """Returns the number of columns of a turn."""
    if not (math.isfinite(step) and step != 0 and math.isfinite(turn) and turn > 0):
        raise ValueError("azimuth_step must be a number other than 0, and turn above 0")
    columns = turn / abs(step)
    if columns > MOST_RAYS:
        raise ValueError(f"lidar_rays: {columns:.3g} columns; at most 2^28 rays are made")
    # A step like 0.1 is not exact. Rounding must not add a column.
    return max(1, math.ceil(columns - 1e-6))


def _towards(elevations: np.ndarray, azimuths: np.ndarray) -> np.ndarray:
    """Returns directions (n, 3): x ahead, y to the left, z up. They have the same bits on every
    computer."""
    return _native.directions(
        np.ascontiguousarray(elevations, np.float64).reshape(-1),
        np.ascontiguousarray(azimuths, np.float64).reshape(-1),
    )


def _placed(directions: np.ndarray, turn: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Transforms rays from a lidar's coordinates to the world's: float64 (n, 6). The rows of
    `turn` are the lidar's axes, for all rays or for each ray."""
    rays = np.empty((len(directions), 6))
    rays[:, :3] = at
    x, y, z = (directions[:, k, None] for k in range(3))
    rays[:, 3:] = x * turn[..., 0, :] + y * turn[..., 1, :] + z * turn[..., 2, :]
    return rays


def _moved(
    directions: np.ndarray, begin: np.ndarray, end: np.ndarray, time: np.ndarray
) -> np.ndarray:
    """Returns the rays of a lidar that moves from one pose to another: float64 (n, 6)."""
    axis, degrees = _turn_between(begin[:3, :3], end[:3, :3])
    around = _towards(np.zeros(time.size), degrees * time)
    cosine, sine = around[:, 0, None, None], around[:, 1, None, None]
    rows = begin[:3, :3].T[None]  # Rodrigues' formula for each axis
    along = (rows * axis).sum(-1, keepdims=True) * axis
    turn = along + (rows - along) * cosine + np.cross(axis, rows) * sine
    return _placed(directions, turn, begin[:3, 3] + time[:, None] * (end[:3, 3] - begin[:3, 3]))


def _turn_between(begin: np.ndarray, end: np.ndarray) -> Tuple[np.ndarray, float]:
    """Returns the rotation from one pose to another: its axis in the world, and its angle in
    degrees."""
    turn = end @ begin.T
    twice = np.array(
        [turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]
    )  # the axis times twice the sine
    length = float(np.linalg.norm(twice))
    angle = math.atan2(length, float(np.trace(turn)) - 1)
    if length > 1e-9:
        return twice / length, math.degrees(angle)
    if angle < 1:
        return np.array([0.0, 0.0, 1.0]), 0.0
    raise ValueError("end_pose: it is turned by 180 degrees; it is not clear to which side")
