"""Scenes: triangles that rays are cast at."""

from __future__ import annotations

import operator
import os
import typing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Tuple, Union

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
    number_or_none,
    one_number,
    split_rays,
    whole_number,
)
from ._camera import CameraArguments
from ._explanation import Explanation, explain_pixel, explain_ray
from ._gpu_arrays import Library, any_on_gpu, on_gpu
from ._gpu_casts import GpuPoints, GpuRays, GpuSide
from ._hits import HIT, AllHits, Hits, surface_of
from ._inside import RULES, contains, gpu_points, winding_number
from ._meshes import arrays_of_mesh, origin_for, require_affine, rows_of
from ._nearest import NEAREST, Nearest
from ._options import Options, SceneOptions, options_of, takes_options
from ._pictures import Picture, explained_by_call, explained_by_command
from ._records import bytes_of
from ._types import Numbers, Rule

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclass
class Instance:
    """A mesh at a place. `transform`: (3, 4) or (4, 4), from the mesh to the scene."""

    mesh: int
    transform: Any = None
    world: int = 0


class Scene:
    """Triangles, and the tree through which rays find them. It is built at the first cast.

    Args:
      vertices: (n, 3) numbers, or a mesh of trimesh or Open3D.
      faces: (m, 3) integers, the corners of each triangle. Triangle i has the index i.
      device: "auto" (a GPU if there is one), "cuda", "cpu" or "emulated". Several
        machines that share the work: "cuda:0,2", "cuda:all" or "cuda:all+cpu".
      build: "fast", "balanced" or "best": how long building the tree may take.
      moves: True if vertices or transforms will move.
      partition: cuts a scene that is too large for a GPU into so many parts, which the
        machines of `device` share; "auto": only if it is necessary. Not if it moves. Arrays in
        GPU memory are cast through the whole scene.
      max_memory: the most bytes that the scene and the work on it may take on a device; None: all
        that is free there.
      strict_devices: what happens if one of several machines fails. False: the others do its work,
        and a RuntimeWarning says so. True: DeviceError is raised.
      threads: how many threads of the CPU build, cast and draw at most; None: one per core.

    Raises:
      ValueError: an argument has the wrong shape, or a face names no vertex.
      TypeError: an argument is no array of numbers.
    """

    _starts: Optional[np.ndarray]  # of several meshes: the first triangle of each

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
        native = _native.of_arrays(_relative(points, origin), corners, origin, checked)
        self._hold(native, None, checked)

    @classmethod
    @takes_options
    def from_meshes(
        cls,
        meshes: "Sequence[Any]",
        **options: Unpack[SceneOptions],
    ) -> "Scene":
        """A scene of several meshes, in whose hits `mesh` says which it was, and `triangle` which
        of its triangles.

        Args:
          meshes: pairs of vertices and faces, or meshes of trimesh or Open3D.
        """
        vertices, faces, starts, corners = [np.zeros((0, 3), np.float32)], [], [0], 0
        for number, mesh in enumerate(meshes):
            points, triangles = _pair(mesh, number)
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
        """A scene in which each mesh is stored once and shown many times.

        Args:
          meshes: scenes without instances.
          instances: an Instance each, or a pair of the mesh's index and a transform.
        """
        for number, mesh in enumerate(meshes):
            if not isinstance(mesh, Scene):
                kind = type(mesh).__name__
                raise TypeError(f"meshes[{number}]: expected a Scene, got a {kind}")
            if mesh._pose:
                raise ValueError(
                    f"meshes[{number}]: the scene has moved, but instances show it as it was made"
                )
        placed = [_instance(i, number) for number, i in enumerate(instances)]
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
        out: Optional[Hits] = None,
    ) -> Hits:
        """Finds the closest hit of each ray, with t in (t_min, t_max].

        Args:
          origins, directions: (..., 3), float32 or float64, broadcast to a common shape S. Rays of
            float64 keep their precision, however far away they start. But they are cast in
            float32, from near the scene: a surface as near to t_min or t_max as float32 rounds
            counts or not, whatever t is in double. To go on behind a hit, use `all`. Or only
            `origins`, of (..., 6): an origin and a direction each.
          t_min, t_max: numbers or arrays S, in units of the direction's length.
          world: the number of a world, or an array S of them.
          out: Hits of an earlier cast of as many rays, of the same dtype, that are overwritten.

        Arrays in GPU memory stay there; see "Arrays in GPU memory" in docs/python.md.
        """
        origins, directions = split_rays(origins, directions)
        rays = self._gpu_rays(origins, directions, t_min, t_max, world)
        if rays is not None:
            return typing.cast(Hits, gpu.cast(self, rays, out))
        return self._cast(RayArrays(origins, directions, t_min, t_max, world), out)

    def any(
        self,
        origins: Numbers,
        directions: Optional[Numbers] = None,
        *,
        t_min: Numbers = 0.0,
        t_max: Numbers = np.inf,
        world: Optional[Numbers] = None,
    ) -> np.ndarray:
        """bool S: whether each ray hits anything. Arguments are those of `cast`."""
        origins, directions = split_rays(origins, directions)
        on = self._gpu_rays(origins, directions, t_min, t_max, world)
        if on is not None:
            return typing.cast(np.ndarray, gpu.any_hit(self, on))
        rays = RayArrays(origins, directions, t_min, t_max, world)
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
    ) -> np.ndarray:
        """uint32 S: how often each ray crosses a surface.

        A ray through an edge or a corner of a closed mesh counts once when it enters and once when
        it leaves. Arguments are those of `cast`. Differences of unsigned counts wrap: subtract
        `counts.astype(int)`.
        """
        origins, directions = split_rays(origins, directions)
        on = self._gpu_rays(origins, directions, t_min, t_max, world)
        if on is not None:
            return typing.cast(np.ndarray, gpu.count(on))
        rays = RayArrays(origins, directions, t_min, t_max, world)
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
    ) -> np.ndarray:
        """uint64 (triangle_count,): how often each triangle is the closest hit of a ray.

        Arguments are those of `cast`, in host memory; arrays on a GPU raise TypeError.
        """
        origins, directions = split_rays(origins, directions)
        if self._gpu_rays(origins, directions, t_min, t_max, world) is not None:
            raise TypeError("hits_per_triangle takes arrays in host memory, not on a GPU")
        rays = RayArrays(origins, directions, t_min, t_max, world)
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
    ) -> AllHits:
        """Finds every crossing that `count` counts, sorted by t for each ray.

        Arguments are those of `cast`. Rays of a shape S are numbered in C order.
        """
        origins, directions = split_rays(origins, directions)
        on = self._gpu_rays(origins, directions, t_min, t_max, world)
        if on is not None:
            return typing.cast(AllHits, gpu.GpuAllHits(self, on))
        rays = RayArrays(origins, directions, t_min, t_max, world)
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
        """What the surface is like at each hit, of shape S:

        `position` (float64, world units), `normal` (interpolated between the corners, as the mesh
        has it), `geometric_normal`, `uv` (texture coordinates, (0, 0) is the lower left),
        `vertex_color`, `texture_color`, `color` (of the material, times the two), `emission`,
        `roughness`, `metallic`, `opacity` and `material` (int64, an index into `materials`).
        Colours are linear. For a miss, the position is NaN, the material -1, and all else 0.
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
        """bool S: whether each point, of an array (..., 3), lies inside of the mesh.

        Each crossing of a ray straight up, along +z, is decided exactly, so of a closed mesh no
        answer is wrong, however near a point is. Points on the surface count as shifted by less
        than any number, towards +x first. "Inside or outside" in docs/python.md has more.

        Args:
          rule: "parity": inside if the ray crosses the surface an odd number of times. "nonzero":
            inside if it does not leave the mesh as often as it enters it, by the order of the
            triangles' corners; for closed meshes that overlap. "winding": inside if the winding
            number is beyond 0.5 or -0.5; for meshes with holes, and loose triangles; slow.
          rays: how many rays vote, an odd number. More than one are cast in floats, in all
            directions: for meshes with small holes.
          world: the number of a world, or an array S of them.
        """
        return contains(self, points, rule, rays, world)

    def winding_number(self, points: Numbers, *, world: Optional[Numbers] = None) -> np.ndarray:
        """float64 S: how often the surface goes around each point: 1 inside of a closed mesh whose
        triangles run counter-clockwise as seen from outside, 0 outside, between them near holes;
        NaN for points with a NaN, or beyond 2^40. Adds up every triangle for every point.

        A. Jacobson, L. Kavan, O. Sorkine-Hornung, Robust Inside-Outside Segmentation using
        Generalized Winding Numbers, 2013.
        """
        return winding_number(self, points, world)

    def closest_point(
        self, points: Numbers, *, max_distance: float = np.inf, world: Optional[Numbers] = None
    ) -> Nearest:
        """Finds the closest point of the surface for each point.

        Args:
          points: (..., 3), float32 or float64, in world units. Nothing is found for those with a
            NaN or farther than 2^40 (1e12) from where the scene was made.
          max_distance: nothing farther away is found.
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
        """S: the distance of each point, of an array (..., 3), from the surface."""
        return self.closest_point(points, max_distance=max_distance, world=world).distance

    def signed_distance(
        self,
        points: Numbers,
        *,
        rule: Rule = "parity",
        rays: int = 1,
        world: Optional[Numbers] = None,
    ) -> np.ndarray:
        """S: the distance of each point from the surface, negative inside: see `contains`."""
        if any_on_gpu(points, world):
            on = gpu_points(self, points, rule, rays, world)
            inner = on.inside(RULES.index(rule))
            nearest = gpu.GpuNearest(self, on, np.inf)
            return typing.cast(np.ndarray, gpu.signed_distance(nearest, inner))
        inside = self.contains(points, rule=rule, rays=rays, world=world)
        distance = self.distance(points, world=world)
        return np.where(inside, -distance, distance)

    # ---- Pictures --------------------------------------------------------------------------------

    def render(
        self,
        width: int = 640,
        height: int = 360,
        *,
        shading: str = "",
        samples: int = 0,
        bounces: int = 8,
        exposure: Optional[float] = None,
        white_balance: str = "",
        light: str = "",
        smooth: str = "on",
        fireflies: str = "drop",
        background: str = "sky",
        eye: Any = None,
        look_at: Any = None,
        up: Any = None,
        fov: Optional[float] = None,
        lens: Optional[float] = None,
        focus: Optional[float] = None,
        ortho_height: Optional[float] = None,
        intrinsics: Any = None,
        pose: Any = None,
        convention: str = "opencv",
        linear: bool = False,
        outputs: Optional[Sequence[str]] = None,
    ) -> Any:
        """Draws a picture: uint8 (height, width, 3), which notebooks show.

        Args:
          shading: "lit", "normal", "depth", "albedo", "facing", "ao" or "visits"; by default what
            the scene asks for, or "lit".
          samples: per pixel; 0 for the default of the shading.
          bounces: how often light may bounce in "lit", at most 16.
          exposure: a factor on all light in "lit"; by default one that suits the picture.
          white_balance, light, smooth, fireflies: see the options of `ballotcast render`.
          background: what is seen where there is no surface: "sky"; a colour like "#ffffff"; or
            "transparent": then there is a fourth channel, alpha. Bytes have the colour of what
            covers a pixel; the numbers of `linear` are multiplied by alpha.
          eye, look_at, up: three numbers each, in world units. Missing ones show the whole scene.
          fov: the vertical field of view, in degrees. lens, focus, ortho_height: in world units.
          intrinsics: the camera matrix, (3, 3), or fx, fy, cx, cy, in pixels of this picture. As in
            OpenCV, whole numbers are the centres of pixels. In place of fov.
          pose: (3, 4) or (4, 4), from the camera's coordinates to the world's, in place of eye,
            look_at and up. convention: which way the camera's axes point: "opencv" (x to the right,
            y down, z ahead), "opengl" (y up, z back) or "ros" (x ahead, y to the left, z up).
          linear: True for float32 (height, width, 3), the light before exposure.
          outputs: names of what to return, in a dictionary of arrays (height, width) or (height,
            width, channels): "colour" (the picture), "depth", "distance", "position", "normal",
            "geometric_normal", "uv", "albedo" (float32), "material", "triangle", "mesh",
            "instance", "part", "visits" (int32, -1 for none) and "alpha". All but colour and alpha
            are of the ray through a pixel's centre. See docs/outputs.md.
        """
        if isinstance(outputs, str):
            raise TypeError(f"outputs: expected a list of names, got {outputs!r}")
        light_factor = number_or_none(exposure, "exposure")
        # By their names in the library's table of settings.
        settings = {
            "shading": shading,
            "samples": whole_number(samples, "samples"),
            "bounces": str(whole_number(bounces, "bounces")),
            "exposure": "" if light_factor is None else repr(light_factor),
            "white_balance": white_balance,
            "light": light,
            "smooth": smooth,
            "fireflies": fireflies,
            "background": background,
        }
        camera = CameraArguments(
            eye, look_at, up, fov, lens, focus, ortho_height, intrinsics, pose, convention
        )
        size = whole_number(width, "width"), whole_number(height, "height")
        pixels, floats, numbers = self._host.render(
            {key: str(value) for key, value in settings.items() if value},
            camera.of_size(*size),
            linear,
            list(outputs or ["colour"]),
        )
        given: Dict[str, np.ndarray] = {
            name: array.reshape(height, width, -1).squeeze(2 if array.shape[1] == 1 else ())
            for name, array in numbers.items()
        }
        if outputs is not None and not {"colour", "color"} & set(outputs):
            return given
        picture = (floats if linear else pixels).reshape(height, width, -1).view(Picture)
        # A scene that has moved is no longer that of its file.
        if isinstance(self._source, str) and self._pose == 0:
            command = explained_by_command(self._source, f"{width}x{height}", camera.stated())
            picture._explained_by = command
        else:
            picture._explained_by = explained_by_call(width, height, camera.stated())
        return picture if outputs is None else {"colour": picture, **given}

    # ---- Reasons ---------------------------------------------------------------------------------

    def explain(
        self,
        origin: Any = None,
        direction: Any = None,
        *,
        t_min: float = 0.0,
        t_max: float = np.inf,
        world: Optional[int] = None,
        any: bool = False,
        pixel: Optional[Tuple[int, int]] = None,
        width: int = 640,
        height: int = 360,
        eye: Any = None,
        look_at: Any = None,
        up: Any = None,
        fov: Optional[float] = None,
        lens: Optional[float] = None,
        focus: Optional[float] = None,
        ortho_height: Optional[float] = None,
        intrinsics: Any = None,
        pose: Any = None,
        convention: str = "opencv",
    ) -> Explanation:
        """Says why a ray hits what it hits: the nodes, the triangles, each decision. Print it.

        Args:
          origin, direction: a single ray, with the other arguments of `cast`. Or instead of these:
          pixel: column and row, from the top left, of a picture of `width` and `height`; the ray
            goes through the pixel's centre. The camera's arguments are those of `render`.
          any: True to explain `any` instead of `cast`.

        Raises:
          ValueError: neither a ray nor a pixel, or both; no single ray; a pixel that the picture
            does not have.
        """
        if pixel is None:
            if origin is None or direction is None:
                raise ValueError("explain: give origin and direction, or pixel")
            if any_on_gpu(origin, direction, t_min, t_max, world):
                raise TypeError("explain: expected a ray in host memory")
            return explain_ray(self, RayArrays(origin, direction, t_min, t_max, world), any)
        if origin is not None or direction is not None:
            raise ValueError("explain: give origin and direction, or pixel, not both")
        camera = CameraArguments(
            eye, look_at, up, fov, lens, focus, ortho_height, intrinsics, pose, convention
        )
        return explain_pixel(self, pixel, (width, height), camera, any)

    # ---- Motion ----------------------------------------------------------------------------------

    def set_vertices(self, vertices: Numbers) -> None:
        """Moves all vertices, (n, 3) in world units, and lets the tree follow: its boxes, or all of
        it if it has worn out. Vertices in GPU memory only move its boxes.

        Vertices are stored as float32, relative to where the scene was made. So they lose digits
        if all of them move far away from there; then make a new scene.
        """
        self._move_vertices("set_vertices", vertices)

    def refit(self, vertices: Numbers) -> None:
        """The same, but the tree never changes more than its boxes: takes the same short time at
        each call. Hits are the same; rays become slower if the mesh loses its shape."""
        self._move_vertices("refit", vertices)

    def set_transforms(self, transforms: Numbers) -> None:
        """Moves all instances: (n, 3, 4) or (n, 4, 4), and lets the tree follow. As with
        set_vertices, places far from where the scene was made lose digits."""
        array = as_numbers(transforms, "transforms")
        if array.ndim != 3 or array.shape[1:] not in ((3, 4), (4, 4)):
            raise ValueError(
                f"transforms: expected a shape (n, 3, 4) or (n, 4, 4), got {described(array)}"
            )
        require_affine(array, "transforms")
        rows = np.array(array[:, :3], np.float64).reshape(-1, 12)
        self._require_moves("set_transforms")
        self._follow("set_transforms", self._native.placed(rows))

    # ---- What it is ------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name of the file, without folder and extension."""
        return self._native.name

    @property
    def triangle_count(self) -> int:
        """The number of triangles, of all instances."""
        return self._native.triangle_count

    @property
    def instance_count(self) -> int:
        """The number of instances; 0 in a scene without."""
        return self._native.instance_count

    @property
    def world_count(self) -> int:
        """The number of worlds; 1 in a scene without instances."""
        return self._native.world_count

    @property
    def warnings(self) -> List[str]:
        """What was left out or repaired while loading."""
        return self._native.warnings

    @property
    def parts(self) -> List[str]:
        """The names of the parts that `part` of hits counts: objects and groups of OBJ, nodes of
        glTF. A mesh without such names is one part, called like its file."""
        return self._native.part_names

    @property
    def materials(self) -> List[str]:
        """The names of the materials that `material` of surfaces and pictures counts."""
        return self._native.material_names

    @property
    def bounds(self) -> np.ndarray:
        """float64 (2, 3): the smallest and the largest coordinates, in world units. As they were
        when the scene was made."""
        return np.array(self._native.bounds).reshape(2, 3)

    @property
    def vertices(self) -> np.ndarray:
        """float64 (n, 3), in world units; of instances, those of their meshes, one behind the
        other. As they were when the scene was made."""
        return self._native.vertices()

    @property
    def faces(self) -> np.ndarray:
        """uint32 (m, 3): the vertices of each triangle."""
        return self._native.triangles()

    @property
    def device(self) -> str:
        """The device that casts rays. Builds the tree if that was not done yet."""
        return self._native.device()

    def __repr__(self) -> str:
        instances = f", {self.instance_count} instances" if self.instance_count else ""
        low, high = (", ".join(f"{x:.6g}" for x in corner) for corner in self.bounds.tolist())
        return (
            f"<ballotcast.Scene '{self.name}': {self.triangle_count} triangles{instances}, "
            f"from ({low}) to ({high})>"
        )

    def __getstate__(self) -> Any:
        """What makes the scene again as it is now. A scene from a file is read again.

        Raises:
          SceneError: vertices in GPU memory have moved the scene.
        """
        host, source = self._host, self._source
        if source is None:
            source = (host.relative_vertices(), host.triangles(), host.origin)
        return source, self._options, self._starts, self._last_move, self._pose

    def __setstate__(self, state: Any) -> None:
        source, options, starts, move, pose = state
        if isinstance(source, str):
            self._hold(_native.of_file(source, options), source, options)
        elif len(source) == 3:
            vertices, triangles, origin = source
            self._hold(_native.of_arrays(vertices, triangles, origin, options), None, options)
        else:
            self._hold_instances(source, options)
        self._starts = starts
        if move is not None:
            self._follow(*move)
        self._pose = pose  # hits that are pickled, too, are of this pose

    # ---- For this package ------------------------------------------------------------------------

    def _hold(self, native: _native.SceneHandle, source: Any, options: Options) -> None:
        """Becomes a scene of the extension module.

        Args:
          source: the file's name, the arguments of _hold_instances, or None for a scene that has
            its own vertices.
        """
        self._native = native
        self._source = source
        self._options = options
        self._starts = None
        self._pose = 0  # how often it has moved
        self._on_gpus: Dict[int, GpuSide] = {}  # for arrays in GPU memory, by GPU
        self._moved_on_gpu = False
        self._last_move: Optional[Tuple[str, np.ndarray]] = None  # by arrays in host memory

    def _hold_instances(self, source: Any, options: Options) -> None:
        """Becomes a scene of instances: `source` is their meshes, transforms as rows of 12, the
        mesh and the world of each."""
        meshes, transforms, which, worlds = source
        scenes = [mesh._native for mesh in meshes]
        native = _native.of_instances(scenes, transforms, which, worlds, options)
        self._hold(native, source, options)

    def _wanted_device(self) -> str:
        """The device that the caller asked for."""
        return self._options.device

    @property
    def _host(self) -> _native.SceneHandle:
        """The scene for arrays in host memory."""
        if self._moved_on_gpu:
            raise _native.SceneError(
                "the scene was moved by vertices in GPU memory, so only arrays there can be cast, "
                "and it can't be pickled; set_vertices with an array in host memory ends that"
            )
        return self._native

    def _gpu_side(self, library: Library) -> GpuSide:
        """The scene for arrays of a library, on the GPU where they are."""
        device = library.device
        if device not in self._on_gpus:
            first = next(iter(self._on_gpus.values()), None)
            if first is not None and self._options.moves:
                where = f"cuda:{first.device}"
                raise ValueError(f"arrays on cuda:{device}, but the scene moves, on {where}")
            side = GpuSide(self, device, first)
            if self._last_move is not None:
                side.follow(*self._last_move)
            self._on_gpus[device] = side
        return self._on_gpus[device]

    def _require_moves(self, call: str) -> None:
        if not self._options.moves:
            raise ValueError(f"{call}: the scene must be made with moves=True")

    def _move_vertices(self, how: str, vertices: Any) -> None:
        """Moves all vertices: `how` is "set_vertices" or "refit"."""
        self._require_moves(how)
        if not on_gpu(vertices):
            points = as_rows(as_numbers(vertices, "vertices"), "vertices", 3, np.float64)
            return self._follow(how, _relative(points, self._native.origin))
        on = GpuPoints(self, vertices)
        address, _keep = on.as_vertices()
        try:
            on.side.native.set_vertices(address, on.size, on.stream)
        except _native.UsageError:  # it has another number of vertices
            raise
        except BaseException:
            self._has_moved(True)  # or it may have
            raise
        self._has_moved(True)

    def _has_moved(self, on_gpu: bool) -> None:
        """Hits so far are of an earlier pose. `on_gpu`: the vertices came from GPU memory."""
        self._pose += 1
        self._moved_on_gpu = on_gpu

    def _follow(self, how: str, rows: np.ndarray) -> None:
        """Moves the scene by rows of ours: `how` is "set_vertices", "refit" or
        "set_transforms"."""
        before = self._native.move_count
        try:
            getattr(self._native, how)(rows)
        finally:
            # It may have moved and raise all the same: a warning, or what the handler of a signal
            # raised meanwhile.
            sides: Dict[int, GpuSide] = {}
            if self._native.move_count != before:
                self._has_moved(False)
                self._last_move = (how, rows)
                sides, self._on_gpus = self._on_gpus, {}
        # One that can't follow is made anew when it is needed.
        for device, side in sides.items():
            side.follow(how, rows)
            self._on_gpus[device] = side

    def _gpu_rays(
        self, origins: Any, directions: Any, t_min: Any, t_max: Any, world: Any
    ) -> Optional[GpuRays]:
        """The rays of a cast, if one of the arrays is in GPU memory."""
        if not any_on_gpu(origins, directions, t_min, t_max, world):
            return None
        return GpuRays(self, origins, directions, t_min, t_max, world)

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

    def _first_ids(self) -> np.ndarray:
        """uint32: of several meshes, the first triangle of each after the first."""
        return np.zeros(0, np.uint32) if self._starts is None else self._starts[1:-1]

    def _located(self, records: np.ndarray, part: int) -> np.ndarray:
        """int64 (n,): the instance (part 0), mesh (1), triangle (2) or named part (3) of
        records, -1 for none."""
        out = np.empty(records.size, np.int64)
        if part == 3:
            self._native.parts(bytes_of(records), out)
        else:
            self._native.located(bytes_of(records), self._first_ids(), part, out)
        return out


def _pair(mesh: Any, number: int) -> Tuple[Any, Any]:
    """Vertices and faces of one of several meshes."""
    if not isinstance(mesh, (tuple, list)):
        return arrays_of_mesh(mesh, f"meshes[{number}]")
    if len(mesh) != 2:
        raise ValueError(f"meshes[{number}]: expected vertices and faces, got {len(mesh)} things")
    return mesh[0], mesh[1]


def _instance(given: Any, number: int) -> Instance:
    """An instance of which mesh and world are integers."""
    name = f"instances[{number}]"
    if not isinstance(given, Instance):
        if not isinstance(given, (tuple, list)) or not 2 <= len(given) <= 3:
            raise TypeError(f"{name}: expected an Instance or (mesh, transform), got {given!r}")
        given = Instance(*given)
    try:
        mesh, world = operator.index(given.mesh), operator.index(given.world)
    except TypeError:
        raise TypeError(
            f"{name}: mesh and world must be integers, got {given.mesh!r} and {given.world!r}"
        ) from None
    return Instance(mesh, given.transform, world)


def _relative(points: np.ndarray, origin: Tuple[float, float, float]) -> np.ndarray:
    """Vertices as the library takes them: relative to the scene's origin."""
    return np.ascontiguousarray(points - np.array(origin) if any(origin) else points, np.float32)


@takes_options
def load(
    path: "Union[str, os.PathLike[str]]",
    **options: Unpack[SceneOptions],
) -> Scene:
    """Reads a scene from a file: .obj, .ply, .stl, .off, .gltf, .glb, .json or .bcast.

    Raises:
      InputError: the file can't be read. The message names the file and, if known, the line.
    """
    scene = Scene.__new__(Scene)
    if not isinstance(path, (str, bytes, os.PathLike)):
        hint = "give its name" if hasattr(path, "read") else "for a mesh in memory, use Scene(mesh)"
        raise TypeError(f"path: expected the name of a file, got a {type(path).__name__}; {hint}")
    name = os.fsdecode(path)
    checked = options_of(options)
    native = _native.of_file(name, checked)
    name = os.path.abspath(name)  # so that it is found from other folders, too
    scene._hold(native, name, checked)
    return scene
