"""What `Scene.closest_point` returns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Tuple

import numpy as np

from ._hits import MISS

if TYPE_CHECKING:
    from ._scene import Scene

# The library's struct Nearest. `id` is MISS if nothing is within max_distance.
NEAREST = np.dtype([("distance", "<f4"), ("id", "<u4"), ("u", "<f4"), ("v", "<f4")])


class Nearest:
    """The closest points of a surface, one per query point. S is the leading shape of the points.

    Where nothing was found, distance is infinite, triangle is -1, points are NaN and uv is 0.
    """

    def __init__(
        self,
        scene: "Scene",
        shape: Tuple[int, ...],
        raw: np.ndarray,
        places: np.ndarray,
        distances: Optional[np.ndarray],
    ) -> None:
        self._scene = scene
        self._shape = shape
        self._raw = raw
        self._places = places
        self._distances = distances

    @property
    def shape(self) -> Tuple[int, ...]:
        """The leading shape S of the points."""
        return self._shape

    @property
    def raw(self) -> np.ndarray:
        """The library's own records, of shape S with the fields distance, id, u and v."""
        return np.asarray(self._raw.reshape(self._shape))

    @property
    def found(self) -> np.ndarray:
        """bool S: true where there is a closest point."""
        return np.asarray(self.raw["id"] != MISS)

    @property
    def distance(self) -> np.ndarray:
        """S, float64 for points of float64 and else float32: in world units."""
        if self._distances is not None:
            return self._distances.reshape(self._shape)
        return np.asarray(self.raw["distance"])

    @property
    def point(self) -> np.ndarray:
        """float64 S + (3,): the closest points, in world units."""
        return self._places.reshape(*self._shape, 3)

    @property
    def id(self) -> np.ndarray:
        """uint32 S: the triangle's number; 2^32 - 1 where nothing was found."""
        return np.asarray(self.raw["id"])

    @property
    def normal(self) -> np.ndarray:
        """float32 S + (3,): the triangle's unit normal, by the order of its corners."""
        return self._scene._normals(self._raw).reshape(*self._shape, 3)

    @property
    def triangle(self) -> np.ndarray:
        """int64 S: the triangle's index in its mesh; of several at the same distance the first."""
        return self._scene._located(self._raw["id"])[:, 2].reshape(self._shape)

    @property
    def mesh(self) -> np.ndarray:
        """int64 S: the index of the mesh."""
        return self._scene._located(self._raw["id"])[:, 1].reshape(self._shape)

    @property
    def uv(self) -> np.ndarray:
        """float32 S + (2,): the weights of the triangle's second and third corner."""
        return self._raw.view("<f4").reshape(*self._shape, 4)[..., 2:]

    def __repr__(self) -> str:
        return f"<ballotcast.Nearest: {self._raw.size} points, shape {self._shape}>"
