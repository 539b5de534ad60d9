"""Queries about rays and points: the part of `Scene` that answers them."""

from __future__ import annotations

import typing
from typing import Any, Dict, Optional, Union

import numpy as np

from . import _gpu_hits as gpu
from ._arrays import PointArrays, RayArrays, one_number, split_rays
from ._drawing import DrawnScene
from ._filter import EVERY_HIT, filter_of
from ._gpu_arrays import any_on_gpu
from ._gpu_casts import GpuPoints, GpuRays
from ._hits import HIT, AllHits, Hits, surface_of
from ._inside import RULES, contains, gpu_points, winding_number
from ._nearest import NEAREST, Nearest
from ._types import Numbers, Rule, Sides

#: The argument `skip`: ids of triangles that rays do not hit, or the hits of an earlier cast.
Skip = Union[Numbers, Hits]


class QueriedScene(DrawnScene):
    """The part of `Scene` that answers queries about rays and points."""

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
        skip_instance: Optional[Numbers] = None,
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
          skip_instance: for each ray, the number of an instance that it does not hit, such as the
            body of a sensor, or -1 for none; or one number for all rays.
          out: Hits of an earlier cast of the same number of rays and the same dtype. They are
            overwritten.

        Arrays in GPU memory stay there; see "Arrays in GPU memory" in docs/python.md.
        """
        rays = self._rays(
            origins, directions, t_min, t_max, world, sides, skip, mask, skip_instance
        )
        if isinstance(rays, GpuRays):
            return typing.cast(Hits, gpu.cast(self, rays, out))
        return self._cast(rays, out)

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
        skip_instance: Optional[Numbers] = None,
    ) -> np.ndarray:
        """bool S: True if the ray hits anything. Arguments are those of `cast`."""
        rays = self._rays(
            origins, directions, t_min, t_max, world, sides, skip, mask, skip_instance
        )
        if isinstance(rays, GpuRays):
            return typing.cast(np.ndarray, gpu.any_hit(self, rays))
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
        skip_instance: Optional[Numbers] = None,
    ) -> np.ndarray:
        """uint32 S: how often each ray crosses a surface.

        A ray through an edge or a corner of a closed mesh counts once when it enters and once
        when it leaves. Arguments are those of `cast`. Differences of unsigned integers wrap
        around; to subtract counts, use `counts.astype(int)`.
        """
        rays = self._rays(
            origins, directions, t_min, t_max, world, sides, skip, mask, skip_instance
        )
        if isinstance(rays, GpuRays):
            return typing.cast(np.ndarray, gpu.count(rays))
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
        skip_instance: Optional[Numbers] = None,
    ) -> np.ndarray:
        """uint64 (triangle_count,): how often each triangle is the closest hit of a ray.

        Arguments are those of `cast`, in host memory; arrays on a GPU raise TypeError.
        """
        rays = self._rays(
            origins, directions, t_min, t_max, world, sides, skip, mask, skip_instance
        )
        if isinstance(rays, GpuRays):
            raise TypeError("hits_per_triangle takes arrays in host memory, not on a GPU")
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
        skip_instance: Optional[Numbers] = None,
    ) -> AllHits:
        """Finds every crossing that `count` counts, sorted by t for each ray.

        Arguments are those of `cast`. Rays of a shape S are numbered in C order.
        """
        rays = self._rays(
            origins, directions, t_min, t_max, world, sides, skip, mask, skip_instance
        )
        if isinstance(rays, GpuRays):
            return typing.cast(AllHits, gpu.GpuAllHits(self, rays))
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

    # ---- For this package ------------------------------------------------------------------------

    def _rays(
        self,
        origins: Any,
        directions: Any,
        t_min: Any,
        t_max: Any,
        world: Any,
        sides: str,
        skip: Any,
        mask: Any,
        skip_instance: Any,
    ) -> Union[RayArrays, GpuRays]:
        """Returns the rays of a cast: in GPU memory if one of the arrays is there."""
        origins, directions = split_rays(origins, directions)
        hit_filter = filter_of(sides, skip, mask, skip_instance)
        on_gpu = any_on_gpu(origins, directions, t_min, t_max, world)
        if on_gpu or (hit_filter is not None and any_on_gpu(*hit_filter.arrays())):
            return GpuRays(self, origins, directions, t_min, t_max, world, hit_filter or EVERY_HIT)
        return RayArrays(origins, directions, t_min, t_max, world, hit_filter)

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
