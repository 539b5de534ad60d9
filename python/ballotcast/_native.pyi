"""The extension module. Its functions take arrays that the Python code has checked: C-contiguous,
of the right dtype, with one row per ray or one row for all."""

from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np

from ._options import Options

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
    def relative_vertices(self) -> np.ndarray: ...
    def placed(self, transforms: np.ndarray) -> np.ndarray: ...
    def triangles(self) -> np.ndarray: ...
    def device(self) -> str: ...
    def located(self, hits: np.ndarray, starts: np.ndarray, part: int, out: np.ndarray) -> None: ...
    def set_vertices(self, vertices: np.ndarray) -> None: ...
    def refit(self, vertices: np.ndarray) -> None: ...
    def set_transforms(self, transforms: np.ndarray) -> None: ...
    def cast(
        self,
        origins: np.ndarray,
        directions: np.ndarray,
        t_min: np.ndarray,
        t_max: np.ndarray,
        worlds: Optional[np.ndarray],
        hits: np.ndarray,
        distances: Optional[np.ndarray],
        places: Optional[np.ndarray],
    ) -> int: ...
    def any(
        self,
        origins: np.ndarray,
        directions: np.ndarray,
        t_min: np.ndarray,
        t_max: np.ndarray,
        worlds: Optional[np.ndarray],
        found: np.ndarray,
    ) -> None: ...
    def count(
        self,
        origins: np.ndarray,
        directions: np.ndarray,
        t_min: np.ndarray,
        t_max: np.ndarray,
        worlds: Optional[np.ndarray],
        counts: np.ndarray,
    ) -> None: ...
    def hits_per_triangle(
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
        worlds: Optional[np.ndarray],
        records: np.ndarray,
        distances: Optional[np.ndarray],
        places: Optional[np.ndarray],
    ) -> None: ...
    def contains(
        self, points: np.ndarray, worlds: Optional[np.ndarray], rule: int, inside: np.ndarray
    ) -> None: ...
    def winding_numbers(
        self, points: np.ndarray, worlds: Optional[np.ndarray], numbers: np.ndarray
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
    def explain(
        self,
        origins: np.ndarray,
        directions: np.ndarray,
        t_min: np.ndarray,
        t_max: np.ndarray,
        worlds: Optional[np.ndarray],
        any: bool,
        hits: np.ndarray,
        distances: Optional[np.ndarray],
        places: Optional[np.ndarray],
    ) -> Tuple[Tuple[Any, ...], float, float]: ...
    def explain_pixel(
        self,
        width: int,
        height: int,
        x: int,
        y: int,
        eye: Optional[Tuple[float, float, float]],
        look_at: Optional[Tuple[float, float, float]],
        up: Optional[Tuple[float, float, float]],
        fov: Optional[float],
        lens: Optional[float],
        focus: Optional[float],
        ortho_height: Optional[float],
        any: bool,
        hits: np.ndarray,
    ) -> Tuple[Any, ...]: ...
    def places(self, hits: np.ndarray, out: np.ndarray) -> None: ...
    def normals(self, hits: np.ndarray, out: np.ndarray) -> None: ...

def of_arrays(
    vertices: np.ndarray,
    triangles: np.ndarray,
    origin: Tuple[float, float, float],
    options: Options,
) -> SceneHandle: ...
def of_file(path: str, options: Options) -> SceneHandle: ...
def of_instances(
    meshes: Sequence[SceneHandle],
    transforms: np.ndarray,
    which: np.ndarray,
    worlds: np.ndarray,
    options: Options,
) -> SceneHandle: ...
def compare(
    reference: np.ndarray, reference_depth: int, result: np.ndarray, result_depth: int
) -> Tuple[int, int, int, Optional[Tuple[int, int]], Dict[str, float]]: ...
def compare_floats(
    reference: np.ndarray, result: np.ndarray
) -> Tuple[int, int, Dict[str, float]]: ...
def png_of(picture: np.ndarray) -> bytes: ...
def png_file(path: str) -> Tuple[np.ndarray, int, int]: ...

class StridedNumbers: ...
class GpuRayArrays: ...
class GpuPointArray: ...

class GpuMemory:
    def __init__(self, bytes: int, device: int) -> None: ...
    @property
    def address(self) -> int: ...
    def fill(self, numbers: np.ndarray) -> None: ...

class GpuImport:
    def __init__(self, capsule: object) -> None: ...
    @property
    def address(self) -> int: ...
    @property
    def shape(self) -> List[int]: ...
    @property
    def strides(self) -> List[int]: ...
    @property
    def type(self) -> str: ...

class GpuScene:
    def rays(
        self,
        sizes: List[int],
        origins: StridedNumbers,
        directions: StridedNumbers,
        t_min: StridedNumbers,
        t_max: StridedNumbers,
        precise: bool,
    ) -> GpuRayArrays: ...
    def points(self, sizes: List[int], points: StridedNumbers) -> GpuPointArray: ...
    def pack_rays(self, arrays: GpuRayArrays, rays: int, count: int, stream: int) -> None: ...
    def pack_points(self, array: GpuPointArray, points: int, count: int, stream: int) -> None: ...
    def nan_rays(self, arrays: GpuRayArrays, count: int, stream: int) -> int: ...
    def cast(
        self, rays: int, hits: int, count: int, any: bool, each: int, world: int, stream: int
    ) -> None: ...
    def count(
        self, rays: int, counts: int, count: int, each: int, world: int, stream: int
    ) -> None: ...
    def starts_of(self, counts: int, starts: int, count: int, stream: int) -> int: ...
    def crossings(
        self, rays: int, starts: int, hits: int, count: int, each: int, world: int, stream: int
    ) -> None: ...
    def store_precise_t_of_all(
        self, arrays: GpuRayArrays, starts: int, hits: int, t: int, count: int, stream: int
    ) -> None: ...
    def closest_points(
        self,
        points: int,
        nearest: int,
        count: int,
        max_distance: float,
        each: int,
        world: int,
        stream: int,
    ) -> None: ...
    def contains(
        self,
        points: GpuPointArray,
        rule: int,
        inside: int,
        count: int,
        each: int,
        world: int,
        stream: int,
    ) -> None: ...
    def winding_numbers(
        self, points: GpuPointArray, numbers: int, count: int, each: int, world: int, stream: int
    ) -> None: ...
    def set_vertices(self, vertices: int, count: int, stream: int) -> None: ...
    def set_transforms(self, transforms: int, count: int, stream: int) -> None: ...
    def negate_floats(self, inside: int, distances: int, count: int, stream: int) -> None: ...
    def negate_doubles(self, inside: int, distances: int, count: int, stream: int) -> None: ...
    def store_t(self, hits: int, t: int, count: int, stream: int) -> None: ...
    def store_distances(
        self, array: GpuPointArray, nearest: int, distances: int, count: int, stream: int
    ) -> None: ...

def strided(
    address: int, is_double: bool, strides: Sequence[int], step: int, value: Sequence[float]
) -> StridedNumbers: ...
def gpu_scene(scene: SceneHandle, device: int) -> GpuScene: ...
def gpu_scene_on_another(there: GpuScene, scene: SceneHandle, device: int) -> GpuScene: ...
def gpu_device_of(address: int) -> int: ...
def gpu_wait(stream: int, device: int) -> None: ...
def gpu_export(memory: GpuMemory, shape: List[int], type: str, device: int) -> object: ...
