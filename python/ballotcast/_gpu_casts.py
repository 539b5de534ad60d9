"""Casts, and searches for closest points, for arrays in GPU memory. No array is copied to the
host."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Optional, Tuple

import numpy as np

from . import _native
from ._arrays import as_numbers, described, shape_of_rays, size_of, whole_number
from ._gpu_arrays import View, c_order, common_library, copied, on_gpu, view_of

if TYPE_CHECKING:
    from ._filter import Filter
    from ._scene_base import SceneBase

_MOST_AXES = 4
_ALL_BITS = 0xFFFFFFFF


class GpuSide:
    """A scene on a GPU, for arrays in the memory of that GPU. Created for the first such array.
    `other`: the same scene on another GPU, from which the scene is copied."""

    def __init__(self, scene: "SceneBase", device: int, other: Optional["GpuSide"]) -> None:
        self.device = device
        self._scene = scene._native
        wanted = scene._wanted_device()
        if wanted != "auto" and (not wanted.startswith("cuda") or "+" in wanted):
            raise ValueError(f"arrays in GPU memory for a scene on device '{wanted}'")
        if other is None:
            self.native = _native.gpu_scene(scene._native, device)
        else:
            self.native = _native.gpu_scene_on_another(other.native, scene._native, device)
        starts = scene._first_ids()
        self.start_count = len(starts)
        self.starts: Any = copied(starts, device) if len(starts) else None
        self._mesh_origins: Any = None
        self._mesh_origins_known = False

    def follow(self, call: str, rows: np.ndarray) -> None:
        """Takes over vertices or transforms from host memory. `call`: as in SceneBase._follow."""
        native = self.native
        move = native.follow_transforms if call == "set_transforms" else native.follow_vertices
        move(self._scene, rows)

    def set_masks(self, masks: np.ndarray) -> None:
        """Takes over masks from host memory."""
        self.native.set_masks(masks)

    def mesh_origins(self) -> int:
        """Returns the address of the origin of each instance's mesh, or 0 if all are 0."""
        if not self._mesh_origins_known:
            origins = self._scene.mesh_origins()
            self._mesh_origins = copied(origins, self.device) if origins.any() else None
            self._mesh_origins_known = True
        return self._mesh_origins.address if self._mesh_origins is not None else 0


class GpuRays:
    """Rays in GPU memory: the library's own records, or arrays that are packed into records."""

    def __init__(
        self,
        scene: "SceneBase",
        origins: Any,
        directions: Any,
        t_min: Any,
        t_max: Any,
        world: Any,
        hit_filter: "Filter",
    ) -> None:
        """`hit_filter`: the filter that decides which hits count."""
        arguments = [
            _Argument("origins", origins, 3),
            _Argument("directions", directions, 3),
            _Argument("t_min", t_min, 1),
            _Argument("t_max", t_max, 1),
        ]
        skip = hit_filter.skip_ids()
        words = [
            view_of(value, name) if on_gpu(value) else None
            for name, value in (
                ("world", world),
                ("mask", hit_filter.mask),
                ("skip", skip),
                ("skip_instance", hit_filter.skip_instance),
            )
        ]
        worlds, masks, skipped, bodies = words
        views = [*(argument.view for argument in arguments), *words]
        self.library = common_library(views)
        limits = [(a.name, a.view) for a in arguments[2:]]
        others = [("world", worlds), ("mask", masks), ("skip", skipped), ("skip_instance", bodies)]
        self.shape = shape_of_rays(arguments[0].leading, arguments[1].leading, [*limits, *others])
        self.size = size_of(self.shape)
        sizes = _sizes(self.shape)
        self.double = np.float64 in (arguments[0].dtype, arguments[1].dtype)
        self.side = scene._gpu_side(self.library)
        self.stream = self.library.stream()
        self._owners = [view.owner for view in views if view is not None]
        start, way, low, high = (argument.strided(self.shape) for argument in arguments)
        self.native = self.side.native.rays(sizes, start, way, low, high, self.double)
        at_zero = not any(scene._native.origin)
        self._as_records = _address_of_records(arguments, self.shape) if at_zero else 0
        self._packed: Any = None
        self._worlds = _words("world", world, worlds, self.shape, 0)
        masks_at, mask = _words("mask", hit_filter.mask, masks, self.shape, _ALL_BITS)
        self._filter = _native.GpuFilter(
            hit_filter.side(),
            mask,
            masks_at,
            self._skip_words("skip", skip, skipped),
            *self._skipped_instance(hit_filter.skip_instance, bodies),
        )

    def _skip_words(self, name: str, skip: Any, view: Optional[View]) -> int:
        """Returns the address of the ids to skip, in 32 bits each; or 0."""
        if skip is None or not self.size:
            return 0
        if view is None:
            raise TypeError(f"{name}: expected an array in GPU memory, as the rays are")
        _require_words(name, view, self.shape, (4, 8))
        if view.dtype.itemsize == 4:
            return view.address
        words = self.library.empty((self.size,), "int32")
        self._owners.append(words)
        address = self.library.address_of(words)
        self.side.native.pack_skip(view.address, address, self.size, self.stream)
        return address

    def _skipped_instance(self, skip: Any, view: Optional[View]) -> Tuple[int, int]:
        """Returns the number of the instance that all rays skip, and the address of an array of
        them, or 0."""
        if view is not None:
            return _ALL_BITS, self._skip_words("skip_instance", skip, view)
        number = _ALL_BITS if skip is None else whole_number(skip, "skip_instance", -1)
        return number & _ALL_BITS, 0

    def records(self) -> int:
        """Returns the address of the library's own records of these rays. Makes the records if
        necessary."""
        if self._as_records:
            return self._as_records
        if self._packed is None and self.size:
            self._packed = self.library.empty((self.size, 8), "float32")
            self.side.native.pack_rays(
                self.native, self.library.address_of(self._packed), self.size, self.stream
            )
        return self.library.address_of(self._packed) if self.size else 0

    def cast(self, hits: Any, any_hit: bool) -> None:
        """Casts the rays, and writes their hits to `hits`: an array (size, 4) of float32, of the
        caller's library."""
        if self.size:
            self.side.native.cast(
                self.records(),
                self.library.address_of(hits),
                self.size,
                any_hit,
                *self._worlds,
                self._filter,
                self.stream,
            )

    def count(self) -> Any:
        """Returns int32 S: the number of crossings of each ray, in an array from Library.empty."""
        counts = self.library.empty(self.shape, "int32")
        if self.size:
            self.side.native.count(
                self.records(),
                self.library.address_of(counts),
                self.size,
                *self._worlds,
                self._filter,
                self.stream,
            )
        return counts

    def all(self) -> Tuple[Any, Any, int]:
        """Returns starts, int64 (size + 1,); all hits, float32 (k, 4); and k."""
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
                self._filter,
                self.stream,
            )
        return starts, hits, found

    def nan_rays(self) -> int:
        """The number of rays with a NaN. Waits for the GPU."""
        return self.side.native.nan_rays(self.native, self.size, self.stream)


class GpuPoints:
    """Points in GPU memory, for queries."""

    def __init__(self, scene: "SceneBase", points: Any, world: Any = None) -> None:
        argument = _Argument("points", points, 3)
        if argument.view is None:
            raise TypeError("points: in host memory, but world is in GPU memory")
        worlds = view_of(world, "world") if on_gpu(world) else None
        self._view = argument.view
        self.library = common_library([self._view, worlds])
        self.shape = argument.leading
        self.size = size_of(self.shape)
        sizes = _sizes(self.shape)
        self.double = argument.dtype == np.float64
        self.side = scene._gpu_side(self.library)
        self.stream = self.library.stream()
        self.native = self.side.native.points(sizes, argument.strided(self.shape))
        at_zero = not any(scene._native.origin)
        self._as_they_are = at_zero and self._view.contiguous and not self.double
        self._owner = worlds.owner if worlds is not None else None
        self._worlds = _words("world", world, worlds, self.shape, 0)

    def as_vertices(self) -> Tuple[int, Any]:
        """Returns the points as vertices; see _packed. Raises ValueError unless they have the
        shape (n, 3)."""
        if len(self.shape) != 1:
            raise ValueError(f"vertices: expected a shape (n, 3), got {described(self._view)}")
        return self._packed()

    def nearest(self, max_distance: float) -> Any:
        """Returns the library's records of closest points, as float32 (size, 4)."""
        records = self.library.empty((self.size, 4), "float32")
        if self.size:
            address, _keep = self._packed()
            self.side.native.closest_points(
                address,
                self.library.address_of(records),
                self.size,
                max_distance,
                *self._worlds,
                self.stream,
            )
        return records

    def inside(self, rule: int) -> Any:
        """Returns bool S: which points are inside, in an array from Library.empty. `rule`: a
        number of the library's InsideRule."""
        out = self.library.empty(self.shape, "bool")
        if self.size:
            self.side.native.contains(
                self.native,
                rule,
                self.library.address_of(out),
                self.size,
                *self._worlds,
                self.stream,
            )
        return out

    def winding_numbers(self) -> Any:
        """Returns float64 S: winding numbers, in an array from Library.empty."""
        out = self.library.empty(self.shape, "float64")
        if self.size:
            self.side.native.winding_numbers(
                self.native, self.library.address_of(out), self.size, *self._worlds, self.stream
            )
        return out

    def _packed(self) -> Tuple[int, Any]:
        """Returns the address of the points in the form of the library, and an object that keeps
        their memory until the work that reads them is enqueued."""
        if self._as_they_are:
            return self._view.address, self._view
        packed = self.library.empty((self.size, 3), "float32")
        address = self.library.address_of(packed)
        if self.size:
            self.side.native.pack_points(self.native, address, self.size, self.stream)
        return address, packed


class _Argument:
    """An argument with `columns` numbers per ray or point: an array in GPU memory, or `columns`
    numbers for all rays or points."""

    def __init__(self, name: str, value: Any, columns: int) -> None:
        self.name = name
        self.columns = columns
        self.view = view_of(value, name) if on_gpu(value) else None
        inner = 0 if columns == 1 else 1  # number of axes of the components
        self.leading: Tuple[int, ...] = ()  # the shape without the axis of the components
        self.strides: Tuple[int, ...] = ()  # the strides of `leading`
        if self.view is None:
            self._numbers = self._numbers_for_all(as_numbers(value, name), inner)
            self.dtype = self._numbers.dtype
            return
        self.dtype = self.view.dtype
        if self.dtype not in (np.float32, np.float64):
            raise TypeError(f"{name}: expected float32 or float64 in GPU memory, got {self.dtype}")
        if inner and self.view.shape[-1:] != (3,):
            raise ValueError(f"{name}: expected a shape (..., 3), got {described(self.view)}")
        axes = len(self.view.shape) - inner
        self.leading = self.view.shape[:axes]
        self.strides = self.view.strides[:axes]
        self.step = self.view.strides[-1] if inner else 1  # from one component to the next

    def _numbers_for_all(self, array: np.ndarray, inner: int) -> np.ndarray:
        if array.shape != (self.columns,) * inner:
            raise TypeError(
                f"{self.name}: in host memory, but other arguments are in GPU memory: only "
                f"{'three numbers' if inner else 'a number'} can be; got {described(array)}"
            )
        return array

    def strided(self, shape: Tuple[int, ...]) -> Any:
        """Returns the argument for the extension module, broadcast to the common shape."""
        if self.view is None:
            numbers = self._numbers.reshape(-1).tolist()
            return _native.strided(0, False, [], 1, (numbers + [0.0, 0.0])[:3])
        strides = [0] * (len(shape) - len(self.leading))
        strides += [0 if n == 1 else stride for n, stride in zip(self.leading, self.strides)]
        double = self.dtype == np.float64
        return _native.strided(self.view.address, double, strides or [0], self.step, [0.0] * 3)


def _sizes(shape: Tuple[int, ...]) -> List[int]:
    if len(shape) > _MOST_AXES:
        raise ValueError(f"arrays in GPU memory: at most {_MOST_AXES} leading axes, got {shape}")
    return list(shape) or [1]


def _address_of_records(arguments: "list[_Argument]", shape: Tuple[int, ...]) -> int:
    """Returns the address of rays that are stored as in the library, or 0 if they are not. Such
    arrays are columns of one array:

    origin x y z | t_min | direction x y z | t_max        8 floats per ray, aligned to 16 bytes
    """
    first = arguments[0].view
    start = first.address if first is not None else 0
    if not start or start % 16:
        return 0
    rows = tuple(8 * step for step in c_order(shape))
    for argument, offset in zip(arguments, (0, 16, 12, 28)):
        view = argument.view
        if view is None or view.dtype != np.float32 or view.address != start + offset:
            return 0
        if argument.leading != shape or argument.step != 1:
            return 0
        if any(n != 1 and s != row for n, s, row in zip(shape, argument.strides, rows)):
            return 0
    return start


def _require_words(name: str, view: View, shape: Tuple[int, ...], sizes: Tuple[int, ...]) -> None:
    """Raises TypeError or ValueError unless the view has integers of one of these sizes in
    bytes, and this shape."""
    if view.dtype.kind not in "iu" or view.dtype.itemsize not in sizes:
        types = "int32, uint32 or int64" if 8 in sizes else "int32 or uint32"
        raise TypeError(f"{name}: expected {types} in GPU memory, got {view.dtype}")
    if view.shape != shape or not view.contiguous:
        raise ValueError(f"{name}: expected a contiguous array of shape {shape}, got {view.shape}")


def _words(
    name: str, value: Any, view: Optional[View], shape: Tuple[int, ...], preset: int
) -> Tuple[int, int]:
    """Returns the address of numbers such as the worlds of all rays, and the number for all rays
    if there is no array. `preset`: the number for None."""
    if view is not None:
        _require_words(name, view, shape, (4,))
        return view.address, preset
    if value is None:
        return 0, preset
    number = np.asarray(value)
    if number.ndim or number.dtype.kind not in "iu" or not 0 <= int(number) < 2**32:
        raise TypeError(f"{name}: expected a number, or an array in GPU memory as the rays are")
    return 0, int(number)
