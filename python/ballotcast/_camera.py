"""Cameras: the forms in which callers state them."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from . import _native
from ._arrays import as_numbers, described, number_or_none, three_numbers, whole_number


class CameraArguments:
    """The arguments of a camera, checked. None is not stated."""

    def __init__(
        self,
        eye: Any = None,
        look_at: Any = None,
        up: Any = None,
        fov: Optional[float] = None,
        lens: Optional[float] = None,
        focus: Optional[float] = None,
        ortho_height: Optional[float] = None,
        intrinsics: Any = None,
        pose: Any = None,
        convention: str = "opencv",
    ) -> None:
        if intrinsics is not None and not (fov is None and ortho_height is None):
            raise ValueError("intrinsics and fov or ortho_height exclude each other")
        if pose is not None and not (eye is None and look_at is None and up is None):
            raise ValueError("pose and eye, look_at or up exclude each other")
        self._eye, self._look_at, self._up = (
            None if value is None else three_numbers(value, name)
            for value, name in ((eye, "eye"), (look_at, "look_at"), (up, "up"))
        )
        self._fov = number_or_none(fov, "fov")
        self._lens = number_or_none(lens, "lens")
        self._focus = number_or_none(focus, "focus")
        self._ortho_height = number_or_none(ortho_height, "ortho_height")
        self._intrinsics = None if intrinsics is None else _focal_and_principal(intrinsics)
        self._pose = None if pose is None else _rows_of_pose(pose)
        self._convention = convention
        given = {
            "eye": eye,
            "look_at": look_at,
            "up": up,
            "fov": fov,
            "lens": lens,
            "focus": focus,
            "ortho_height": ortho_height,
            "intrinsics": intrinsics,
            "pose": pose,
            "convention": None if pose is None else convention,
        }
        self._stated = {k: np.asarray(v).tolist() for k, v in given.items() if v is not None}

    def of_size(self, width: int, height: int) -> _native.Camera:
        """The camera for a picture of this size."""
        return _native.Camera(
            self._eye,
            self._look_at,
            self._up,
            self._fov,
            self._lens,
            self._focus,
            self._ortho_height,
            self._intrinsics,
            self._pose,
            self._convention,
            width,
            height,
        )

    def stated(self) -> "Dict[str, Any]":
        """What is stated, by the names of the arguments."""
        return self._stated


def camera_rays(
    width: int,
    height: int,
    *,
    eye: Any = None,
    look_at: Any = None,
    up: Any = (0.0, 1.0, 0.0),
    fov: Optional[float] = None,
    ortho_height: Optional[float] = None,
    intrinsics: Any = None,
    pose: Any = None,
    convention: str = "opencv",
) -> Tuple[np.ndarray, np.ndarray]:
    """The rays through the centres of all pixels: origins and directions, each float64
    (height, width, 3), for `Scene.cast`. Directions have length 1 along the line of sight, so `t`
    of a hit is its depth.

    The arguments are those of `Scene.render`, but eye and look_at, or pose, must be there.
    """
    if pose is None and (eye is None or look_at is None):
        raise ValueError("camera_rays: give eye and look_at, or pose")
    given_up = None if pose is not None else up
    camera = CameraArguments(
        eye,
        look_at,
        given_up,
        fov,
        None,
        None,
        ortho_height,
        intrinsics,
        pose,
        convention,
    )
    size = whole_number(width, "width", 1), whole_number(height, "height", 1)
    at, corner, step_x, step_y, ahead = map(np.array, camera.of_size(*size).plane())
    points = (
        corner
        + step_x * (np.arange(size[0])[None, :, None] + 0.5)
        + step_y * (np.arange(size[1])[:, None, None] + 0.5)
    )
    if ortho_height is None or ortho_height == 0:
        return np.broadcast_to(at, points.shape).copy(), points
    return at + points, np.broadcast_to(ahead, points.shape).copy()


def _focal_and_principal(value: Any) -> Tuple[float, float, float, float]:
    """fx, fy, cx and cy."""
    array = as_numbers(value, "intrinsics")
    if array.shape == (4,):
        fx, fy, cx, cy = array.astype(np.float64).tolist()
        return fx, fy, cx, cy
    if array.shape != (3, 3):
        raise ValueError(
            f"intrinsics: expected fx, fy, cx, cy, or a shape (3, 3), got {described(array)}"
        )
    m = array.astype(np.float64)
    if m[0, 1] != 0:
        raise ValueError(f"intrinsics: a skew of {m[0, 1]} can't be drawn")
    if m[1, 0] != 0 or m[2].tolist() != [0, 0, 1]:
        raise ValueError("intrinsics: expected [[fx, 0, cx], [0, fy, cy], [0, 0, 1]]")
    return float(m[0, 0]), float(m[1, 1]), float(m[0, 2]), float(m[1, 2])


def _rows_of_pose(value: Any) -> "List[float]":
    """The numbers of a pose, row by row."""
    array = as_numbers(value, "pose")
    if array.shape not in ((3, 4), (4, 4)):
        raise ValueError(f"pose: expected a shape (3, 4) or (4, 4), got {described(array)}")
    return [float(number) for number in array.reshape(-1)]
