"""Results of casts of rays in GPU memory. Their fields are arrays of the same library as the
rays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Tuple

from . import _native
from ._arrays import size_of
from ._gpu_casts import GpuPoints, GpuRays

if TYPE_CHECKING:
    from ._scene_base import SceneBase


class GpuRecords:
    """Records of 16 bytes in GPU memory, and their fields. S is the leading shape. A field is
    computed when it is read, on the stream that is current then."""

    def __init__(self, scene: "SceneBase", asked: Any, raw: Any, shape: Tuple[int, ...]) -> None:
        self._scene = scene
        self._pose = scene._pose
        self._asked = asked
        self._library = asked.library
        self._raw = raw
        self._shape = shape
        self._size = size_of(shape)

    @property
    def shape(self) -> Tuple[int, ...]:
        """The leading shape S of the rays or points."""
        return self._shape

    @property
    def raw(self) -> Any:
        """float32 (n, 4): the library's own records. The second column has the bits of the id,
        an integer."""
        return self._library.for_caller(self._raw)

    @property
    def id(self) -> Any:
        """int64 S: the id of the triangle, which counts through all meshes and instances; 2^32 -
        1 for none."""
        return self._stored("store_ids", "int64")

    @property
    def instance(self) -> Any:
        """int64 S: the index of the instance; in a scene without instances, 0; -1 for none."""
        return self._located(0)

    @property
    def triangle(self) -> Any:
        """int64 S: the triangle's index in its mesh; -1 for none."""
        return self._located(2)

    @property
    def mesh(self) -> Any:
        """int64 S: the index of the mesh; -1 for none."""
        return self._located(1)

    @property
    def uv(self) -> Any:
        """float32 S + (2,): the weights of the triangle's second and third corner."""
        return self._stored("store_weights", "float32", 2)

    @property
    def normal(self) -> Any:
        """float32 S + (3,): the triangle's unit normal; 0 for none."""
        self._require_still()
        return self._stored("store_normals", "float32", 3)

    @property
    def point(self) -> Any:
        """float64 S + (3,): the point on the triangle, in world units; NaN for none."""
        self._require_still()
        return self._stored("store_places", "float64", 3)

    def _found(self) -> Any:
        return self._stored("store_found", "bool")

    def _located(self, part: int) -> Any:
        side = self._asked.side
        starts = side.starts.address if side.starts is not None else 0
        return self._stored("store_locations", "int64", 1, starts, side.start_count, part)

    def _require_still(self) -> None:
        if self._scene._pose != self._pose:
            raise _native.SceneError(
                "the scene has moved since this cast: ask for points and normals before it moves"
            )

    def _stored(self, store: str, dtype: str, columns: int = 1, *before: Any) -> Any:
        """Returns a field that a function of the extension module writes, in the caller's form."""
        return self._library.for_caller(self._written(store, dtype, columns, *before))

    def _written(self, store: str, dtype: str, columns: int = 1, *before: Any) -> Any:
        """Like _stored, but returns an array from Library.empty."""
        library = self._library
        shape = self._shape if columns == 1 else (*self._shape, columns)
        out = library.empty(shape, dtype)
        if self._size:
            getattr(self._asked.side.native, store)(
                *before,
                library.address_of(self._raw),
                library.address_of(out),
                self._size,
                library.stream(),
            )
        return out

    def __repr__(self) -> str:
        where = f"in GPU memory of cuda:{self._library.device}"
        return f"<ballotcast.{type(self).__name__}: shape {self._shape}, {where}>"


class GpuHits(GpuRecords):
    """The hits of rays in GPU memory, one per ray. The fields have the same meaning as in Hits."""

    _asked: GpuRays

    def __init__(
        self, scene: "SceneBase", rays: GpuRays, raw: Any, shape: Tuple[int, ...], precise: bool
    ) -> None:
        super().__init__(scene, rays, raw, shape)
        # Only for rays of float64. Computed now, because the caller may change the arrays of the
        # rays.
        self._distances: Any = None
        self._points: Any = None
        if precise:
            self._distances = self._written("store_precise_t", "float64", 1, rays.native)
            t = self._library.address_of(self._distances)
            self._points = self._written("store_precise_places", "float64", 3, rays.native, t)

    @property
    def hit(self) -> Any:
        """bool S: true where the ray hit something."""
        return self._found()

    @property
    def t(self) -> Any:
        """S: t of the hit, in units of the direction's length; infinite for a miss. float64 for
        rays of float64, else float32."""
        if self._distances is not None:
            return self._library.for_caller(self._distances)
        return self._stored("store_t", "float32")

    @property
    def point(self) -> Any:
        """float64 S + (3,): the point of the hit, in world units; NaN for a miss."""
        if self._points is None:
            return super().point
        self._require_still()
        return self._library.for_caller(self._points)

    @property
    def nan_rays(self) -> int:
        """The number of rays with a NaN; such rays hit nothing. Reads the present arrays of the
        rays, and waits for the GPU."""
        return self._asked.nan_rays()


class GpuAllHits(GpuHits):
    """All hits of rays in GPU memory. The hits of ray i are starts[i] to starts[i + 1] - 1."""

    def __init__(self, scene: "SceneBase", rays: GpuRays) -> None:
        starts, raw, found = rays.all()
        super().__init__(scene, rays, raw, (found,), False)
        self._starts = starts
        if rays.double:
            library = self._library
            self._distances = library.empty((found,), "float64")
            self._points = library.empty((found, 3), "float64")
            if found:
                native, address_of = rays.side.native, library.address_of
                first, t = address_of(starts), address_of(self._distances)
                native.store_precise_t_of_all(
                    rays.native, first, address_of(raw), t, rays.size, rays.stream
                )
                native.store_precise_places_of_all(
                    rays.native, first, t, address_of(self._points), rays.size, rays.stream
                )

    @property
    def starts(self) -> Any:
        """int64 (n + 1,): the index of the first hit of each ray, and at the end the number of
        hits."""
        return self._library.for_caller(self._starts)


class GpuNearest(GpuRecords):
    """The closest points for points in GPU memory. The fields have the same meaning as in
    Nearest."""

    _asked: GpuPoints

    def __init__(self, scene: "SceneBase", points: GpuPoints, max_distance: float) -> None:
        super().__init__(scene, points, points.nearest(max_distance), points.shape)
        # Computed now, because the caller may change the array of the points.
        self._distances: Any = None
        self._points: Any = None
        if points.double:
            self._distances = self._written("store_distances", "float64", 1, points.native)
            self._points = self._written("store_closest_places", "float64", 3, points.native)

    @property
    def found(self) -> Any:
        """bool S: true where there is a closest point."""
        return self._found()

    @property
    def distance(self) -> Any:
        """S: the distance from the point to its closest point, in world units; infinite for
        none. float64 for points of float64, else float32."""
        return self._library.for_caller(self.own_distance())

    @property
    def point(self) -> Any:
        """float64 S + (3,): the closest points, in world units; NaN for none."""
        return super().point if self._points is None else self._library.for_caller(self._points)

    def own_distance(self) -> Any:
        """Returns the distances in an array from Library.empty."""
        if self._distances is not None:
            return self._distances
        # In records of closest points, the distance is where hits have t. It is infinite if nothing
        # was found.
        return self._written("store_t", "float32")


def cast(scene: "SceneBase", rays: GpuRays, out: Any) -> GpuHits:
    """Returns the closest hits. `out`: earlier hits of the same number of rays of the same
    library, which are overwritten; or None."""
    over = None if out is None else _writable(out, rays)
    raw = rays.library.empty((rays.size, 4), "float32") if over is None else over._raw
    rays.cast(raw, False)
    hits = GpuHits(scene, rays, raw, rays.shape, rays.double)
    if over is None:
        return hits
    over.__dict__.update(hits.__dict__)
    return over


def _writable(out: Any, rays: GpuRays) -> GpuHits:
    """Returns the hits `out`. Raises ValueError if the hits of these rays can't be written over
    them."""
    if (
        type(out) is GpuHits
        and out._size == rays.size
        and (out._distances is not None) == rays.double
        and out._library.shares_with(rays.library)
    ):
        return out
    kind = "float64" if rays.double else "float32"
    raise ValueError(
        f"out: expected the hits of {rays.size} rays of {kind} in arrays of the same library on "
        f"cuda:{rays.library.device}, got {out!r}"
    )


def any_hit(scene: "SceneBase", rays: GpuRays) -> Any:
    """Returns bool S: True if the ray hits anything."""
    raw = rays.library.empty((rays.size, 4), "float32")
    rays.cast(raw, True)
    return GpuHits(scene, rays, raw, rays.shape, False).hit


def count(rays: GpuRays) -> Any:
    """Returns int32 S: the number of crossings of each ray."""
    return rays.library.for_caller(rays.count())


def signed_distance(nearest: GpuNearest, inner: Any) -> Any:
    """Returns S: the distances, negative where `inner`, an array from Library.empty, is true."""
    library, asked = nearest._library, nearest._asked
    distances = nearest.own_distance()
    if asked.size:
        native = asked.side.native
        negate = native.negate_doubles if asked.double else native.negate_floats
        negate(library.address_of(inner), library.address_of(distances), asked.size, asked.stream)
    return library.for_caller(distances)
