"""Explanations of hits."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple

import numpy as np

from ._arrays import RayArrays
from ._camera import CameraArguments
from ._filter import Filter
from ._hits import HIT, Hits

if TYPE_CHECKING:
    from ._scene_base import SceneBase


@dataclass(frozen=True)
class TestedTriangle:
    """A triangle against which a ray was tested."""

    __test__ = False  # tells pytest that this is not a class of tests

    instance: int  #: the index of the instance; in a scene without instances, 0
    mesh: int  #: the index of the mesh
    triangle: int  #: the triangle's index in its mesh
    t: float  #: where the ray meets its plane, in units of direction; undefined if its area is 0
    uv: Tuple[float, float]  #: the weights of the second and third corner there
    taken: bool  #: True if it became the best hit so far
    verdict: str  #: the reason for that, in words


class Explanation:
    """The traversal of the tree by a ray. `str()` and `print` show every decision."""

    def __init__(
        self, scene: "SceneBase", facts: Any, hit: Hits, preface: str, start: float, step: float
    ) -> None:
        text, self._json, nodes, leaves, instances, tested, origin, direction = facts
        self.text: str = preface + text  #: every decision, as `ballotcast explain` prints it
        self.hit = hit  #: the hit, as `scene.cast` gives it for a single ray
        self.nodes: int = nodes  #: the number of visited nodes, in all trees
        self.leaves: int = leaves  #: the number of visited leaves, without those inside instances
        self.instances: int = instances  #: the number of instances that the ray entered
        self.origin = np.array(origin)  #: float64 (3,): origin of the ray that was cast
        self.direction = np.array(direction)  #: float64 (3,): direction of that ray
        self.tested: List[TestedTriangle] = []  #: the tested triangles, in the order of the tests
        triangles = np.zeros(len(tested), HIT)
        triangles["id"] = [test[0] for test in tested]
        places = [scene._located(triangles, part).tolist() for part in range(3)]
        for (instance, mesh, triangle), (_, t, u, v, taken, verdict) in zip(zip(*places), tested):
            self.tested.append(
                TestedTriangle(instance, mesh, triangle, start + step * t, (u, v), taken, verdict)
            )

    @property
    def data(self) -> Dict[str, Any]:
        """The data that `ballotcast explain --json` prints."""
        return dict(json.loads(self._json))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        found = f"triangle {self.hit.triangle} at t {self.hit.t}" if self.hit.hit else "nothing"
        return (
            f"<ballotcast.Explanation: hit {found}, {self.nodes} nodes, {self.leaves} leaves, "
            f"{len(self.tested)} triangles>"
        )


def explain_ray(scene: "SceneBase", rays: RayArrays, any_hit: bool) -> Explanation:
    """Explains a single ray; `rays` must have the shape ()."""
    if rays.shape != ():
        raise ValueError(f"explain: expected a single ray, got rays of shape {rays.shape}")
    hit = Hits(scene, (), np.empty(1, HIT))
    if rays.dtype == np.float64 and not any_hit:
        hit._distances, hit._points = np.empty(1), np.empty((1, 3))
    facts, start, step = scene._host.explain(
        rays.native(),
        any=any_hit,
        hits=hit._bytes(),
        distances=hit._distances,
        places=hit._points,
    )
    preface = ""
    if (start, step) != (0.0, 1.0) and np.isfinite(step):
        kind = "of float64" if rays.dtype == np.float64 else "with a direction far from length 1"
        preface = (
            f"  given     a ray {kind}, from {_numbers(rays.origins)}\n"
            f"            towards {_numbers(rays.directions)}\n"
            f"            It is cast in float32 from near the scene. What has t there has\n"
            f"            {start} + {step} t along the given ray.\n\n"
        )
    return Explanation(scene, facts, hit, preface, start, step)


def explain_pixel(
    scene: "SceneBase",
    pixel: Any,
    size: Tuple[int, int],
    camera: CameraArguments,
    any_hit: bool,
    hit_filter: Filter,
) -> Explanation:
    """Explains the ray through the centre of a pixel. `hit_filter`: the filter that decides which
    hits count."""
    column, row = _pixel(pixel, size)
    hit = Hits(scene, (), np.empty(1, HIT))
    view = camera.of_size(*size)
    facts = scene._host.explain_pixel(
        column,
        row,
        view,
        any=any_hit,
        sides=hit_filter.side(),
        mask=_one("mask", hit_filter.masks()),
        skip=_one("skip", hit_filter.skipped()),
        skip_instance=_one("skip_instance", hit_filter.skipped_instances()),
        hits=hit._bytes(),
    )
    return Explanation(scene, facts, hit, "", 0.0, 1.0)


def _pixel(pixel: Any, size: Tuple[int, int]) -> Tuple[int, int]:
    array = np.asarray(pixel)
    if array.shape != (2,) or array.dtype.kind not in "iu":
        raise ValueError(f"pixel: expected a column and a row, two integers, got {pixel!r}")
    column, row = array.tolist()
    if not (0 <= column < size[0] and 0 <= row < size[1]):
        raise ValueError(
            f"pixel: column {column} and row {row} of a picture of width {size[0]} and height "
            f"{size[1]}"
        )
    return column, row


def _one(name: str, number: Optional[np.ndarray]) -> Optional[np.ndarray]:
    if number is None:
        return None
    if number.ndim:
        raise ValueError(f"{name}: expected a number for the ray of a pixel, got {number!r}")
    return number.astype(np.uint32).reshape(1)


def _numbers(vector: np.ndarray) -> str:
    return ", ".join(map(str, vector.reshape(-1).tolist()))
