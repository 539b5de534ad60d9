"""Tests casts: the rays that they take and the hits that they give."""

import ballotcast as bc
import numpy as np
import pytest
from shapes import CORNERS, FACES, sheet


def test_hits_per_triangle(tetrahedron):
    origins = np.random.default_rng(3).uniform(-1, 1, (40, 50, 3)) * [1, 1, 0] + [0, 0, -5]
    for t_max in 10, 1:
        hits = tetrahedron.cast(origins, [0, 0, 1], t_max=t_max)
        expected = np.bincount(hits.triangle[hits.hit], minlength=4)
        counts = tetrahedron.hits_per_triangle(origins, [0, 0, 1], t_max=t_max)
        assert counts.dtype == np.uint64 and counts.shape == (4,)
        np.testing.assert_array_equal(counts, expected)
    assert tetrahedron.hits_per_triangle(np.empty((0, 3)), [0, 0, 1]).tolist() == [0, 0, 0, 0]


def test_the_parts_of_a_hit(tetrahedron):
    hits = tetrahedron.cast([[0.125, 0.25, -5], [5, 5, 5]], [0, 0, 2])
    assert hits.shape == (2,) and len(hits) == 2
    np.testing.assert_array_equal(hits.hit, [True, False])
    np.testing.assert_array_equal(hits.t, [2.5, np.inf])
    np.testing.assert_array_equal(hits.triangle, [0, -1])
    np.testing.assert_array_equal(hits.mesh, [0, -1])
    np.testing.assert_array_equal(hits.instance, [0, -1])
    np.testing.assert_array_equal(hits.point, [[0.125, 0.25, 0], [np.nan] * 3])
    np.testing.assert_array_equal(hits.normal, [[0, 0, -1], [0, 0, 0]])
    np.testing.assert_array_equal(hits.uv, [[0.25, 0.125], [0, 0]])
    assert hits.t.dtype == np.float64 and hits.triangle.dtype == np.int64
    assert hits.normal.dtype == np.float32 and hits.uv.dtype == np.float32


def test_floats_give_floats(tetrahedron):
    origins = np.float32([[0.125, 0.25, -5], [5, 5, 5]])
    hits = tetrahedron.cast(origins, np.float32([0, 0, 1]))
    assert hits.t.dtype == np.float32
    np.testing.assert_array_equal(hits.t, np.float32([5, np.inf]))
    np.testing.assert_array_equal(hits.point[0], [0.125, 0.25, 0])


@pytest.mark.parametrize("shape", [(), (1,), (7,), (2, 3), (0,), (2, 0, 3)])
def test_any_leading_shape(tetrahedron, shape):
    origins = np.zeros((*shape, 3)) + [0.1, 0.1, -1]
    hits = tetrahedron.cast(origins, [0, 0, 1])
    assert hits.t.shape == hits.triangle.shape == hits.hit.shape == shape
    assert hits.uv.shape == (*shape, 2) and hits.point.shape == (*shape, 3)
    assert tetrahedron.any(origins, [0, 0, 1]).shape == shape
    assert tetrahedron.count(origins, [0, 0, 1]).shape == shape
    assert (tetrahedron.count(origins, [0, 0, 1]) == 2).all()


def test_arrays_that_are_not_contiguous(tetrahedron):
    rays = np.random.default_rng(1).normal(size=(50, 12))
    apart = tetrahedron.cast(rays[::2, 0:9:3], rays[::2, 1:10:3])
    packed = tetrahedron.cast(rays[::2, 0:9:3].copy(), rays[::2, 1:10:3].copy())
    np.testing.assert_array_equal(apart.raw, packed.raw)
    fortran = np.asfortranarray(rays[:, :3])
    np.testing.assert_array_equal(
        tetrahedron.cast(fortran, [0, 0, 1]).raw, tetrahedron.cast(rays[:, :3], [0, 0, 1]).raw
    )


def test_limits_of_t(tetrahedron):
    origin = [0.125, 0.25, -5]
    assert tetrahedron.cast(origin, [0, 0, 1], t_max=4.5).t == np.inf
    assert tetrahedron.cast(origin, [0, 0, 1], t_min=5.25).t > 5.25
    many = tetrahedron.cast(origin, [0, 0, 1], t_max=[1.0, 9.0])
    np.testing.assert_array_equal(many.hit, [False, True])


def test_all_hits(tetrahedron):
    hits = tetrahedron.all([[0.125, 0.25, -5], [9, 9, 9], [0.125, 0.25, 0.25]], [0, 0, 1])
    np.testing.assert_array_equal(hits.starts, [0, 2, 2, 3])
    np.testing.assert_array_equal(hits.ray, [0, 0, 2])
    np.testing.assert_array_equal(hits.triangle, [0, 3, 3])
    np.testing.assert_array_equal(hits.t, [5, 5.625, 0.375])


def test_double_rays_keep_their_precision():
    scene = bc.Scene(CORNERS, FACES)
    for far in (1e3, 1e6, 1e9, 1e12):
        origin = np.array([0.3, 0.2, 0.1]) - far * np.array([0.6, 0.0, 0.8])
        hits = scene.cast(origin, [0.6, 0.0, 0.8])
        assert hits.hit
        # Face 0 lies in the plane z = 0, face 2 in x = 0.
        exact = -origin[2] / 0.8 if hits.triangle == 0 else -origin[0] / 0.6
        assert abs(hits.t - exact) <= 4 * np.spacing(far)


def test_nan_rays_miss_and_are_counted(tetrahedron):
    origins = np.zeros((5, 3)) + [0.1, 0.1, -1]
    origins[1, 2] = np.nan
    hits = tetrahedron.cast(origins, [0, 0, 1])
    assert hits.nan_rays == 1
    np.testing.assert_array_equal(hits.hit, [True, False, True, True, True])
    assert tetrahedron.cast(np.float32(origins), np.float32([0, 0, 1])).nan_rays == 1
    assert tetrahedron.cast([0, 0, 0], [0, 0, np.inf]).nan_rays == 0
    assert not tetrahedron.cast([0, 0, 0], [0, 0, 0]).hit


def test_out_is_overwritten(tetrahedron):
    out = tetrahedron.cast([[9, 9, 9], [9, 9, 9.0]], [0, 0, 1])
    raw = out.raw
    again = tetrahedron.cast([[0.1, 0.1, -1], [9, 9, 9.0]], [0, 0, 1], out=out)
    assert again is out and np.shares_memory(out.raw, raw)
    np.testing.assert_array_equal(out.hit, [True, False])
    np.testing.assert_array_equal(out.triangle, [0, -1])
    with pytest.raises(ValueError, match="out: expected the hits of 3 rays of float64"):
        tetrahedron.cast(np.zeros((3, 3)), [0, 0, 1], out=out)
    with pytest.raises(ValueError, match="float32"):
        tetrahedron.cast(np.zeros((2, 3), "f4"), np.float32([0, 0, 1]), out=out)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_hits_stay_when_the_arrays_of_the_rays_change(dtype):
    scene = bc.Scene(*sheet(10))
    rays = np.tile(np.array([0.1, 0.2, 5, 0, 0, -1], dtype), (50, 1))
    rays[:, :2] += np.random.default_rng(1).uniform(-0.5, 0.5, (50, 2))
    hits = scene.cast(rays[:, :3], rays[:, 3:])
    t, points = hits.t.copy(), hits.point.copy()
    np.testing.assert_allclose(points, rays[:, :3] + t[:, None] * rays[:, 3:], atol=1e-6)
    rays += 1
    np.testing.assert_array_equal(hits.t, t)
    np.testing.assert_array_equal(hits.point, points)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_arrays_in_any_memory_order(dtype):
    scene = bc.Scene(*sheet(10))
    random = np.random.default_rng(1)
    rows = random.uniform(-0.5, 0.5, (60, 6)).astype(dtype)
    rows[:, 2], rows[:, 5] = 5, -3
    origins, ways = rows[:, :3].copy(), rows[:, 3:].copy()
    expected = scene.cast(origins, ways)
    assert expected.hit.sum() > 10
    records = np.zeros(60, [("pad", "u1"), ("origin", dtype, 3), ("way", dtype, 3)])
    records["origin"], records["way"] = origins, ways
    unaligned = np.zeros(60 * rows.itemsize * 3 + 1, np.uint8)[1:].view(dtype).reshape(60, 3)
    unaligned[:] = origins
    wide = np.zeros((60, 3, 2), dtype)
    wide[..., 0] = origins
    for starts, directions in (
        (rows[:, :3], rows[:, 3:]),
        (np.asfortranarray(origins), np.asfortranarray(ways)),
        (origins[::-1].copy()[::-1], ways[::-1].copy()[::-1]),
        (records["origin"], records["way"]),
        (unaligned, ways),
        (wide[..., 0], ways),
    ):
        hits = scene.cast(starts, directions)
        np.testing.assert_array_equal(hits.raw, expected.raw)
        np.testing.assert_array_equal(hits.point, expected.point)
        np.testing.assert_array_equal(scene.count(starts, directions), scene.count(origins, ways))
        found, same = scene.all(starts, directions), scene.all(origins, ways)
        np.testing.assert_array_equal(found.raw, same.raw)
    square = rows.reshape(6, 10, 6)
    hits = scene.cast(square[..., :3].transpose(1, 0, 2), square[..., 3:].transpose(1, 0, 2))
    np.testing.assert_array_equal(hits.t, expected.t.reshape(6, 10).T)
    hits = scene.cast(origins[0], ways)  # one direction for all rays
    np.testing.assert_array_equal(hits.raw, scene.cast(np.tile(origins[:1], (60, 1)), ways).raw)


def test_a_single_ray_into_many_worlds():
    mesh = bc.Scene(CORNERS, FACES)
    sizes = [np.diag([k, k, k, 1.0]) for k in (1, 2, 3)]
    scene = bc.Scene.from_instances([mesh], [bc.Instance(0, s, w) for w, s in enumerate(sizes)])
    for dtype in (np.float32, np.float64):
        ray = np.array([0.25, 0.25, -5], dtype), np.array([0, 0, 1], dtype)
        each = np.tile(ray[0], (3, 1)), ray[1]
        worlds = np.arange(3)
        np.testing.assert_array_equal(
            scene.cast(*ray, world=worlds).raw, scene.cast(*each, world=worlds).raw
        )
        np.testing.assert_array_equal(scene.any(*ray, world=worlds), [True] * 3)
        np.testing.assert_array_equal(
            scene.count(*ray, world=worlds), scene.count(*each, world=worlds)
        )
        assert len(scene.all(*ray, world=worlds).starts) == 4


def test_out_must_be_what_cast_gives():
    scene = bc.Scene(CORNERS, FACES)
    rays = np.tile([0.1, 0.1, -5.0], (8, 1)), [0, 0, 1.0]
    for wrong in (scene.all(*rays), scene.closest_point(rays[0]), "hits", rays[0]):
        with pytest.raises(TypeError, match="out: expected the Hits"):
            scene.cast(*rays, out=wrong)
    # `out` may share memory with the arrays of the rays: these are read before `out` is written.
    random = np.random.default_rng(2)
    origins, ways = random.normal(size=(500, 3)), random.normal(size=(500, 3))
    hits = scene.cast(origins, ways)
    starts, limits = hits.point[::-1], hits.t[::-1]
    expected = scene.cast(starts.copy(), ways, t_max=limits.copy())
    again = scene.cast(starts, ways, t_max=limits, out=hits)
    np.testing.assert_array_equal(again.raw, expected.raw)
    np.testing.assert_array_equal(again.point, expected.point)
    with pytest.raises(ValueError, match="read-only"):
        hits.raw["id"][0] = 7
