"""The common part of hits and closest points: records of the library, each with a triangle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterator, Optional, Tuple

import numpy as np

from . import _native

if TYPE_CHECKING:
    from ._scene_base import SceneBase

# The id that stands for no triangle.
MISS = 0xFFFFFFFF


def bytes_of(records: np.ndarray) -> np.ndarray:
    """Returns records as rows of bytes, in the form of the extension module."""
    return records.view(np.uint8).reshape(-1, records.itemsize)


class Records:
    """Records of 16 bytes: a number, the id of a triangle or MISS, and the weights u and v.

    S is the leading shape of the rays or points. Indexing by an index, a slice or a mask of S
    selects records: `hits[0]`, `hits[hits.hit]`. Pickled records contain all their fields, but
    not their scene; if the scene has moved, `point` and `normal` are missing.
    """

    _PLACES = ("triangle", "mesh", "instance", "part", "id", "uv", "point", "normal")

    _parts: Tuple[str, ...]  # the names of the fields in asdict()
    _scene: Optional["SceneBase"]  # the scene of the hits; None in unpickled records
    _kept: Optional[Dict[str, np.ndarray]]  # in unpickled records: the fields that need the scene
    _distances: Optional[np.ndarray] = None  # the distances in float64, if they are known
    _points: Optional[np.ndarray] = None  # the points in float64 as rows, if they are known

    def __init__(self, scene: "SceneBase", shape: Tuple[int, ...], raw: np.ndarray) -> None:
        self._raw = raw
        self._describe(scene, shape)

    def _describe(self, scene: "SceneBase", shape: Tuple[int, ...]) -> None:
        """Sets the scene and shape of the records, which may have been overwritten."""
        self._scene = scene
        self._pose = scene._pose
        self._shape = shape
        self._kept = None

    @property
    def shape(self) -> Tuple[int, ...]:
        """The leading shape S of the rays or points."""
        return self._shape

    @property
    def raw(self) -> np.ndarray:
        """The library's own records, of shape S. This is not a copy, and can't be written to."""
        records = np.asarray(self._raw.reshape(self._shape))
        records.flags.writeable = False
        return records

    @property
    def id(self) -> np.ndarray:
        """uint32 S: the id of the triangle, which counts through all meshes and instances; 2^32
        - 1 for none."""
        return np.asarray(self.raw["id"])

    @property
    def instance(self) -> np.ndarray:
        """int64 S: the index of the instance; in a scene without instances, 0; -1 for none."""
        return self._located("instance", 0)

    @property
    def triangle(self) -> np.ndarray:
        """int64 S: the triangle's index in its mesh; -1 for none."""
        return self._located("triangle", 2)

    @property
    def mesh(self) -> np.ndarray:
        """int64 S: the index of the mesh; -1 for none."""
        return self._located("mesh", 1)

    @property
    def part(self) -> np.ndarray:
        """int64 S: the index of the part, whose name is in `Scene.parts`; -1 for none."""
        return self._located("part", 3)

    @property
    def uv(self) -> np.ndarray:
        """float32 S + (2,): the weights of the triangle's second and third corner."""
        return self._raw.view("<f4").reshape(*self._shape, 4)[..., 2:]

    @property
    def normal(self) -> np.ndarray:
        """float32 S + (3,): the triangle's unit normal, by the order of its corners; 0 for none."""

        if self._kept is not None and "normal" in self._kept:
            return self._kept["normal"].reshape(*self._shape, 3)
        out = np.empty((self._raw.size, 3), np.float32)
        self._still()._native.normals(self._bytes(), out)
        return out.reshape(*self._shape, 3)

    @property
    def point(self) -> np.ndarray:
        """float64 S + (3,): the point on the triangle, in world units; NaN for none."""
        kept = self._kept or {}
        if "point" in kept:
            return kept["point"].reshape(*self._shape, 3)
        if self._points is not None:
            if "normal" not in kept:  # `normal` was kept only if the scene had not moved
                self._still()
            return self._points.reshape(*self._shape, 3)
        scene = self._still()
        out = np.empty((self._raw.size, 3))
        scene._native.places(self._bytes(), out)
        return out.reshape(*self._shape, 3)

    def asdict(self) -> Dict[str, np.ndarray]:
        """All fields by their names, as arrays."""
        return {name: getattr(self, name) for name in self._parts}

    def __len__(self) -> int:
        if not self._shape:
            raise TypeError(f"{type(self).__name__} of a single ray or point have no length")
        return self._shape[0]

    def __iter__(self) -> "Iterator[Any]":
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index: Any) -> Any:
        shape, rows = self._chosen(index)
        part = self._empty()
        part.__dict__.update(self.__dict__)
        part._shape = shape
        part._raw = self._raw[rows]
        part._distances = None if self._distances is None else self._distances[rows]
        part._points = None if self._points is None else self._points[rows]
        if self._kept is not None:
            part._kept = {name: array[rows] for name, array in self._kept.items()}
        return part

    def _chosen(self, index: Any) -> "Tuple[Tuple[int, ...], np.ndarray]":
        """Returns the shape that an index, a slice or a mask of S selects, and the records in
        it."""
        shape = self._shape
        is_number = isinstance(index, (int, np.integer)) and not isinstance(index, bool)
        if is_number and shape and -shape[0] <= index < shape[0]:
            # Computes the range directly, because iteration selects one record after the other.
            each = self._raw.size // shape[0]
            first = int(index) % shape[0] * each
            return shape[1:], np.arange(first, first + each)
        at = np.asarray(np.arange(self._raw.size).reshape(shape)[index])
        return at.shape, at.reshape(-1)

    def __getstate__(self) -> Dict[str, Any]:
        state = dict(self.__dict__)
        if self._scene is None:
            return state
        names = ["instance", "mesh", "triangle", "part"]
        if self._scene._pose == self._pose:
            names += ["normal"] if self._points is not None else ["normal", "point"]
        flat = self[...]
        flat._shape = (self._raw.size,)
        return {**state, "_kept": {name: getattr(flat, name) for name in names}, "_scene": None}

    def _empty(self) -> Any:
        """Returns an object of this class without members; the caller sets them to those of a
        selection of these records."""
        return self.__class__.__new__(self.__class__)

    def _found(self) -> np.ndarray:
        return np.asarray(self.raw["id"] != MISS)

    def _still(self) -> "SceneBase":
        """Returns the scene. Raises SceneError if it has moved since the cast."""
        if self._scene is None or self._scene._pose != self._pose:
            raise _native.SceneError(
                "the scene has moved since this cast: ask for points and normals before it moves"
            )
        return self._scene

    def _bytes(self) -> np.ndarray:
        return bytes_of(self._raw)

    def _located(self, name: str, part: int) -> np.ndarray:
        if self._scene is None:
            assert self._kept is not None
            return self._kept[name].reshape(self._shape)
        return self._scene._located(self._raw, part).reshape(self._shape)
