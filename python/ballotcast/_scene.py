"""Scenes: triangles at which rays are cast."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _native
from ._arrays import as_indices, as_numbers, as_rows, described
from ._gpu_arrays import Library
from ._meshes import Instance, arrays_of_mesh, instance_of, origin_for, pair_of, relative, rows_of
from ._options import SceneOptions, options_of, takes_options
from ._queries import QueriedScene
from ._scene_base import AnimatedFile, ShapeSource
from ._types import ShapeKind

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Scene(QueriedScene):
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
        mesh_of = np.array([i.mesh for i in placed], np.int64)
        if mesh_of.size and (mesh_of.min() < 0 or mesh_of.max() >= len(meshes)):
            raise ValueError(f"instances: a mesh is not from 0 to {len(meshes) - 1}")
        transforms = np.empty((len(placed), 12))
        for number, instance in enumerate(placed):
            transforms[number] = rows_of(instance.transform, f"instances[{number}]")
        worlds = np.array([i.world for i in placed], np.int64)
        if worlds.size and (worlds.min() < 0 or worlds.max() > 65535):
            raise ValueError("instances: a world must be from 0 to 65535")
        return cls._of_instances(
            list(meshes),
            transforms,
            mesh_of.astype(np.uint32),
            worlds.astype(np.uint32),
            **options,
        )

    @classmethod
    @takes_options
    def _of_instances(
        cls,
        meshes: "List[Scene]",
        transforms: np.ndarray,
        mesh_of: np.ndarray,
        worlds: np.ndarray,
        **options: Unpack[SceneOptions],
    ) -> "Scene":
        """Makes a scene of instances: `transforms` has a row of 12 numbers for each; `mesh_of` and
        `worlds`, uint32, have its mesh and world."""
        scene = cls.__new__(cls)
        scene._hold_instances((meshes, transforms, mesh_of, worlds), options_of(options))
        return scene

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


@takes_options
def shape(
    kind: ShapeKind,
    size: "Union[float, Sequence[float]]",
    **options: Unpack[SceneOptions],
) -> Scene:
    """Makes a scene of one shape, which is defined by a formula and not by triangles. It may also
    be one of the meshes of `Scene.from_instances`, where it counts as a mesh with one triangle.
    Instances may scale, rotate, shear and move it.

    Each shape is centred at (0, 0, 0). Conventions are those of MuJoCo's geoms.

    Args:
      kind: what the shape is, which also says what `size` is, in world units:
        "sphere": the radius. "ellipsoid", "box": half the length along x, y and z.
        "capsule": the radius, and half the length of the straight part along z.
        "cylinder": the radius, and half the height along z. "cone": the radius of the base,
        and half the height along z; its apex is above. "disc": the radius; it lies in the plane
        z = 0. "plane": half the length along x and y of a rectangle in the plane z = 0. "floor":
        as "plane", but rays hit it from above only.

    Raises:
      UsageError: there is no such kind, or `size` has too few, too many or unusable numbers.
    """
    numbers = tuple(np.atleast_1d(np.asarray(size, np.float64)).tolist())
    checked = options_of(options)
    scene = Scene.__new__(Scene)
    scene._hold(_native.of_shape(kind, numbers, checked), ShapeSource(kind, numbers), checked)
    return scene
