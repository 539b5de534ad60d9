"""An engine for trimesh: what its own ray engines do, with no hit lost.

    import ballotcast.trimesh
    ballotcast.trimesh.install()          # from now on mesh.ray and mesh.contains use it

Each call has the arguments, results and dtypes of trimesh's engines.
"""

from __future__ import annotations

import sys
import types
from typing import Any, Dict, Optional, Tuple

import numpy as np

from ._scene import Scene

__all__ = ["RayMeshIntersector", "install"]

# A surface at the origin of a ray counts as hit, but the library's t must be above t_min.
_FROM_ZERO = -1e-37


class RayMeshIntersector:
    """Ray queries on a trimesh.Trimesh. The mesh may change; the tree follows at the next call.

    Args:
      geometry: the mesh. trimesh's native engine calls this argument `mesh`.
      scale_to_box: ignored; meshes of any size keep their precision.
    """

    def __init__(
        self, geometry: Any = None, scale_to_box: bool = True, *, mesh: Any = None
    ) -> None:
        self.mesh = geometry if geometry is not None else mesh
        if self.mesh is None:
            raise TypeError("RayMeshIntersector() needs a mesh")
        self._scale_to_box = scale_to_box
        self._kept: Optional[Tuple[int, Scene]] = None

    def intersects_id(
        self,
        ray_origins: Any,
        ray_directions: Any,
        multiple_hits: bool = True,
        max_hits: int = 100,
        return_locations: bool = False,
        **_: Any,
    ) -> Any:
        """Which triangles the rays hit.

        Args:
          ray_origins, ray_directions: (n, 3).
          multiple_hits: True for all hits of a ray, at most `max_hits`, the nearest first; False
            for the nearest one.
          return_locations: True to return the places of the hits, too.

        Returns:
          index_tri (m,) int64, index_ray (m,) int64 and, if asked for, locations (m, 3) float64.
        """
        triangle, ray, location = self._hits(ray_origins, ray_directions, multiple_hits, max_hits)
        return (triangle, ray, location) if return_locations else (triangle, ray)

    def intersects_location(
        self, ray_origins: Any, ray_directions: Any, multiple_hits: bool = True, **_: Any
    ) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Where the rays hit: locations (m, 3) float64, index_ray (m,), index_tri (m,) int64."""
        triangle, ray, location = self._hits(ray_origins, ray_directions, multiple_hits, None)
        return location, ray, triangle

    def intersects_first(self, ray_origins: Any, ray_directions: Any, **_: Any) -> np.ndarray:
        """int64 (n,): the index of the first triangle that each ray hits, or -1."""
        origins, directions = _rays(ray_origins, ray_directions)
        if not self._can_hit(origins):
            return np.full(len(origins), -1, np.int64)
        return self._scene().cast(origins, directions, t_min=_FROM_ZERO).triangle

    def intersects_any(self, ray_origins: Any, ray_directions: Any, **_: Any) -> np.ndarray:
        """bool (n,): whether each ray hits anything."""
        origins, directions = _rays(ray_origins, ray_directions)
        if not self._can_hit(origins):
            return np.zeros(len(origins), bool)
        return self._scene().any(origins, directions, t_min=_FROM_ZERO)

    def contains_points(self, points: Any) -> np.ndarray:
        """bool (n,): whether each point, of (n, 3), lies inside of the mesh."""
        points = np.asanyarray(points, np.float64)
        if points.ndim != 2 or points.shape[1] != 3:
            raise ValueError("points must be (n, 3)")
        if not self._can_hit(points):
            return np.zeros(len(points), bool)
        return self._scene().contains(points)

    def _hits(
        self, ray_origins: Any, ray_directions: Any, multiple_hits: bool, max_hits: Optional[int]
    ) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
        origins, directions = _rays(ray_origins, ray_directions)
        if not self._can_hit(origins):
            nothing = np.zeros(0, np.int64)
            return nothing, nothing.copy(), np.zeros((0, 3))
        if multiple_hits:
            hits = self._scene().all(origins, directions, t_min=_FROM_ZERO)
            triangle, ray, t = hits.triangle, hits.ray, hits.t
            if max_hits is not None:
                place = np.arange(t.size) - np.repeat(hits.starts[:-1], np.diff(hits.starts))
                kept = place < max_hits
                triangle, ray, t = triangle[kept], ray[kept], t[kept]
        else:
            nearest = self._scene().cast(origins, directions, t_min=_FROM_ZERO)
            ray = np.flatnonzero(nearest.hit)
            if len(ray) == len(origins):  # nothing to leave out
                return nearest.triangle, ray, nearest.point
            return nearest.triangle[ray], ray, np.take(nearest.point, ray, axis=0)
        return triangle, ray, origins[ray] + t[:, None] * directions[ray]

    def _can_hit(self, rays: np.ndarray) -> bool:
        return len(rays) > 0 and len(self.mesh.faces) > 0

    def _scene(self) -> Scene:
        """The mesh as a scene, anew if the mesh has changed."""
        state = hash(self.mesh)
        if self._kept is None or self._kept[0] != state:
            self._kept = (state, Scene(self.mesh.vertices, self.mesh.faces))
        return self._kept[1]

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "_kept": None}

    def __deepcopy__(self, memo: Any) -> "RayMeshIntersector":
        from copy import deepcopy

        return type(self)(deepcopy(self.mesh, memo), self._scale_to_box)

    def __copy__(self) -> "RayMeshIntersector":
        return type(self)(self.mesh, self._scale_to_box)


def _rays(origins: Any, directions: Any) -> Tuple[np.ndarray, np.ndarray]:
    starts = np.asanyarray(origins, np.float64)
    ways = np.asanyarray(directions, np.float64)
    for name, array in (("origins", starts), ("directions", ways)):
        if array.ndim != 2 or array.shape[1] != 3:
            raise ValueError(f"ray {name} must be (n, 3), not {array.shape}")
    if len(starts) != len(ways):
        raise ValueError(f"{len(starts)} ray origins, but {len(ways)} ray directions")
    return np.asarray(starts), np.asarray(ways)


def install() -> None:
    """Makes this the engine of meshes that are made from now on: of mesh.ray, mesh.contains and
    whatever builds on them. It takes the place that embreex has."""
    import trimesh.ray

    module = types.ModuleType("trimesh.ray.ray_pyembree", __doc__)
    module.RayMeshIntersector = RayMeshIntersector  # type: ignore[attr-defined]
    sys.modules["trimesh.ray.ray_pyembree"] = module
    trimesh.ray.ray_pyembree = module
    trimesh.ray.has_embree = True
