"""Casts rays at triangle meshes, on the GPU or the CPU, and never loses a hit.

    import ballotcast as bc
    scene = bc.Scene(vertices, faces)
    hits = scene.cast(origins, directions)
    hits.t, hits.triangle, hits.point

Every device gives the same bits.
"""

from ._camera import FileCamera, camera_rays, read_cameras
from ._comparing import Comparison, compare
from ._explanation import Explanation, TestedTriangle
from ._hits import AllHits, Hits
from ._lidar import LidarRays, lidar_rays
from ._meshes import Instance
from ._native import (
    DeviceError,
    Error,
    InputError,
    OutOfDeviceMemory,
    OutputError,
    SceneError,
    UsageError,
    __version__,
)
from ._nearest import Nearest
from ._options import devices
from ._own_kernels import device_header
from ._pictures import Picture, read_png, write_png
from ._scene import Scene, heightfield, load, shape
from ._types import DeviceName

__all__ = [
    "AllHits",
    "Comparison",
    "DeviceError",
    "DeviceName",
    "Error",
    "Explanation",
    "FileCamera",
    "Hits",
    "InputError",
    "Instance",
    "LidarRays",
    "Nearest",
    "OutOfDeviceMemory",
    "OutputError",
    "Picture",
    "Scene",
    "SceneError",
    "TestedTriangle",
    "UsageError",
    "__version__",
    "camera_rays",
    "compare",
    "device_header",
    "devices",
    "heightfield",
    "lidar_rays",
    "load",
    "read_cameras",
    "read_png",
    "shape",
    "write_png",
]
