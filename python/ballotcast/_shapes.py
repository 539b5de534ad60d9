"""Shapes as meshes, until scenes have shapes without triangles.

All are centred at zero; those with an axis have it along z.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Tuple

import numpy as np

from ._arrays import as_numbers
from ._scene import Scene

_Mesh = Tuple[np.ndarray, np.ndarray]

_AROUND = 192  # corners of a circle
_ENDLESS = 1e5  # half the side of a plane without an end

_CUBE = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
_SIDES = np.array(
    [
        *([0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1]),
        *([2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]),
    ]
)


def shape(kind: str, size: Any) -> Scene:
    """Returns a mesh of a shape, for `Scene.from_instances`.

    Args:
      kind: "sphere", "ellipsoid", "box", "capsule", "cylinder", "plane" or "heightfield".
      size: sphere: the radius. ellipsoid: three semi-axes. box: three half sizes. capsule,
        cylinder: the radius, and half the length of the straight part. plane: two half sizes, 0
        for no end; it faces +z. heightfield: rows of heights (from -y to +y, each from -x to +x),
        and two half sizes.
    """
    if kind not in _MAKERS:
        raise ValueError(f"kind: expected one of {', '.join(map(repr, _MAKERS))}, got {kind!r}")
    if kind == "heightfield":
        heights, half = size
        return Scene(*_heightfield(as_numbers(heights, "size"), as_numbers(half, "size")))
    numbers = np.atleast_1d(as_numbers(size, "size")).astype(float)
    least, count = (0, 2) if kind == "plane" else (1e-30, _COUNTS[kind])
    if numbers.shape != (count,) or not (numbers >= least).all():
        raise ValueError(f"size: expected {count} numbers above 0 for a {kind}, got {size!r}")
    return Scene(*_MAKERS[kind](numbers))


def _turned(profile: List[Tuple[float, float]]) -> _Mesh:
    """A solid of revolution around z. `profile`: pairs of radius and z, from below to above; the
    first and the last lie on the axis."""
    angles = 2 * np.pi * np.arange(_AROUND) / _AROUND
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    rings = [np.column_stack([r * circle, np.full(_AROUND, z)]) for r, z in profile[1:-1]]
    ends = np.array([[0, 0, profile[0][1]], [0, 0, profile[-1][1]]])
    a = np.arange(_AROUND)
    b = (a + 1) % _AROUND
    last = 2 + (len(rings) - 1) * _AROUND
    faces = [
        np.column_stack([0 * a, 2 + b, 2 + a]),
        np.column_stack([0 * a + 1, last + a, last + b]),
    ]
    for ring in range(len(rings) - 1):
        low, high = 2 + ring * _AROUND, 2 + (ring + 1) * _AROUND
        faces.append(np.column_stack([low + a, low + b, high + b]))
        faces.append(np.column_stack([low + a, high + b, high + a]))
    return np.concatenate([ends, *rings]), np.concatenate(faces)


def _arc(radius: float, low: float, high: float, at: float) -> List[Tuple[float, float]]:
    """Points of a circle from one angle above the horizon to another, in quarters of a turn."""
    angles = np.linspace(low, high, round(_AROUND / 4 * (high - low)) + 1) * np.pi / 2
    return [(radius * np.cos(u), at + radius * np.sin(u)) for u in angles]


def _ball(axes: np.ndarray) -> _Mesh:
    points, faces = _turned(_arc(1, -1, 1, 0))
    return points * axes, faces


def _capsule(size: np.ndarray) -> _Mesh:
    radius, half = size
    return _turned(_arc(radius, -1, 0, -half) + _arc(radius, 0, 1, half))


def _cylinder(size: np.ndarray) -> _Mesh:
    radius, half = size
    return _turned([(0, -half), (radius, -half), (radius, half), (0, half)])


def _plane(size: np.ndarray) -> _Mesh:
    half = np.where(size > 0, size, _ENDLESS)
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    return np.column_stack([corners, np.zeros(4)]), np.array([[0, 1, 2], [0, 2, 3]])


def _heightfield(heights: np.ndarray, half: np.ndarray) -> _Mesh:
    rows, columns = heights.shape
    y, x = np.linspace(-half[1], half[1], rows), np.linspace(-half[0], half[0], columns)
    points = np.stack([*np.meshgrid(x, y), heights], -1).reshape(-1, 3)
    at = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = at[:-1, :-1], at[:-1, 1:], at[1:, 1:], at[1:, :-1]
    faces = np.stack([np.stack([a, b, c], -1), np.stack([a, c, d], -1)], -2)
    return points, faces.reshape(-1, 3)


_MAKERS: Dict[str, Callable[..., _Mesh]] = {
    "sphere": _ball,
    "ellipsoid": _ball,
    "box": lambda half: (_CUBE * half, _SIDES),
    "capsule": _capsule,
    "cylinder": _cylinder,
    "plane": _plane,
    "heightfield": _heightfield,
}
_COUNTS = {"sphere": 1, "ellipsoid": 3, "box": 3, "capsule": 2, "cylinder": 2}
