"""The extension module. Its functions take arrays that the Python code has checked: C-contiguous,
of the right dtype, with one row per ray or one row for all."""

from typing import Dict, List, Optional, Sequence, Tuple

import numpy as np

__version__: str

class Error(RuntimeError): ...
class UsageError(ValueError): ...
class InputError(ValueError): ...
class OutputError(OSError): ...
class DeviceError(RuntimeError): ...
class OutOfDeviceMemory(MemoryError): ...

class SceneHandle:
    @property
    def name(self) -> str: ...
    @property
    def triangle_count(self) -> int: ...
    @property
    def instance_count(self) -> int: ...
    @property
    def world_count(self) -> int: ...
    @property
    def warnings(self) -> List[str]: ...
    @property
    def origin(self) -> Tuple[float, float, float]: ...
    @property
    def bounds(self) -> Tuple[float, float, float, float, float, float]: ...
    def vertices(self) -> np.ndarray: ...
    def triangles(self) -> np.ndarray: ...
    def device(self) -> str: ...
    def locate(self, ids: np.ndarray, places: np.ndarray) -> None: ...
    def set_vertices(self, vertices: np.ndarray) -> None: ...
    def set_transforms(self, transforms: np.ndarray) -> None: ...
    def cast(
        self,
        origins: np.ndarray,
        directions: np.ndarray,
        t_min: np.ndarray,
        t_max: np.ndarray,
        worlds: Optional[np.ndarray],
        any: bool,
        hits: np.ndarray,
        distances: Optional[np.ndarray],
    ) -> int: ...
    def count(
        self,
        origins: np.ndarray,
        directions: np.ndarray,
        t_min: np.ndarray,
        t_max: np.ndarray,
        worlds: Optional[np.ndarray],
        counts: np.ndarray,
    ) -> None: ...
    def all(
        self,
        origins: np.ndarray,
        directions: np.ndarray,
        t_min: np.ndarray,
        t_max: np.ndarray,
        worlds: Optional[np.ndarray],
    ) -> Tuple[np.ndarray, np.ndarray, np.ndarray, int]: ...
    def closest_points(
        self,
        points: np.ndarray,
        max_distance: float,
        records: np.ndarray,
        distances: Optional[np.ndarray],
        places: Optional[np.ndarray],
    ) -> None: ...
    def render(
        self,
        width: int,
        height: int,
        shading: str,
        samples: int,
        bounces: int,
        exposure: Optional[float],
        white_balance: str,
        light: str,
        smooth: str,
        eye: Optional[Tuple[float, float, float]],
        look_at: Optional[Tuple[float, float, float]],
        up: Optional[Tuple[float, float, float]],
        fov: Optional[float],
        lens: Optional[float],
        focus: Optional[float],
        ortho_height: Optional[float],
        linear: bool,
    ) -> Tuple[np.ndarray, np.ndarray]: ...
    def places(self, hits: np.ndarray, out: np.ndarray) -> None: ...
    def normals(self, hits: np.ndarray, out: np.ndarray) -> None: ...

def of_arrays(
    vertices: np.ndarray, triangles: np.ndarray, device: str, builder: str, moves: bool
) -> SceneHandle: ...
def of_file(path: str, device: str, builder: str, moves: bool) -> SceneHandle: ...
def of_instances(
    meshes: Sequence[SceneHandle],
    transforms: np.ndarray,
    which: np.ndarray,
    worlds: np.ndarray,
    device: str,
    builder: str,
    moves: bool,
) -> SceneHandle: ...
def compare(
    reference: np.ndarray, result: np.ndarray
) -> Tuple[int, int, int, Optional[Tuple[int, int]], Dict[str, float]]: ...
def png_of(picture: np.ndarray) -> bytes: ...
def png_file(path: str) -> Tuple[np.ndarray, int, int]: ...
