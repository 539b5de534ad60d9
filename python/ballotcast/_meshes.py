"""The meshes and transforms that callers pass, as arrays."""

from __future__ import annotations

import operator
import os
from dataclasses import dataclass
from typing import Any, Tuple

import numpy as np

from ._arrays import as_numbers, described


@dataclass
class Instance:
    """A mesh that is placed in a scene. `transform`: (3, 4) or (4, 4), from the coordinates of
    the mesh to those of the scene."""

    mesh: int
    transform: Any = None
    world: int = 0


def arrays_of_mesh(mesh: Any, name: str) -> Tuple[Any, Any]:
    """Returns the vertices and faces of a mesh of trimesh or Open3D, or of a trimesh.Scene."""
    if hasattr(mesh, "geometry") and hasattr(mesh, "graph"):
        whole = mesh.to_mesh() if hasattr(mesh, "to_mesh") else mesh.dump(concatenate=True)
        if not len(whole.faces):
            raise ValueError(f"{name}: a trimesh.Scene without triangles")
        return np.asarray(whole.vertices), np.asarray(whole.faces)
    for vertices, faces in (("vertices", "faces"), ("vertices", "triangles")):
        if hasattr(mesh, vertices) and hasattr(mesh, faces):
            return np.asarray(getattr(mesh, vertices)), np.asarray(getattr(mesh, faces))
    vertex, triangle = getattr(mesh, "vertex", None), getattr(mesh, "triangle", None)
    if vertex is not None and triangle is not None:  # a mesh of open3d.t.geometry
        return vertex.positions.numpy(), triangle.indices.numpy()
    raise TypeError(
        "faces: missing; they may be left out only for a mesh of trimesh or Open3D, or a "
        f"trimesh.Scene{_hint_for(mesh, name)}"
    )


def _hint_for(argument: Any, name: str) -> str:
    """Returns a hint for error messages: the function to call instead."""
    if isinstance(argument, (str, bytes, os.PathLike)):
        return f"; to read a file, use ballotcast.load({os.fsdecode(argument)!r})"
    shape = np.shape(argument) if isinstance(argument, (np.ndarray, list, tuple)) else ()
    if len(shape) == 3 and shape[1:] == (3, 3):
        return (
            f"; the corners of {shape[0]} triangles are {name}.reshape(-1, 3), with the faces "
            f"numpy.arange({3 * shape[0]}).reshape(-1, 3)"
        )
    return ""


def origin_for(vertices: np.ndarray) -> Tuple[float, float, float]:
    """Returns the point to subtract from vertices of float64 before they become float32: the
    middle of the vertices if they are so far from zero that they would lose precision, else
    zero."""
    zero = (0.0, 0.0, 0.0)
    if vertices.dtype != np.float64 or vertices.size == 0:
        return zero
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    if not (np.isfinite(low).all() and np.isfinite(high).all()):
        return zero  # the library's error will name the vertex
    largest = max(np.abs(low).max(), np.abs(high).max())
    if largest <= 4.0 * (high - low).max():
        return zero
    x, y, z = ((low + high) / 2.0).tolist()
    return x, y, z


def rows_of(transform: Any, name: str) -> np.ndarray:
    """Returns the twelve numbers of a transform. None means the identity."""
    if transform is None:
        return np.eye(3, 4).reshape(12)
    array = as_numbers(transform, name)
    if array.shape not in ((3, 4), (4, 4)):
        raise ValueError(f"{name}: expected a shape (3, 4) or (4, 4), got {described(array)}")
    require_affine(array, name)
    return array[:3].reshape(12)


def require_affine(transforms: np.ndarray, name: str) -> None:
    """Raises ValueError for 4x4 matrices whose last row is not 0 0 0 1. A matrix of zeros is
    accepted, too: it hides an instance."""
    last = transforms[..., 3:, :]
    if (last[..., :3] != 0).any() or not np.isin(last[..., 3], (0, 1)).all():
        raise ValueError(f"{name}: the last row of a 4x4 matrix must be 0, 0, 0, 1")


def pair_of(mesh: Any, number: int) -> Tuple[Any, Any]:
    """Returns vertices and faces of one of several meshes."""
    if not isinstance(mesh, (tuple, list)):
        return arrays_of_mesh(mesh, f"meshes[{number}]")
    if len(mesh) != 2:
        raise ValueError(f"meshes[{number}]: expected vertices and faces, got {len(mesh)} things")
    return mesh[0], mesh[1]


def instance_of(item: Any, number: int) -> Instance:
    """Returns an instance whose mesh and world are integers."""
    name = f"instances[{number}]"
    if not isinstance(item, Instance):
        if not isinstance(item, (tuple, list)) or not 2 <= len(item) <= 3:
            raise TypeError(f"{name}: expected an Instance or (mesh, transform), got {item!r}")
        item = Instance(*item)
    try:
        mesh, world = operator.index(item.mesh), operator.index(item.world)
    except TypeError:
        raise TypeError(
            f"{name}: mesh and world must be integers, got {item.mesh!r} and {item.world!r}"
        ) from None
    return Instance(mesh, item.transform, world)


def relative(points: np.ndarray, origin: Tuple[float, float, float]) -> np.ndarray:
    """Returns vertices in the form of the library: float32, relative to the scene's origin."""
    return np.ascontiguousarray(points - np.array(origin) if any(origin) else points, np.float32)
