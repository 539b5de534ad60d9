"""The results of casts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Optional, Tuple

import numpy as np

from ._records import Records

if TYPE_CHECKING:
    from ._scene_base import SceneBase

# The fields of the library's struct Hit.
HIT = np.dtype([("t", "<f4"), ("id", "<u4"), ("u", "<f4"), ("v", "<f4")])


class Hits(Records):
    """The hits of rays, one per ray. S is the leading shape of the rays.

    For a miss, t is infinite, indices are -1, points are NaN, uv and normals are 0. Indexing by
    an index, a slice or a mask of S selects hits. Pickled hits contain all their fields, but not
    their scene.
    """

    _parts: Tuple[str, ...] = (
        "hit",
        "t",
        "triangle",
        "mesh",
        "instance",
        "part",
        "id",
        "uv",
        "point",
        "normal",
    )

    def __init__(
        self,
        scene: "SceneBase",
        shape: Tuple[int, ...],
        raw: np.ndarray,
        nan_rays: int = 0,
    ) -> None:
        super().__init__(scene, shape, raw)
        self.nan_rays = nan_rays  #: how many rays of the cast have a NaN; they hit nothing

    @property
    def hit(self) -> np.ndarray:
        """bool S: true where the ray hit something."""
        return self._found()

    @property
    def t(self) -> np.ndarray:
        """S: t of the hit, in units of the direction's length; infinite for a miss. float64 for
        rays of float64, else float32."""
        if self._distances is not None:
            return self._distances.reshape(self._shape)
        return np.where(self.hit, self.raw["t"], np.float32(np.inf))

    @property
    def point(self) -> np.ndarray:
        """float64 S + (3,): the point on the triangle that was hit, in world units; NaN for a
        miss."""
        return super().point

    def __repr__(self) -> str:
        name = f"ballotcast.{type(self).__name__}"
        if not self._shape:
            what = f"triangle {self.triangle} at t {self.t}" if self.hit else "a miss"
            return f"<{name}: {what}>"
        found = int(np.count_nonzero(self.hit))
        return (
            f"<{name}: {found} hits of {self._raw.size} rays, shape {self._shape}{self._range()}>"
        )

    def _write_parts(
        self,
        t: np.ndarray,
        meshes: np.ndarray,
        triangles: np.ndarray,
        weights: np.ndarray,
        normals: Optional[np.ndarray] = None,
    ) -> None:
        """Writes several fields of all hits at once, in the form that the engine for Open3D
        needs."""
        scene = self._still()
        scene._native.open3d_parts(
            self._bytes(),
            scene._first_ids(),
            t.reshape(-1),
            meshes.reshape(-1),
            triangles.reshape(-1),
            weights.reshape(-1, 2),
            None if normals is None else normals.reshape(-1, 3),
        )

    def _range(self) -> str:
        t = self.t[self.hit]
        return f", t from {t.min():.6g} to {t.max():.6g}" if t.size else ""


def surface_of(scene: "SceneBase", hits: Hits) -> Dict[str, np.ndarray]:
    """Returns the result of `Scene.surface`."""
    if not isinstance(hits, Hits) or hits._scene is not scene:
        raise TypeError(f"surface: expected hits of this scene in host memory, got {hits!r}")
    found = hits._still()._host.surfaces(hits._bytes())
    out = {name: rows.reshape(*hits.shape, rows.shape[1]) for name, rows in found.items()}
    for name in ("roughness", "metallic", "opacity", "material"):
        out[name] = out[name][..., 0]
    return out


class AllHits(Hits):
    """All hits of rays, of shape (k,). The hits of ray i are starts[i] to starts[i + 1] - 1.
    Indexing by an index, a slice or a mask gives Hits."""

    _parts = (*Hits._parts, "ray")

    def __init__(
        self,
        scene: "SceneBase",
        starts: np.ndarray,
        raw: np.ndarray,
        nan_rays: int = 0,
    ) -> None:
        super().__init__(scene, (raw.size,), raw, nan_rays)
        self.starts = starts  #: int64 (n + 1,)

    @property
    def ray(self) -> np.ndarray:
        """int64 (k,): the index of the ray of each hit."""
        return np.repeat(np.arange(self.starts.size - 1), np.diff(self.starts))

    def __getitem__(self, index: Any) -> Hits:
        part: Hits = super().__getitem__(index)
        del part.__dict__["starts"]
        return part

    def _empty(self) -> Hits:
        return Hits.__new__(Hits)

    def __repr__(self) -> str:
        rays = self.starts.size - 1
        return f"<ballotcast.AllHits: {self._raw.size} hits of {rays} rays{self._range()}>"
