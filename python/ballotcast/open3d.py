"""An engine with the interface of Open3D's open3d.t.geometry.RaycastingScene, which loses no hits.

    from ballotcast.open3d import RaycastingScene

Each call has the arguments, results and dtypes of Open3D's class. Results are tensors of Open3D
if it is installed, else NumPy arrays.
"""

from __future__ import annotations

import functools
from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy as np

from . import _native
from ._arrays import as_array, three_numbers, whole_number
from ._hits import Hits
from ._options import at_most
from ._records import MISS, Records
from ._scene import Scene

__all__ = ["RaycastingScene"]

# t_min for tnear = 0: in Open3D, hits at t = tnear count, but in the library, t must be above
# t_min.
_FROM_ZERO = -1e-37


_OVERLOADS = """add_triangles() takes one of these:
    1. (vertex_positions: Tensor, triangle_indices: Tensor) -> int
    2. (mesh: open3d.t.geometry.TriangleMesh) -> int"""


def _hint_for(mesh: Any) -> str:
    if hasattr(mesh, "vertices") and hasattr(mesh, "triangles"):  # open3d.geometry, not open3d.t
        return "\nConvert a legacy mesh: open3d.t.geometry.TriangleMesh.from_legacy(mesh)"
    return f"\ngot {type(mesh).__name__}"


class RaycastingScene:
    """Meshes at which rays are cast.

    Args:
      nthreads: how many threads build and cast; 0 for all cores. Calls may override this number.
      device: ignored: a GPU is used if there is one, whatever Open3D's device is.
    """

    INVALID_ID = MISS

    def __init__(self, nthreads: int = 0, device: Any = None) -> None:
        self._meshes: List[Tuple[np.ndarray, np.ndarray]] = []
        self._made: Optional[Scene] = None
        self._threads = whole_number(nthreads, "nthreads") or None

    def add_triangles(
        self, vertex_positions: Any = None, triangle_indices: Any = None, *, mesh: Any = None
    ) -> int:
        """Adds a mesh: vertices (n, 3) float32 and triangles (m, 3) uint32, or a TriangleMesh.
        Returns the id of the mesh."""
        if mesh is None and triangle_indices is None:
            vertex_positions, mesh = None, vertex_positions
        if mesh is not None:
            vertex, triangle = getattr(mesh, "vertex", None), getattr(mesh, "triangle", None)
            is_mesh = hasattr(vertex, "positions") and hasattr(triangle, "indices")
            if not is_mesh or vertex_positions is not None or triangle_indices is not None:
                raise TypeError(_OVERLOADS + _hint_for(mesh))
            assert vertex is not None and triangle is not None
            vertex_positions = vertex.positions
            triangle_indices = _numpy(triangle.indices, "triangle_indices").astype(np.uint32)
        if vertex_positions is None or triangle_indices is None:
            raise TypeError(_OVERLOADS)
        vertices = _checked(vertex_positions, "vertex_positions", np.float32, 3, 2)
        triangles = _checked(triangle_indices, "triangle_indices", np.uint32, 3, 2)
        if triangles.size and triangles.max() >= len(vertices):
            raise RuntimeError(
                f"triangle_indices: index {triangles.max()} for {len(vertices)} vertices"
            )
        self._meshes.append((vertices.copy(), triangles.copy()))  # the caller may change its arrays
        self._made = None
        return len(self._meshes) - 1

    def cast_rays(self, rays: Any, nthreads: int = 0) -> Dict[str, Any]:
        """Finds the closest hits. `rays`: (..., 6) float32, origins and directions."""
        origins, directions, shape = _rays(rays)
        with at_most(nthreads):
            hits = self._scene().cast(origins, directions, t_min=_FROM_ZERO)
            return _tensors(_parts(hits, shape, True))

    def test_occlusions(
        self, rays: Any, tnear: float = 0.0, tfar: float = np.inf, nthreads: int = 0
    ) -> Any:
        """bool: True if a ray hits anything with t from tnear to tfar."""
        origins, directions, shape = _rays(rays)
        nearest = (
            _FROM_ZERO if tnear == 0.0 else np.nextafter(np.float32(tnear), np.float32(-np.inf))
        )
        with at_most(nthreads):
            found = self._scene().any(origins, directions, t_min=float(nearest), t_max=float(tfar))
        return _tensor(found.reshape(shape))

    def count_intersections(self, rays: Any, nthreads: int = 0) -> Any:
        """int32: how often each ray crosses a surface."""
        origins, directions, shape = _rays(rays)
        with at_most(nthreads):
            counts = self._scene().count(origins, directions, t_min=_FROM_ZERO)
        return _tensor(counts.view(np.int32).reshape(shape))

    def list_intersections(self, rays: Any, nthreads: int = 0) -> Dict[str, Any]:
        """Finds all hits of rays. `ray_splits` in the result is the index of the first hit of
        each ray."""
        origins, directions, _ = _rays(rays)
        with at_most(nthreads):
            hits = self._scene().all(origins, directions, t_min=_FROM_ZERO)
            splits = {
                "ray_splits": hits.starts.astype(np.uint32),
                "ray_ids": hits.ray.astype(np.uint32),
            }
            return _tensors({**splits, **_parts(hits, hits.shape, False)})

    def compute_closest_points(self, query_points: Any, nthreads: int = 0) -> Dict[str, Any]:
        """Finds the closest points of the surface. `query_points`: (..., 3) float32."""
        points = _checked(query_points, "query_points", np.float32, 3, 2)
        with at_most(nthreads):
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
        """float32: the distance of points from the surface."""
        points = _checked(query_points, "query_points", np.float32, 3, 2)
        with at_most(nthreads):
            return _tensor(self._scene().distance(points))

    def compute_signed_distance(
        self, query_points: Any, nthreads: int = 0, nsamples: int = 1
    ) -> Any:
        """float32: the distance of points from the surface, negative inside. One exact ray per
        point decides, whatever `nsamples` is."""
        points = _checked(query_points, "query_points", np.float32, 3, 2)
        _require_odd(nsamples)
        with at_most(nthreads):
            return _tensor(self._scene().signed_distance(points))

    def compute_occupancy(self, query_points: Any, nthreads: int = 0, nsamples: int = 1) -> Any:
        """float32: 1 for points inside, else 0. One exact ray per point decides, whatever
        `nsamples` is."""
        points = _checked(query_points, "query_points", np.float32, 3, 2)
        _require_odd(nsamples)
        with at_most(nthreads):
            return _tensor(self._scene().contains(points).astype(np.float32))

    @staticmethod
    def create_rays_pinhole(*arguments: Any, **named: Any) -> Any:
        """Returns the rays of a pinhole camera: (height, width, 6) float32.

        Takes either fov_deg (the horizontal field of view), center, eye, up, width_px and
        height_px; or intrinsic_matrix (3, 3), extrinsic_matrix (4, 4), width_px and height_px.
        """
        by_matrix = "intrinsic_matrix" in named or (
            len(arguments) > 0 and np.ndim(_numpy(arguments[0], "intrinsic_matrix")) == 2
        )
        make = _rays_of_matrices if by_matrix else _rays_of_view
        return _tensor(make(*arguments, **named))

    def _scene(self) -> Scene:
        if self._made is None:
            self._made = Scene.from_meshes(self._meshes, threads=self._threads)
        return self._made


def _places(hits: Records) -> Tuple[np.ndarray, np.ndarray]:
    """Returns the mesh and triangle of each hit as uint32. For a miss, -1 becomes INVALID_ID."""
    return hits.mesh.astype(np.uint32), hits.triangle.astype(np.uint32)


def _numpy(value: Any, name: str) -> np.ndarray:
    """Returns an array from a tensor of any library, an array or a list."""
    return as_array(value.numpy() if hasattr(value, "numpy") else value, name)


def _checked(value: Any, name: str, dtype: Any, columns: int, least_axes: int) -> np.ndarray:
    array = _numpy(value, name)
    if array.dtype != dtype:
        raise RuntimeError(f"{name}: expected {np.dtype(dtype)}, got {array.dtype}")
    if array.ndim < least_axes or array.shape[-1] != columns:
        raise RuntimeError(f"{name}: expected a shape (..., {columns}), got {array.shape}")
    return np.ascontiguousarray(array)


def _rays(rays: Any) -> Tuple[np.ndarray, np.ndarray, Tuple[int, ...]]:
    """Returns origins and directions as rows, and the shape of the rays."""
    array = _checked(rays, "rays", np.float32, 6, 2)
    rows = array.reshape(-1, 6)
    return rows[:, :3], rows[:, 3:], array.shape[:-1]


def _parts(hits: Hits, shape: Tuple[int, ...], normals: bool) -> Dict[str, np.ndarray]:
    """Returns the values that Open3D reports about hits. For a miss, ids are INVALID_ID."""
    parts = {
        "t_hit": np.empty(shape, np.float32),
        "geometry_ids": np.empty(shape, np.uint32),
        "primitive_ids": np.empty(shape, np.uint32),
        "primitive_uvs": np.empty((*shape, 2), np.float32),
    }
    if normals:
        parts["primitive_normals"] = np.empty((*shape, 3), np.float32)
    hits._write_parts(*parts.values())
    return parts


def _require_odd(nsamples: int) -> None:
    if nsamples < 1 or nsamples % 2 == 0:
        raise RuntimeError(f"nsamples: expected an odd number, got {nsamples}")


def _tensor(array: np.ndarray) -> Any:
    return _as_tensor()(np.ascontiguousarray(array))


@functools.lru_cache(maxsize=None)
def _as_tensor() -> Callable[[np.ndarray], Any]:
    """Returns Open3D's function from an array to a tensor, or None if Open3D is not installed."""
    try:
        import open3d
    except ImportError:
        return lambda array: array
    return open3d.core.Tensor.from_numpy  # type: ignore[no-any-return]


def _tensors(arrays: Dict[str, np.ndarray]) -> Dict[str, Any]:
    return {name: _tensor(array) for name, array in arrays.items()}


def _rays_of_view(
    fov_deg: float, center: Any, eye: Any, up: Any, width_px: int, height_px: int
) -> np.ndarray:
    at, above = three_numbers(eye, "eye"), np.array(three_numbers(up, "up"))
    above /= np.abs(above).max() or 1.0  # scaled, because squares must not underflow
    forward = np.subtract(three_numbers(center, "center"), at)
    # Open3D's y axis points up and its x axis to the left, so the first ray is at the lower right.
    left = np.cross(above, forward)
    upward = np.cross(forward, left)
    lengths = np.linalg.norm((left, upward, forward), axis=1)
    if not np.isfinite(lengths).all():
        raise RuntimeError("create_rays_pinhole: eye, center and up must be finite")
    if not lengths[2] > 0.0:
        raise RuntimeError("create_rays_pinhole: eye and center are the same point")
    if not lengths[0] > 1e-9 * lengths[2]:
        raise RuntimeError("create_rays_pinhole: up is zero or parallel to the line of sight")
    rotation = np.stack((left, upward, forward)) / lengths[:, None]
    extrinsic = np.eye(4)
    extrinsic[:3, :3] = rotation
    extrinsic[:3, 3] = -rotation @ at
    if not 0.0 < fov_deg < 180.0:
        raise RuntimeError(f"create_rays_pinhole: fov_deg must be between 0 and 180, got {fov_deg}")
    focal = 0.5 * width_px / np.tan(0.5 * np.radians(fov_deg))
    intrinsic = np.array(
        [[focal, 0.0, 0.5 * width_px], [0.0, focal, 0.5 * height_px], [0.0, 0.0, 1.0]]
    )
    return _rays_of_matrices(intrinsic, extrinsic, width_px, height_px)


def _rays_of_matrices(
    intrinsic_matrix: Any, extrinsic_matrix: Any, width_px: int, height_px: int
) -> np.ndarray:
    intrinsic = _matrix(intrinsic_matrix, "intrinsic_matrix", (3, 3))
    extrinsic = _matrix(extrinsic_matrix, "extrinsic_matrix", (4, 4))
    to_world = np.linalg.inv(extrinsic[:3, :3])
    width = whole_number(width_px, "width_px", 1)
    height = whole_number(height_px, "height_px", 1)
    rays = np.empty((height, width, 6), np.float32)
    pixel_to_way = to_world @ np.linalg.inv(intrinsic)
    _native.pinhole_rays(
        width,
        (-to_world @ extrinsic[:3, 3]).tolist(),
        pixel_to_way.reshape(9).tolist(),
        rays.reshape(-1, 6),
    )
    return rays


def _matrix(value: Any, name: str, shape: Tuple[int, int]) -> np.ndarray:
    matrix = _numpy(value, name)
    if matrix.shape != shape:
        raise RuntimeError(f"{name}: expected a shape {shape}, got {matrix.shape}")
    matrix = matrix.astype(np.float64)
    if not np.isfinite(matrix).all() or np.linalg.matrix_rank(matrix) < shape[0]:
        raise RuntimeError(f"{name}: expected finite numbers and an inverse")
    return matrix
