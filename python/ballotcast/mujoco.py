"""Rays at the geoms of a MuJoCo model, with the arguments and results of mj_ray.

    import ballotcast.mujoco
    caster = ballotcast.mujoco.Caster(model)
    caster.update(data)                       # after each step
    caster.ray(pnt, vec)                      # as mj_ray; and multi_ray
    caster.rangefinders(), caster.depth("camera"), caster.lidar("site", pattern)

Needs mujoco, version 3 or later (pip install mujoco). Geoms count as for mj_ray: those with alpha 0
are not hit, whatever the ray; a plane is hit from above only. Flexes and skins are not hit.
"""

from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np

from ._arrays import as_numbers, described, whole_number
from ._lidar import LidarRays
from ._mujoco_geoms import View, view_of
from ._mujoco_rays import FROM_ZERO, RayCaster, RayHits
from ._mujoco_sensors import (
    LocalRays,
    camera_rays,
    has_normals,
    placed,
    rangefinders_of,
    reported,
)

__all__ = ["Caster", "RayHits"]


class Caster(RayCaster):
    """Casts rays at the geoms of a model, in one world or in many copies of it.

    Attributes:
      scene: the Scene. With k castable geoms, instance w * k + i is geom `geoms[i]` in world w.
      geoms: int32 (k,): the geoms that rays can hit.
      worlds: the number of worlds.
    """

    def __init__(self, model: Any, worlds: int = 1, **options: Any) -> None:
        """Makes the scene; call `update` before the first cast.

        Args:
          model: an mjModel. Changes of its geoms, such as other sizes or colours, need a new
            Caster.
          worlds: how many mjData there are, from 1 to 65536.
          options: those of Scene, such as device="cpu".

        Raises:
          ImportError: mujoco is missing.
          ValueError: no geom can be hit, or a geom has an unknown type.
        """
        super().__init__(model, worlds, **options)
        self._finders = rangefinders_of(model)

    def rangefinders(self) -> np.ndarray:
        """float64 (n,), or (worlds, n) with several worlds: what all rangefinders of the model
        report, as in sensordata, in the order of the sensors. Noise is not added."""
        if not self._finders:
            raise ValueError("model: it has no rangefinder")
        bodies = sorted({finder.body for finder in self._finders})
        views = [view_of(None, True, body) for body in bodies]
        if len(views) > 32:
            raise ValueError(f"model: its rangefinders are on {len(views)} bodies; 32 is the most")
        starts, ways, forwards, chosen = [], [], [], []
        for finder in self._finders:
            at, turn = self._pose("cam" if finder.at_camera else "site", finder.place)
            start, way = placed(finder.rays, at, turn)
            starts.append(start)
            ways.append(way)
            forwards.append(turn @ finder.forward)
            chosen.append(np.full(start.shape[1], bodies.index(finder.body)))
        normal = any(has_normals(self._model, finder) for finder in self._finders)
        start, way = np.concatenate(starts, 1), np.concatenate(ways, 1)
        world = np.arange(self.worlds)[:, None]
        found = self._cast(start, way, views, np.concatenate(chosen), world, normal)
        numbers, first = [], 0
        for finder, forward in zip(self._finders, forwards):
            own = slice(first, first + len(finder.rays.origins))
            first = own.stop
            normals = found.normal[:, own] if found.normal is not None else None
            numbers.append(
                reported(
                    self._model,
                    finder,
                    start[:, own],
                    way[:, own],
                    forward,
                    found.dist[:, own],
                    normals,
                )
            )
        return self._shown(np.concatenate(numbers, 1))

    def depth(
        self,
        camera: Any,
        width: Optional[int] = None,
        height: Optional[int] = None,
        *,
        geomgroup: Any = None,
        bodyexclude: int = -1,
    ) -> np.ndarray:
        """float32 (height, width), or (worlds, height, width) with several worlds: the distance of
        the surface in each pixel from the plane of a camera; inf for none.

        Args:
          camera: its name or number.
          width, height: in pixels; by default the camera's resolution.
          Others: as for `ray`.
        """
        number = self._number("cam", camera)
        default = np.asarray(self._model.cam_resolution[number]).tolist()
        columns = whole_number(default[0] if width is None else width, "width", 1)
        rows = whole_number(default[1] if height is None else height, "height", 1)
        rays = camera_rays(self._model, number, columns, rows)
        flat = LocalRays(rays.origins.reshape(-1, 3), rays.directions.reshape(-1, 3))
        view = view_of(geomgroup, True, bodyexclude)
        if self._gpu is not None:
            return self._ranges_on_gpu("cam", number, flat, view, np.inf, (rows, columns)).dist
        start, way = placed(flat, *self._pose("cam", number))
        dist = self._cast(start, way, [view], 0, np.arange(self.worlds)[:, None], False).dist
        depth = np.where(dist < 0, np.inf, dist).astype(np.float32)
        return self._shown(depth.reshape(self.worlds, rows, columns))

    def lidar(self, site: Any, pattern: Any, *, geomgroup: Any = None) -> RayHits:
        """Casts the rays of a lidar at a site; geoms of the site's body do not count. The results
        are of shape (n,), or (worlds, n) with several worlds.

        Args:
          site: its name or number.
          pattern: LidarRays; or directions (n, 3), or origins and directions (n, 6), in the
            coordinates of the site: x ahead, y to the left, z up.
          geomgroup: as for `ray`.
        """
        number = self._number("site", site)
        rays = as_numbers(pattern.rays if isinstance(pattern, LidarRays) else pattern, "pattern")
        if rays.ndim != 2 or rays.shape[1] not in (3, 6):
            raise ValueError(f"pattern: expected a shape (n, 3) or (n, 6), got {described(rays)}")
        origins = rays[:, :3] if rays.shape[1] == 6 else np.zeros_like(rays)
        local = LocalRays(origins, rays[:, -3:])
        view = view_of(geomgroup, True, int(self._model.site_bodyid[number]))
        if self._gpu is not None:
            return self._ranges_on_gpu("site", number, local, view, -1.0, (len(rays),))
        start, way = placed(local, *self._pose("site", number))
        found = self._cast(start, way, [view], 0, np.arange(self.worlds)[:, None], False)
        return RayHits(self._shown(found.dist), self._shown(found.geomid), None)

    def _ranges_on_gpu(
        self,
        kind: str,
        number: int,
        local: LocalRays,
        view: View,
        miss: float,
        inner: Tuple[int, ...],
    ) -> RayHits:
        """Casts rays from a site or camera; `inner`: the shape of a world's results."""
        assert self._gpu is not None
        bit = self._views.bits_of([view], self.scene)[0]
        rays = np.concatenate([local.origins, local.directions], 1).astype(np.float64)
        shape = inner if self.worlds == 1 else (self.worlds, *inner)
        return RayHits(*self._gpu.ranges(kind, number, rays, bit, FROM_ZERO, miss, shape), None)

    def _shown(self, of_worlds: np.ndarray) -> np.ndarray:
        return of_worlds[0] if self.worlds == 1 else of_worlds

    def _number(self, kind: str, which: Any) -> int:
        """Returns the number of a site or a camera ("cam"), given by name or number."""
        count = self._model.nsite if kind == "site" else self._model.ncam
        if not isinstance(which, str):
            return whole_number(which, "site" if kind == "site" else "camera", 0, count)
        try:
            return int(getattr(self._model, kind)(which).id)
        except KeyError:
            word = "site" if kind == "site" else "camera"
            raise ValueError(f"the model has no {word} called '{which}'") from None
