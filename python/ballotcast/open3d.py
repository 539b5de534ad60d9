"""An engine for Open3D: open3d.t.geometry.RaycastingScene, with no hit lost.

    from ballotcast.open3d import RaycastingScene

Each call has the arguments, results and dtypes of Open3D's class. Results are tensors of Open3D if
it is installed, else NumPy arrays.
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from ._records import MISS, Records
from ._scene import Scene

__all__ = ["RaycastingScene"]

# Open3D's interval of t begins with tnear itself; the library's begins behind it.
_FROM_ZERO = np.float32(-1e-37)


class RaycastingScene:
    """Meshes that rays are cast at.

    Args:
      nthreads: ignored; all cores are used.
      device: ignored: a GPU is used if there is one, whatever Open3D's device is.
    """

    INVALID_ID = MISS

    def __init__(self, nthreads: int = 0, device: Any = None) -> None:
        self._meshes: List[Tuple[np.ndarray, np.ndarray]] = []
        self._made: Optional[Scene] = None

    def add_triangles(self, vertex_positions: Any, triangle_indices: Any = None) -> int:
        """Adds a mesh: (n, 3) float32 and (m, 3) uint32, or one TriangleMesh. Returns its id."""
        if triangle_indices is None:
            mesh = vertex_positions
            vertex_positions, triangle_indices = mesh.vertex.positions, mesh.triangle.indices
            triangle_indices = _numpy(triangle_indices).astype(np.uint32)
        vertices = _checked(vertex_positions, "vertex_positions", np.float32, 3, 2)
        triangles = _checked(triangle_indices, "triangle_indices", np.uint32, 3, 2)
        if triangles.size and triangles.max() >= len(vertices):
            raise RuntimeError(
                f"triangle_indices: index {triangles.max()} for {len(vertices)} vertices"
            )
        self._meshes.append((vertices.copy(), triangles.copy()))  # the caller's may change
        self._made = None
        return len(self._meshes) - 1

    def cast_rays(self, rays: Any, nthreads: int = 0) -> Dict[str, Any]:
        """The closest hits of rays (..., 6) float32: origin and direction."""
        origins, directions = _rays(rays)
        hits = self._scene().cast(origins, directions, t_min=_FROM_ZERO)
        geometry, primitive = _places(hits)
        return _tensors(
            {
                "t_hit": hits.t,
                "geometry_ids": geometry,
                "primitive_ids": primitive,
                "primitive_uvs": np.ascontiguousarray(hits.uv),
                "primitive_normals": hits.normal,
            }
        )

    def test_occlusions(
        self, rays: Any, tnear: float = 0.0, tfar: float = np.inf, nthreads: int = 0
    ) -> Any:
        """bool: whether rays hit anything with t from tnear to tfar."""
        origins, directions = _rays(rays)
        nearest = (
            _FROM_ZERO if tnear == 0.0 else np.nextafter(np.float32(tnear), np.float32(-np.inf))
        )
        return _tensor(self._scene().any(origins, directions, t_min=nearest, t_max=tfar))

    def count_intersections(self, rays: Any, nthreads: int = 0) -> Any:
        """int32: how often rays cross a surface."""
        origins, directions = _rays(rays)
        counts = self._scene().count(origins, directions, t_min=_FROM_ZERO)
        return _tensor(counts.astype(np.int32))

    def list_intersections(self, rays: Any, nthreads: int = 0) -> Dict[str, Any]:
        """All hits: `ray_splits` says where those of each ray begin."""
        origins, directions = _rays(rays)
        hits = self._scene().all(origins, directions, t_min=_FROM_ZERO)
        geometry, primitive = _places(hits)
        return _tensors(
            {
                "ray_splits": hits.starts.astype(np.uint32),
                "ray_ids": hits.ray.astype(np.uint32),
                "t_hit": hits.t,
                "geometry_ids": geometry,
                "primitive_ids": primitive,
                "primitive_uvs": np.ascontiguousarray(hits.uv),
            }
        )

    def compute_closest_points(self, query_points: Any, nthreads: int = 0) -> Dict[str, Any]:
        """The closest points of the surface for points (..., 3) float32."""
        points = _checked(query_points, "query_points", np.float32, 3, 2)
        near = self._scene().closest_point(points)
        geometry, primitive = _places(near)
        return _tensors(
            {
                "points": near.point.astype(np.float32),
                "geometry_ids": geometry,
                "primitive_ids": primitive,
                "primitive_uvs": np.ascontiguousarray(near.uv),
                "primitive_normals": near.normal,
            }
        )

    def compute_distance(self, query_points: Any, nthreads: int = 0) -> Any:
        """float32: how far points are from the surface."""
        points = _checked(query_points, "query_points", np.float32, 3, 2)
        return _tensor(self._scene().distance(points))

    def compute_signed_distance(
        self, query_points: Any, nthreads: int = 0, nsamples: int = 1
    ) -> Any:
        """float32: the distance, negative inside. One ray tells; more are not needed."""
        points = _checked(query_points, "query_points", np.float32, 3, 2)
        _require_odd(nsamples)
        return _tensor(self._scene().signed_distance(points))

    def compute_occupancy(self, query_points: Any, nthreads: int = 0, nsamples: int = 1) -> Any:
        """float32: 1 inside, else 0. One ray tells; more are not needed."""
        points = _checked(query_points, "query_points", np.float32, 3, 2)
        _require_odd(nsamples)
        return _tensor(self._scene().contains(points).astype(np.float32))

    @staticmethod
    def create_rays_pinhole(*arguments: Any, **named: Any) -> Any:
        """Rays (height, width, 6) float32 of a pinhole camera.

        Either fov_deg (of the width), center, eye, up, width_px and height_px, or intrinsic_matrix
        (3, 3), extrinsic_matrix (4, 4), width_px and height_px.
        """
        by_matrix = "intrinsic_matrix" in named or (
            len(arguments) > 0 and np.ndim(_numpy(arguments[0])) == 2
        )
        make = _rays_of_matrices if by_matrix else _rays_of_view
        return _tensor(make(*arguments, **named))

    def _scene(self) -> Scene:
        if self._made is None:
            self._made = Scene.from_meshes(self._meshes)
        return self._made


def _places(hits: Records) -> Tuple[np.ndarray, np.ndarray]:
    """Geometry and triangle of each hit; a miss is -1, which becomes INVALID_ID."""
    return hits.mesh.astype(np.uint32), hits.triangle.astype(np.uint32)


def _numpy(value: Any) -> np.ndarray:
    return value.numpy() if hasattr(value, "numpy") else np.asarray(value)


def _checked(value: Any, name: str, dtype: Any, columns: int, least_axes: int) -> np.ndarray:
    array = _numpy(value)
    if array.dtype != dtype:
        raise RuntimeError(f"{name}: expected {np.dtype(dtype)}, got {array.dtype}")
    if array.ndim < least_axes or array.shape[-1] != columns:
        raise RuntimeError(f"{name}: expected a shape (..., {columns}), got {array.shape}")
    return np.ascontiguousarray(array)


def _rays(rays: Any) -> Tuple[np.ndarray, np.ndarray]:
    array = _checked(rays, "rays", np.float32, 6, 2)
    return array[..., :3], array[..., 3:]


def _require_odd(nsamples: int) -> None:
    if nsamples < 1 or nsamples % 2 == 0:
        raise RuntimeError(f"nsamples: expected an odd number, got {nsamples}")


def _tensor(array: np.ndarray) -> Any:
    try:
        import open3d
    except ImportError:
        return array
    return open3d.core.Tensor.from_numpy(np.ascontiguousarray(array))


def _tensors(arrays: Dict[str, np.ndarray]) -> Dict[str, Any]:
    return {name: _tensor(array) for name, array in arrays.items()}


def _rays_of_view(
    fov_deg: float, center: Any, eye: Any, up: Any, width_px: int, height_px: int
) -> np.ndarray:
    eye = _numpy(eye).astype(np.float64)
    forward = _numpy(center).astype(np.float64) - eye
    # Open3D's y axis points up and its x axis to the left, so the first ray is at the lower right.
    left = np.cross(_numpy(up).astype(np.float64), forward)
    upward = np.cross(forward, left)
    rotation = np.stack([v / np.linalg.norm(v) for v in (left, upward, forward)])
    extrinsic = np.eye(4)
    extrinsic[:3, :3] = rotation
    extrinsic[:3, 3] = -rotation @ eye
    focal = 0.5 * width_px / np.tan(0.5 * np.radians(fov_deg))
    intrinsic = np.array(
        [[focal, 0.0, 0.5 * width_px], [0.0, focal, 0.5 * height_px], [0.0, 0.0, 1.0]]
    )
    return _rays_of_matrices(intrinsic, extrinsic, width_px, height_px)


def _rays_of_matrices(
    intrinsic_matrix: Any, extrinsic_matrix: Any, width_px: int, height_px: int
) -> np.ndarray:
    intrinsic = _numpy(intrinsic_matrix).astype(np.float64)
    extrinsic = _numpy(extrinsic_matrix).astype(np.float64)
    to_world = np.linalg.inv(extrinsic[:3, :3] if extrinsic.shape == (4, 4) else extrinsic)
    x, y = np.meshgrid(np.arange(width_px) + 0.5, np.arange(height_px) + 0.5)
    pixels = np.stack([x, y, np.ones_like(x)], axis=-1)
    rays = np.empty((height_px, width_px, 6), np.float32)
    rays[..., :3] = -to_world @ extrinsic[:3, 3]
    rays[..., 3:] = pixels @ np.linalg.inv(intrinsic).T @ to_world.T
    return rays
