"""An engine for trimesh with the interface of trimesh's own ray engines, which loses no hits.

    import ballotcast.trimesh
    ballotcast.trimesh.install()       # meshes made from now on: mesh.ray, .contains and .nearest
    ballotcast.trimesh.uninstall()
    with ballotcast.trimesh.installed():
        ...

Each call has the arguments, results and dtypes of trimesh's own engines. Faces of a mesh with
the same corners count once, as with embreex: only the first of these faces is hit.
"""

from __future__ import annotations

import contextlib
import sys
import types
from typing import Any, Dict, Iterator, List, Optional, Tuple

import numpy as np

from ._arrays import as_array
from ._scene import Scene

__all__ = ["ProximityQuery", "RayMeshIntersector", "install", "installed", "uninstall"]

# t_min: in trimesh, a surface at the origin of a ray (t = 0) counts as hit, but in the library, t
# must be above t_min.
_FROM_ZERO = -1e-37

# Points closer than this distance lie on the surface; the value is trimesh.tol.merge.
_MERGED = 1e-8


class _SceneOfMesh:
    """The scene of a mesh. It is made again when the mesh has changed."""

    def __init__(self, mesh: Any) -> None:
        self.mesh = mesh
        self._kept: Optional[Tuple[int, Scene, Optional[np.ndarray]]] = None

    def scene(self) -> Scene:
        """Returns the scene of the mesh's faces. Of faces with the same corners, it has only the
        first."""
        return self._now()[1]

    def faces_of(self, triangles: np.ndarray) -> np.ndarray:
        """Returns the mesh's faces for these triangles of the scene; -1 stays -1."""
        kept = self._now()[2]
        return triangles if kept is None else np.where(triangles < 0, -1, kept[triangles])

    def is_empty(self) -> bool:
        return len(self.mesh.faces) == 0

    def _now(self) -> Tuple[int, Scene, Optional[np.ndarray]]:
        state = hash(self.mesh)
        if self._kept is None or self._kept[0] != state:
            faces = np.asarray(self.mesh.faces)
            kept = _first_of_equal(faces)
            differing = faces if kept is None else faces[kept]
            self._kept = (state, Scene(self.mesh.vertices, differing), kept)
        return self._kept

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "_kept": None}


def _first_of_equal(faces: np.ndarray) -> Optional[np.ndarray]:
    """Returns the indices of the faces, without those whose corners an earlier face has; None if
    all faces differ."""
    corners = np.sort(faces.astype(np.uint64), axis=1)
    count = int(corners.max()) + 1
    if count < 2**21:
        keys = (corners[:, 0] << np.uint64(42)) | (corners[:, 1] << np.uint64(21)) | corners[:, 2]
        first = np.unique(keys, return_index=True)[1]
    else:
        first = np.unique(corners, axis=0, return_index=True)[1]
    return None if len(first) == len(faces) else np.sort(first)


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
        self._of = _SceneOfMesh(self.mesh)

    def intersects_id(
        self,
        ray_origins: Any,
        ray_directions: Any,
        multiple_hits: bool = True,
        max_hits: int = 100,
        return_locations: bool = False,
    ) -> Any:
        """Finds the triangles that the rays hit.

        Args:
          ray_origins, ray_directions: (n, 3).
          multiple_hits: True for all hits of a ray, at most `max_hits`, the nearest first; False
            for the nearest one.
          return_locations: True to return the points of the hits, too.

        Returns:
          index_tri (m,) int64, index_ray (m,) int64 and, if asked for, locations (m, 3) float64.
        """
        triangle, ray, location = self._hits(ray_origins, ray_directions, multiple_hits, max_hits)
        return (triangle, ray, location) if return_locations else (triangle, ray)

    def intersects_location(
        self, ray_origins: Any, ray_directions: Any, multiple_hits: bool = True
    ) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Finds the points where the rays hit: locations (m, 3) float64, index_ray (m,) int64,
        index_tri (m,) int64."""
        triangle, ray, location = self._hits(ray_origins, ray_directions, multiple_hits, None)
        return location, ray, triangle

    def intersects_first(self, ray_origins: Any, ray_directions: Any) -> np.ndarray:
        """int64 (n,): the index of the first triangle that each ray hits, or -1."""
        origins, directions = _rays(ray_origins, ray_directions)
        if not self._can_hit(origins):
            return np.full(len(origins), -1, np.int64)
        hits = self._of.scene().cast(origins, directions, t_min=_FROM_ZERO)
        return self._of.faces_of(hits.triangle)

    def intersects_any(self, ray_origins: Any, ray_directions: Any) -> np.ndarray:
        """bool (n,): True if the ray hits anything."""
        origins, directions = _rays(ray_origins, ray_directions)
        if not self._can_hit(origins):
            return np.zeros(len(origins), bool)
        return self._of.scene().any(origins, directions, t_min=_FROM_ZERO)

    def contains_points(self, points: Any) -> np.ndarray:
        """bool (n,): True if the point lies inside of the mesh. `points`: (n, 3)."""
        points = _doubles(points, "points")
        if points.ndim != 2 or points.shape[1] != 3:
            raise ValueError("points must be (n, 3)")
        if not self._can_hit(points):
            return np.zeros(len(points), bool)
        return self._of.scene().contains(points)

    def _hits(
        self, ray_origins: Any, ray_directions: Any, multiple_hits: bool, max_hits: Optional[int]
    ) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
        origins, directions = _rays(ray_origins, ray_directions)
        if not self._can_hit(origins):
            nothing = np.zeros(0, np.int64)
            return nothing, nothing.copy(), np.zeros((0, 3))
        if multiple_hits:
            hits = self._of.scene().all(origins, directions, t_min=_FROM_ZERO)
            face, ray, point = self._of.faces_of(hits.triangle), hits.ray, hits.point
            if max_hits is not None:
                place = np.arange(ray.size) - np.repeat(hits.starts[:-1], np.diff(hits.starts))
                kept = place < max_hits
                face, ray, point = face[kept], ray[kept], point[kept]
            return face, ray, point
        nearest = self._of.scene().cast(origins, directions, t_min=_FROM_ZERO)
        face, ray = self._of.faces_of(nearest.triangle), np.flatnonzero(nearest.hit)
        if len(ray) == len(origins):  # no miss to leave out
            return face, ray, nearest.point
        return face[ray], ray, np.take(nearest.point, ray, axis=0)

    def _can_hit(self, rays: np.ndarray) -> bool:
        return len(rays) > 0 and not self._of.is_empty()

    def __deepcopy__(self, memo: Any) -> "RayMeshIntersector":
        from copy import deepcopy

        return type(self)(deepcopy(self.mesh, memo), self._scale_to_box)

    def __copy__(self) -> "RayMeshIntersector":
        return type(self)(self.mesh, self._scale_to_box)


def _rays(origins: Any, directions: Any) -> Tuple[np.ndarray, np.ndarray]:
    starts, ways = _doubles(origins, "ray_origins"), _doubles(directions, "ray_directions")
    for name, array in (("origins", starts), ("directions", ways)):
        if array.ndim != 2 or array.shape[1] != 3:
            raise ValueError(f"ray {name} must be (n, 3), not {array.shape}")
    if len(starts) != len(ways):
        raise ValueError(f"{len(starts)} ray origins, but {len(ways)} ray directions")
    return starts, ways


def _doubles(value: Any, name: str) -> np.ndarray:
    return as_array(value, name).astype(np.float64, copy=False)


class ProximityQuery:
    """Closest points of a trimesh.Trimesh, as `mesh.nearest` gives them. The mesh may change.

    Args:
      mesh: the mesh.
    """

    def __init__(self, mesh: Any) -> None:
        self._mesh = mesh
        self._of = _SceneOfMesh(mesh)

    def on_surface(self, points: Any) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Finds the closest points of the surface: points (n, 3) float64, distances (n,)
        float64, and faces (n,) int64. Among several faces at the same distance, the first face
        counts."""
        near = self._of.scene().closest_point(self._points(points))
        return near.point, near.distance, self._of.faces_of(near.triangle)

    def vertex(self, points: Any) -> Tuple[np.ndarray, np.ndarray]:
        """Finds the closest vertices: distances (n,) float64 and indices (n,) int64, as in
        trimesh."""
        distance, index = self._mesh.kdtree.query(points)
        return distance, index

    def signed_distance(self, points: Any) -> np.ndarray:
        """float64 (n,): the distance from the surface, which is negative outside. The sign is that
        of `contains`."""
        distance = self._of.scene().signed_distance(self._points(points))
        return np.where(np.abs(distance) <= _MERGED, np.abs(distance), -distance)

    def _points(self, points: Any) -> np.ndarray:
        where = _doubles(points, "points")
        if where.ndim != 2 or where.shape[1] != 3:
            raise ValueError("points must be (n,3)!")
        if self._of.is_empty():
            raise ValueError("the mesh has no faces")
        return where


# The values that install() has replaced: (object, name of the attribute, original value).
_replaced: List[Tuple[Any, str, Any]] = []


def install() -> None:
    """Makes the classes of this module the engines of meshes that are made from now on: for
    mesh.ray, mesh.contains, mesh.nearest and everything that uses these. The ray engine replaces
    embreex.

    Unlike with trimesh's own engines, mesh.contains is also right for points next to edges.
    Faces of a mesh with the same corners count once.
    """
    import trimesh.proximity
    import trimesh.ray

    if _replaced:
        return
    module = types.ModuleType("trimesh.ray.ray_pyembree", __doc__)
    module.RayMeshIntersector = RayMeshIntersector  # type: ignore[attr-defined]
    _replace(trimesh.ray, "ray_pyembree", module)
    _replace(trimesh.ray, "has_embree", True)
    _replace(trimesh.proximity, "ProximityQuery", ProximityQuery)
    _replaced.append((sys.modules, "trimesh.ray.ray_pyembree", sys.modules.get(module.__name__)))
    sys.modules[module.__name__] = module


def uninstall() -> None:
    """Undoes install(), for meshes that are made from now on."""
    while _replaced:
        where, name, value = _replaced.pop()
        if where is sys.modules:
            _restore_module(name, value)
        elif value is _ABSENT:
            delattr(where, name)
        else:
            setattr(where, name, value)


@contextlib.contextmanager
def installed() -> Iterator[None]:
    """A context in which the engines are installed, for meshes that are made in it."""
    already = bool(_replaced)
    install()
    try:
        yield
    finally:
        if not already:
            uninstall()


_ABSENT = object()


def _replace(where: Any, name: str, value: Any) -> None:
    _replaced.append((where, name, getattr(where, name, _ABSENT)))
    setattr(where, name, value)


def _restore_module(name: str, module: Any) -> None:
    if module is None:
        sys.modules.pop(name, None)
    else:
        sys.modules[name] = module
