"""Poses in GPU memory. They move instances, and sensors whose rays are cast, without a copy to the
host."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Tuple

import numpy as np

from . import _native
from ._arrays import described, size_of
from ._gpu_arrays import View, common_library, on_gpu, view_of

if TYPE_CHECKING:
    from ._gpu_casts import GpuSide
    from ._scene_base import SceneBase


class Poses:
    """Matrices S + (3, 3) and positions S + (3,) in GPU memory, which map to world coordinates."""

    def __init__(self, turn: View, at: View) -> None:
        self.library = common_library([turn, at])
        self.shape = at.shape[:-1]
        self._turn = turn
        self._at = at

    def column(self, index: int) -> "Poses":
        """The poses [:, index] of poses of two axes."""
        return Poses(_without_axis(self._turn, 1, index), _without_axis(self._at, 1, index))

    def native(self, side: "GpuSide") -> Any:
        """Returns the poses for the extension module."""
        x, y, z = (_strided(_without_axis(self._turn, -2, row)) for row in range(3))
        return side.native.poses(list(self.shape), x, y, z, _strided(self._at))


def poses_of_transforms(transforms: Any) -> Poses:
    """Reads transforms (n, 3, 4) or (n, 4, 4)."""
    view = view_of(transforms, "transforms")
    _require_floats(view, "transforms")
    if len(view.shape) != 3 or view.shape[1:] not in ((3, 4), (4, 4)):
        raise ValueError(
            f"transforms: expected a shape (n, 3, 4) or (n, 4, 4), got {described(view)}"
        )
    turn = _viewed(view, 0, (view.shape[0], 3, 3), view.strides)
    return Poses(turn, _without_axis(_viewed(view, 0, (view.shape[0], 3, 4), view.strides), 2, 3))


def poses_of_worlds(name: str, positions: Any, turns: Any, worlds: int, count: int) -> Poses:
    """Reads positions (worlds, count, 3) and matrices (worlds, count, 3, 3) or (worlds, count, 9).
    With one world, the first axis may be missing. `name`: as in "geom_xpos", without "_xpos"."""
    views = []
    for value, part, inner in ((positions, "xpos", (3,)), (turns, "xmat", (3, 3))):
        what = f"{name}_{part}"
        if not on_gpu(value):
            raise TypeError(f"{what}: in host memory, but other poses are in GPU memory")
        view = view_of(value, what)
        _require_floats(view, what)
        if part == "xmat" and view.shape[-1:] == (9,):
            step = view.strides[-1]
            shape = (*view.shape[:-1], 3, 3)
            view = _viewed(view, 0, shape, (*view.strides[:-1], 3 * step, step))
        if worlds == 1 and view.shape == (count, *inner):
            view = _viewed(view, 0, (1, *view.shape), (0, *view.strides))
        if view.shape != (worlds, count, *inner):
            raise ValueError(
                f"{what}: expected {count} for each of {worlds} worlds, got {described(view)}"
            )
        views.append(view)
    return Poses(views[1], views[0])


class Chosen(NamedTuple):
    """Which of a world's poses move its instances: int32 (n,), in GPU memory."""

    memory: "_native.GpuMemory"
    size: int


def move(scene: "SceneBase", poses: Poses, chosen: Optional[Chosen] = None) -> None:
    """Moves the instances of a scene, and builds the trees over them. `chosen`: for poses (worlds,
    n); else each instance has a pose. All work is enqueued on the current stream."""
    count = scene._native.instance_count
    given = size_of(poses.shape) if chosen is None else poses.shape[0] * chosen.size
    if given != count:
        raise _native.UsageError(f"{given} transforms for a scene that has {count} instances")
    side = scene._gpu_side(poses.library)
    library = poses.library
    transforms = library.empty((count, 12), "float32")
    side.native.set_poses(
        poses.native(side),
        chosen.memory.address if chosen is not None else 0,
        chosen.size if chosen is not None else 1,
        poses.shape[-1],
        side.mesh_origins(),
        library.address_of(transforms),
        count,
        library.stream(),
    )


def _viewed(view: View, offset: int, shape: Tuple[int, ...], strides: Tuple[int, ...]) -> View:
    """Returns a view of a part of an array. `offset`: in elements."""
    address = view.address + offset * view.dtype.itemsize
    return View(view.library, view.owner, address, view.dtype, shape, strides)


def _without_axis(view: View, axis: int, index: int) -> View:
    """Returns view[..., index, ...]."""
    axis %= len(view.shape)
    shape, strides = list(view.shape), list(view.strides)
    offset = index * strides[axis]
    del shape[axis], strides[axis]
    return _viewed(view, offset, tuple(shape), tuple(strides))


def _strided(view: View) -> Any:
    double = view.dtype == np.float64
    strides = list(view.strides[:-1])
    return _native.strided(view.address, double, strides, view.strides[-1], [0.0] * 3)


def _require_floats(view: View, name: str) -> None:
    if view.dtype not in (np.float32, np.float64):
        raise TypeError(f"{name}: expected float32 or float64 in GPU memory, got {view.dtype}")
