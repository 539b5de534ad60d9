"""What casts return."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Tuple

import numpy as np

from ._records import Records

if TYPE_CHECKING:
    from ._scene import Scene

# The library's struct Hit.
HIT = np.dtype([("t", "<f4"), ("id", "<u4"), ("u", "<f4"), ("v", "<f4")])


class Hits(Records):
    """The hits of rays, one per ray. S is the leading shape of the rays.

    What has no meaning for a miss has a value that says so: t is infinite, numbers are -1, points
    are NaN, uv and normals are 0.
    """

    def __init__(
        self,
        scene: "Scene",
        shape: Tuple[int, ...],
        raw: np.ndarray,
        nan_rays: int = 0,
    ) -> None:
        super().__init__(scene, shape, raw)
        self._distances: Optional[np.ndarray] = None  # of rays of float64, in double
        self._points: Optional[np.ndarray] = None  # the same
        self.nan_rays = nan_rays  #: how many rays have a NaN; they hit nothing

    def __len__(self) -> int:
        if not self._shape:
            raise TypeError("the hit of a single ray has no length")
        return self._shape[0]

    @property
    def hit(self) -> np.ndarray:
        """bool S: true where the ray hit something."""
        return self._found()

    @property
    def t(self) -> np.ndarray:
        """S, float64 for rays of float64 and else float32: in units of the direction's length."""
        if self._distances is not None:
            return self._distances.reshape(self._shape)
        return np.where(self.hit, self.raw["t"], np.float32(np.inf))

    @property
    def point(self) -> np.ndarray:
        """float64 S + (3,): where the triangle was hit, in world units."""
        scene = self._still()
        if self._points is not None:
            return self._points.reshape(*self._shape, 3)
        out = np.empty((self._raw.size, 3))
        scene._native.places(self._bytes(), out)
        return out.reshape(*self._shape, 3)

    def __repr__(self) -> str:
        found = int(np.count_nonzero(self.hit))
        return f"<ballotcast.Hits: {found} hits of {self._raw.size} rays, shape {self._shape}>"


class AllHits(Hits):
    """All hits of rays, of shape (k,): those of ray i are starts[i] to starts[i + 1]."""

    def __init__(
        self,
        scene: "Scene",
        starts: np.ndarray,
        raw: np.ndarray,
        distances: Optional[np.ndarray],
        nan_rays: int,
    ) -> None:
        super().__init__(scene, (raw.size,), raw, nan_rays)
        self._distances = distances
        self.starts = starts  #: int64 (n + 1,)

    @property
    def ray(self) -> np.ndarray:
        """int64 (k,): the index of the ray of each hit."""
        return np.repeat(np.arange(self.starts.size - 1), np.diff(self.starts))
