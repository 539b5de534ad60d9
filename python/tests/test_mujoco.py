"""Tests ballotcast.mujoco against MuJoCo itself."""

import sys

import ballotcast.mujoco as bm
import numpy as np
import pytest

MODEL = """<mujoco>
<asset>
  <hfield name="h" nrow="4" ncol="5" size="2 1 1 .5"
    elevation="0 1 0 .3 .2  0 .5 1 .1 .2  .3 .3 .9 .1 .6  .1 .2 .3 .4 .5"/>
  <mesh name="m" vertex="-1 -1 -1  1 -1 -1  1 1 -1  -1 1 -1  -1 -1 1  1 -1 1  1 1 1  -1 1 .5"/>
  <material name="clear" rgba="1 1 1 0"/><material name="red" rgba="1 0 0 1"/>
</asset>
<worldbody>
  <geom type="plane" size="0 0 1" pos="0 0 -3"/>
  <geom type="plane" size="1 2 1" pos="-4 0 0" euler="20 50 0"/>
  <geom type="hfield" hfield="h" pos="3 0 0"/>
  <geom type="box" size=".3 .4 .5" pos="-2 0 0" euler="10 20 30" group="2"/>
  <geom type="box" size="9 9 9" rgba="1 1 1 0"/>
  <geom type="box" size="9 9 9" material="clear"/>
  <geom type="box" size=".3 .3 .3" pos="0 -2 0" material="red" rgba="1 1 1 0" group="5"/>
  <body name="b" pos="0 0 3"><freejoint/>
    <geom type="sphere" size=".4" mass="1"/>
    <geom type="mesh" mesh="m" pos="0 2 0" mass="1" group="1"/>
    <site name="s" euler="180 10 0"/><site name="level"/>
    <camera name="c" resolution="5 4" fovy="40"/>
    <camera name="o" resolution="3 2" fovy="2" projection="orthographic"/>
    <camera name="i" resolution="4 3" sensorsize=".004 .003" focal=".005 .006"
      principal=".0005 .0002"/>
  </body>
  <body pos="0 -3 0">
    <geom type="capsule" size=".3 .5"/>
    <geom type="cylinder" size=".3 .4" pos="1 0 0"/>
    <geom type="ellipsoid" size=".2 .4 .3" pos="2 0 0"/>
    <site name="other" euler="0 -60 0"/>
  </body>
</worldbody>
<sensor>
  <rangefinder site="s" data="dist dir origin point normal depth"/>
  <rangefinder site="other"/><rangefinder site="s" cutoff="1.5"/><rangefinder site="level" cutoff=".5"/>
  <rangefinder camera="c" data="dist dir origin point normal depth"/>
  <rangefinder camera="o" data="dist origin depth"/><rangefinder camera="i" data="dist dir"/>
</sensor></mujoco>"""

# How far results may differ: they are computed in float32.
LIMIT = 1e-5


@pytest.fixture(scope="module")
def mujoco():
    return pytest.importorskip("mujoco", reason="MuJoCo is not installed")


@pytest.fixture(scope="module")
def model(mujoco):
    return mujoco.MjModel.from_xml_string(MODEL)


def data_of(mujoco, model, seed=0):
    data = mujoco.MjData(model)
    if seed:
        data.qpos[:] += 0.3 * np.random.default_rng(seed).normal(size=model.nq)
    mujoco.mj_forward(model, data)
    return data


def rays(count, seed=1):
    rng = np.random.default_rng(seed)
    return rng.uniform(-5, 5, (count, 3)), rng.normal(size=(count, 3))


def theirs(mujoco, model, data, pnt, vec, group=None, static=True, body=-1):
    dist, geomid, normal = np.zeros(len(pnt)), np.zeros(len(pnt), np.int32), np.zeros_like(pnt)
    for i in range(len(pnt)):
        dist[i] = mujoco.mj_ray(
            model, data, pnt[i], vec[i], group, static, body, geomid[i : i + 1], normal[i]
        )
    return dist, geomid, normal


def require_same(found, dist, geomid, normal=None, differing=0.001):
    """Requires the same geoms, except for a few rays that graze one, and distances and normals that
    are near enough."""
    same = found.geomid == geomid
    assert (~same).mean() <= differing
    np.testing.assert_allclose(found.dist[same], dist[same], rtol=LIMIT, atol=LIMIT)
    if normal is not None:
        np.testing.assert_allclose(found.normal[same], normal[same], atol=20 * LIMIT)


@pytest.mark.parametrize("device", ["cpu", "emulated"])
def test_rays_hit_what_mj_ray_hits(mujoco, model, device):
    data = data_of(mujoco, model, 1)
    caster = bm.Caster(model, device=device)
    caster.update(data)
    pnt, vec = rays(3000 if device == "cpu" else 300)
    found = caster.cast(pnt, vec, normal=True)
    require_same(found, *theirs(mujoco, model, data, pnt, vec))
    if device == "cpu":
        assert len(set(found.geomid.tolist())) == model.ngeom - 1  # two are clear; -1 is a miss


def test_which_geoms_count(mujoco, model):
    data = data_of(mujoco, model)
    caster = bm.Caster(model, device="cpu")
    caster.update(data)
    pnt, vec = rays(500)
    for body in range(-1, model.nbody):
        for static in (True, False):
            for groups in (None, [1, 0, 1, 0, 0, 0], [0, 1, 0, 0, 0, 1]):
                group = None if groups is None else np.array(groups, np.uint8)
                found = caster.cast(pnt, vec, geomgroup=group, flg_static=static, bodyexclude=body)
                dist, geomid, _ = theirs(mujoco, model, data, pnt, vec, group, static, body)
                require_same(found, dist, geomid)
    # More views than there are bits in a mask: the first ones get another bit.
    for bits in range(40):
        groups = np.array([bits >> k & 1 for k in range(6)], np.uint8)
        found = caster.cast(pnt[:50], vec[:50], geomgroup=groups)
        dist, geomid, _ = theirs(mujoco, model, data, pnt[:50], vec[:50], groups)
        require_same(found, dist, geomid, differing=0)


def test_single_rays_have_the_arguments_of_mj_ray(mujoco, model):
    data = data_of(mujoco, model)
    caster = bm.Caster(model, device="cpu")
    caster.update(data)
    ours, its = np.zeros(1, np.int32), np.zeros(1, np.int32)
    our_normal, its_normal = np.zeros(3), np.zeros(3)
    arguments = [0.1, 0.2, 9.0], [0.0, 0.0, -2.0], None, 1, 2
    dist = mujoco.mj_ray(model, data, *map(np.float64, arguments[:2]), None, 1, 2, its, its_normal)
    assert caster.ray(*arguments, ours, our_normal) == pytest.approx(dist, rel=LIMIT)
    assert ours == its
    np.testing.assert_allclose(our_normal, its_normal, atol=20 * LIMIT)
    assert caster.ray([3, 0, -9], [0, 0, 1]) == pytest.approx(8.5, rel=LIMIT)  # not the plane
    assert caster.ray([20, 0, 9], [0, 0, 1]) == -1
    with pytest.raises(ValueError, match="vec: a direction has length 0"):
        caster.ray([0, 0, 0], [0, 0, 0])
    with pytest.raises(ValueError, match="geomgroup: expected 6 numbers, got 2"):
        caster.ray([0, 0, 0], [0, 0, 1], [1, 0])


@pytest.mark.parametrize("cutoff", [1e10, 6.0, 3.0, 1.0])
def test_many_rays_have_the_arguments_of_mj_multiray(mujoco, model, cutoff):
    data = data_of(mujoco, model)
    caster = bm.Caster(model, device="cpu")
    caster.update(data)
    pnt, (_, vec) = np.array([0.5, -0.5, 2.0]), rays(1000, 2)
    n = len(vec)
    geomid, dist, normal = np.zeros(n, np.int32), np.zeros(n), np.zeros(3 * n)
    mujoco.mj_multiRay(model, data, pnt, vec.ravel(), None, 1, 1, geomid, dist, normal, n, cutoff)
    found = caster.multi_ray(pnt, vec.ravel(), None, 1, 1, nray=n, cutoff=cutoff)
    assert found.normal is None
    require_same(found, dist, geomid)
    ids, far, up = np.zeros(n, np.int32), np.zeros(n), np.zeros(3 * n)
    caster.multi_ray(pnt, vec, None, 1, 1, ids, far, up, n, cutoff)
    assert np.array_equal(ids, found.geomid) and np.array_equal(far, found.dist)
    require_same(bm.RayHits(far, ids, up.reshape(n, 3)), dist, geomid, normal.reshape(n, 3))
    with pytest.raises(ValueError, match="vec: expected 3 numbers for each ray"):
        caster.multi_ray(pnt, vec, nray=3)


def test_rangefinders_report_what_mujoco_reports(mujoco, model):
    caster = bm.Caster(model, 3, device="cpu")
    several = [data_of(mujoco, model, seed) for seed in range(3)]
    caster.update(several)
    found = caster.rangefinders()
    expected = np.stack([data.sensordata for data in several])
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=LIMIT, atol=20 * LIMIT)


def test_worlds_move_alone(mujoco, model):
    several = [data_of(mujoco, model, seed) for seed in range(4)]
    together = bm.Caster(model, 4, device="cpu")
    together.update(several)
    pnt, vec = rays(400)
    world = np.arange(400) % 4
    found = together.cast(pnt, vec, world=world)
    alone = bm.Caster(model, device="cpu")
    for k, data in enumerate(several):
        alone.update(data)
        of_one = alone.cast(pnt[world == k], vec[world == k])
        assert np.array_equal(of_one.geomid, found.geomid[world == k])
        np.testing.assert_allclose(of_one.dist, found.dist[world == k], rtol=LIMIT)
    before = together.lidar("s", [[0, 0, 1.0], [0.1, 0, 1]]).dist
    together.update(
        geom_xpos=np.stack([data.geom_xpos for data in several[::-1]]),
        geom_xmat=np.stack([data.geom_xmat.reshape(-1, 3, 3) for data in several[::-1]]),
    )
    backwards = together.cast(pnt, vec, world=3 - world)
    assert np.array_equal(backwards.dist, found.dist)
    with pytest.raises(ValueError, match="update was called without poses of a site"):
        together.lidar("s", [[0, 0, 1.0]])
    together.update(several)
    assert np.array_equal(together.lidar("s", [[0, 0, 1.0], [0.1, 0, 1]]).dist, before)
    with pytest.raises(ValueError, match="geom_xpos: expected 12 for each of 4 worlds"):
        together.update(several[:3])


def test_planes_without_an_end_have_none(mujoco):
    endless = mujoco.MjModel.from_xml_string(
        """<mujoco><worldbody>
        <geom type="plane" size="0 0 1"/> <geom type="plane" size="0 2 1" pos="0 0 -1" group="1"/>
        <geom type="sphere" size="1" pos="0 0 1"/> </worldbody></mujoco>"""
    )
    data = data_of(mujoco, endless)
    caster = bm.Caster(endless, device="cpu")
    caster.update(data)
    far = np.array([[1, 0, -1e-7], [0.3, 1, -1e-9], [-1, 0, 1e-9], [1, 1e-9, -1e-8]])
    pnt = np.array([[0, 0, 3.0], [5e7, 0, 2], [0, 0, 3], [0, 0, 3]])
    for groups in (None, [0, 1, 0, 0, 0, 0]):
        group = None if groups is None else np.array(groups, np.uint8)
        found = caster.cast(pnt, far, geomgroup=group, normal=True)
        dist, geomid, normal = theirs(mujoco, endless, data, pnt, far, group)
        require_same(found, dist, geomid, normal, differing=0)
        assert (geomid >= 0).sum() >= 2
    assert caster.ray([1e5, 0, -0.5], [0, 0, 1]) == -1  # from below


def test_batches_of_mujoco_have_the_poses_of_all_worlds(mujoco, model):
    batch = pytest.importorskip("mujoco.batch", reason="MuJoCo 3 has no batches").Batch(model, 3)
    for name in ("geom_xpos", "geom_xmat", "site_xpos", "site_xmat", "cam_xpos", "cam_xmat"):
        getattr(batch, name)  # a field that was read once is computed from now on
    batch.forward()
    alone, together = bm.Caster(model, device="cpu"), bm.Caster(model, 3, device="cpu")
    alone.update(data_of(mujoco, model))
    together.update(batch)
    np.testing.assert_array_equal(together.rangefinders(), [alone.rangefinders()] * 3)


def test_devices_give_the_same_bits(mujoco, model):
    found = []
    for device in ("cpu", "emulated"):
        caster = bm.Caster(model, 2, device=device)
        caster.update([data_of(mujoco, model, seed) for seed in (1, 2)])
        hits = caster.cast(*rays(200), normal=True, world=np.arange(200) % 2)
        found.append([part.tobytes() for part in hits])
    assert found[0] == found[1]


def test_depth_and_lidar(mujoco, model):
    data = data_of(mujoco, model)
    caster = bm.Caster(model, device="cpu")
    with pytest.raises(ValueError, match="the geoms have no poses yet: call update first"):
        caster.ray([0, 0, 0], [0, 0, 1])
    caster.update(data)
    body = int(model.cam_bodyid[0])
    depth = caster.depth("c", bodyexclude=body)
    first = model.sensor_adr[4]
    fields = data.sensordata[first : first + model.sensor_dim[4]].reshape(4, 5, 14)
    np.testing.assert_allclose(depth, fields[..., 13], rtol=LIMIT)
    assert caster.depth("o", 6, 4).shape == (4, 6)
    assert np.isinf(caster.depth(0, 3, 3, geomgroup=[0, 0, 0, 1, 0, 0])).all()
    pattern = np.array([[0, 0, 1.0], [1, 0, 0], [0, -1, -0.1]])
    found = caster.lidar("level", pattern)
    at = np.tile(data.site("level").xpos, (3, 1))
    dist, geomid, _ = theirs(mujoco, model, data, at, pattern, body=body)
    require_same(found, dist, geomid, differing=0)
    with pytest.raises(ValueError, match="the model has no site called 'nose'"):
        caster.lidar("nose", pattern)
    with pytest.raises(ValueError, match="camera: expected an integer from 0 to 2, got 3"):
        caster.depth(3)
    with pytest.raises(ValueError, match="camera 2: its principal point is not in the middle"):
        caster.depth("i")
    with pytest.raises(ValueError, match=r"pattern: expected a shape \(n, 3\) or \(n, 6\)"):
        caster.lidar("s", [0, 0, 1.0])


def test_models_without_geoms_are_refused(mujoco):
    empty = mujoco.MjModel.from_xml_string("<mujoco><worldbody/></mujoco>")
    with pytest.raises(ValueError, match="model: it has no geom that rays can hit"):
        bm.Caster(empty)


def test_without_mujoco_the_error_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(ImportError, match="ballotcast.mujoco needs MuJoCo 3 or later"):
        bm.Caster(None)
