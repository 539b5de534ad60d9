"""The geoms of an mjModel as meshes of scenes, and which of them count for a ray."""

from __future__ import annotations

from typing import Any, Dict, FrozenSet, List, NamedTuple, Optional, Tuple

import numpy as np

from ._arrays import as_array
from ._native import UsageError
from ._scene import Scene, shape
from ._types import ShapeKind

# Half the side, in extents of the model, of the part of an endless plane that is in the scene. A
# larger part would make the boxes of all geoms larger, and rays slower.
_ENDLESS = 2.0**10


def mujoco_module() -> Any:
    """Returns the module mujoco. Raises ImportError, which says how to install it."""
    try:
        import mujoco
    except ImportError as error:
        raise ImportError(
            f"ballotcast.mujoco needs MuJoCo 3 or later: pip install mujoco ({error})"
        ) from None
    return mujoco


class Geoms:
    """The geoms of a model that rays may hit; mj_ray never hits those with alpha 0.

    Attributes:
      ids: int32 (n,): their numbers in the model.
      mesh_of: the index of each geom's mesh in `scenes`.
      endless: the indices in `ids` of planes that have no end along x or y.
    """

    def __init__(self, model: Any) -> None:
        self._kinds = mujoco_module().mjtGeom
        self._model = model
        material = np.asarray(model.geom_matid)
        alpha = np.asarray(model.geom_rgba)[:, 3]
        if model.nmat:
            of_material = np.asarray(model.mat_rgba)[np.maximum(material, 0), 3]
            alpha = np.where(material >= 0, of_material, alpha)
        self.ids = np.flatnonzero(alpha > 0).astype(np.int32)
        self.scenes: List[Scene] = []
        self._known: Dict[Tuple[Any, ...], int] = {}
        self.mesh_of = [self._index_of(int(geom)) for geom in self.ids]
        is_plane = np.asarray(model.geom_type)[self.ids] == int(self._kinds.mjGEOM_PLANE)
        without_end = (np.asarray(model.geom_size)[self.ids, :2] == 0).any(axis=1)
        self.endless = np.flatnonzero(is_plane & without_end).tolist()
        body = np.asarray(model.geom_bodyid)[self.ids]
        self._body = body
        self._is_static = np.asarray(model.body_weldid)[body] == 0
        # MuJoCo moves other groups to the first or last one.
        self._group = np.clip(np.asarray(model.geom_group)[self.ids], 0, 5)

    def count_by(self, view: "View") -> np.ndarray:
        """bool (n,): which geoms count for rays of this view."""
        counts: np.ndarray = self._body != view.bodyexclude
        if not view.flg_static:
            counts &= ~self._is_static
        if view.geomgroup is not None:
            counts &= np.array(view.geomgroup)[self._group]
        if view.beyond:
            counts &= ~np.isin(self.ids, list(view.beyond))
        return counts

    def _index_of(self, geom: int) -> int:
        kind = self._kinds(int(self._model.geom_type[geom]))
        size = tuple(np.asarray(self._model.geom_size[geom]).tolist())
        data = int(self._model.geom_dataid[geom])
        stored = kind in (self._kinds.mjGEOM_MESH, self._kinds.mjGEOM_HFIELD)
        key = (kind, data) if stored else (kind, *size)
        if key not in self._known:
            self._known[key] = len(self.scenes)
            self.scenes.append(self._made(geom, kind, size, data))
        return self._known[key]

    def _made(self, geom: int, kind: Any, size: Tuple[float, ...], data: int) -> Scene:
        kinds = self._kinds
        if kind == kinds.mjGEOM_MESH:
            return Scene(*mesh_arrays(self._model, data))
        if kind == kinds.mjGEOM_HFIELD:
            return Scene(*heightfield_arrays(self._model, data))
        far = min(_ENDLESS * float(self._model.stat.extent), 2.0**20)
        endless = tuple(half if half > 0 else far for half in size[:2])
        shapes: Dict[Any, Tuple[ShapeKind, Tuple[float, ...]]] = {
            kinds.mjGEOM_PLANE: ("floor", endless),
            kinds.mjGEOM_SPHERE: ("sphere", size[:1]),
            kinds.mjGEOM_CAPSULE: ("capsule", size[:2]),
            kinds.mjGEOM_ELLIPSOID: ("ellipsoid", size),
            kinds.mjGEOM_CYLINDER: ("cylinder", size[:2]),
            kinds.mjGEOM_BOX: ("box", size),
        }
        name = f"geom {geom} ('{self._model.geom(geom).name}')"
        if kind not in shapes:
            raise ValueError(f"{name}: rays can't be cast at its type, {kind.name}")
        try:
            return shape(*shapes[kind])
        except UsageError as error:
            raise ValueError(f"{name}: {error}") from None


class View(NamedTuple):
    """Which geoms count for a ray. Views are compared and used as keys."""

    geomgroup: Optional[Tuple[bool, ...]]  # for each of the six groups; None: all
    flg_static: bool
    bodyexclude: int
    beyond: FrozenSet[int] = frozenset()  # geoms that are too far away


def view_of(geomgroup: Any, flg_static: Any, bodyexclude: Any) -> View:
    """Makes a view of the arguments of mj_ray."""
    groups = None
    if geomgroup is not None:
        array = as_array(geomgroup, "geomgroup").reshape(-1)
        if array.size != 6:
            raise ValueError(f"geomgroup: expected 6 numbers, got {array.size}")
        groups = tuple(bool(one) for one in array)
    return View(groups, bool(flg_static), int(bodyexclude))


class Views:
    """Gives each view a bit of the instances' masks. When all 32 bits are in use, the view that
    was used least recently loses its bit."""

    def __init__(self, geoms: Geoms, worlds: int) -> None:
        self._geoms = geoms
        self._worlds = worlds
        self._bits: Dict[View, int] = {}  # in the order of their last use
        self._masks = np.zeros(len(geoms.ids), np.uint32)

    def bits_of(self, views: "List[View]", scene: Scene) -> List[int]:
        """Returns the bit of each of up to 32 views, after the scene's masks have them."""
        known = [self._bits.pop(view, None) for view in views]
        for view, bit in zip(views, known):
            if bit is not None:
                self._bits[view] = bit
        if None in known:
            for view in views:
                if view not in self._bits:
                    self._add(view)
            scene.set_masks(np.tile(self._masks, self._worlds))
        return [1 << self._bits[view] for view in views]

    def _add(self, view: View) -> None:
        if len(self._bits) == 32:
            bit = self._bits.pop(next(iter(self._bits)))
        else:
            bit = len(self._bits)
        self._bits[view] = bit
        flag = np.uint32(1 << bit)
        self._masks &= ~flag
        self._masks[self._geoms.count_by(view)] |= flag


def mesh_arrays(model: Any, mesh: int) -> Tuple[np.ndarray, np.ndarray]:
    """Vertices (n, 3) and faces (k, 3) of a mesh of the model, in the coordinates of its geoms."""
    first, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
    face, faces = int(model.mesh_faceadr[mesh]), int(model.mesh_facenum[mesh])
    vertices = np.asarray(model.mesh_vert[first : first + count], np.float64)
    return vertices, np.asarray(model.mesh_face[face : face + faces])


def heightfield_arrays(model: Any, hfield: int) -> Tuple[np.ndarray, np.ndarray]:
    """Vertices and faces of a height field as mj_ray hits it: the surface, walls from z = 0 up to
    its border, and the box below z = 0."""
    rows, columns = int(model.hfield_nrow[hfield]), int(model.hfield_ncol[hfield])
    first = int(model.hfield_adr[hfield])
    half_x, half_y, height, depth = np.asarray(model.hfield_size[hfield], float)
    z = np.asarray(model.hfield_data[first : first + rows * columns], float) * height
    x, y = np.linspace(-half_x, half_x, columns), np.linspace(-half_y, half_y, rows)
    surface = np.stack([*np.meshgrid(x, y), z.reshape(rows, columns)], -1)
    at = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = at[:-1, :-1], at[:-1, 1:], at[1:, 1:], at[1:, :-1]
    faces = [_triangles(a, b, c), _triangles(a, c, d)]
    border = np.concatenate([at[0], at[1:, -1], at[-1, -2::-1], at[-2:0:-1, 0]])
    points = surface.reshape(-1, 3)
    foot = points[border] * [1, 1, 0]
    low = len(points) + np.arange(len(border))
    after, low_after = np.roll(border, -1), np.roll(low, -1)
    faces += [_triangles(low, low_after, after), _triangles(low, after, border)]
    signs = np.array([[i & 1, i >> 1 & 1, i >> 2] for i in range(8)])
    box = np.where(signs, [half_x, half_y, 0], [-half_x, -half_y, -depth])
    sides = np.array(
        [
            *([0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4]),
            *([2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6], [1, 3, 5], [3, 7, 5]),
        ]
    )
    faces.append(sides + len(points) + len(foot))
    return np.concatenate([points, foot, box]), np.concatenate(faces)


def _triangles(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    return np.stack([a, b, c], -1).reshape(-1, 3)
