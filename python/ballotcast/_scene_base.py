"""The base of scenes: a scene of the extension module, and the code that keeps copies of it up
to date when it moves."""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import numpy as np

from . import _native
from ._arrays import as_numbers, as_rows, as_words, described
from ._gpu_arrays import Library, on_gpu
from ._gpu_casts import GpuPoints, GpuSide
from ._gpu_poses import Chosen, Poses, move, poses_of_transforms
from ._meshes import relative, require_affine
from ._options import Options
from ._records import bytes_of
from ._types import Numbers


class AnimatedFile(NamedTuple):
    """A file from which a scene was read, and the time of its animation."""

    path: str
    time: float
    animation: str


class ShapeSource(NamedTuple):
    """The arguments of `shape`."""

    kind: str
    size: Tuple[float, ...]


class SceneBase:
    """The part of `Scene` without casts and pictures."""

    _starts: Optional[np.ndarray]  # the first triangle of each mesh in from_meshes(), else None
    _masks: Optional[np.ndarray]  # the masks of instances, if the caller has set them

    # ---- What it is ------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name of the file, without folder and extension."""
        return self._native.name

    @property
    def triangle_count(self) -> int:
        """The number of triangles, including those of all instances."""
        return self._native.triangle_count

    @property
    def instance_count(self) -> int:
        """The number of instances; 0 in a scene without instances."""
        return self._native.instance_count

    @property
    def world_count(self) -> int:
        """The number of worlds; 1 in a scene without instances."""
        return self._native.world_count

    @property
    def warnings(self) -> List[str]:
        """The warnings: what was left out or repaired during loading."""
        return self._native.warnings

    @property
    def parts(self) -> List[str]:
        """The names of parts; `part` of hits is an index into them. Parts are objects and groups
        of OBJ, or nodes of glTF. A mesh without such names is one part, with the name of its
        file."""
        return self._native.part_names

    @property
    def materials(self) -> List[str]:
        """The names of materials; `material` of surfaces and pictures is an index into them."""
        return self._native.material_names

    @property
    def bounds(self) -> np.ndarray:
        """float64 (2, 3): the smallest and the largest coordinates of the scene when it was
        made, in world units."""
        return np.array(self._native.bounds).reshape(2, 3)

    @property
    def vertices(self) -> np.ndarray:
        """float64 (n, 3): the vertices when the scene was made, in world units. In a scene of
        instances, the vertices of its meshes, one mesh after the other."""
        return self._native.vertices()

    @property
    def faces(self) -> np.ndarray:
        """uint32 (m, 3): the vertices of each triangle."""
        return self._native.triangles()

    @property
    def device(self) -> str:
        """The device that casts rays. Builds the tree if necessary."""
        return self._native.device()

    def __repr__(self) -> str:
        instances = f", {self.instance_count} instances" if self.instance_count else ""
        low, high = (", ".join(f"{x:.6g}" for x in corner) for corner in self.bounds.tolist())
        return (
            f"<ballotcast.Scene '{self.name}': {self.triangle_count} triangles{instances}, "
            f"from ({low}) to ({high})>"
        )

    def __getstate__(self) -> Any:
        """Returns the data from which the scene is made again in its present state. A scene from a
        file is read again.

        Raises:
          SceneError: an array in GPU memory has moved the scene.
        """
        host, source = self._host, self._source
        if source is None:
            source = (host.relative_vertices(), host.triangles(), host.origin)
        return source, self._options, self._starts, self._last_move, self._pose, self._masks

    def __setstate__(self, state: Any) -> None:
        source, options, starts, move, pose, masks = state
        if isinstance(source, str):
            self._hold(_native.of_file(source, None, "", options), source, options)
        elif isinstance(source, AnimatedFile):
            self._hold(_native.of_file(*source, options), source, options)
        elif isinstance(source, ShapeSource):
            self._hold(_native.of_shape(*source, options), source, options)
        elif len(source) == 3:
            vertices, triangles, origin = source
            self._hold(_native.of_arrays(vertices, triangles, origin, options), None, options)
        else:
            self._hold_instances(source, options)
        self._starts = starts
        if move is not None:
            self._follow(*move)
        self._pose = pose  # pickled hits are of this pose, too
        if masks is not None:
            self.set_masks(masks)

    # ---- Motion ----------------------------------------------------------------------------------

    def set_vertices(self, vertices: Numbers) -> None:
        """Moves all vertices, (n, 3) in world units. The tree is refitted; or rebuilt, if refitting
        has made it slow. With vertices in GPU memory, the tree is always refitted.

        Vertices are stored as float32, relative to the place where the scene was made. So they
        lose precision if all of them move far away from there; then make a new scene.
        """
        self._move_vertices("set_vertices", vertices)

    def refit(self, vertices: Numbers) -> None:
        """Moves all vertices, (n, 3) in world units, and always refits the tree. So each call
        takes the same short time. Hits are the same as after `set_vertices`; rays become slower
        if the mesh is deformed strongly."""
        self._move_vertices("refit", vertices)

    def set_transforms(self, transforms: Numbers) -> None:
        """Moves all instances: (n, 3, 4) or (n, 4, 4). The tree over the instances is rebuilt.
        As with set_vertices, positions far from the place where the scene was made lose
        precision.

        Transforms in GPU memory are read there, on the current stream. Then a last row is not
        checked, and an instance whose transform is unusable, such as one with a NaN, can't be hit
        until it has another one: see `unusable_transforms`. Transforms in host memory that are
        unusable raise InputError."""
        if on_gpu(transforms):
            return self._move_on_gpu(poses_of_transforms(transforms))
        array = as_numbers(transforms, "transforms")
        if array.ndim != 3 or array.shape[1:] not in ((3, 4), (4, 4)):
            raise ValueError(
                f"transforms: expected a shape (n, 3, 4) or (n, 4, 4), got {described(array)}"
            )
        require_affine(array, "transforms")
        rows = np.array(array[:, :3], np.float64).reshape(-1, 12)
        self._require_moves("set_transforms")
        self._follow("set_transforms", self._native.placed(rows))

    def unusable_transforms(self) -> Tuple[int, int]:
        """After set_transforms with an array in GPU memory: how many instances can't be hit because
        their transforms are unusable, and the index of the first of them, or -1. Waits for the
        GPU."""
        if not self._moved_on_gpu or not self.instance_count:
            return 0, -1
        side = next(iter(self._on_gpus.values()))
        count, first = side.native.unusable_transforms(self._move_stream)
        return count, first if count else -1

    def set_masks(self, masks: Numbers) -> None:
        """Gives each instance a mask: (n,) integers of 32 bits; at first all bits are set. After
        that, a ray hits an instance only if their masks have a bit in common: see `mask` of `cast`.
        Rays and points do not find an instance with mask 0, until it gets another mask. No tree is
        rebuilt, and `moves` is not needed. Lamps that are hidden still shine in pictures.

        Raises:
          ValueError: another number of masks than instances, or masks that are not from 0 to
            2^32 - 1.
        """
        words = as_words(masks, "masks", "masks")
        if words is None or words.ndim != 1:
            what = "None" if words is None else described(words)
            raise ValueError(f"masks: expected a shape (n,), got {what}")
        self._native.set_masks(np.ascontiguousarray(words, np.uint32))
        self._masks = words.astype(np.uint32)
        for side in self._on_gpus.values():
            side.set_masks(self._masks)

    # ---- For this package ------------------------------------------------------------------------

    def _hold(self, native: _native.SceneHandle, source: Any, options: Options) -> None:
        """Sets up this object as a scene of the extension module.

        Args:
          source: the file's name, an AnimatedFile or a ShapeSource; the arguments of
            _hold_instances; or None for a scene that has its own vertices.
        """
        self._native = native
        self._source = source
        self._options = options
        self._starts = None
        self._pose = 0  # the number of moves so far
        self._on_gpus: Dict[int, GpuSide] = {}  # the scene on GPUs, by number of the GPU
        self._moved_on_gpu = False
        self._move_stream = 0  # the stream of the last move on a GPU
        # the last move by arrays in host memory: a function's name and its rows
        self._last_move: Optional[Tuple[str, np.ndarray]] = None
        self._masks = None

    def _hold_instances(self, source: Any, options: Options) -> None:
        """Sets up this object as a scene of instances. `source`: their meshes, their transforms
        as rows of 12 numbers, and the mesh and the world of each instance."""
        meshes, transforms, mesh_of, worlds = source
        scenes = [mesh._native for mesh in meshes]
        native = _native.of_instances(scenes, transforms, mesh_of, worlds, options)
        self._hold(native, source, options)

    def _wanted_device(self) -> str:
        """Returns the device for which the caller asked."""
        return self._options["device"]

    @property
    def _host(self) -> _native.SceneHandle:
        """The scene for arrays in host memory. Raises SceneError if arrays in GPU memory have
        moved it."""
        if self._moved_on_gpu:
            raise _native.SceneError(
                "the scene was moved by an array in GPU memory, so only arrays there can be cast, "
                "and it can't be pickled; moving it by an array in host memory ends that"
            )
        return self._native

    def _gpu_side(self, library: Library) -> GpuSide:
        """Returns the scene for arrays of a library, on the GPU where they are."""
        device = library.device
        if device not in self._on_gpus:
            first = next(iter(self._on_gpus.values()), None)
            if first is not None and "moves" in self._options:
                where = f"cuda:{first.device}"
                raise ValueError(f"arrays on cuda:{device}, but the scene moves, on {where}")
            side = GpuSide(self, device, first)
            if self._last_move is not None:
                side.follow(*self._last_move)
            if self._masks is not None:
                side.set_masks(self._masks)
            self._on_gpus[device] = side
        return self._on_gpus[device]

    def _require_moves(self, call: str) -> None:
        if "moves" not in self._options:
            raise ValueError(f"{call}: the scene must be made with moves=True")

    def _move_vertices(self, call: str, vertices: Any) -> None:
        """Moves all vertices: `call` is "set_vertices" or "refit"."""
        self._require_moves(call)
        if not on_gpu(vertices):
            points = as_rows(as_numbers(vertices, "vertices"), "vertices", 3, np.float64)
            return self._follow(call, relative(points, self._native.origin))
        on = GpuPoints(self, vertices)
        address, _keep = on.as_vertices()
        try:
            on.side.native.set_vertices(address, on.size, on.stream)
        except _native.UsageError:  # the number of vertices is wrong, and the scene has not moved
            raise
        except BaseException:
            self._has_moved(True)  # the scene may have moved
            raise
        self._has_moved(True)

    def _move_on_gpu(self, poses: Poses, chosen: Optional[Chosen] = None) -> None:
        """Moves all instances by poses in GPU memory; see _gpu_poses.move."""
        self._require_moves("set_transforms")
        self._move_stream = poses.library.stream()
        try:
            move(self, poses, chosen)
        except _native.UsageError:  # the number of poses is wrong, and the scene has not moved
            raise
        except BaseException:
            self._has_moved(True)  # the scene may have moved
            raise
        self._has_moved(True)

    def _has_moved(self, on_gpu: bool) -> None:
        """Notes that the scene has moved, so that earlier hits are of an earlier pose. `on_gpu`:
        by an array in GPU memory."""
        self._pose += 1
        self._moved_on_gpu = on_gpu

    def _follow(self, call: str, rows: np.ndarray) -> None:
        """Moves the scene and its copies on GPUs. `rows`: the new vertices or transforms, which
        the caller can't change. `call`: "set_vertices", "refit" or "set_transforms"."""
        before = self._native.move_count
        try:
            getattr(self._native, call)(rows)
        finally:
            # The scene may have moved even if the call raises an exception: because of a warning,
            # or from the handler of a signal.
            sides: Dict[int, GpuSide] = {}
            if self._native.move_count != before:
                self._has_moved(False)
                self._last_move = (call, rows)
                sides, self._on_gpus = self._on_gpus, {}
        # If the copy on a GPU can't be moved, it is made again when it is needed.
        for device, side in sides.items():
            side.follow(call, rows)
            self._on_gpus[device] = side

    def _first_ids(self) -> np.ndarray:
        """Returns uint32: for several meshes, the first triangle of each mesh after the first."""
        return np.zeros(0, np.uint32) if self._starts is None else self._starts[1:-1]

    def _located(self, records: np.ndarray, part: int) -> np.ndarray:
        """Returns int64 (n,): the instance (part 0), mesh (1), triangle (2) or named part (3) of
        records; -1 for none."""
        out = np.empty(records.size, np.int64)
        if part == 3:
            self._native.parts(bytes_of(records), out)
        else:
            self._native.located(bytes_of(records), self._first_ids(), part, out)
        return out
