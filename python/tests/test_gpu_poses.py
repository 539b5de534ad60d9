"""Tests poses in GPU memory: arguments are read as they should be, on a fake GPU. test_gpu.py has
the same on a real one."""

import ballotcast as bc
import fake_gpu
import numpy as np
import pytest
from fake_gpu import FakeArray

mujoco = pytest.importorskip("mujoco")
import ballotcast.mujoco

MODEL = """<mujoco><worldbody>
  <geom type="plane" size="0 0 1"/> <geom type="box" size=".1 1 1" pos="3 0 1" rgba="1 0 0 0"/>
  <geom type="sphere" size=".5" pos="2 0 .5"/>
  <body name="car" pos="0 0 .5"> <freejoint/>
    <geom type="box" size=".3 .2 .1"/> <site name="nose" pos=".1 0 .2" euler="0 10 20"/>
    <camera name="front" xyaxes="0 -1 0 0 0 1" resolution="8 6"/>
  </body>
</worldbody></mujoco>"""


@pytest.fixture
def made(monkeypatch):
    return fake_gpu.install(monkeypatch)


def states(model, worlds):
    """The mjData of several worlds."""
    every = []
    for world in range(worlds):
        data = mujoco.MjData(model)
        data.qpos[:3] = 0.2 * world, -0.1 * world, 0.5
        data.qpos[3:7] = np.random.default_rng(world).normal(size=4)
        mujoco.mj_normalizeQuat(model, data.qpos)
        mujoco.mj_kinematics(model, data)
        mujoco.mj_camlight(model, data)
        every.append(data)
    return every


def on_gpu(every, dtype, matrices):
    """An object with arrays of all worlds, as of mujoco_warp."""

    class Batch:
        pass

    for kind in ("geom", "site", "cam"):
        at = np.stack([getattr(one, f"{kind}_xpos") for one in every]).astype(dtype)
        turn = np.stack([getattr(one, f"{kind}_xmat") for one in every]).astype(dtype)
        setattr(Batch, f"{kind}_xpos", FakeArray(at))
        if matrices:
            turn = turn.reshape(*turn.shape[:2], 3, 3)
        setattr(Batch, f"{kind}_xmat", FakeArray(turn))
    return Batch


def rounded(every, dtype, caster):
    """Moves a caster on the host by the poses, rounded to a type."""
    batch = on_gpu(every, dtype, True)

    class Host:
        pass

    for name in dir(batch):
        if name.endswith(("xpos", "xmat")):
            setattr(Host, name, getattr(batch, name).array.astype(np.float64))
    caster.update(Host)


@pytest.mark.parametrize("matrices", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sensors_see_what_they_see_on_the_host(made, dtype, matrices):
    model = mujoco.MjModel.from_xml_string(MODEL)
    every = states(model, 3)
    there = ballotcast.mujoco.Caster(model, 3, device="auto")
    here = ballotcast.mujoco.Caster(model, 3)
    there.update(on_gpu(every, dtype, matrices))
    rounded(every, dtype, here)
    assert len(made) == 1 and made[0].moves == 1
    pattern = bc.lidar_rays([-20.0, 0.0, 5.0], 5.0)
    found, expected = there.lidar("nose", pattern), here.lidar("nose", pattern)
    assert found.geomid.array.tolist() == expected.geomid.tolist()
    assert {-1, 0, 2} <= set(expected.geomid.flat) and 1 not in expected.geomid
    np.testing.assert_allclose(found.dist.array, expected.dist, rtol=2e-5, atol=2e-5)
    depth, expected_depth = there.depth("front"), here.depth("front")
    assert depth.shape == (3, 6, 8)
    np.testing.assert_allclose(depth.array, expected_depth, rtol=2e-5, atol=2e-5)


def test_one_world_needs_no_axis_for_it(made):
    model = mujoco.MjModel.from_xml_string(MODEL)
    data = states(model, 2)[1]
    caster = ballotcast.mujoco.Caster(model)
    caster.update(geom_xpos=FakeArray(data.geom_xpos), geom_xmat=FakeArray(data.geom_xmat))
    with pytest.raises(ValueError, match="without poses of a site"):
        caster.lidar("nose", [[1, 0, 0]])
    batch = on_gpu([data], np.float64, False)
    caster.update(batch)
    assert caster.lidar("nose", [[1, 0, 0]]).dist.shape == (1,)
    assert caster.depth("front").shape == (6, 8)


def test_host_poses_end_it(made):
    model = mujoco.MjModel.from_xml_string(MODEL)
    data = states(model, 1)[0]
    caster = ballotcast.mujoco.Caster(model)
    caster.update(on_gpu([data], np.float32, True))
    with pytest.raises(ValueError, match="the poses are in GPU memory"):
        caster.ray([0, 0, 1], [0, 0, -1])
    with pytest.raises(bc.SceneError, match="moved by an array in GPU memory"):
        caster.scene.cast([0, 0, 1], [0, 0, -1])
    caster.update(data)
    assert caster.ray([0, 0, 9], [0, 0, -1]) > 0


def test_transforms_of_instances(made):
    scene = bc.Scene.from_instances(
        [bc.shape("sphere", 1)], [(0, None), bc.Instance(0, None, 1)], moves=True
    )
    rows = np.random.default_rng(1).normal(size=(2, 4, 4))
    expected = np.ascontiguousarray(rows[:, :3]).reshape(-1, 12)
    for array in (rows, rows[:, :3], rows.transpose(0, 2, 1).copy().transpose(0, 2, 1)):
        moved = []
        scene.set_transforms(FakeArray(array))
        made[0].set_poses = lambda poses, *_, to=moved: to.append(poses)
        scene.set_transforms(FakeArray(array))
        del made[0].set_poses
        np.testing.assert_array_equal(moved[0].reshape(-1, 12), expected)


@pytest.mark.parametrize(
    "value, error, text",
    [
        (np.zeros((2, 3, 3)), ValueError, r"expected a shape \(n, 3, 4\) or \(n, 4, 4\)"),
        (np.zeros((2, 3, 4), np.int32), TypeError, "expected float32 or float64 in GPU memory"),
        (np.zeros((3, 3, 4)), ValueError, "3 transforms for a scene that has 2 instances"),
    ],
)
def test_wrong_transforms(made, value, error, text):
    scene = bc.Scene.from_instances(
        [bc.shape("sphere", 1)], [(0, None), (0, None)], moves=True, device="auto"
    )
    with pytest.raises(error, match=text):
        scene.set_transforms(FakeArray(value))
    still = bc.Scene.from_instances([bc.shape("sphere", 1)], [(0, None)])
    with pytest.raises(ValueError, match="moves=True"):
        still.set_transforms(FakeArray(np.zeros((1, 3, 4))))


def test_wrong_poses(made):
    model = mujoco.MjModel.from_xml_string(MODEL)
    caster = ballotcast.mujoco.Caster(model, 2)
    good, turns = FakeArray(np.zeros((2, 4, 3))), FakeArray(np.zeros((2, 4, 9)))
    with pytest.raises(ValueError, match="geom_xpos: expected 4 for each of 2 worlds"):
        caster.update(geom_xpos=FakeArray(np.zeros((3, 4, 3))), geom_xmat=turns)
    with pytest.raises(ValueError, match="geom_xmat: expected 4 for each of 2 worlds"):
        caster.update(geom_xpos=good, geom_xmat=FakeArray(np.zeros((2, 4, 4))))
    with pytest.raises(TypeError, match="geom_xmat: in host memory"):
        caster.update(geom_xpos=good, geom_xmat=np.zeros((2, 4, 9)))
