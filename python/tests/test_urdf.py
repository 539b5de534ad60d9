"""Tests robots from URDF files."""

import sys

import ballotcast.urdf
import numpy as np
import pytest

ARM = """<robot name="arm">
<link name="base">
  <visual><geometry><box size="1 1 2"/></geometry></visual>
  <collision><geometry><sphere radius="1"/></geometry></collision>
</link>
<link name="arm">
  <visual name="rod"><origin xyz="0 0 1"/><geometry><cylinder radius="0.1" length="1.8"/></geometry></visual>
  <visual name="tip"><origin xyz="0 0 2"/><geometry><mesh filename="tip.obj" scale="2 2 2"/></geometry></visual>
</link>
<joint name="elbow" type="revolute">
  <parent link="base"/><child link="arm"/><origin xyz="0 0 1"/><axis xyz="0 1 0"/>
  <limit lower="-3" upper="3" effort="1" velocity="1"/>
</joint></robot>"""
TIP = "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3\nf 1 3 4\n"


@pytest.fixture
def arm(tmp_path):
    pytest.importorskip("yourdfpy")
    (tmp_path / "tip.obj").write_text(TIP)
    (tmp_path / "arm.urdf").write_text(ARM)
    return tmp_path / "arm.urdf"


def test_joints_move_the_scene(arm):
    robot = ballotcast.urdf.Robot(arm, device="cpu")
    assert robot.names.tolist() == ["base", "arm/rod", "arm/tip"]
    assert robot.links.tolist() == ["base", "arm", "arm"]
    down = robot.scene.cast([0.05, 0.02, 10], [0, 0, -1])
    assert robot.names[down.instance] == "arm/tip" and down.t == pytest.approx(7)
    side = robot.scene.cast([1.5, 0.02, 10], [0, 0, -1])
    assert side.instance == 2  # the scale doubles the tip
    robot.set_joints({"elbow": np.pi / 2})
    hit = robot.scene.cast([1, 0.02, 10], [0, 0, -1])
    assert robot.names[hit.instance] == "arm/rod" and hit.t == pytest.approx(8.9, abs=0.01)
    robot.set_joints([0.0])
    assert np.array_equal(robot.scene.cast([0.05, 0.02, 10], [0, 0, -1]).raw, down.raw)
    with pytest.raises(ValueError, match="configuration: no joint is called 'knee'"):
        robot.set_joints({"knee": 1.0})
    with pytest.raises(ValueError):
        robot.set_joints([1.0, 2.0])


def test_collision_geometry(arm):
    robot = ballotcast.urdf.Robot(arm, "collision", device="cpu")
    assert robot.names.tolist() == ["base"]
    assert robot.scene.cast([0, 0, 3], [0, 0, -1]).t == pytest.approx(2, abs=1e-3)
    with pytest.raises(ValueError, match="geometry: expected 'visual' or 'collision'"):
        ballotcast.urdf.Robot(arm, "both")


def test_what_is_missing_is_named(arm, monkeypatch):
    (arm.parent / "tip.obj").unlink()
    with pytest.raises(ValueError, match="link 'arm': no file tip.obj"):
        ballotcast.urdf.Robot(arm)
    with pytest.raises(FileNotFoundError, match="no file nowhere.urdf"):
        ballotcast.urdf.Robot("nowhere.urdf")


def test_without_yourdfpy_the_error_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "yourdfpy", None)
    with pytest.raises(ImportError, match="ballotcast.urdf needs yourdfpy"):
        ballotcast.urdf.Robot("arm.urdf")
