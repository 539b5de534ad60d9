"""Reads the arrays that callers pass. Every error names the argument and says what was expected."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Optional, Sequence, Tuple, Union

import numpy as np

from . import _native

if TYPE_CHECKING:
    from ._filter import Filter

_FLOATS = (np.dtype(np.float32), np.dtype(np.float64))


def described(value: Any) -> str:
    """The type and shape of an array, for messages: "float32 of shape (4, 2)"."""
    return f"{value.dtype} of shape {value.shape}"


def as_array(value: Any, name: str) -> np.ndarray:
    """Returns an array from anything with numbers: arrays, lists, and DLPack objects in host
    memory."""
    if isinstance(value, np.ndarray):
        if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
            raise TypeError(
                f"{name}: a masked array, whose masked elements would count; use .compressed() to "
                "leave them out, or .filled(...)"
            )
        return np.asarray(value)
    if isinstance(value, (list, tuple)):
        for part in value:  # np.asarray would drop the masks of parts
            if isinstance(part, np.ma.MaskedArray):
                as_array(part, name)
    if hasattr(value, "__cuda_array_interface__"):
        raise TypeError(f"{name}: an array in GPU memory; copy it to the host first")
    try:
        if hasattr(value, "__dlpack__") and not hasattr(value, "__array__"):
            return np.from_dlpack(value)
        return np.asarray(value)
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        raise TypeError(f"{name}: not an array of numbers: {error}") from None


def as_numbers(value: Any, name: str) -> np.ndarray:
    """Returns an array of float32 or float64; integers become float64."""
    array = as_array(value, name)
    if array.dtype == np.float32 or array.dtype == np.float64:
        return array
    if array.dtype.kind in "iubf":
        return array.astype(np.float32 if array.dtype == np.float16 else np.float64)
    raise TypeError(f"{name}: expected numbers, got {described(array)}")


def as_vectors(value: Any, name: str) -> np.ndarray:
    """Returns an array (..., 3) of float32 or float64."""
    array = as_numbers(value, name)
    if array.ndim == 0 or array.shape[-1] != 3:
        raise ValueError(f"{name}: expected a shape (..., 3), got {described(array)}")
    return array


def as_rows(value: Any, name: str, columns: int, dtype: Any) -> np.ndarray:
    """Returns an array of shape (n, columns), C-contiguous, of `dtype`."""
    array = as_array(value, name)
    if array.ndim != 2 or array.shape[1] != columns:
        raise ValueError(f"{name}: expected a shape (n, {columns}), got {described(array)}")
    return np.ascontiguousarray(array, dtype)


def as_indices(value: Any, name: str, columns: int) -> np.ndarray:
    """Returns indices of shape (n, columns) as uint32."""
    array = as_array(value, name)
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"{name}: expected integers, got {described(array)}")
    rows = as_rows(array, name, columns, array.dtype if array.size else np.uint32)
    if rows.size and (int(rows.min()) < 0 or int(rows.max()) >= 2**32):
        raise ValueError(f"{name}: indices must be from 0 to 2^32 - 1")
    return rows.astype(np.uint32, copy=False)


def three_numbers(value: Any, name: str) -> Tuple[float, float, float]:
    """Returns three floats, in the form for the extension module."""
    array = as_numbers(value, name)
    if array.shape != (3,):
        raise ValueError(f"{name}: expected three numbers, got {described(array)}")
    x, y, z = array.tolist()
    return x, y, z


def one_number(value: Any, name: str) -> float:
    """Returns `value` as a float."""
    try:
        array = as_array(value, name)
        if array.ndim == 0 and array.dtype.kind in "iuf":
            return float(array)
    except (TypeError, ValueError):
        pass
    raise TypeError(f"{name}: expected a number, got {value!r}")


def number_or_none(value: Any, name: str) -> Optional[float]:
    """Returns `value` as a float, or None."""
    return None if value is None else one_number(value, name)


def whole_number(value: Any, name: str, least: int = 0, end: int = 2**32) -> int:
    """Returns an integer that is at least `least` and less than `end`."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: expected an integer, got {value!r}") from None
    if not least <= number < end:
        limit = f" to {end - 1}" if number >= end else ""
        raise ValueError(f"{name}: expected an integer from {least}{limit}, got {number}")
    return number


def split_rays(origins: Any, directions: Any) -> Tuple[Any, Any]:
    """Returns origins and directions. Rays of shape (..., 6) have both in `origins`."""
    if directions is not None:
        return origins, directions
    rays = origins if hasattr(origins, "shape") else as_array(origins, "rays")
    if len(rays.shape) == 0 or rays.shape[-1] != 6:
        raise ValueError(
            "directions: missing; without them, rays of a shape (..., 6) are expected, got "
            f"{described(rays)}"
        )
    try:
        return rays[..., :3], rays[..., 3:]
    except (TypeError, IndexError, RuntimeError):  # raised by libraries with other ways of indexing
        array = as_array(rays, "rays")
        return array[..., :3], array[..., 3:]


class RayArrays:
    """The arrays of a cast, broadcast to one shape S, as rows for the extension module."""

    t_min: Union[float, np.ndarray]  # one number for all rays, or one for each ray
    t_max: Union[float, np.ndarray]
    world: Optional[np.ndarray]
    side: int = 0  # the library's number for the sides that are hit
    masks: Optional[np.ndarray] = None
    skip: Optional[np.ndarray] = None  # ids to skip, one for each ray
    skip_instance: Optional[np.ndarray] = None  # one for each ray, or one for all

    def __init__(
        self,
        origins: Any,
        directions: Any,
        t_min: Any,
        t_max: Any,
        world: Any,
        filter: "Optional[Filter]" = None,
    ) -> None:
        """`filter`: None if every hit counts."""
        if world is None and filter is None and self._are_rows(origins, directions, t_min, t_max):
            return
        starts = as_vectors(origins, "origins")
        ways = as_vectors(directions, "directions")
        self.dtype = np.result_type(starts.dtype, ways.dtype)
        low, high = as_numbers(t_min, "t_min"), as_numbers(t_max, "t_max")
        worlds = as_worlds(world)
        masks, skip, body = None, None, None
        if filter is not None:
            masks, skip, body = filter.masks(), filter.skipped(), filter.skipped_instances()
        self.shape = shape_of_rays(
            starts.shape[:-1],
            ways.shape[:-1],
            [
                ("t_min", low),
                ("t_max", high),
                ("world", worlds),
                ("mask", masks),
                ("skip", skip),
                ("skip_instance", body),
            ],
        )
        self.size = size_of(self.shape)
        self.origins = self._vectors(starts)
        self.directions = self._vectors(ways)
        self.t_min, self.t_max = self._limits(low), self._limits(high)
        self.world = None if worlds is None else rows_of_numbers(worlds, self.shape, np.uint32)
        if filter is None:
            return
        self.side = filter.side()
        self.masks = None if masks is None else rows_of_numbers(masks, self.shape, np.uint32)
        if skip is not None:
            self.skip = np.ascontiguousarray(np.broadcast_to(skip, self.shape)).reshape(-1)
        self.skip_instance = None if body is None else rows_of_numbers(body, self.shape, np.uint32)

    def _are_rows(self, origins: Any, directions: Any, t_min: Any, t_max: Any) -> bool:
        """Takes over arrays that have the form of rows already, without examining them further.
        Returns False if they do not. Most arrays do; and examining the arrays of a single ray
        would take longer than casting it."""
        if not (
            type(origins) is type(directions) is np.ndarray
            and type(t_min) is type(t_max) is float
            and origins.dtype in _FLOATS
            and origins.dtype == directions.dtype
        ):
            return False
        shape, start, way = origins.shape, origins.flags, directions.flags
        if not (
            len(shape) == 2
            and shape[1] == 3
            and shape == directions.shape
            and start.c_contiguous
            and way.c_contiguous
            and start.aligned
            and way.aligned
        ):
            return False
        self.origins, self.directions, self.t_min, self.t_max = origins, directions, t_min, t_max
        self.world = None
        self.dtype, self.shape, self.size = origins.dtype, shape[:1], shape[0]
        return True

    def native(self) -> _native.Rays:
        """Returns the rays in the form that the extension module casts."""
        return _native.Rays(
            self.origins,
            self.directions,
            self.t_min,
            self.t_max,
            self.world,
            self.side,
            self.masks,
            self.skip,
            self.skip_instance,
        )

    def keep_apart_from(self, *written: Optional[np.ndarray]) -> None:
        """Copies those arrays of the rays that share memory with arrays that will be written."""
        for name in ("origins", "directions", "t_min", "t_max"):
            array = getattr(self, name)
            if isinstance(array, float):
                continue
            if any(out is not None and np.may_share_memory(array, out) for out in written):
                setattr(self, name, array.copy())

    def _limits(self, limits: np.ndarray) -> Union[float, np.ndarray]:
        if limits.ndim == 0:
            return float(limits)
        return rows_of_numbers(limits, self.shape, np.float64)

    def _vectors(self, array: np.ndarray) -> np.ndarray:
        """Returns rows of three numbers. They are a view of the caller's array if that is
        aligned."""
        array = array.astype(self.dtype, copy=False)
        if array.ndim == 1:
            return np.ascontiguousarray(array).reshape(1, 3)
        rows = np.broadcast_to(array, (*self.shape, 3)).reshape(-1, 3)
        whole = all(stride % rows.itemsize == 0 for stride in rows.strides)
        return rows if whole and rows.flags.aligned else np.ascontiguousarray(rows)


class PointArrays:
    """Points and their worlds, as rows for the extension module."""

    def __init__(self, points: Any, world: Any) -> None:
        where = as_vectors(points, "points")
        worlds = as_worlds(world)
        self.dtype = where.dtype
        self.shape = where.shape[:-1]
        self.size = size_of(self.shape)
        self.points = where.reshape(-1, 3)
        self.world: Optional[np.ndarray] = None
        if worlds is not None:
            if worlds.ndim and worlds.shape != self.shape:
                raise ValueError(
                    f"world: expected a number or a shape {self.shape}, as points have, got "
                    f"{described(worlds)}"
                )
            self.world = rows_of_numbers(worlds, self.shape, np.uint32)

    def rows(self) -> np.ndarray:
        """Returns the points as one contiguous array."""
        return np.ascontiguousarray(self.points)

    @property
    def world_of_rows(self) -> Any:
        """The worlds, in the form of the argument `world` for casts from these points."""
        return self.world if self.world is None or self.world.size > 1 else self.world[0]


def as_words(value: Any, name: str, what: str) -> Optional[np.ndarray]:
    """Returns integers that fit into 32 bits, such as numbers of worlds; or None for None."""
    if value is None:
        return None
    words = as_array(value, name)
    if words.dtype.kind not in "iu":
        raise TypeError(f"{name}: expected integers, got {described(words)}")
    if words.size and (int(words.min()) < 0 or int(words.max()) >= 2**32):
        raise ValueError(f"{name}: {what} must be from 0 to 2^32 - 1")
    return words


def as_worlds(world: Any) -> Optional[np.ndarray]:
    """Returns the numbers of worlds; or None for None."""
    return as_words(world, "world", "numbers of worlds")


def rows_of_numbers(array: np.ndarray, shape: Tuple[int, ...], dtype: Any) -> np.ndarray:
    """Returns one number for all elements of `shape`, or an array with one for each."""
    if array.ndim == 0:
        return np.ascontiguousarray(array, dtype).reshape(1)
    return np.ascontiguousarray(np.broadcast_to(array, shape), dtype).reshape(-1)


def shape_of_rays(
    origins: Tuple[int, ...],
    directions: Tuple[int, ...],
    others: "Sequence[Tuple[str, Any]]",
) -> Tuple[int, ...]:
    """Returns the shape S of rays: the common shape of origins and directions. The other arrays
    must broadcast to S. They may add axes, for example an axis of worlds, to cast each ray several
    times.

    Args:
      origins, directions: leading shapes.
      others: names and arrays, or None.
    """
    shape = common_shape([("origins", origins), ("directions", directions)])
    for name, array in others:
        if array is None or array.shape in ((), shape):
            continue
        try:
            wide = np.broadcast_shapes(shape, array.shape)
        except ValueError:
            wide = None
        # A column (n, 1) beside n rays would mean n x n casts. Most probably the caller meant (n,).
        is_column = wide != shape and array.size == size_of(shape) != 1
        if wide is None or is_column:
            raise ValueError(
                f"{name}: expected a number or a shape {shape}, got {described(array)}"
            )
        shape = wide
    return shape


def size_of(shape: Tuple[int, ...]) -> int:
    """Returns the number of elements of an array of this shape."""
    return int(np.prod(shape, dtype=np.int64))


def common_shape(parts: "list[tuple[str, Tuple[int, ...]]]") -> Tuple[int, ...]:
    """Returns the shape to which all of these shapes broadcast."""
    try:
        return np.broadcast_shapes(*(shape for _, shape in parts))
    except ValueError:
        told = ", ".join(f"{name} {shape}" for name, shape in parts if shape)
        raise ValueError(f"the leading shapes do not fit together: {told}") from None
