"""Rays at the geoms of a MuJoCo model: the part of `Caster` that casts them."""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import numpy as np

from ._arrays import as_array, as_numbers, as_vectors, described, whole_number
from ._gpu_arrays import any_on_gpu
from ._hits import Hits
from ._mujoco_geoms import Geoms, View, Views, mujoco_module, view_of
from ._mujoco_gpu import GpuWorlds
from ._scene import Scene

# mj_ray hits surfaces at t = 0; in the library, t must be above t_min.
FROM_ZERO = -1e-37

# mj_ray refuses directions that are shorter than mjMINVAL.
_SHORTEST = 1e-15


class RayHits(NamedTuple):
    """The results of mj_multiRay, for rays of a shape S."""

    dist: np.ndarray  #: float64 S, in lengths of the direction; -1 for a miss
    geomid: np.ndarray  #: int32 S: the geom that was hit; -1 for none
    normal: Optional[np.ndarray]  #: float64 S + (3,): out of the geom, 0 for a miss; or None


class RayCaster:
    """The part of `Caster` that casts given rays; it has the attributes of `Caster`."""

    def __init__(self, model: Any, worlds: int, **options: Any) -> None:
        mujoco_module()
        self.worlds = whole_number(worlds, "worlds", 1, 65537)
        self._model = model
        self._geoms = Geoms(model)
        self.geoms = self._geoms.ids
        if not len(self.geoms):
            raise ValueError("model: it has no geom that rays can hit")
        count = len(self.geoms)
        self.scene = Scene._of_instances(
            self._geoms.scenes,
            np.tile(np.eye(3, 4).reshape(-1), (self.worlds * count, 1)),
            np.tile(np.array(self._geoms.mesh_of, np.uint32), self.worlds),
            np.repeat(np.arange(self.worlds, dtype=np.uint32), count),
            **{"moves": True, **options},
        )
        self._views = Views(self._geoms, self.worlds)
        self._poses: Dict[str, np.ndarray] = {}
        self._gpu: Optional[GpuWorlds] = None  # if the poses are in GPU memory

    # ---- Poses -----------------------------------------------------------------------------------

    def update(self, data: Any = None, *, geom_xpos: Any = None, geom_xmat: Any = None) -> None:
        """Moves all geoms.

        Args:
          data: an mjData after mj_forward or mj_kinematics; a list of one for each world; or an
            object with arrays geom_xpos, geom_xmat (and site_xpos, cam_xpos and so on) whose first
            axis is the world.
          geom_xpos, geom_xmat: instead of `data`, arrays (worlds, ngeom, 3) and (worlds, ngeom, 9)
            or (worlds, ngeom, 3, 3), also by DLPack. Then sites and cameras have no poses.

        Arrays in GPU memory stay there; then only `lidar`, `depth` and `cast` can be called, and
        their results are arrays of the same library: see "Poses in GPU memory" in docs/robots.md.

        Raises:
          ValueError: the number of worlds or geoms is another one.
        """
        if (data is None) == (geom_xpos is None) or (geom_xpos is None) != (geom_xmat is None):
            raise ValueError("update: give data, or geom_xpos and geom_xmat")
        if data is None:
            read = {"geom_xpos": geom_xpos, "geom_xmat": geom_xmat}
        else:
            names = [
                f"{kind}_{part}" for kind in ("geom", "site", "cam") for part in ("xpos", "xmat")
            ]
            read = {name: _read(data, name) for name in names}
        counts = {"geom": self._model.ngeom, "site": self._model.nsite, "cam": self._model.ncam}
        if any_on_gpu(*read.values()):
            if self._gpu is None:
                self._gpu = GpuWorlds(self.scene, self.geoms, counts["geom"], self.worlds)
            self._gpu.update(read, counts)
            self._poses = {}
            return
        poses = {}
        for name, value in read.items():
            if value is not None:
                poses[name] = self._of_worlds(name, value, counts[name[:-5]])
        turn, at = poses["geom_xmat"][:, self.geoms], poses["geom_xpos"][:, self.geoms]
        self.scene.set_transforms(np.concatenate([turn, at[..., None]], -1).reshape(-1, 3, 4))
        self._poses = poses
        self._gpu = None

    def _of_worlds(self, name: str, value: Any, count: int) -> np.ndarray:
        """Returns positions (worlds, count, 3) or rotations (worlds, count, 3, 3)."""
        array = as_numbers(value, name).astype(np.float64)
        inner = (3, 3) if name.endswith("xmat") else (3,)
        if array.size != self.worlds * count * int(np.prod(inner)):
            raise ValueError(
                f"{name}: expected {count} for each of {self.worlds} worlds, got {described(array)}"
            )
        return array.reshape(self.worlds, count, *inner)

    def _pose(self, kind: str, number: int) -> Tuple[np.ndarray, np.ndarray]:
        """Returns positions (worlds, 3) and rotations (worlds, 3, 3) of a site or camera."""
        self._require_poses()
        if f"{kind}_xpos" not in self._poses:
            raise ValueError(f"update was called without poses of a {kind}: give it an mjData")
        return self._poses[f"{kind}_xpos"][:, number], self._poses[f"{kind}_xmat"][:, number]

    def _require_poses(self) -> None:
        if self._gpu is not None:
            raise ValueError(
                "the poses are in GPU memory: use lidar or depth; or cast, with rays there; or "
                "update with poses in host memory"
            )
        if not self._poses:
            raise ValueError("the geoms have no poses yet: call update first")

    # ---- Rays ------------------------------------------------------------------------------------

    def ray(
        self,
        pnt: Any,
        vec: Any,
        geomgroup: Any = None,
        flg_static: Any = True,
        bodyexclude: int = -1,
        geomid: Optional[np.ndarray] = None,
        normal: Optional[np.ndarray] = None,
        *,
        world: int = 0,
    ) -> float:
        """mj_ray: the distance along `vec`, in lengths of it, to the first geom; -1 for none.

        Args:
          pnt, vec: (3,): where the ray starts, and its direction.
          geomgroup: which of the six groups count; None: all.
          flg_static: False to leave out geoms of bodies that can't move.
          bodyexclude: a body whose geoms do not count; -1: none.
          geomid, normal: int32 (1,), float64 (3,): receive the geom and its normal.
          world: the world of the ray.
        """
        found = self.cast(
            as_vectors(pnt, "pnt").reshape(3),
            as_vectors(vec, "vec").reshape(3),
            geomgroup=geomgroup,
            flg_static=flg_static,
            bodyexclude=bodyexclude,
            normal=normal is not None,
            world=world,
        )
        if geomid is not None:
            geomid[...] = found.geomid
        if normal is not None:
            normal[...] = found.normal
        return float(found.dist)

    def multi_ray(
        self,
        pnt: Any,
        vec: Any,
        geomgroup: Any = None,
        flg_static: Any = True,
        bodyexclude: int = -1,
        geomid: Optional[np.ndarray] = None,
        dist: Optional[np.ndarray] = None,
        normal: Optional[np.ndarray] = None,
        nray: Optional[int] = None,
        cutoff: float = np.inf,
        *,
        world: int = 0,
    ) -> RayHits:
        """mj_multiRay: casts rays that start at one point.

        Args:
          pnt: (3,).
          vec: (nray, 3), or 3 * nray numbers.
          geomid, dist, normal: receive the results, if given; int32 (nray,), float64 (nray,) and
            float64 of 3 * nray numbers.
          cutoff: geoms whose bounding spheres are farther away do not count.
          Others: as for `ray`.

        Returns:
          The results; `normal` is None unless the argument was given.
        """
        start = as_vectors(pnt, "pnt").reshape(3)
        rows = as_numbers(vec, "vec").reshape(-1)
        if rows.size % 3 or (nray is not None and rows.size != 3 * nray):
            raise ValueError(f"vec: expected 3 numbers for each ray, got {rows.size}")
        view = view_of(geomgroup, flg_static, bodyexclude)
        where = whole_number(world, "world", 0, self.worlds)
        view = view._replace(beyond=self._beyond(start, cutoff, where))
        found = self._cast(start, rows.reshape(-1, 3), [view], 0, where, normal is not None)
        for given, result in ((geomid, found.geomid), (dist, found.dist), (normal, found.normal)):
            if given is not None and result is not None:
                given[...] = result.reshape(given.shape)
        return found

    def cast(
        self,
        origins: Any,
        directions: Any,
        *,
        geomgroup: Any = None,
        flg_static: Any = True,
        bodyexclude: int = -1,
        normal: bool = False,
        world: Any = 0,
    ) -> RayHits:
        """Casts many rays at once: mj_ray for arrays.

        Args:
          origins, directions: (..., 3), broadcast to a common shape S.
          normal: True to get normals.
          world: the world of all rays, or of each ray, S.
          Others: as for `ray`.
        """
        view = view_of(geomgroup, flg_static, bodyexclude)
        if self._gpu is not None and any_on_gpu(origins, directions):
            bit = self._views.bits_of([view], self.scene)[0]
            dist, geomid, hits = self._gpu.cast(origins, directions, world, bit, FROM_ZERO)
            return RayHits(dist, geomid, hits.normal if normal else None)
        return self._cast(origins, directions, [view], 0, world, normal)

    def _beyond(self, pnt: np.ndarray, cutoff: float, world: int) -> "frozenset[int]":
        """Returns the geoms that mj_multiRay ignores because of the cutoff."""
        if not cutoff < 1e10:
            return frozenset()
        self._require_poses()
        away = np.linalg.norm(self._poses["geom_xpos"][world] - pnt, axis=-1)
        radius = np.asarray(self._model.geom_rbound)
        return frozenset(np.flatnonzero((radius > 0) & (away - radius > cutoff)).tolist())

    def _cast(
        self,
        origins: Any,
        directions: Any,
        views: List[View],
        view_of_ray: Any,
        world: Any,
        normal: bool,
    ) -> RayHits:
        """Casts rays; `view_of_ray` has the index of each ray's view, or of all."""
        self._require_poses()
        start, way = as_vectors(origins, "origins"), as_vectors(directions, "directions")
        shape = np.broadcast_shapes(start.shape[:-1], way.shape[:-1], np.shape(world))
        start = np.broadcast_to(start, (*shape, 3)).reshape(-1, 3).astype(np.float64)
        way = np.broadcast_to(way, (*shape, 3)).reshape(-1, 3).astype(np.float64)
        worlds = as_array(world, "world")
        if not (np.einsum("ik,ik->i", way, way) >= _SHORTEST**2).all():
            raise ValueError("vec: a direction has length 0, or a NaN")
        if worlds.ndim:
            worlds = np.broadcast_to(worlds, shape).reshape(-1)
        chosen = np.broadcast_to(view_of_ray, shape).reshape(-1)
        bits = self._views.bits_of(views, self.scene)
        mask = bits[0] if len(bits) == 1 else np.array(bits, np.uint32)[chosen]
        hits = self.scene.cast(start, way, t_min=FROM_ZERO, mask=mask, world=worlds)
        found = self._found(hits, normal)
        self._meet_endless_planes(found, (start, way, worlds, chosen, views))
        dist, geomid, normals = found
        return RayHits(
            dist.reshape(shape),
            geomid.reshape(shape),
            None if normals is None else normals.reshape(*shape, 3),
        )

    def _meet_endless_planes(self, found: RayHits, cast: Tuple[Any, ...]) -> None:
        """Finds out where rays that miss everything meet a plane without an end, beyond the part of
        it that is in the scene."""
        start, way, worlds, chosen, views = cast
        at = np.flatnonzero(found.dist < 0)
        if not self._geoms.endless or not len(at):
            return
        where = worlds[at] if worlds.ndim else np.broadcast_to(worlds, len(at))
        counted = np.stack([self._geoms.count_by(view) for view in views])
        for index in self._geoms.endless:
            geom = self.geoms[index]
            turn = self._poses["geom_xmat"][where, geom]
            x, y, z = _turned_back(start[at] - self._poses["geom_xpos"][where, geom], turn)
            dx, dy, dz = _turned_back(way[at], turn)
            down = counted[chosen[at], index] & (z >= 0) & (dz < -_SHORTEST)
            t = np.where(down, z, 0.0) / np.where(down, -dz, 1.0)
            half_x, half_y = np.asarray(self._model.geom_size[geom])[:2]
            inside = (half_x == 0) | (np.abs(x + t * dx) <= half_x)
            inside &= (half_y == 0) | (np.abs(y + t * dy) <= half_y)
            meets = down & inside & ((found.dist[at] < 0) | (t < found.dist[at]))
            found.dist[at[meets]] = t[meets]
            found.geomid[at[meets]] = geom
            if found.normal is not None:
                found.normal[at[meets]] = turn[meets, :, 2]

    def _found(self, hits: Hits, normal: bool) -> RayHits:
        hit = hits.hit
        geomid = np.where(hit, self.geoms[hits.instance % len(self.geoms)], -1).astype(np.int32)
        normals = hits.normal.astype(np.float64) if normal else None
        return RayHits(np.where(hit, hits.t, -1.0), geomid, normals)


def _turned_back(vectors: np.ndarray, turn: np.ndarray) -> List[np.ndarray]:
    """Returns the coordinates x, y, z of vectors (n, 3) along the axes of rotations (n, 3, 3). Sums
    are written out, so that they have the same bits everywhere."""
    x, y, z = vectors.T
    return [x * turn[:, 0, k] + y * turn[:, 1, k] + z * turn[:, 2, k] for k in range(3)]


def _read(data: Any, name: str) -> Any:
    """Returns an array of an mjData, of several mjData, or of an object with arrays."""
    if isinstance(data, (list, tuple)):
        return np.stack([np.asarray(getattr(one, name)) for one in data])
    return getattr(data, name, None)
