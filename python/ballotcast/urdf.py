"""Robots from URDF files, as scenes whose instances have names.

    import ballotcast.urdf
    robot = ballotcast.urdf.Robot("arm.urdf")
    robot.set_joints({"elbow": 0.5})
    hits = robot.scene.cast(origins, directions)
    robot.names[hits.instance]

Needs yourdfpy and trimesh (pip install yourdfpy), which read the files.
"""

from __future__ import annotations

import os
from typing import Any, Dict, List, Tuple

import numpy as np

from ._meshes import Instance
from ._scene import Scene, shape

__all__ = ["Robot"]


class Robot:
    """The geometry of a robot, as a scene that moves with its joints.

    Attributes:
      scene: the Scene; instance i belongs to names[i].
      links: str (n,): the name of the link of each instance.
      names: str (n,): as `links`, with "/" and the geometry's own name if it has one.
    """

    def __init__(self, urdf: Any, geometry: str = "visual", **options: Any) -> None:
        """Makes the scene, with all joints at 0.

        Args:
          urdf: the name of a file, or a yourdfpy.URDF.
          geometry: "visual" or "collision".
          options: those of Scene.

        Raises:
          ImportError: yourdfpy or trimesh is missing.
          ValueError: there is no such geometry, or a mesh can't be read.
        """
        if geometry not in ("visual", "collision"):
            raise ValueError(f"geometry: expected 'visual' or 'collision', got {geometry!r}")
        self._urdf = _read(urdf)
        meshes = _Meshes(self._urdf)
        parts = [
            (link.name, part, meshes.index_of(part.geometry, link.name))
            for link in self._urdf.robot.links
            for part in (link.visuals if geometry == "visual" else link.collisions)
        ]
        if not parts:
            raise ValueError(f"{self._urdf.robot.name}: no link has {geometry} geometry")
        self.links = np.array([link for link, _, _ in parts])
        self.names = np.array([f"{k}/{part.name}" if part.name else k for k, part, _ in parts])
        self._in_link = np.stack([_origin_of(part) @ meshes.scales[at] for _, part, at in parts])
        placed = [Instance(at, pose) for (_, _, at), pose in zip(parts, self.transforms())]
        self.scene = Scene.from_instances(meshes.scenes, placed, **{"moves": True, **options})

    def transforms(self) -> np.ndarray:
        """float64 (n, 4, 4): the transform of each instance to the base of the robot."""
        poses = {link: self._urdf.get_transform(link) for link in set(self.links.tolist())}
        of_links: np.ndarray = np.stack([poses[link] for link in self.links.tolist()])
        placed: np.ndarray = of_links @ self._in_link
        return placed

    def set_joints(self, configuration: Any) -> None:
        """Moves the scene. `configuration`: as for yourdfpy.URDF.update_cfg: a dictionary from
        names of joints to numbers, or numbers for all joints that move.

        Raises:
          ValueError: a joint does not exist, or another number of numbers.
        """
        try:
            self._urdf.update_cfg(configuration)
        except KeyError as error:
            raise ValueError(f"configuration: no joint is called {error}") from None
        self.scene.set_transforms(self.transforms())


class _Meshes:
    """The meshes of a robot: each file and each shape once. `scales`: for each, a transform of
    its vertices."""

    def __init__(self, urdf: Any) -> None:
        self._urdf = urdf
        self._known: Dict[Tuple[Any, ...], int] = {}
        self.scenes: List[Scene] = []
        self.scales: List[np.ndarray] = []

    def index_of(self, geometry: Any, link: str) -> int:
        key = _key_of(geometry, link)
        if key not in self._known:
            self._known[key] = len(self.scenes)
            if key[0] == "mesh":
                self.scenes.append(self._loaded(key[1], link))
                self.scales.append(np.diag([*key[2], 1.0]))
            else:
                self.scenes.append(shape(key[0], key[1]))
                self.scales.append(np.eye(4))
        return self._known[key]

    def _loaded(self, name: str, link: str) -> Scene:
        import trimesh

        path = self._urdf._filename_handler(fname=name)
        if not os.path.isfile(path):
            raise ValueError(f"link '{link}': no file {name} (looked for {path})")
        try:
            mesh: Any = trimesh.load(path, force="mesh")
        except Exception as error:  # trimesh's readers raise whatever went wrong
            raise ValueError(f"link '{link}': {path}: {error}") from error
        if not len(mesh.faces):
            raise ValueError(f"link '{link}': {path}: has no triangles")
        return Scene(mesh)


def _read(urdf: Any) -> Any:
    try:
        import yourdfpy
    except ImportError as error:
        raise ImportError(
            f"ballotcast.urdf needs yourdfpy: pip install yourdfpy ({error})"
        ) from None
    if isinstance(urdf, yourdfpy.URDF):
        return urdf
    if not os.path.isfile(urdf):
        raise FileNotFoundError(f"no file {os.fspath(urdf)}")
    return yourdfpy.URDF.load(os.fspath(urdf), load_meshes=False)


def _key_of(geometry: Any, link: str) -> Tuple[Any, ...]:
    """Describes a geometry: a shape and its size, or "mesh", a file and its scale."""
    if geometry.box is not None:
        return "box", tuple((np.asarray(geometry.box.size) / 2).tolist())
    if geometry.sphere is not None:
        return "sphere", geometry.sphere.radius
    if geometry.cylinder is not None:
        return "cylinder", (geometry.cylinder.radius, geometry.cylinder.length / 2)
    if geometry.mesh is not None:
        scale = 1.0 if geometry.mesh.scale is None else geometry.mesh.scale
        return "mesh", geometry.mesh.filename, tuple((np.ones(3) * scale).tolist())
    raise ValueError(f"link '{link}': geometry of an unknown kind")


def _origin_of(part: Any) -> np.ndarray:
    return np.eye(4) if part.origin is None else np.asarray(part.origin, float)
