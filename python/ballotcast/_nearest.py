"""The results of `Scene.closest_point`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Tuple

import numpy as np

from ._records import Records

if TYPE_CHECKING:
    from ._scene_base import SceneBase

# The fields of the library's struct Nearest.
NEAREST = np.dtype([("distance", "<f4"), ("id", "<u4"), ("u", "<f4"), ("v", "<f4")])


class Nearest(Records):
    """The closest points of a surface, one per query point. S is the leading shape of the points.

    Among several triangles at the same distance, the triangle with the smallest id counts. Where
    nothing was found, distance is infinite, indices are -1, points are NaN, uv and normals are
    0. Indexing by an index, a slice or a mask of S selects closest points. Pickled points
    contain their fields, but not their scene.
    """

    _parts = ("found", "distance", *Records._PLACES)

    def __init__(
        self,
        scene: "SceneBase",
        shape: Tuple[int, ...],
        raw: np.ndarray,
        points: np.ndarray,
        distances: Optional[np.ndarray],
    ) -> None:
        super().__init__(scene, shape, raw)
        self._points = points
        self._distances = distances

    @property
    def found(self) -> np.ndarray:
        """bool S: true where there is a closest point."""
        return self._found()

    @property
    def distance(self) -> np.ndarray:
        """S: the distance from the point to its closest point, in world units; infinite for
        none. float64 for points of float64, else float32."""
        if self._distances is not None:
            return self._distances.reshape(self._shape)
        return np.asarray(self.raw["distance"])

    @property
    def point(self) -> np.ndarray:
        """float64 S + (3,): the closest points, in world units; NaN for none."""
        assert self._points is not None
        return self._points.reshape(*self._shape, 3)

    def __repr__(self) -> str:
        if not self._shape:
            what = f"triangle {self.triangle} at distance {self.distance}"
            return f"<ballotcast.Nearest: {what if self.found else 'nothing'}>"
        found = int(np.count_nonzero(self.found))
        return (
            f"<ballotcast.Nearest: found for {found} of {self._raw.size} points, shape "
            f"{self._shape}>"
        )
