"""Cameras: the arguments by which callers describe them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Tuple, TypedDict

import numpy as np

from . import _native
from ._arrays import as_numbers, described, one_number, three_numbers, whole_number
from ._options import takes_keywords

if TYPE_CHECKING:
    from typing_extensions import Unpack


class ViewKeywords(TypedDict, total=False):
    """The keywords of a pinhole camera; `DrawnScene.render` explains them."""

    eye: Any
    look_at: Any
    up: Any
    fov: Optional[float]
    ortho_height: Optional[float]
    intrinsics: Any
    pose: Any
    convention: str
    pose_is: str
    projection: Optional[str]
    distortion: Any


class CameraKeywords(ViewKeywords, total=False):
    """The keywords of a camera, which may have a lens; `DrawnScene.render` explains them."""

    lens: Optional[float]
    focus: Optional[float]


_DEFAULTS: CameraKeywords = {
    "eye": None,
    "look_at": None,
    "up": None,
    "fov": None,
    "ortho_height": None,
    "intrinsics": None,
    "pose": None,
    "convention": "opencv",
    "pose_is": "camera-to-world",
    "projection": None,
    "distortion": None,
    "lens": None,
    "focus": None,
}

takes_view = takes_keywords(ViewKeywords, _DEFAULTS)
takes_camera = takes_keywords(CameraKeywords, _DEFAULTS)


class CameraArguments:
    """The keywords of a camera, checked. None means that the caller has not given a value."""

    def __init__(self, camera: ViewKeywords) -> None:
        arguments: Dict[str, Any] = {**_DEFAULTS, **camera}
        passed = {name: value for name, value in arguments.items() if value is not None}
        if "intrinsics" in passed and not passed.keys().isdisjoint(("fov", "ortho_height")):
            raise ValueError("intrinsics and fov or ortho_height exclude each other")
        if "pose" in passed and not passed.keys().isdisjoint(("eye", "look_at", "up")):
            raise ValueError("pose and eye, look_at or up exclude each other")
        self._checked: Dict[str, Any] = {**arguments, "projection": "", "distortion": []}
        for name, value in passed.items():
            self._checked[name] = _CHECKS[name](value, name) if name in _CHECKS else value
        if "pose" not in passed:
            del passed["convention"]
        if passed["pose_is"] == _DEFAULTS["pose_is"]:
            del passed["pose_is"]
        if not self._checked["distortion"]:
            passed.pop("distortion", None)
        self._passed = {name: np.asarray(value).tolist() for name, value in passed.items()}

    def of_size(self, width: int, height: int) -> _native.Camera:
        """Returns the camera for a picture of this size."""
        return _native.Camera(**self._checked, width=width, height=height)

    def passed(self) -> "Dict[str, Any]":
        """Returns the values that the caller has given, by the names of the arguments."""
        return self._passed


@takes_view
def camera_rays(
    width: int, height: int, **camera: Unpack[ViewKeywords]
) -> Tuple[np.ndarray, np.ndarray]:
    """The rays through the centres of all pixels: origins and directions, each float64 (height,
    width, 3), for `Scene.cast`. For a perspective, the component of a direction along the line of
    sight is 1, so `t` of a hit is its depth. For a fisheye or a panorama, directions have length 1.
    For pixels outside of the lens's image circle, directions are NaN; such rays hit nothing.

    The arguments are those of `Scene.render`, but eye and look_at, or pose, must be given. `up`
    is (0, 1, 0) by default.
    """
    if camera["pose"] is None and (camera["eye"] is None or camera["look_at"] is None):
        raise ValueError("camera_rays: give eye and look_at, or pose")
    if camera["pose"] is None and camera["up"] is None:
        camera["up"] = (0.0, 1.0, 0.0)
    size = whole_number(width, "width", 1), whole_number(height, "height", 1)
    origins, directions = CameraArguments(camera).of_size(*size).rays()
    shape = (size[1], size[0], 3)
    return origins.reshape(shape), directions.reshape(shape)


@dataclass(frozen=True, eq=False)
class FileCamera:
    """A camera from a file. It can be passed as keywords to `Scene.render`, `Scene.explain` and
    `camera_rays`: `scene.render(**camera, samples=4)`."""

    image: str  #: the name of its picture in the file
    #: `image` as a name for new files: without its suffix and without the folders that all
    #: pictures of the file share
    name: str
    width: int  #: width of the picture
    height: int  #: height of the picture
    intrinsics: Optional[np.ndarray]  #: float64 (3, 3), as OpenCV has it; None for a panorama
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
    """Reads the cameras of a file or folder, in their order: transforms.json (NeRF, instant-ngp,
    nerfstudio), or COLMAP's cameras.txt and images.txt.

    Args:
      path: transforms.json; one of COLMAP's two files; or the folder.
      width, height: the size of pictures in pixels, if the file does not state it.

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


def _focal_and_principal(value: Any, name: str) -> Tuple[float, float, float, float]:
    """Returns fx, fy, cx and cy, in pixels."""
    array = as_numbers(value, name)
    if array.shape == (4,):
        fx, fy, cx, cy = array.astype(np.float64).tolist()
        return fx, fy, cx, cy
    if array.shape != (3, 3):
        raise ValueError(
            f"{name}: expected fx, fy, cx, cy, or a shape (3, 3), got {described(array)}"
        )
    m = array.astype(np.float64)
    if m[0, 1] != 0:
        raise ValueError(f"{name}: a skew of {m[0, 1]} can't be drawn")
    if m[1, 0] != 0 or m[2].tolist() != [0, 0, 1]:
        raise ValueError(f"{name}: expected [[fx, 0, cx], [0, fy, cy], [0, 0, 1]]")
    return float(m[0, 0]), float(m[1, 1]), float(m[0, 2]), float(m[1, 2])


def _rows_of_pose(value: Any, name: str) -> "List[float]":
    """Returns the numbers of a pose, row by row."""
    array = as_numbers(value, name)
    if array.shape not in ((3, 4), (4, 4)):
        raise ValueError(f"{name}: expected a shape (3, 4) or (4, 4), got {described(array)}")
    return [float(number) for number in array.reshape(-1)]


def pose_in_ros(value: Any, name: str, convention: str) -> np.ndarray:
    """Converts a pose in another convention to (4, 4), for a camera with x ahead, y to the left,
    z up."""
    axes = _native.axes_of_pose(_rows_of_pose(value, name), convention)
    pose = np.eye(4)
    pose[:3] = np.array(axes).T
    return pose


def _coefficients(value: Any, name: str) -> "List[float]":
    """Returns the coefficients of a distortion. Also accepts OpenCV's arrays of one row or
    column."""
    array = as_numbers(value, name)
    if array.size != max(array.shape, default=1) or array.size > 14:
        raise ValueError(f"{name}: expected at most 8 numbers, got {described(array)}")
    return [float(number) for number in array.reshape(-1)]


_CHECKS: "Dict[str, Callable[[Any, str], Any]]" = {
    "eye": three_numbers,
    "look_at": three_numbers,
    "up": three_numbers,
    "fov": one_number,
    "ortho_height": one_number,
    "intrinsics": _focal_and_principal,
    "pose": _rows_of_pose,
    "distortion": _coefficients,
    "lens": one_number,
    "focus": one_number,
}
