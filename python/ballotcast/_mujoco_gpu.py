"""Rays at the geoms of a MuJoCo model whose poses are in GPU memory. No array is copied to the
host, and all work is enqueued on the current stream of the arrays' library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Tuple

import numpy as np

from . import _gpu_hits, _native
from ._arrays import size_of
from ._filter import EVERY_HIT, filter_of
from ._gpu_arrays import copied
from ._gpu_casts import GpuRays
from ._gpu_poses import Chosen, Poses, poses_of_worlds

if TYPE_CHECKING:
    from ._scene import Scene

_ALL_BITS = 0xFFFFFFFF


class GpuWorlds:
    """The scene of a Caster on a GPU. It moves the scene, and casts the rays of its sensors."""

    def __init__(self, scene: "Scene", geoms: np.ndarray, geom_count: int, worlds: int) -> None:
        """`geoms`: the numbers of the castable geoms, of `geom_count` geoms."""
        self._scene = scene
        self._geoms = geoms
        self._geom_count = geom_count
        self._worlds = worlds
        self._poses: Dict[str, Poses] = {}
        self._copies: Dict[Tuple[int, bytes], _native.GpuMemory] = {}

    def update(self, poses: Dict[str, Any], counts: Dict[str, int]) -> None:
        """Moves the geoms. `poses`: geom_xpos, geom_xmat and those of other things that have poses;
        `counts`: how many there are of each, by the first part of those names."""
        read = {
            kind: poses_of_worlds(
                kind, poses[f"{kind}_xpos"], poses[f"{kind}_xmat"], self._worlds, count
            )
            for kind, count in counts.items()
            if count and poses.get(f"{kind}_xpos") is not None
        }
        chosen = None
        if len(self._geoms) != self._geom_count:
            device = read["geom"].library.device
            chosen = Chosen(self._copied(device, self._geoms), len(self._geoms))
        self._scene._move_on_gpu(read["geom"], chosen)
        self._poses = read

    def ranges(
        self,
        kind: str,
        number: int,
        rays: np.ndarray,
        mask: int,
        t_min: float,
        miss: float,
        shape: Tuple[int, ...],
    ) -> Tuple[Any, Any]:
        """Casts the rays of a sensor in all worlds. Returns float32 and int32 of a shape: the
        ranges, or `miss`; and the geoms, or -1.

        Args:
          kind, number: the site or "cam" that carries the sensor.
          rays: float64 (n, 6): origins and directions in its coordinates.
        """
        if kind not in self._poses:
            raise ValueError(f"update was called without poses of a {kind}")
        sensor = self._poses[kind].column(number)
        library = sensor.library
        side = self._scene._gpu_side(library)
        count, stream = self._worlds * len(rays), library.stream()
        records = library.empty((count, 8), "float32")
        worlds = library.empty((count,), "int32")
        hits = library.empty((count, 4), "float32")
        own = self._copied(side.device, rays)
        side.native.place_rays(
            sensor.native(side),
            own.address,
            len(rays),
            t_min,
            library.address_of(records),
            library.address_of(worlds),
            count,
            stream,
        )
        side.native.cast(
            library.address_of(records),
            library.address_of(hits),
            count,
            False,
            library.address_of(worlds),
            0,
            _native.GpuFilter(0, mask, 0, 0, _ALL_BITS, 0),
            stream,
        )
        return self._stored(library, hits, miss, shape)

    def cast(
        self, origins: Any, directions: Any, world: Any, mask: int, t_min: float
    ) -> Tuple[Any, Any, Any]:
        """Casts rays in GPU memory. Returns distances, geoms, and the hits."""
        chosen = filter_of("both", None, mask, None) or EVERY_HIT
        rays = GpuRays(self._scene, origins, directions, t_min, np.inf, world, chosen)
        hits = _gpu_hits.cast(self._scene, rays, None)
        return (*self._stored(rays.library, hits._raw, -1.0, rays.shape), hits)

    def _stored(
        self, library: Any, hits: Any, miss: float, shape: Tuple[int, ...]
    ) -> Tuple[Any, Any]:
        side = self._scene._gpu_side(library)
        ranges, found = library.empty(shape, "float32"), library.empty(shape, "int32")
        side.native.store_ranges(
            self._copied(side.device, self._geoms).address,
            len(self._geoms),
            miss,
            library.address_of(hits),
            library.address_of(ranges),
            library.address_of(found),
            size_of(shape),
            library.stream(),
        )
        return library.for_caller(ranges), library.for_caller(found)

    def _copied(self, device: int, numbers: np.ndarray) -> "_native.GpuMemory":
        """Returns a copy of numbers on a GPU. It is kept, so that later calls, which a CUDA graph
        may capture, copy nothing."""
        key = device, numbers.tobytes()
        if key not in self._copies:
            self._copies[key] = copied(numbers, device)
        return self._copies[key]
