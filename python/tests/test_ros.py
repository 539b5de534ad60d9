"""Tests that hits become the arrays of ROS messages."""

import dataclasses

import ballotcast as bc
import ballotcast.ros
import numpy as np
import pytest
from shapes import CORNERS, FACES


def test_a_scan_has_the_members_of_the_message():
    scene = bc.Scene(CORNERS * 2 - 0.5, FACES, device="cpu")
    lidar = bc.lidar_rays([0.0], 1.0, start=-90, turn=180)
    hits = scene.cast(lidar.rays)
    scan = ballotcast.ros.laser_scan(hits, -np.pi / 2, np.radians(1), range_max=1.0, scan_time=0.1)
    assert scan.ranges.dtype == np.float32 and scan.ranges.shape == (180,)
    far = hits.t > 1
    assert np.array_equal(np.isinf(scan.ranges), far) and far.any() and not far.all()
    assert np.array_equal(scan.ranges[~far], hits.t[~far].astype(np.float32))
    assert scan.angle_max == pytest.approx(np.pi / 2 - np.radians(1))
    assert scan.scan_time == 0.1 and scan.intensities.size == 0
    near = ballotcast.ros.laser_scan([0.1, 5, np.inf], 0, 0.1, range_min=0.2, intensities=[1, 2, 3])
    assert near.ranges.tolist() == [-np.inf, 5, np.inf]
    assert near.intensities.tolist() == [1, 2, 3]
    with pytest.raises(ValueError, match=r"hits: expected a shape \(n,\)"):
        ballotcast.ros.laser_scan([[1.0]], 0, 0.1)
    with pytest.raises(ValueError, match="intensities: expected 2 of them"):
        ballotcast.ros.laser_scan([1.0, 2.0], 0, 0.1, intensities=[1])


def test_a_cloud_has_the_members_of_the_message():
    scene = bc.Scene(CORNERS, FACES, device="cpu")
    pose = np.eye(4)
    pose[:3, 3] = [0.1, 0.1, 0.1]
    pose[:3, :3] = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]  # the sensor looks along +y
    lidar = bc.lidar_rays([-10.0, 0.0], 5.0, pose=pose)
    hits = scene.cast(lidar.rays, t_max=0.15)
    assert hits.hit.any() and not hits.hit.all()
    cloud = ballotcast.ros.point_cloud2(
        hits, pose=pose, fields={"ring": lidar.ring.astype(np.uint16), "time": lidar.time}
    )
    assert (cloud.height, cloud.width) == (1, hits.hit.sum())
    assert [dataclasses.astuple(f) for f in cloud.fields] == [
        ("x", 0, 7, 1),
        ("y", 4, 7, 1),
        ("z", 8, 7, 1),
        ("ring", 12, 4, 1),
        ("time", 14, 8, 1),
    ]
    assert cloud.point_step == 22 and cloud.row_step == 22 * cloud.width == cloud.data.size
    assert cloud.is_dense and not cloud.is_bigendian
    kinds = [("x", "<f4"), ("y", "<f4"), ("z", "<f4"), ("ring", "<u2"), ("time", "<f8")]
    points = cloud.data.view(kinds)
    x, y, z = ((lidar.rays[:, 3:] @ pose[:3, :3])[hits.hit] * hits.t[hits.hit, None]).T
    for name, expected in (("x", x), ("y", y), ("z", z)):
        np.testing.assert_allclose(points[name], expected, atol=1e-6)
    assert np.array_equal(points["ring"], lidar.ring[hits.hit])
    assert isinstance(cloud.message()["data"], bytes)


def test_a_cloud_in_rows_keeps_misses():
    points = np.zeros((3, 4, 3))
    points[1, 2] = np.nan
    cloud = ballotcast.ros.point_cloud2(points, keep_misses=True)
    assert (cloud.height, cloud.width, cloud.row_step) == (3, 4, 48)
    assert not cloud.is_dense
    assert np.array_equal(cloud.data.view("<f4").reshape(3, 4, 3), points, equal_nan=True)
    with pytest.raises(ValueError, match=r"ring: expected the hits' shape \(3, 4\)"):
        ballotcast.ros.point_cloud2(points, fields={"ring": [1, 2]})
    with pytest.raises(ValueError, match="n: no type of PointField: int64"):
        ballotcast.ros.point_cloud2(points, fields={"n": np.zeros((3, 4), np.int64)})
    with pytest.raises(ValueError, match="hits: expected a shape"):
        ballotcast.ros.point_cloud2([0.0, 1, 2])
