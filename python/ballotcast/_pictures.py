"""Pictures as arrays: drawn, compared, read and written."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from typing import Any, Dict, Optional, Tuple, Union

import numpy as np

from . import _native
from ._arrays import as_array, described

Path = Union[str, "os.PathLike[str]"]

# Endings of pictures that are no PNG.
_OTHER_FORMATS = (".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".webp", ".exr", ".hdr", ".pfm")


class Picture(np.ndarray):
    """uint8 (height, width, 3): an array like any other, which notebooks show. The light of
    `render(linear=True)` is float32, and is not shown."""

    _explained_by: Optional[Tuple[str, str]] = None  # what stands before and after the pixel

    def __array_finalize__(self, other: Any) -> None:
        self._explained_by = getattr(other, "_explained_by", None)

    def explained_by(self, column: int, row: int) -> Optional[str]:
        """What explains a pixel: a command if the scene is as it was read from a file, and else a
        call of `Scene.explain`. None if no scene drew this picture."""
        if self._explained_by is None:
            return None
        before, after = self._explained_by
        return f"{before}{column},{row}{after}"

    def _repr_png_(self) -> Optional[bytes]:
        if self.ndim != 3 or self.shape[2] not in (3, 4) or self.dtype != np.uint8 or not self.size:
            return None  # a part of a picture
        return _native.png_of(np.ascontiguousarray(self))

    def save(self, path: Path) -> None:
        """Writes a PNG; its bytes depend on the pixels only."""
        write_png(path, self)


@dataclass(frozen=True)
class Comparison:
    """How two pictures differ."""

    reference_size: Tuple[int, int]  #: width and height
    result_size: Tuple[int, int]  #: width and height
    pixels: int  #: how many were compared: of other sizes, those of the top left that both have
    different: int  #: how many differ
    #: the largest difference of a channel: up to 255, or 65535 if a picture has 16 bits; of floats
    #: in their unit
    max_error: Union[int, float]
    worst: Optional[Tuple[int, int]]  #: column and row of the first pixel with max_error
    #: mean, rms, max, psnr, ssim, flip; of floats rms, relmse, max, block
    metrics: Dict[str, float]

    @property
    def same(self) -> bool:
        """True if the sizes and every sample are equal."""
        return self.different == 0 and self.reference_size == self.result_size


def compare(reference: Any, result: Any) -> Comparison:
    """Compares two pictures: arrays (height, width, 1 to 4) of uint8 or uint16, or PNG files.

    Also two arrays of floats, such as depth or linear light: (height, width) or (height, width, 3).
    Two NaN are equal only if their bits are.

    Pictures of different sizes are not the same; the top left part that both have is compared.

    Raises:
      ValueError: one is of floats and the other is not.
      InputError: a file can't be read.
    """
    a, b = _samples(reference, "reference"), _samples(result, "result")
    if (a.dtype == np.float32) != (b.dtype == np.float32):
        raise ValueError(f"reference is of {a.dtype}, result of {b.dtype}: both must be floats")
    sizes = _size_of(a), _size_of(b)
    if a.dtype != np.float32:
        depths = [8 * array.dtype.itemsize for array in (a, b)]
        wide = [array.astype(np.uint16) for array in (a, b)]
        return Comparison(*sizes, *_native.compare(wide[0], depths[0], wide[1], depths[1]))
    width, height = (min(pair) for pair in zip(*sizes))
    a, b = (np.ascontiguousarray(array[:height, :width]) for array in (a, b))
    pixels, different, metrics = _native.compare_floats(a, b)
    if not different:
        return Comparison(*sizes, pixels, 0, 0.0, None, metrics)
    with np.errstate(invalid="ignore", over="ignore"):
        error = np.abs(a.astype(np.float64) - b).max(axis=2)
    differs = (a.view(np.uint32) != b.view(np.uint32)).any(axis=2)
    error = np.where(differs, np.where(np.isnan(error), np.inf, error), -1.0)
    row, column = np.unravel_index(int(error.argmax()), error.shape)
    worst = int(column), int(row)
    return Comparison(*sizes, pixels, different, float(error.max()), worst, metrics)


def _size_of(array: np.ndarray) -> Tuple[int, int]:
    return array.shape[1], array.shape[0]


def _samples(value: Any, name: str) -> np.ndarray:
    """uint8 or uint16 (height, width, channels), or float32 (height, width, 3); C-contiguous."""
    if isinstance(value, (str, os.PathLike)):
        samples, width, depth = _native.png_file(os.fspath(value))
        array = samples.reshape(-1, width, samples.shape[1])
        return array.astype(np.uint8) if depth == 8 else array
    array = as_array(value, name)
    if array.dtype.kind == "f" and array.size:
        if array.ndim == 2 or (array.ndim == 3 and array.shape[2] == 1):
            array = np.repeat(array.reshape(*array.shape[:2], 1), 3, axis=2)
        if array.ndim == 3 and array.shape[2] == 3:
            return np.ascontiguousarray(array, np.float32)
    elif array.dtype == np.uint16 and array.size:
        if array.ndim == 2:
            array = array[:, :, None]
        if array.ndim == 3 and 1 <= array.shape[2] <= 4:
            return np.ascontiguousarray(array)
    elif array.dtype == np.uint8:
        return as_picture(array, name)
    raise ValueError(
        f"{name}: expected uint8 or uint16 of shape (height, width, 1 to 4), or floats of shape "
        f"(height, width) or (height, width, 3), got {described(array)}"
    )


def as_picture(value: Any, name: str) -> np.ndarray:
    """uint8 (height, width, channels), C-contiguous."""
    if isinstance(value, (str, os.PathLike)):
        return read_png(value)
    array = as_array(value, name)
    if array.ndim == 2:
        array = array[:, :, None]
    if array.dtype != np.uint8 or array.ndim != 3 or not 1 <= array.shape[2] <= 4 or not array.size:
        raise ValueError(
            f"{name}: expected uint8 of shape (height, width, 1 to 4), got {described(array)}"
        )
    return np.ascontiguousarray(array)


def read_png(path: Path) -> Picture:
    """A PNG as uint8 (height, width, channels).

    Raises:
      InputError: the file can't be read. ValueError: it has 16 bits per sample.
    """
    samples, width, depth = _native.png_file(os.fspath(path))
    if depth != 8:
        raise ValueError(f"{os.fspath(path)}: {depth} bits per sample; only 8 can be compared here")
    return samples.astype(np.uint8).reshape(-1, width, samples.shape[1]).view(Picture)


def write_png(path: Path, picture: Any) -> None:
    """Writes uint8 (height, width, 3), or (height, width, 4) with alpha, as a PNG."""
    name = os.fsdecode(path)
    if os.path.splitext(name)[1].lower() in _OTHER_FORMATS:
        raise ValueError(f"path: only PNG is written, and {name!r} should end in .png")
    array = as_picture(picture, "picture")
    if array.shape[2] not in (3, 4):
        raise ValueError(f"picture: expected 3 or 4 channels, got {described(array)}")
    with open(path, "wb") as file:
        file.write(_native.png_of(array))


def explained_by_command(path: str, size: str, camera: "Dict[str, Any]") -> "Tuple[str, str]":
    """The command that explains a pixel of a picture: what stands before and after the pixel."""
    words = ["ballotcast", "explain", path, "--size", size]
    for name, value in camera.items():
        if value is not None:
            option = {"ortho_height": "ortho"}.get(name, name.replace("_", "-"))
            words += [f"--{option}", ",".join(map(str, np.ravel(value).tolist()))]
    return shlex.join(words) + " --pixel ", ""


def explained_by_call(width: int, height: int, camera: "Dict[str, Any]") -> "Tuple[str, str]":
    """The call that explains a pixel of a picture: what stands before and after the pixel."""
    stated = {"width": width, "height": height}
    stated.update((k, np.asarray(v).tolist()) for k, v in camera.items() if v is not None)
    return "scene.explain(pixel=(", "), " + ", ".join(f"{k}={v}" for k, v in stated.items()) + ")"
