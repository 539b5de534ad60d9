"""Pictures as arrays: reading, writing and showing them."""

from __future__ import annotations

import os
import shlex
from typing import Any, Dict, Optional, Tuple, Union

import numpy as np

from . import _native
from ._arrays import as_array, described

Path = Union[str, "os.PathLike[str]"]

# Suffixes of pictures that are not PNG files.
_OTHER_FORMATS = (".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".webp", ".exr", ".hdr", ".pfm")


class Picture(np.ndarray):
    """A picture: an array of uint8 (height, width, 3) that notebooks display. The result of
    `render(linear=True)` is float32, and is not displayed."""

    # The command or call that explains a pixel: the texts before and after the pixel's coordinates.
    _explained_by: Optional[Tuple[str, str]] = None

    def __array_finalize__(self, other: Any) -> None:
        self._explained_by = getattr(other, "_explained_by", None)

    def explained_by(self, column: int, row: int) -> Optional[str]:
        """Returns how to explain a pixel: a command if the scene is unchanged since it was read
        from a file, else a call of `Scene.explain`. None if no scene drew this picture."""
        if self._explained_by is None:
            return None
        before, after = self._explained_by
        return f"{before}{column},{row}{after}"

    def _repr_png_(self) -> Optional[bytes]:
        if self.ndim != 3 or self.shape[2] not in (3, 4) or self.dtype != np.uint8 or not self.size:
            return None  # the array is a part of a picture
        return _native.png_of(np.ascontiguousarray(self))

    def save(self, path: Path) -> None:
        """Writes a PNG. Its bytes depend only on the pixels."""
        write_png(path, self)


def as_picture(value: Any, name: str) -> np.ndarray:
    """Returns uint8 (height, width, channels), C-contiguous, from an array or a PNG file."""
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
    """Reads a PNG as uint8 (height, width, channels).

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


def explained_by_command(path: str, size: str, repeated: "Dict[str, Any]") -> "Tuple[str, str]":
    """Returns the command that explains a pixel of a picture: the texts before and after the
    pixel's coordinates. `repeated`: the options that the command must repeat: the camera, and
    `sides` unless both sides of triangles count."""
    words = ["ballotcast", "explain", path, "--size", size]
    for name, value in repeated.items():
        option = {"ortho_height": "ortho"}.get(name, name.replace("_", "-"))
        words += [f"--{option}", ",".join(map(str, np.ravel(value).tolist()))]
    return shlex.join(words) + " --pixel ", ""


def explained_by_call(width: int, height: int, repeated: "Dict[str, Any]") -> "Tuple[str, str]":
    """Like explained_by_command, for a call of `Scene.explain`."""
    arguments: Dict[str, Any] = {"width": width, "height": height, **repeated}
    named = ", ".join(f"{k}={v!r}" for k, v in arguments.items())
    return "scene.explain(pixel=(", "), " + named + ")"
