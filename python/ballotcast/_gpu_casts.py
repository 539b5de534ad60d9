"""Casts of rays, and closest points of points, in GPU memory. Nothing is copied to the host."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Optional, Tuple

import numpy as np

from . import _native
from ._arrays import as_numbers, common_shape, described
from ._gpu_arrays import Library, View, common_library, on_gpu, view_of

if TYPE_CHECKING:
    from ._scene import Scene

_MOST_AXES = 4
_RAY_BYTES = 32
_NO_WORLDS = (0, 0)
_OWN_STREAM = 0  # CUDA's default stream


class GpuSide:
    """A scene for arrays in GPU memory: made when the first of them comes."""

    def __init__(self, scene: "Scene", library: Library) -> None:
        if scene._wanted_device() not in ("auto", "cuda"):
            raise ValueError(
                f"arrays in GPU memory for a scene on device '{scene._wanted_device()}'"
            )
        self.native = _native.gpu_scene(scene._native)
        self.device = library.device
        starts = None if scene._starts is None else scene._starts[1:-1].astype(np.uint32)
        self.start_count = 0 if starts is None else len(starts)
        self.starts: Any = None
        if starts is not None and len(starts):
            self.starts = _native.GpuMemory(starts.nbytes)
            self.starts.fill(starts)

    def set_vertices(self, rows: np.ndarray) -> None:
        """Takes over vertices in host memory."""
        self.native.set_vertices(rows.ctypes.data, len(rows), _OWN_STREAM)
        _native.gpu_wait(_OWN_STREAM)

    def set_transforms(self, rows: np.ndarray) -> None:
        """Takes over transforms in host memory."""
        self.native.set_transforms(rows.ctypes.data, len(rows), _OWN_STREAM)
        _native.gpu_wait(_OWN_STREAM)

    def require(self, library: Library) -> None:
        """Raises ValueError for arrays on another GPU."""
        if library.device != self.device:
            raise ValueError(
                f"arrays on cuda:{library.device}, but the scene is on cuda:{self.device}"
            )


class GpuRays:
    """Rays in GPU memory: the library's own records, or arrays from which they are made."""

    def __init__(
        self, scene: "Scene", origins: Any, directions: Any, t_min: Any, t_max: Any, world: Any
    ) -> None:
        names = ("origins", "directions", "t_min", "t_max")
        values = (origins, directions, t_min, t_max)
        views = [view_of(v, n) if on_gpu(v) else None for v, n in zip(values, names)]
        worlds = view_of(world, "world") if on_gpu(world) else None
        self.library = common_library([*views, worlds])
        parts: List[Tuple[str, Tuple[int, ...]]] = []
        for value, name, view, columns in zip(values, names, views, (3, 3, 1, 1)):
            parts.append((name, _leading(value, name, view, columns)))
        if worlds is not None:
            parts.append(("world", worlds.shape))
        self.shape = common_shape(parts)
        self.size = int(np.prod(self.shape, dtype=np.int64))
        kinds = [
            as_numbers(value, name).dtype if view is None else view.dtype
            for value, name, view in zip(values[:2], names, views)
        ]
        self.double = np.float64 in kinds
        self.side = scene._gpu_side(self.library)
        self.stream = self.library.stream()
        self._owners = [view.owner for view in [*views, worlds] if view is not None]
        self._offset = [float(x) for x in scene._offset]
        sizes = _merged_sizes(self.shape)
        numbers = [
            _strided(value, name, view, self.shape, columns)
            for value, name, view, columns in zip(values, names, views, (3, 3, 1, 1))
        ]
        start, way, low, high = numbers
        self.native = self.side.native.rays(sizes, start, way, low, high, self._offset, self.double)
        at_zero = not any(self._offset) and not any(scene._native.origin)
        self._as_records = _address_of_records(views, self.shape) if at_zero else 0
        self._packed: Any = None
        self._worlds = _worlds(world, worlds, self.shape)

    def records(self) -> int:
        """The address of the library's own records of these rays, which are made if need be."""
        if self._as_records:
            return self._as_records
        if self._packed is None and self.size:
            self._packed = self.library.empty((self.size, 8), "float32")
            self.side.native.pack_rays(
                self.native, self.library.address_of(self._packed), self.size, self.stream
            )
        return self.library.address_of(self._packed) if self.size else 0

    def cast(self, hits: Any, any_hit: bool) -> None:
        """Casts; `hits` is an array (size, 4) of floats of the library."""
        if self.size:
            self.side.native.cast(
                self.records(),
                self.library.address_of(hits),
                self.size,
                any_hit,
                *self._worlds,
                self.stream,
            )

    def count(self) -> Any:
        """int32 S, in an array of Library.empty."""
        counts = self.library.empty(self.shape, "int32")
        if self.size:
            self.side.native.count(
                self.records(),
                self.library.address_of(counts),
                self.size,
                *self._worlds,
                self.stream,
            )
        return counts

    def all(self) -> Tuple[Any, Any, int]:
        """Starts, int64 (size + 1,); hits as floats (k, 4); and k."""
        counts = self.count()
        starts = self.library.empty((self.size + 1,), "int64")
        native, address_of = self.side.native, self.library.address_of
        found = native.starts_of(address_of(counts), address_of(starts), self.size, self.stream)
        hits = self.library.empty((found, 4), "float32")
        if found:
            native.crossings(
                self.records(),
                address_of(starts),
                address_of(hits),
                self.size,
                *self._worlds,
                self.stream,
            )
        return starts, hits, found

    def nan_rays(self) -> int:
        """How many rays have a NaN. Waits for the GPU."""
        return self.side.native.nan_rays(self.native, self.size, self.stream)


class GpuPoints:
    """Points in GPU memory."""

    def __init__(self, scene: "Scene", points: Any) -> None:
        view = view_of(points, "points")
        self.library = view.library
        self.shape = _leading(points, "points", view, 3)
        self.size = int(np.prod(self.shape, dtype=np.int64))
        self.double = view.dtype == np.float64
        self.side = scene._gpu_side(self.library)
        self.stream = self.library.stream()
        self._view = view
        offset = [float(x) for x in scene._offset]
        numbers = _strided(points, "points", view, self.shape, 3)
        self.native = self.side.native.points(_merged_sizes(self.shape), numbers, offset)
        moved = any(offset) or any(scene._native.origin)
        self._keep: Any = None  # what the GPU may still read
        self._as_they_are = view.contiguous and view.dtype == np.float32 and not moved

    def become_vertices(self) -> None:
        """Moves the vertices of the scene to these points."""
        if len(self.shape) != 1:
            raise ValueError(f"vertices: expected a shape (n, 3), got {described(self._view)}")
        self._keep = self._packed()
        self.side.native.set_vertices(self._keep[0], self.size, self.stream)

    def _packed(self) -> Tuple[int, Any]:
        """The address of the points as the library takes them, and what keeps them there."""
        if self._as_they_are:
            return self._view.address, self._view
        packed = self.library.empty((self.size, 3), "float32")
        address = self.library.address_of(packed)
        if self.size:
            self.side.native.pack_points(self.native, address, self.size, self.stream)
        return address, packed

    def nearest(self, max_distance: float) -> Any:
        """The library's records, as floats (size, 4)."""
        records = self.library.empty((self.size, 4), "float32")
        if not self.size:
            return records
        address, self._keep = self._packed()
        self.side.native.closest_points(
            address, self.library.address_of(records), self.size, max_distance, self.stream
        )
        return records


def _leading(value: Any, name: str, view: Optional[View], columns: int) -> Tuple[int, ...]:
    """The leading shape of an argument."""
    if view is None:
        array = as_numbers(value, name)
        if array.ndim != (0 if columns == 1 else 1) or (columns == 3 and array.shape != (3,)):
            raise TypeError(
                f"{name}: in host memory, but other arguments are in GPU memory: only "
                f"{'a number' if columns == 1 else 'three numbers'} can be; got {described(array)}"
            )
        return ()
    if view.dtype not in (np.dtype(np.float32), np.dtype(np.float64)):
        raise TypeError(f"{name}: expected float32 or float64 in GPU memory, got {view.dtype}")
    if columns == 1:
        return view.shape
    if not view.shape or view.shape[-1] != 3:
        raise ValueError(f"{name}: expected a shape (..., 3), got {described(view)}")
    return view.shape[:-1]


def _merged_sizes(shape: Tuple[int, ...]) -> List[int]:
    if len(shape) > _MOST_AXES:
        raise ValueError(f"arrays in GPU memory: at most {_MOST_AXES} leading axes, got {shape}")
    return list(shape) or [1]


def _strided(
    value: Any, name: str, view: Optional[View], shape: Tuple[int, ...], columns: int
) -> Any:
    """An argument for the extension module, broadcast to the common shape."""
    if view is None:
        numbers = np.broadcast_to(as_numbers(value, name), (columns,)).tolist()
        return _native.strided(0, False, [], 1, [*numbers, 0.0, 0.0][:3])
    inner = 1 if columns == 3 else 0
    own = len(view.shape) - inner
    strides = [0] * (len(shape) - own)
    for length, stride in zip(view.shape[:own], view.strides[:own]):
        strides.append(0 if length == 1 else stride)
    step = view.strides[-1] if inner else 1
    return _native.strided(
        view.address, view.dtype == np.float64, strides or [0], step, [0.0, 0.0, 0.0]
    )


def _address_of_records(views: "list[Optional[View]]", shape: Tuple[int, ...]) -> int:
    """The address of rays that lie as the library has them, or 0. Their arrays are columns of one:

    origin x y z | t_min | direction x y z | t_max        8 floats per ray, aligned to 16 bytes
    """
    offsets = (0, 16, 12, 28)
    start = views[0].address if views[0] is not None else 0
    if not start or start % 16:
        return 0
    for view, offset, columns in zip(views, offsets, (3, 3, 1, 1)):
        if view is None or view.dtype != np.float32 or view.address != start + offset:
            return 0
        inner = 1 if columns == 3 else 0
        if view.shape[: len(view.shape) - inner] != shape or (inner and view.strides[-1] != 1):
            return 0
        expected = _RAY_BYTES // 4
        for length, stride in zip(reversed(shape), reversed(view.strides[: len(shape)])):
            if length != 1 and stride != expected:
                return 0
            expected *= length
    return start


def _worlds(value: Any, view: Optional[View], shape: Tuple[int, ...]) -> Tuple[int, int]:
    """The address of the worlds of all rays, and else the world of all."""
    if view is not None:
        if view.dtype.kind not in "iu" or view.dtype.itemsize != 4:
            raise TypeError(f"world: expected int32 or uint32 in GPU memory, got {view.dtype}")
        if view.shape != shape or not view.contiguous:
            raise ValueError(
                f"world: expected a contiguous array of shape {shape}, got {view.shape}"
            )
        return view.address, 0
    if value is None:
        return _NO_WORLDS
    number = np.asarray(value)
    if number.ndim or number.dtype.kind not in "iu" or not 0 <= int(number) < 2**32:
        raise TypeError("world: expected a number, or an array in GPU memory as the rays are")
    return 0, int(number)
