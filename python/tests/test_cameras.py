"""Tests cameras with distortion, fisheyes, panoramas, and files with several cameras."""

import inspect
import json

import ballotcast as bc
import numpy as np
import pytest
from ballotcast._camera import CameraKeywords, ViewKeywords

K = np.array([[412.5, 0, 331.25], [0, 398.75, 228.5], [0, 0, 1.0]])
WIDE = np.array([[172.5, 0, 331.25], [0, 168.75, 228.5], [0, 0, 1.0]])
SIZE = 640, 480

LENSES = [
    ("perspective", K, (-0.21, 0.06, 0.0012, -0.0007, 0.01)),
    ("perspective", K, (0.13, -0.02, 0.0012, -0.0007)),
    ("perspective", K, (0.4, -0.12, 0.0003, 0.0011, 0.02, 0.55, -0.06, 0.01)),
    ("perspective", K, (-0.45, 0.1, 0.004, -0.003, 0.0)),
    ("fisheye", WIDE, (0.03, -0.012, 0.004, -0.0006)),
    ("fisheye", WIDE, (-0.05, 0.01, -0.001, 0.0)),
    ("fisheye", WIDE, (0.0, 0.0, 0.0, 0.0)),
]


def box():
    """Returns the inside of a cube of side 2 around (0.1, 0.2, 0.3). Every ray from inside hits
    a wall."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]
    return bc.Scene(corners + [0.1, 0.2, 0.3], faces, device="cpu")


def posed(seed=3):
    """Returns a random pose inside of the box: a rotation and a translation, from camera to
    world."""
    turn, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    pose = np.eye(4)
    pose[:3, :3] = turn * np.sign(np.linalg.det(turn))
    pose[:3, 3] = 0.2, 0.1, 0.4
    return pose


@pytest.mark.parametrize("projection, matrix, distortion", LENSES)
def test_hit_points_are_projected_by_opencv_to_the_pixels_of_their_rays(
    projection, matrix, distortion
):
    cv2 = pytest.importorskip("cv2", reason="OpenCV is not installed: opencv-python-headless")
    pose = posed()
    origins, directions = bc.camera_rays(
        *SIZE, intrinsics=matrix, pose=pose, projection=projection, distortion=distortion
    )
    seen = np.isfinite(directions[..., 0])
    hits = box().cast(origins[seen], directions[seen])
    assert hits.hit.all() and seen.mean() > 0.8
    points = origins[seen] + hits.t[:, None] * directions[seen]
    there = (points - pose[:3, 3]) @ pose[:3, :3]  # in the camera's coordinates
    ahead = there[:, 2] > 1e-3  # OpenCV's formula is not defined for points behind the camera
    assert ahead.mean() > 0.6
    zero, k = np.zeros(3), np.array(distortion)
    if projection == "fisheye":
        drawn, _ = cv2.fisheye.projectPoints(there[ahead][:, None], zero, zero, matrix, k)
    else:
        drawn, _ = cv2.projectPoints(there[ahead], zero, zero, matrix, k)
    rows, columns = np.nonzero(seen)
    off = drawn.reshape(-1, 2) - np.stack([columns, rows], -1)[ahead]
    assert np.abs(off).max() < 1e-5


def test_pictures_see_what_their_rays_hit():
    scene = box()
    for projection, matrix, distortion in LENSES:
        camera = dict(
            intrinsics=matrix * [[0.1], [0.1], [1]],
            pose=posed(),
            projection=projection,
            distortion=distortion,
        )
        got = scene.render(64, 48, outputs=["depth", "triangle", "position"], **camera)
        origins, directions = bc.camera_rays(64, 48, **camera)
        seen = np.isfinite(directions[..., 0])
        hits = scene.cast(origins, directions)
        assert (hits.hit == seen).all() and (np.isfinite(got["depth"]) == seen).all()
        assert np.abs(got["depth"][seen] - hits.t[seen]).max() < 1e-5
        assert (got["triangle"] == hits.triangle)[seen].mean() > 0.99
        assert np.abs(got["position"][seen] - hits.point[seen]).max() < 1e-5


def test_a_panorama_shows_all_directions_once():
    origins, directions = bc.camera_rays(
        200, 100, eye=(0.1, 0.2, 0.3), look_at=(0.1, 0.2, 5), up=(0, 1, 0), projection="panorama"
    )
    assert (origins == [0.1, 0.2, 0.3]).all()
    assert np.allclose(np.linalg.norm(directions, axis=-1), 1, rtol=0, atol=1e-12)
    weights = np.cos((np.arange(100) + 0.5 - 50) * np.pi / 100)[:, None, None]
    assert np.abs((directions * weights).mean((0, 1))).max() < 1e-12
    assert directions[0, :, 1].min() > 0.999 and directions[-1, :, 1].max() < -0.999
    assert directions[49, 99, 2] > 0.999
    assert directions[49, 149, 0] < -0.999, "looking along z with y up, x is on the left"
    distance = box().render(
        20, 10, eye=(0.1, 0.2, 0.3), look_at=(0.1, 0.2, 5), projection="panorama", outputs=["depth"]
    )["depth"]
    assert 1 <= distance.min() < 1.02 and 1.55 < distance.max() < 1.74


def test_fisheyes_see_180_degrees_unless_they_say_otherwise():
    view = dict(eye=(0, 0, 0), look_at=(0, 0, 1), projection="fisheye")
    _, directions = bc.camera_rays(101, 101, **view)
    middle = directions[50]
    angles = np.degrees(np.arctan2(-middle[:, 0], middle[:, 2]))
    assert np.allclose(angles, (np.arange(101) - 50) * 180 / 101, rtol=0, atol=1e-9)
    _, wider = bc.camera_rays(101, 101, fov=360, **view)
    assert np.isnan(wider[0, 0]).all() and wider[50, 0, 2] < -0.99


def test_a_pose_may_lead_from_the_world_to_the_camera():
    pose = posed()
    _, ours = bc.camera_rays(8, 6, intrinsics=(9, 9, 4, 3), pose=pose)
    _, same = bc.camera_rays(
        8, 6, intrinsics=(9, 9, 4, 3), pose=np.linalg.inv(pose), pose_is="world-to-camera"
    )
    assert np.abs(ours - same).max() < 1e-12


def test_lenses_that_are_none_are_refused():
    view = dict(eye=(0, 0, 0), look_at=(0, 0, 1))
    for wrong, words in (
        (dict(projection="fish"), "unknown projection"),
        (dict(projection="fisheye", distortion=(1, 2, 3, 4, 5)), "at most 4"),
        (dict(distortion=np.ones((3, 3))), "at most 8 numbers"),
        (dict(distortion=[np.nan]), "finite"),
        (dict(projection="panorama", distortion=[1]), "a panorama has no distortion"),
        (dict(projection="panorama", intrinsics=(1, 1, 1, 1)), "panorama has none"),
    ):
        with pytest.raises(ValueError, match=words):
            bc.camera_rays(8, 8, **view, **wrong)
    with pytest.raises(ValueError, match="has no ray"):
        box().explain(pixel=(0, 0), width=8, height=8, fov=360, **view, projection="fisheye")


def test_explained_pixels_state_the_lens(tmp_path):
    picture = box().render(8, 8, eye=(0, 0, 0), look_at=(0, 0, 1), distortion=[0.1, 0.2])
    assert "distortion=[0.1, 0.2]" in picture.explained_by(1, 2)


def write_transforms(folder):
    pose = posed() @ np.diag([1, -1, -1, 1.0])  # y up, z back
    frames = [
        {"file_path": f"./images/{name}.png", "transform_matrix": pose.tolist()}
        for name in ("a", "b")
    ]
    text = dict(fl_x=50, fl_y=40, cx=32.5, cy=24.5, w=64, h=48, k1=0.1, p1=0.01, frames=frames)
    (folder / "transforms.json").write_text(json.dumps(text))


def test_cameras_of_a_transforms_json_are_arguments(tmp_path):
    write_transforms(tmp_path)
    cameras = bc.read_cameras(tmp_path)
    assert [c.name for c in cameras] == ["a", "b"] and cameras[0].image == "./images/a.png"
    one = cameras[1]
    assert (one.intrinsics == [[50, 0, 32], [0, 40, 24], [0, 0, 1]]).all()
    assert np.abs(one.pose - posed()).max() < 1e-12
    assert one.distortion.tolist() == [0.1, 0, 0.01, 0, 0] and (one.width, one.height) == (64, 48)
    origins, directions = bc.camera_rays(**one)
    assert origins.shape == (48, 64, 3)
    depth = box().render(**one, outputs=["depth"])["depth"]
    hits = box().cast(origins, directions)
    assert np.abs(depth - hits.t).max() < 1e-5


def test_cameras_of_colmap_are_those_that_opencv_projects_with(tmp_path):
    cv2 = pytest.importorskip("cv2", reason="OpenCV is not installed: opencv-python-headless")
    quaternion = np.array([0.8, 0.1, -0.3, 0.5])
    quaternion /= np.linalg.norm(quaternion)
    (tmp_path / "cameras.txt").write_text("4 OPENCV 64 48 50 40 32 24 0.1 0.02 0.003 0.004\n")
    numbers = " ".join(map(repr, quaternion.tolist()))
    (tmp_path / "images.txt").write_text(f"9 {numbers} 0.1 0.2 -0.3 4 a.jpg\n\n")
    (camera,) = bc.read_cameras(tmp_path / "images.txt")
    origins, directions = bc.camera_rays(**camera)
    turn = 2 * np.arccos(quaternion[0]) * quaternion[1:] / np.linalg.norm(quaternion[1:])
    points = (origins + 3 * directions).reshape(-1, 3)
    matrix = np.array([[50, 0, 31.5], [0, 40, 23.5], [0, 0, 1.0]])
    drawn, _ = cv2.projectPoints(
        points, turn, np.array([0.1, 0.2, -0.3]), matrix, np.array([0.1, 0.02, 0.003, 0.004])
    )
    rows, columns = np.mgrid[0:48, 0:64]
    assert np.abs(drawn.reshape(48, 64, 2) - np.stack([columns, rows], -1)).max() < 1e-5


@pytest.mark.parametrize(
    "call, kind",
    [
        (bc.Scene.render, CameraKeywords),
        (bc.Scene.explain, CameraKeywords),
        (bc.camera_rays, ViewKeywords),
    ],
    ids=lambda given: given.__name__,
)
def test_all_calls_show_the_keywords_of_a_camera_and_name_a_wrong_one(call, kind):
    parameters = inspect.signature(call).parameters
    assert not [p for p in parameters.values() if p.kind is p.VAR_KEYWORD]
    for name in kind.__annotations__:
        assert parameters[name].kind is inspect.Parameter.KEYWORD_ONLY
    assert parameters["convention"].default == "opencv" and parameters["fov"].default is None
    assert parameters["fov"].annotation == "Optional[float]"
    with pytest.raises(TypeError, match="unexpected keyword argument 'eyes'; known are .*eye"):
        call(8, 8, eyes=(0, 0, 1))


def test_files_that_have_no_cameras_are_refused(tmp_path):
    with pytest.raises(bc.InputError, match="neither transforms.json nor COLMAP"):
        bc.read_cameras(tmp_path)
    (tmp_path / "x.json").write_text('{"frames": [{"file_path": "a"}]}')
    with pytest.raises(bc.InputError, match="no size"):
        bc.read_cameras(tmp_path / "x.json")
    with pytest.raises(bc.InputError, match="fl_x"):
        bc.read_cameras(tmp_path / "x.json", 8, 8)
