"""Hits in the form of ROS messages, as NumPy arrays; ROS itself is not needed.

    import ballotcast.ros
    hits = scene.cast(lidar.rays)
    cloud = ballotcast.ros.point_cloud2(hits, pose=pose, fields={"ring": lidar.ring})
    message = sensor_msgs.msg.PointCloud2(header=header, **cloud.message(PointField))

The members of the results have the names and types of the messages of sensor_msgs. The header is
missing: only the caller knows the time and the frame.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Tuple

import numpy as np

from ._arrays import as_array, as_numbers, as_vectors, described, one_number
from ._camera import pose_in_ros
from ._hits import Hits

__all__ = ["LaserScan", "PointCloud2", "PointField", "laser_scan", "point_cloud2"]


class LaserScan(NamedTuple):
    """The members of sensor_msgs/LaserScan. Angles are in radians, and increase to the left."""

    angle_min: float
    angle_max: float  #: the angle of the last range
    angle_increment: float
    time_increment: float  #: seconds
    scan_time: float  #: seconds
    range_min: float
    range_max: float
    ranges: np.ndarray  #: float32 (n,): inf for a miss, -inf for what is nearer than range_min
    intensities: np.ndarray  #: float32 (n,), or (0,) if there are none


@dataclass(frozen=True)
class PointField:
    """The members of sensor_msgs/PointField."""

    name: str
    offset: int
    datatype: int
    count: int = 1


class PointCloud2(NamedTuple):
    """The members of sensor_msgs/PointCloud2."""

    height: int
    width: int
    fields: List[PointField]
    is_bigendian: bool
    point_step: int
    row_step: int
    data: np.ndarray  #: uint8 (height * row_step,)
    is_dense: bool

    def message(self, field: Any = PointField) -> Dict[str, Any]:
        """The arguments with which ROS makes its message: `data` as bytes, and the fields as
        objects of the class `field`, which is sensor_msgs.msg.PointField."""
        parts = self._asdict()
        parts["fields"] = [field(**asdict(one)) for one in self.fields]
        parts["data"] = self.data.tobytes()
        return parts


# Values of PointField.datatype.
_DATATYPES = {"i1": 1, "u1": 2, "i2": 3, "u2": 4, "i4": 5, "u4": 6, "f4": 7, "f8": 8}


def laser_scan(
    hits: Any,
    angle_min: float,
    angle_increment: float,
    *,
    range_min: float = 0.0,
    range_max: float = math.inf,
    time_increment: float = 0.0,
    scan_time: float = 0.0,
    intensities: Any = None,
) -> LaserScan:
    """Makes a LaserScan of the hits of a flat lidar.

    Args:
      hits: the hits (n,) of rays whose directions have length 1, in the order of their angles; or
        their distances (n,), with inf for a miss.
      angle_min, angle_increment: the angle of the first ray and the step to the next, in radians.
      range_min, range_max: what is nearer becomes -inf, what is farther inf (REP 117).
      time_increment, scan_time: seconds from one ray to the next, and from scan to scan.
      intensities: numbers (n,).

    Raises:
      ValueError: not one row of hits, or another number of intensities.
    """
    far = hits.t if isinstance(hits, Hits) else as_numbers(hits, "hits")
    if far.ndim != 1:
        raise ValueError(f"hits: expected a shape (n,), got {described(far)}")
    strengths = as_numbers([] if intensities is None else intensities, "intensities")
    if intensities is not None and strengths.shape != far.shape:
        raise ValueError(f"intensities: expected {far.size} of them, got {described(strengths)}")
    first, step = one_number(angle_min, "angle_min"), one_number(angle_increment, "angle_increment")
    low, high = one_number(range_min, "range_min"), one_number(range_max, "range_max")
    ranges = far.astype(np.float32)
    ranges[far > high] = np.inf
    ranges[far < low] = -np.inf
    last = first + step * max(0, far.size - 1)
    increment, whole = (
        one_number(time_increment, "time_increment"),
        one_number(scan_time, "scan_time"),
    )
    return LaserScan(
        first, last, step, increment, whole, low, high, ranges, strengths.astype(np.float32)
    )


def point_cloud2(
    hits: Any,
    *,
    pose: Any = None,
    fields: Optional[Mapping[str, Any]] = None,
    keep_misses: bool = False,
) -> PointCloud2:
    """Makes a PointCloud2 of hits.

    Args:
      hits: the hits (n,) or (height, width); or points of these shapes and (..., 3), with NaN for
        a miss.
      pose: (3, 4) or (4, 4), from the sensor's coordinates (x ahead, y to the left, z up) to the
        world's. The points become points in the sensor's coordinates. Default: the world's.
      fields: further numbers of each hit, by name, such as ring or intensity; of the types of
        PointField, in the hits' shape.
      keep_misses: True to keep misses as NaN, with the shape of the hits. Else they are left out,
        and the cloud has one row.

    Raises:
      ValueError: another shape, or a field of another type.
    """
    points = as_vectors(hits.point if isinstance(hits, Hits) else hits, "hits")
    shape = points.shape[:-1]
    if not 1 <= len(shape) <= 2:
        raise ValueError(f"hits: expected a shape (n,) or (height, width), got {shape}")
    if pose is not None:
        at = pose_in_ros(pose, "pose", "ros")
        points = (points - at[:3, 3]) @ at[:3, :3]
    columns: List[Tuple[str, np.ndarray]] = []
    for k, axis in enumerate("xyz"):
        columns.append((axis, points[..., k].astype(np.float32)))
    for name, value in (fields or {}).items():
        columns.append((name, _field(name, value, shape)))
    rows = np.empty(shape, [(name, column.dtype.newbyteorder("<")) for name, column in columns])
    for name, column in columns:
        rows[name] = column
    found = ~np.isnan(points).any(axis=-1)
    if not keep_misses:
        rows = rows[found]
    sizes: Tuple[int, ...] = (1, *rows.shape)
    height, width = sizes[-2:]
    step = rows.dtype.itemsize
    data = np.frombuffer(rows.tobytes(), np.uint8)
    dense = bool(found.all()) or not keep_misses
    return PointCloud2(
        height, width, _fields_of(rows.dtype), False, step, step * width, data, dense
    )


def _field(name: str, value: Any, shape: Tuple[int, ...]) -> np.ndarray:
    array = as_array(value, name)
    if array.shape != shape:
        raise ValueError(f"{name}: expected the hits' shape {shape}, got {described(array)}")
    if array.dtype.str[1:] not in _DATATYPES:
        raise ValueError(f"{name}: no type of PointField: {array.dtype}")
    return array


def _fields_of(dtype: np.dtype) -> List[PointField]:
    named: Any = dtype.fields
    return [
        PointField(name, named[name][1], _DATATYPES[named[name][0].str[1:]])
        for name in dtype.names or ()
    ]
