"""Scenes: triangles at which rays are cast."""

from __future__ import annotations

import os
import typing
from typing import TYPE_CHECKING, Any, Dict, Optional, Sequence, Tuple, Union

import numpy as np

from . import _gpu_hits as gpu
from . import _native
from ._arrays import (
    PointArrays,
    RayArrays,
    as_indices,
    as_numbers,
    as_rows,
    described,
    one_number,
    split_rays,
)
from ._drawing import DrawnScene
from ._filter import EVERY_HIT, Filter, filter_of
from ._gpu_arrays import Library, any_on_gpu
from ._gpu_casts import GpuPoints, GpuRays
from ._hits import HIT, AllHits, Hits, surface_of
from ._inside import RULES, contains, gpu_points, winding_number
from ._meshes import Instance, arrays_of_mesh, instance_of, origin_for, pair_of, relative, rows_of
from ._nearest import NEAREST, Nearest
from ._options import SceneOptions, options_of, takes_options
from ._scene_base import AnimatedFile
from ._types import Numbers, Rule, Sides

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: The argument `skip`: ids of triangles that rays do not hit, or the hits of an earlier cast.
Skip = Union[Numbers, Hits]


class Scene(DrawnScene):
    """Triangles, and a bounding volume hierarchy over them. It is built at the first cast.

    Args:
      vertices: (n, 3) numbers, or a mesh of trimesh or Open3D.
      faces: (m, 3) integers, the corners of each triangle. Triangle i has the index i.
      device: "auto" (a GPU if there is one), "cuda", "cpu" or "emulated". Several
        machines that share the work: "cuda:0,2", "cuda:all" or "cuda:all+cpu".
      build: "fast", "balanced" or "best": how long building the tree may take.
      moves: True if vertices or transforms will be changed.
      partition: the number of parts into which a scene is cut that is too large for a GPU. The
        machines of `device` share the parts. "auto": only if necessary. Not for scenes that move.
        Arrays in GPU memory are cast through the whole scene.
      max_memory: the most bytes that the scene and the work on it may take on a device. None: all
        memory that is free there.
      strict_devices: what happens if one of several machines fails. False: the others do its work,
        with a RuntimeWarning. True: DeviceError is raised.
      threads: how many threads of the CPU build, cast and draw at most; None: one per core.
      layout, pipeline, atomics, loop, order, block_size: see the options of `ballotcast render`.
        They change the time of casts, but no hit. For arrays in GPU memory only the layout is used.

    Raises:
      ValueError: an argument has the wrong shape, or a face refers to a vertex that does not exist.
      TypeError: an argument is no array of numbers.
    """

    @takes_options
    def __init__(
        self,
        vertices: Any,
        faces: Any = None,
        **options: Unpack[SceneOptions],
    ) -> None:
        if faces is None:
            vertices, faces = arrays_of_mesh(vertices, "vertices")
        points = as_numbers(vertices, "vertices")
        if points.ndim != 2 or points.shape[1] != 3:
            raise ValueError(f"vertices: expected a shape (n, 3), got {described(points)}")
        corners = as_indices(faces, "faces", 3)
        origin = origin_for(points)
        checked = options_of(options)
        native = _native.of_arrays(relative(points, origin), corners, origin, checked)
        self._hold(native, None, checked)

    @classmethod
    @takes_options
    def from_meshes(
        cls,
        meshes: "Sequence[Any]",
        **options: Unpack[SceneOptions],
    ) -> "Scene":
        """Makes a scene of several meshes. In its hits, `mesh` is the index of the mesh, and
        `triangle` is the index of the triangle in this mesh.

        Args:
          meshes: pairs of vertices and faces, or meshes of trimesh or Open3D.
        """
        vertices, faces, starts, corners = [np.zeros((0, 3), np.float32)], [], [0], 0
        for number, mesh in enumerate(meshes):
            points, triangles = pair_of(mesh, number)
            rows = as_rows(as_numbers(points, f"meshes[{number}]"), f"meshes[{number}]", 3, None)
            indices = as_indices(triangles, f"faces of meshes[{number}]", 3)
            if indices.size and int(indices.max()) >= len(rows):
                raise ValueError(
                    f"faces of meshes[{number}]: vertex {indices.max()} of {len(rows)}"
                )
            vertices.append(rows)
            faces.append(indices + np.uint32(corners))
            corners += len(rows)
            starts.append(starts[-1] + len(indices))
        together = np.concatenate([np.zeros((0, 3), np.uint32), *faces])
        scene = cls(
            np.concatenate(vertices),
            together,
            **options,
        )
        scene._starts = np.array(starts, np.uint32)
        return scene

    @classmethod
    @takes_options
    def from_instances(
        cls,
        meshes: "Sequence[Scene]",
        instances: "Sequence[Union[Instance, Tuple[int, Any]]]",
        **options: Unpack[SceneOptions],
    ) -> "Scene":
        """Makes a scene of instances: each mesh is stored once and may occur many times.

        Args:
          meshes: scenes without instances.
          instances: for each, an Instance, or a pair of the mesh's index and a transform.
        """
        for number, mesh in enumerate(meshes):
            if not isinstance(mesh, Scene):
                kind = type(mesh)
                raise TypeError(
                    f"meshes[{number}]: expected a ballotcast.Scene, got a "
                    f"{kind.__module__}.{kind.__name__}"
                )
            if mesh._pose:
                raise ValueError(
                    f"meshes[{number}]: the scene has moved, but instances show it as it was made"
                )
        placed = [instance_of(i, number) for number, i in enumerate(instances)]
        which = np.array([i.mesh for i in placed], np.int64)
        if which.size and (which.min() < 0 or which.max() >= len(meshes)):
            raise ValueError(f"instances: a mesh is not from 0 to {len(meshes) - 1}")
        transforms = np.empty((len(placed), 12))
        for number, instance in enumerate(placed):
            transforms[number] = rows_of(instance.transform, f"instances[{number}]")
        worlds = np.array([i.world for i in placed], np.int64)
        if worlds.size and (worlds.min() < 0 or worlds.max() > 65535):
            raise ValueError("instances: a world must be from 0 to 65535")
        scene = cls.__new__(cls)
        scene._hold_instances(
            (list(meshes), transforms, which.astype(np.uint32), worlds.astype(np.uint32)),
            options_of(options),
        )
        return scene

    # ---- Casting ---------------------------------------------------------------------------------

    def cast(
        self,
        origins: Numbers,
        directions: Optional[Numbers] = None,
        *,
        t_min: Numbers = 0.0,
        t_max: Numbers = np.inf,
        world: Optional[Numbers] = None,
        sides: Sides = "both",
        skip: Optional[Skip] = None,
        mask: Optional[Numbers] = None,
        out: Optional[Hits] = None,
    ) -> Hits:
        """Finds the closest hit of each ray, with t in (t_min, t_max].

        Args:
          origins, directions: (..., 3), float32 or float64, broadcast to a common shape S. Rays of
            float64 keep their precision, however far away they start. But they are cast in float32,
            from near the scene: a surface whose distance from t_min or t_max is below the rounding
            of float32 may count or not, whatever its t in double is. To go on behind a hit, use
            `all`. Or give only `origins`, of (..., 6): an origin and a direction each.
          t_min, t_max: numbers or arrays S, in units of the direction's length.
          world: the number of a world, or an array S of them.
          sides: which sides of triangles count. On the front, the corners run counter-clockwise;
            mirrored instances keep the front of their mesh.
          skip: for each ray, the `id` of a triangle that it does not hit, or -1 for none; or the
            hits of an earlier cast, for rays that start there.
          mask: integers of 32 bits. A ray hits an instance only if their masks have a bit in
            common: see `set_masks`. Default: all bits.
          out: Hits of an earlier cast of the same number of rays and the same dtype. They are
            overwritten.

        Arrays in GPU memory stay there; see "Arrays in GPU memory" in docs/python.md.
        """
        origins, directions = split_rays(origins, directions)
        which = filter_of(sides, skip, mask)
        rays = self._gpu_rays(origins, directions, t_min, t_max, world, which)
        if rays is not None:
            return typing.cast(Hits, gpu.cast(self, rays, out))
        return self._cast(RayArrays(origins, directions, t_min, t_max, world, which), out)

    def any(
        self,
        origins: Numbers,
        directions: Optional[Numbers] = None,
        *,
        t_min: Numbers = 0.0,
        t_max: Numbers = np.inf,
        world: Optional[Numbers] = None,
        sides: Sides = "both",
        skip: Optional[Skip] = None,
        mask: Optional[Numbers] = None,
    ) -> np.ndarray:
        """bool S: True if the ray hits anything. Arguments are those of `cast`."""
        origins, directions = split_rays(origins, directions)
        which = filter_of(sides, skip, mask)
        on = self._gpu_rays(origins, directions, t_min, t_max, world, which)
        if on is not None:
            return typing.cast(np.ndarray, gpu.any_hit(self, on))
        rays = RayArrays(origins, directions, t_min, t_max, world, which)
        found = np.empty(rays.size, np.uint8)
        if rays.size:
            self._host.any(rays.native(), found)
        return found.view(bool).reshape(rays.shape)

    def count(
        self,
        origins: Numbers,
        directions: Optional[Numbers] = None,
        *,
        t_min: Numbers = 0.0,
        t_max: Numbers = np.inf,
        world: Optional[Numbers] = None,
        sides: Sides = "both",
        skip: Optional[Skip] = None,
        mask: Optional[Numbers] = None,
    ) -> np.ndarray:
        """uint32 S: how often each ray crosses a surface.

        A ray through an edge or a corner of a closed mesh counts once when it enters and once
        when it leaves. Arguments are those of `cast`. Differences of unsigned integers wrap
        around; to subtract counts, use `counts.astype(int)`.
        """
        origins, directions = split_rays(origins, directions)
        which = filter_of(sides, skip, mask)
        on = self._gpu_rays(origins, directions, t_min, t_max, world, which)
        if on is not None:
            return typing.cast(np.ndarray, gpu.count(on))
        rays = RayArrays(origins, directions, t_min, t_max, world, which)
        counts = np.empty(rays.size, np.uint32)
        if rays.size:
            self._host.count(rays.native(), counts)
        return counts.reshape(rays.shape)

    def hits_per_triangle(
        self,
        origins: Numbers,
        directions: Optional[Numbers] = None,
        *,
        t_min: Numbers = 0.0,
        t_max: Numbers = np.inf,
        world: Optional[Numbers] = None,
        sides: Sides = "both",
        skip: Optional[Skip] = None,
        mask: Optional[Numbers] = None,
    ) -> np.ndarray:
        """uint64 (triangle_count,): how often each triangle is the closest hit of a ray.

        Arguments are those of `cast`, in host memory; arrays on a GPU raise TypeError.
        """
        origins, directions = split_rays(origins, directions)
        which = filter_of(sides, skip, mask)
        if self._gpu_rays(origins, directions, t_min, t_max, world, which) is not None:
            raise TypeError("hits_per_triangle takes arrays in host memory, not on a GPU")
        rays = RayArrays(origins, directions, t_min, t_max, world, which)
        counts = np.zeros(self.triangle_count, np.uint64)
        if rays.size:
            self._host.hits_per_triangle(rays.native(), counts)
        return counts

    def all(
        self,
        origins: Numbers,
        directions: Optional[Numbers] = None,
        *,
        t_min: Numbers = 0.0,
        t_max: Numbers = np.inf,
        world: Optional[Numbers] = None,
        sides: Sides = "both",
        skip: Optional[Skip] = None,
        mask: Optional[Numbers] = None,
    ) -> AllHits:
        """Finds every crossing that `count` counts, sorted by t for each ray.

        Arguments are those of `cast`. Rays of a shape S are numbered in C order.
        """
        origins, directions = split_rays(origins, directions)
        which = filter_of(sides, skip, mask)
        on = self._gpu_rays(origins, directions, t_min, t_max, world, which)
        if on is not None:
            return typing.cast(AllHits, gpu.GpuAllHits(self, on))
        rays = RayArrays(origins, directions, t_min, t_max, world, which)
        if rays.size == 0:
            nothing = AllHits(self, np.zeros(1, np.int64), np.empty(0, HIT))
            if rays.dtype == np.float64:
                nothing._distances, nothing._points = np.empty(0), np.empty((0, 3))
            return nothing
        starts, raw, distances, points, nans = self._host.all(rays.native())
        hits = AllHits(self, starts.reshape(-1), raw.reshape(-1).view(HIT), nans)
        if rays.dtype == np.float64:
            hits._distances, hits._points = distances.reshape(-1), points
        return hits

    def surface(self, hits: Hits) -> Dict[str, np.ndarray]:
        """The properties of the surface at each hit, of shape S:

        `position` (float64, world units), `normal` (interpolated between the corners, as the
        mesh has it), `geometric_normal`, `uv` (texture coordinates, (0, 0) is the lower left),
        `vertex_color`, `texture_color`, `color` (of the material, times vertex_color and
        texture_color), `emission`, `roughness`, `metallic`, `opacity` and `material` (int64, an
        index into `materials`). Colours are linear. For a miss, the position is NaN, the
        material is -1, and everything else is 0.
        """
        return surface_of(self, hits)

    # ---- Points ----------------------------------------------------------------------------------

    def contains(
        self,
        points: Numbers,
        *,
        rule: Rule = "parity",
        rays: int = 1,
        world: Optional[Numbers] = None,
    ) -> np.ndarray:
        """bool S: True if the point lies inside of the mesh. `points`: an array (..., 3).

        Each crossing of a vertical ray (along +z) is decided exactly. So for a closed mesh all
        results are right, however near to the surface a point is. Points on the surface count as if
        they were shifted by an infinitely small distance, towards +x first. See "Inside or outside"
        in docs/python.md.

        Args:
          rule: "parity": inside if the ray crosses the surface an odd number of times. "nonzero":
            inside if it does not leave the mesh as often as it enters it, by the order of the
            triangles' corners; for closed meshes that overlap. "winding": inside if the winding
            number is above 0.5 or below -0.5; for meshes with holes, and loose triangles; slow.
          rays: the number of rays that vote; odd. If there are several, they go in all directions
            and are cast in float32: for meshes with small holes.
          world: the number of a world, or an array S of them.
        """
        return contains(self, points, rule, rays, world)

    def winding_number(self, points: Numbers, *, world: Optional[Numbers] = None) -> np.ndarray:
        """float64 S: how often the surface goes around each point: 1 inside of a closed mesh whose
        triangles run counter-clockwise as seen from outside, 0 outside, values in between near
        holes; NaN for points with a NaN, or beyond 2^40. `points`: an array (..., 3). Takes long
        for large meshes, because all triangles are added up for each point.

        A. Jacobson, L. Kavan, O. Sorkine-Hornung, Robust Inside-Outside Segmentation using
        Generalized Winding Numbers, 2013.
        """
        return winding_number(self, points, world)

    def closest_point(
        self, points: Numbers, *, max_distance: float = np.inf, world: Optional[Numbers] = None
    ) -> Nearest:
        """Finds the closest point of the surface for each point.

        Args:
          points: (..., 3), float32 or float64, in world units. Nothing is found for points with a
            NaN, or farther than 2^40 (1e12) from the place where the scene was made.
          max_distance: surfaces that are farther away are not found.
          world: the number of a world, or an array S of them.
        """
        if any_on_gpu(points, world):
            on = GpuPoints(self, points, world)
            return typing.cast(
                Nearest, gpu.GpuNearest(self, on, one_number(max_distance, "max_distance"))
            )
        limit = one_number(max_distance, "max_distance")
        where = PointArrays(points, world)
        raw, places = np.empty(where.size, NEAREST), np.empty((where.size, 3))
        distances = np.empty(where.size) if where.dtype == np.float64 else None
        if where.size:
            self._host.closest_points(
                where.rows(),
                limit,
                where.world,
                raw.view(np.uint8).reshape(-1, NEAREST.itemsize),
                distances,
                places,
            )
        return Nearest(self, where.shape, raw, places, distances)

    def distance(
        self, points: Numbers, *, max_distance: float = np.inf, world: Optional[Numbers] = None
    ) -> np.ndarray:
        """S: the distance of each point from the surface. `points`: an array (..., 3)."""
        return self.closest_point(points, max_distance=max_distance, world=world).distance

    def signed_distance(
        self,
        points: Numbers,
        *,
        rule: Rule = "parity",
        rays: int = 1,
        world: Optional[Numbers] = None,
    ) -> np.ndarray:
        """S: the distance of each point from the surface, negative inside; see `contains` for
        the arguments."""
        if any_on_gpu(points, world):
            on = gpu_points(self, points, rule, rays, world)
            inner = on.inside(RULES.index(rule))
            nearest = gpu.GpuNearest(self, on, np.inf)
            return typing.cast(np.ndarray, gpu.signed_distance(nearest, inner))
        inside = self.contains(points, rule=rule, rays=rays, world=world)
        distance = self.distance(points, world=world)
        return np.where(inside, -distance, distance)

    def device_view(self, device: int = 0, *, plain: bool = False) -> np.ndarray:
        """Returns a view of the scene for your own CUDA kernels: an array of one element. Pass its
        bytes by value as an argument of type `ballotcast::device::SceneView`, which `device_header`
        defines. CuPy accepts the array as such an argument. The first call copies the scene to the
        GPU.

        Coordinates in kernels are relative to the scene's origin. The view is valid as long as the
        scene exists and does not move.

        Args:
          device: the number of the GPU.
          plain: True to get a `ballotcast::device::PlainView`, with which kernels
            need fewer registers. Only for a scene without instances.

        Raises:
          UsageError: `plain`, and the scene has instances; or its layout is not grid2.
          DeviceError: there is no such GPU.
        """
        return _as_element(self._gpu_side(Library(device)).native.device_view(plain))

    def host_view(self, *, plain: bool = False) -> np.ndarray:
        """Returns a view of the scene as `device_view`, but in host memory, for your own functions
        in C++ that include `ballotcast/device.hpp`. Works for a scene on any device.

        Raises:
          UsageError: `plain`, and the scene has instances; or its layout is not grid2.
        """
        return _as_element(self._host.host_view(plain))

    # ---- For this package ------------------------------------------------------------------------

    def _gpu_rays(
        self,
        origins: Any,
        directions: Any,
        t_min: Any,
        t_max: Any,
        world: Any,
        which: Optional[Filter],
    ) -> Optional[GpuRays]:
        """Returns the rays of a cast if one of the arrays is in GPU memory, else None. `which`:
        the filter that decides which hits count."""
        on_gpu = any_on_gpu(origins, directions, t_min, t_max, world)
        if not on_gpu and (which is None or not any_on_gpu(*which.arrays())):
            return None
        return GpuRays(self, origins, directions, t_min, t_max, world, which or EVERY_HIT)

    def _cast(self, rays: RayArrays, out: Optional[Hits]) -> Hits:
        double = rays.dtype == np.float64
        if out is None:
            out = Hits(self, rays.shape, np.empty(rays.size, HIT))
            if double:
                out._distances, out._points = np.empty(rays.size), np.empty((rays.size, 3))
        elif type(out) is not Hits:
            raise TypeError(f"out: expected the Hits of an earlier cast, got {out!r}")
        elif out._raw.size != rays.size or (out._distances is not None) != double:
            raise ValueError(
                f"out: expected the hits of {rays.size} rays of {rays.dtype}, got {out!r}"
            )
        else:
            rays.keep_apart_from(out._raw, out._distances, out._points)
            out._describe(self, rays.shape)
        out.nan_rays = 0
        if rays.size:
            out.nan_rays = self._host.cast(rays.native(), out._bytes(), out._distances, out._points)
        return out


def _as_element(view: bytes) -> np.ndarray:
    """Returns an array whose one element has the bytes of a view."""
    return np.frombuffer(view, np.dtype((np.void, len(view))))


@takes_options
def load(
    path: "Union[str, os.PathLike[str]]",
    *,
    time: Optional[float] = None,
    animation: str = "",
    **options: Unpack[SceneOptions],
) -> Scene:
    """Reads a scene from a file: .obj, .ply, .stl, .off, .gltf, .glb, .json or .bcast.

    Args:
      time: the time of animations (.gltf, .glb) or keyframes (.json), in seconds.
      animation: the name or number of an animation, "all" or "none". Default: the first one.

    Raises:
      InputError: the file can't be read. The message names the file and, if known, the line.
    """
    scene = Scene.__new__(Scene)
    if not isinstance(path, (str, bytes, os.PathLike)):
        hint = "give its name" if hasattr(path, "read") else "for a mesh in memory, use Scene(mesh)"
        raise TypeError(f"path: expected the name of a file, got a {type(path).__name__}; {hint}")
    name = os.fsdecode(path)
    checked = options_of(options)
    if animation and time is None:
        raise ValueError("animation: needs a time")
    if time is not None and not isinstance(time, (int, float, np.number)):
        raise TypeError(f"time: expected a number of seconds, got {time!r}")
    native = _native.of_file(name, time, animation, checked)
    name = os.path.abspath(name)  # absolute, so that the file is also found from other folders
    source = name if time is None else AnimatedFile(name, time, animation)
    scene._hold(native, source, checked)
    return scene
