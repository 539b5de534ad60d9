"""Tests the rays of spinning lidars."""

import ballotcast as bc
import numpy as np
import pytest
from test_cameras import box, posed


def test_rings_and_columns_are_where_their_angles_say():
    rays, ring, column, time = bc.lidar_rays([-30, 0, 15], 90)
    assert rays.shape == (12, 6) and ring.tolist()[:4] == [0, 1, 2, 0]
    assert column.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert time.tolist() == [0, 0, 0, 0.25, 0.25, 0.25, 0.5, 0.5, 0.5, 0.75, 0.75, 0.75]
    level = rays[ring == 1, 3:]
    assert np.allclose(level, [[1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]], rtol=0, atol=1e-15)
    assert np.allclose(rays[ring == 0, 5], -0.5) and (rays[:, :3] == 0).all()
    assert np.allclose(np.linalg.norm(rays[:, 3:], axis=1), 1, rtol=0, atol=1e-15)


def test_it_turns_to_either_side_from_anywhere_with_offsets():
    right = bc.lidar_rays([0], -90, start=45, turn=180)
    angles = np.degrees(np.arctan2(right.rays[:, 4], right.rays[:, 3]))
    assert np.allclose(angles, [45, -45])
    shifted = bc.lidar_rays([0, 0], 180, offsets=[0, 10]).rays[:2]
    assert np.allclose(np.degrees(np.arctan2(shifted[:, 4], shifted[:, 3])), [0, 10])
    assert bc.lidar_rays([0], 0.1).column.max() == 3599, "0.1 is not exact, and no column is added"
    assert bc.lidar_rays([0], 0.2, turn=0.5).column.max() == 2


def test_rays_start_at_the_pose_in_its_convention():
    pose = posed()
    rays = bc.lidar_rays([10], 30, pose=pose).rays
    still = bc.lidar_rays([10], 30).rays
    assert np.abs(rays[:, 3:] - still[:, 3:] @ pose[:3, :3].T).max() < 1e-12
    assert (rays[:, :3] == pose[:3, 3]).all()
    axes = np.array([[0, 0, 1], [-1, 0, 0], [0, -1, 0.0]])  # axes of opencv, in ros
    camera = np.eye(4)
    camera[:3, :3], camera[:3, 3] = pose[:3, :3] @ axes, pose[:3, 3]
    same = bc.lidar_rays([10], 30, pose=camera, convention="opencv").rays
    assert np.abs(rays - same).max() < 1e-12


def test_a_lidar_that_moves_turns_evenly_between_two_poses():
    begin, end = np.eye(4), np.eye(4)
    angle = np.radians(80)
    end[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    end[:3, 3] = 4, 0, 2
    lidar = bc.lidar_rays([0], 90, pose=begin, end_pose=end)
    assert np.allclose(lidar.rays[:, :3], [[0, 0, 0], [1, 0, 0.5], [2, 0, 1], [3, 0, 1.5]])
    angles = np.degrees(np.arctan2(lidar.rays[:, 4], lidar.rays[:, 3])) % 360
    assert np.allclose(angles, [0, 110, 220, 330])
    still = bc.lidar_rays([0, 5], 10, pose=posed(), end_pose=posed())
    assert np.abs(still.rays - bc.lidar_rays([0, 5], 10, pose=posed()).rays).max() < 1e-12


def test_a_turn_is_cast_and_measures_distances():
    lidar = bc.lidar_rays(np.linspace(-20, 20, 16), -0.5, pose=posed())
    hits = box().cast(lidar.rays)
    assert hits.hit.all() and hits.t.shape == (16 * 720,)
    assert (np.abs(hits.point - [0.1, 0.2, 0.3]).max(1) < 1 + 1e-6).all()


def test_turns_that_are_none_are_refused():
    for wrong, words in (
        (dict(elevations=[], azimuth_step=1), "elevations"),
        (dict(elevations=[0], azimuth_step=0), "azimuth_step"),
        (dict(elevations=[0], azimuth_step=1e-9), "2\\^28"),
        (dict(elevations=[0] * 1000, azimuth_step=1e-3), "2\\^28"),
        (dict(elevations=[0], azimuth_step=1, offsets=[1, 2]), "offsets"),
        (dict(elevations=[0], azimuth_step=1, pose=np.eye(3)), "pose"),
        (dict(elevations=[0], azimuth_step=1, end_pose=2 * np.eye(4)), "last row|rotation"),
        (
            dict(elevations=[0], azimuth_step=1, end_pose=np.diag([-1, -1, 1, 1.0])),
            "180 degrees",
        ),
    ):
        with pytest.raises(ValueError, match=words):
            bc.lidar_rays(**wrong)
