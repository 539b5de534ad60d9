"""Compares pictures: arrays or files with samples of 8 bits, 16 bits or floats, or with ids."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Dict, Iterable, Optional, Sequence, Tuple, Union

import numpy as np

from . import _native
from ._arrays import as_array, described
from ._pictures import as_picture

Size = Tuple[int, int]  # width and height


@dataclass(frozen=True)
class Comparison:
    """How two pictures differ."""

    reference_size: Size  #: width and height
    result_size: Size  #: width and height
    #: the number of pixels compared: without ignored pixels; if sizes differ, in the common part
    pixels: int
    different: int  #: the number of compared pixels that differ
    #: the largest difference of a channel: up to 255, or 65535 if a picture has 16 bits; for
    #: floats in the unit of the floats; for ids 0
    max_error: Union[int, float]
    #: column and row of the first pixel with max_error; for ids, of the first pixel that differs
    worst: Optional[Tuple[int, int]]
    #: mean, rms, max, psnr, ssim, flip; for floats rms, relmse, max, block; for ids empty
    metrics: Dict[str, float]

    @property
    def same(self) -> bool:
        """True if the sizes and every sample are equal."""
        return self.different == 0 and self.reference_size == self.result_size


def compare(
    reference: Any,
    result: Any,
    *,
    ignore: Iterable[Sequence[int]] = (),
    ignore_where: Any = None,
    ids: bool = False,
) -> Comparison:
    """Compares two pictures: arrays (height, width, 1 to 4) of uint8 or uint16, or files: PNG,
    JPEG, WebP, BMP, PFM, Radiance HDR or OpenEXR.

    Also compares two arrays of floats, such as depth or linear light: (height, width) or (height,
    width, 3). Two NaN are equal only if their bits are equal. Also compares two arrays of other
    integers (height, width), such as ids of triangles; then only the number of pixels that differ
    has a meaning.

    Pictures of different sizes are never the same. Of these, the common part at the top left is
    compared.

    Args:
      ignore: rectangles (x, y, width, height) of pixels that are not compared.
      ignore_where: an array or a file as large as a picture. Pixels are not compared where it is
        neither black (0) nor wholly transparent.
      ids: the pictures contain ids, as for `ballotcast compare --ids`: files, or integers. Files
        have no signs: -1 in an array equals 2^32 - 1 in a file.

    Raises:
      ValueError: the pictures are of different kinds, or no pixel is left to compare.
      InputError: a file can't be read.
    """
    read = _ids if ids else _samples
    a, b = read(reference, "reference"), read(result, "result")
    if ids and _is_file(reference) != _is_file(result):
        a, b = _as_in_files(a), _as_in_files(b)
    if _kind(a) != _kind(b):
        raise ValueError(
            f"reference is of {a.dtype}, result of {b.dtype}: both must be floats, or ids, or none"
        )
    sizes = _size_of(a), _size_of(b)
    ignored = _ignored(sizes, ignore, ignore_where)
    height, width = ignored.shape
    a, b = (np.ascontiguousarray(array[:height, :width]) for array in (a, b))
    if _kind(a) == "ids":
        return Comparison(*sizes, *_compared_ids(a, b, ignored))
    if _kind(a) == "floats":
        return Comparison(*sizes, *_compared_floats(a, b, ignored))
    depths = [8 * array.dtype.itemsize for array in (a, b)]
    wide = [array.astype(np.uint16) for array in (a, b)]
    found: Tuple[Any, ...] = _native.compare(
        wide[0], depths[0], wide[1], depths[1], ignored.view(np.uint8)
    )
    return Comparison(*sizes, *found)


def _compared_floats(a: np.ndarray, b: np.ndarray, ignored: np.ndarray) -> Tuple[Any, ...]:
    pixels, different, metrics = _native.compare_floats(a, b, ignored.view(np.uint8))
    if not different:
        return pixels, 0, 0.0, None, metrics
    with np.errstate(invalid="ignore", over="ignore"):
        error = np.abs(a.astype(np.float64) - b).max(axis=2)
    differs = (a.view(np.uint32) != b.view(np.uint32)).any(axis=2) & ~ignored
    error = np.where(differs, np.where(np.isnan(error), np.inf, error), -1.0)
    return pixels, different, float(error.max()), _first(error == error.max()), metrics


def _compared_ids(a: np.ndarray, b: np.ndarray, ignored: np.ndarray) -> Tuple[Any, ...]:
    # Signed and unsigned integers of 64 bits have no common integer type: NumPy would compare them
    # as floats, which round.
    differs = (a.astype(np.uint64) != b.astype(np.uint64)) | ((a < 0) != (b < 0))
    differs &= ~ignored
    worst = _first(differs) if differs.any() else None
    return int((~ignored).sum()), int(differs.sum()), 0, worst, {}


def _as_in_files(ids: np.ndarray) -> np.ndarray:
    """Returns ids in the form of files: unsigned, in 32 bits. -1 has all bits set."""
    if ids.dtype.kind != "i":
        return ids
    wide = ids.astype(np.int64)
    return np.where((wide < 0) & (wide >= -(2**31)), wide + 2**32, wide)


def _is_file(value: Any) -> bool:
    return isinstance(value, (str, os.PathLike))


def _first(where: np.ndarray) -> Tuple[int, int]:
    """Returns the column and row of the first pixel where `where` is true."""
    row, column = np.unravel_index(int(where.argmax()), where.shape)
    return int(column), int(row)


def _kind(array: np.ndarray) -> str:
    if array.ndim == 2:
        return "ids"
    return "floats" if array.dtype == np.float32 else "samples"


def _size_of(array: np.ndarray) -> Size:
    return array.shape[1], array.shape[0]


def _ignored(sizes: Tuple[Size, Size], ignore: Iterable[Sequence[int]], where: Any) -> np.ndarray:
    """Returns the ignored pixels of the common part of both pictures: bool (height, width)."""
    width, height = (min(pair) for pair in zip(*sizes))
    ignored = np.zeros((height, width), bool)
    for part in ignore:
        try:
            x, y, w, h = (int(number) for number in part)
        except (TypeError, ValueError):
            raise ValueError(f"ignore: expected (x, y, width, height), got {part!r}") from None
        if min(x, y) < 0 or min(w, h) < 1 or all(x + w > s[0] or y + h > s[1] for s in sizes):
            raise ValueError(f"ignore: {part!r} is not inside of the picture {sizes[0]}")
        ignored[y : y + h, x : x + w] = True
    if where is not None:
        mask = mask_of(where)
        if _size_of(mask) not in sizes:
            raise ValueError(f"ignore_where is {_size_of(mask)}, the reference {sizes[0]}")
        ignored |= mask[:height, :width]
    if ignored.all():
        raise ValueError("no pixel is left to compare: all are ignored")
    return ignored


def mask_of(where: Any) -> np.ndarray:
    """Returns bool (height, width): True where a picture is neither black nor wholly
    transparent."""
    if not _is_file(where):
        array = np.asarray(where)
        if array.ndim == 2:
            mask: np.ndarray = array != 0
            return mask
    samples = _samples(where, "ignore_where")
    colors = samples if samples.shape[2] in (1, 3) else samples[:, :, :-1]
    mask = (colors != 0).any(axis=2)
    if samples.shape[2] in (2, 4):
        mask &= samples[:, :, -1] != 0
    return mask


def _ids(value: Any, name: str) -> np.ndarray:
    """Returns ids as integers (height, width), C-contiguous."""
    if _is_file(value):
        found, width = _native.id_file(os.fspath(value))
        return found.reshape(-1, width)
    array = as_array(value, name)
    if array.dtype.kind not in "iub" or array.ndim != 2 or not array.size:
        raise ValueError(
            f"{name}: expected integers of shape (height, width), got {described(array)}"
        )
    return np.ascontiguousarray(array)


def _samples(value: Any, name: str) -> np.ndarray:
    """Returns uint8 or uint16 (height, width, channels), float32 (height, width, 3), or another
    kind of integers (height, width); C-contiguous."""
    if _is_file(value):
        samples, width, depth = _native.picture_file(os.fspath(value))
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
    elif array.dtype.kind in "iub" and array.ndim == 2 and array.size:
        return np.ascontiguousarray(array)
    raise ValueError(
        f"{name}: expected uint8 or uint16 of shape (height, width, 1 to 4), floats of shape "
        f"(height, width) or (height, width, 3), or other integers of shape (height, width), got "
        f"{described(array)}"
    )
