"""What hits and closest points have in common: records of the library, each with a triangle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Tuple

import numpy as np

if TYPE_CHECKING:
    from ._scene import Scene

# The id of no triangle.
MISS = 0xFFFFFFFF


def bytes_of(records: np.ndarray) -> np.ndarray:
    """Records as rows of bytes, as the extension module takes them."""
    return records.view(np.uint8).reshape(-1, records.itemsize)


class Records:
    """Records of 16 bytes: a number, the id of a triangle or MISS, and the weights u and v.

    S is the leading shape of the rays or points that were asked for.
    """

    def __init__(self, scene: "Scene", shape: Tuple[int, ...], raw: np.ndarray) -> None:
        self._raw = raw
        self._describe(scene, shape)

    def _describe(self, scene: "Scene", shape: Tuple[int, ...]) -> None:
        """States what the records are of; they may have been written anew."""
        self._scene = scene
        self._pose = scene._pose
        self._shape = shape

    @property
    def shape(self) -> Tuple[int, ...]:
        """The leading shape S of the rays or points."""
        return self._shape

    @property
    def raw(self) -> np.ndarray:
        """The library's own records, of shape S. Not copied, and only to be read."""
        records = np.asarray(self._raw.reshape(self._shape))
        records.flags.writeable = False
        return records

    @property
    def id(self) -> np.ndarray:
        """uint32 S: the triangle's number through all meshes and instances; 2^32 - 1 for none."""
        return np.asarray(self.raw["id"])

    @property
    def instance(self) -> np.ndarray:
        """int64 S: the index of the instance; in a scene without instances, 0."""
        return self._located(0)

    @property
    def triangle(self) -> np.ndarray:
        """int64 S: the triangle's index in its mesh."""
        return self._located(2)

    @property
    def mesh(self) -> np.ndarray:
        """int64 S: the index of the mesh."""
        return self._located(1)

    @property
    def uv(self) -> np.ndarray:
        """float32 S + (2,): the weights of the triangle's second and third corner."""
        return self._raw.view("<f4").reshape(*self._shape, 4)[..., 2:]

    @property
    def normal(self) -> np.ndarray:
        """float32 S + (3,): the triangle's unit normal, by the order of its corners."""
        out = np.empty((self._raw.size, 3), np.float32)
        self._still()._native.normals(self._bytes(), out)
        return out.reshape(*self._shape, 3)

    def _found(self) -> np.ndarray:
        return np.asarray(self.raw["id"] != MISS)

    def _still(self) -> "Scene":
        """The scene, if it has not moved."""
        if self._scene._pose != self._pose:
            raise RuntimeError(
                "the scene has moved since this cast: ask for points and normals before it moves"
            )
        return self._scene

    def _bytes(self) -> np.ndarray:
        return bytes_of(self._raw)

    def _located(self, part: int) -> np.ndarray:
        return self._scene._located(self._raw, part).reshape(self._shape)
