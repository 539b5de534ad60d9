"""Cameras: the forms in which callers state them."""

from __future__ import annotations

import os
from dataclasses import dataclass
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
        pose_is: str = "camera-to-world",
        projection: Optional[str] = None,
        distortion: Any = None,
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
        self._pose_is = pose_is
        self._projection = projection or ""
        self._distortion = [] if distortion is None else _coefficients(distortion)
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
            "pose_is": None if pose_is == "camera-to-world" else pose_is,
            "projection": projection,
            "distortion": self._distortion or None,
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
            self._pose_is,
            self._projection,
            self._distortion,
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
    pose_is: str = "camera-to-world",
    projection: Optional[str] = None,
    distortion: Any = None,
) -> Tuple[np.ndarray, np.ndarray]:
    """The rays through the centres of all pixels: origins and directions, each float64
    (height, width, 3), for `Scene.cast`. Directions of a perspective have length 1 along the line
    of sight, so `t` of a hit is its depth; those of a fisheye or a panorama have length 1. Where a
    lens shows nothing they are NaN, which hits nothing.

    The arguments are those of `Scene.render`, but eye and look_at, or pose, must be there.
    """
    if pose is None and (eye is None or look_at is None):
        raise ValueError("camera_rays: give eye and look_at, or pose")
    camera = CameraArguments(
        eye,
        look_at,
        None if pose is not None else up,
        fov,
        None,
        None,
        ortho_height,
        intrinsics,
        pose,
        convention,
        pose_is,
        projection,
        distortion,
    )
    size = whole_number(width, "width", 1), whole_number(height, "height", 1)
    origins, directions = camera.of_size(*size).rays()
    shape = (size[1], size[0], 3)
    return origins.reshape(shape), directions.reshape(shape)


@dataclass(frozen=True, eq=False)
class FileCamera:
    """A camera of a file. `**camera` are arguments of `Scene.render`, `Scene.explain` and
    `camera_rays`: `scene.render(**camera, samples=4)`."""

    image: str  #: the name of its picture in the file
    name: str  #: the same for names of new files: without its suffix and common folders
    width: int  #: of its picture
    height: int  #: of its picture
    intrinsics: Optional[np.ndarray]  #: float64 (3, 3), as OpenCV has it; None of a panorama
    projection: str  #: "perspective", "fisheye" or "panorama"
    distortion: np.ndarray  #: float64, as OpenCV has it; may be empty
    pose: np.ndarray  #: float64 (4, 4), from the camera to the world, x right, y down, z ahead

    def keys(self) -> "Tuple[str, ...]":
        return ("width", "height", "intrinsics", "projection", "distortion", "pose")

    def __getitem__(self, key: str) -> Any:
        if key not in self.keys():
            raise KeyError(key)
        return getattr(self, key)


def read_cameras(path: Any, width: int = 0, height: int = 0) -> "List[FileCamera]":
    """The cameras of a file or folder, in their order: transforms.json (NeRF, instant-ngp,
    nerfstudio), or COLMAP's cameras.txt and images.txt.

    Args:
      path: transforms.json; one of COLMAP's two files; or the folder.
      width, height: the size of pictures whose file does not say it.

    Raises:
      InputError: the file can't be read; the message names the line or the key.
    """
    size = whole_number(width, "width"), whole_number(height, "height")
    return [
        FileCamera(
            image,
            name,
            columns,
            rows,
            None
            if projection == "panorama"
            else np.array([[fx, 0, cx], [0, fy, cy], [0, 0, 1]], np.float64),
            projection,
            np.array(distortion, np.float64),
            np.array(pose, np.float64).reshape(4, 4),
        )
        for image, name, columns, rows, (fx, fy, cx, cy), projection, distortion, pose in (
            _native.read_cameras(os.fspath(path), *size)
        )
    ]


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


def _rows_of_pose(value: Any, name: str = "pose") -> "List[float]":
    """The numbers of a pose, row by row."""
    array = as_numbers(value, name)
    if array.shape not in ((3, 4), (4, 4)):
        raise ValueError(f"{name}: expected a shape (3, 4) or (4, 4), got {described(array)}")
    return [float(number) for number in array.reshape(-1)]


def pose_in_ros(value: Any, name: str, convention: str) -> np.ndarray:
    """A pose of another convention as (4, 4), for axes x ahead, y to the left, z up."""
    axes = _native.axes_of_pose(_rows_of_pose(value, name), convention)
    pose = np.eye(4)
    pose[:3] = np.array(axes).T
    return pose


def _coefficients(value: Any) -> "List[float]":
    """The coefficients of a distortion, also of OpenCV's arrays of one row or column."""
    array = as_numbers(value, "distortion")
    if array.size != max(array.shape, default=1) or array.size > 14:
        raise ValueError(f"distortion: expected at most 8 numbers, got {described(array)}")
    return [float(number) for number in array.reshape(-1)]
