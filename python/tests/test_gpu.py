"""Tests arrays in GPU memory: results have the same bits as for arrays in host memory, and no
array is copied."""

import ballotcast as bc
import numpy as np
import pytest


def _torch():
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("torch sees no GPU")
    return (lambda a: torch.as_tensor(a, device="cuda")), (lambda a: a.cpu().numpy()), torch.Tensor


def cupy_with_gpu():
    cupy = pytest.importorskip("cupy")
    try:
        cupy.cuda.runtime.getDeviceCount()
    except Exception as error:  # the class of the exception depends on what is missing
        pytest.skip(f"CuPy sees no GPU: {error}")
    return cupy


def _cupy():
    cupy = cupy_with_gpu()
    return cupy.asarray, cupy.asnumpy, cupy.ndarray


def _jax():
    jax = pytest.importorskip("jax")
    if jax.default_backend() != "gpu":
        pytest.skip("JAX sees no GPU")
    jax.config.update("jax_enable_x64", True)
    return jax.numpy.asarray, np.asarray, jax.Array


@pytest.fixture(params=[_torch, _cupy, _jax], ids=["torch", "cupy", "jax"])
def library(request):
    return request.param()


def _sphere(rings=24):
    u, v = np.meshgrid(np.arange(2 * rings), np.arange(rings + 1))
    a, b = np.pi * u / rings, np.pi * v / rings
    points = np.stack([np.cos(a) * np.sin(b), np.sin(a) * np.sin(b), np.cos(b)], -1)

    def index(i, j):
        return (i % (2 * rings)) + j * 2 * rings

    i, j = u[:-1].ravel(), v[:-1].ravel()
    faces = np.stack([index(i, j), index(i, j + 1), index(i + 1, j)], -1)
    other = np.stack([index(i + 1, j), index(i, j + 1), index(i + 1, j + 1)], -1)
    return points.reshape(-1, 3), np.concatenate([faces, other])


def _rays(dtype, size=20000):
    random = np.random.default_rng(1)
    origins = random.normal(size=(size, 3)) * 2
    origins[::7] *= 1e5  # far away
    aims = random.normal(size=(size, 3)) * 0.6
    ways = aims - origins
    origins[5] = np.nan
    return origins.astype(dtype), ways.astype(dtype)


PARTS = ("hit", "t", "triangle", "mesh", "instance", "uv", "normal", "point")


def _same(gpu, host, get, parts):
    for part in parts:
        theirs, ours = get(getattr(gpu, part)), np.asarray(getattr(host, part))
        assert theirs.dtype == ours.dtype, part
        np.testing.assert_array_equal(theirs, ours, err_msg=part)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_casts_have_the_bits_of_the_host(library, dtype):
    put, get, kind = library
    scene = bc.Scene(*_sphere())
    origins, ways = _rays(dtype)
    host = scene.cast(origins, ways)
    gpu = scene.cast(put(origins), put(ways))
    assert isinstance(gpu.t, kind) and host.hit.any()
    _same(gpu, host, get, PARTS)
    np.testing.assert_array_equal(get(gpu.id), host.id)
    assert gpu.nan_rays == host.nan_rays == 1
    np.testing.assert_array_equal(get(scene.any(put(origins), put(ways))), scene.any(origins, ways))
    np.testing.assert_array_equal(
        get(scene.count(put(origins), put(ways))), scene.count(origins, ways)
    )


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_all_hits(library, dtype):
    put, get, _ = library
    scene = bc.Scene(*_sphere())
    origins, ways = _rays(dtype)
    host, gpu = scene.all(origins, ways), scene.all(put(origins), put(ways))
    np.testing.assert_array_equal(get(gpu.starts), host.starts)
    assert host.t.dtype == dtype and len(host.t) > 1000
    _same(gpu, host, get, PARTS)
    missed = put(np.full((3, 3), 9, dtype))
    assert get(scene.all(missed, put(np.ones((3, 3), dtype))).t).dtype == dtype


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_closest_points(library, dtype):
    put, get, _ = library
    scene = bc.Scene(*_sphere())
    points = np.random.default_rng(2).normal(size=(100, 50, 3)).astype(dtype)
    host, gpu = scene.closest_point(points), scene.closest_point(put(points))
    _same(gpu, host, get, ("found", "distance", "triangle", "uv", "normal", "point"))
    host, gpu = (scene.closest_point(p, max_distance=0.3) for p in (points, put(points)))
    _same(gpu, host, get, ("found", "distance", "point"))
    assert host.found.any() and not host.found.all()
    np.testing.assert_array_equal(get(scene.contains(put(points))), scene.contains(points))
    np.testing.assert_array_equal(
        get(scene.signed_distance(put(points))), scene.signed_distance(points)
    )


def test_arrays_of_any_shape_and_stride(library):
    put, get, _ = library
    scene = bc.Scene(*_sphere())
    origins, ways = _rays(np.float32, 24)
    wide = np.zeros((2, 3, 4, 5), np.float32)
    wide[..., 1:4] = origins.reshape(2, 3, 4, 3)
    turned = put(wide)[..., 1:4]
    host = scene.cast(origins.reshape(2, 3, 4, 3), ways[0])
    gpu = scene.cast(turned, ways[0])
    assert tuple(gpu.shape) == (2, 3, 4)
    _same(gpu, host, get, ("hit", "t", "point"))
    limits = np.linspace(0, 1, 24).reshape(2, 3, 4).astype(np.float32)
    host = scene.cast(origins.reshape(2, 3, 4, 3), ways.reshape(2, 3, 4, 3), t_max=limits)
    gpu = scene.cast(turned, put(ways.reshape(2, 3, 4, 3)), t_max=put(limits))
    _same(gpu, host, get, ("hit", "t"))
    assert get(scene.cast(turned[:0], put(ways)[:1]).t).shape == (0, 3, 4)


def test_meshes_far_from_zero_and_several_meshes(library):
    put, get, _ = library
    points, faces = _sphere(8)
    far = points + [1e6, 2e6, -3e6]
    scene = bc.Scene(far, faces)
    origins, ways = _rays(np.float64, 500)
    origins += [1e6, 2e6, -3e6]
    _same(scene.cast(put(origins), put(ways)), scene.cast(origins, ways), get, PARTS)
    several = bc.Scene.from_meshes([(points, faces), (points + [3, 0, 0], faces)])
    origins, ways = _rays(np.float32, 500)
    _same(several.cast(put(origins), put(ways)), several.cast(origins, ways), get, PARTS)


def test_instances_and_worlds(library):
    put, get, _ = library
    mesh = bc.Scene(*_sphere(8))
    there = np.eye(4)
    there[:3, 3] = 0.3
    placed = [bc.Instance(0, None, 0), bc.Instance(0, there, 0), bc.Instance(0, there, 1)]
    scene = bc.Scene.from_instances([mesh], placed)
    origins, ways = _rays(np.float32, 2000)
    worlds = (np.arange(2000) % 2).astype(np.int32)
    host = scene.cast(origins, ways, world=worlds)
    gpu = scene.cast(put(origins), put(ways), world=put(worlds))
    _same(gpu, host, get, PARTS)
    _same(
        scene.cast(put(origins), put(ways), world=1), scene.cast(origins, ways, world=1), get, PARTS
    )


def test_points_in_instances_and_worlds(library):
    put, get, _ = library
    there = np.diag([1, -2, 0.5, 1.0])
    there[:3, 3] = 0.3
    placed = [bc.Instance(0, None, 0), bc.Instance(0, there, 0), bc.Instance(0, there, 1)]
    scene = bc.Scene.from_instances([bc.Scene(*_sphere(8))], placed)
    points = np.random.default_rng(3).normal(size=(2000, 3)).astype(np.float32)
    worlds = (np.arange(2000) % 2).astype(np.int32)
    for dtype in (np.float32, np.float64):
        p = points.astype(dtype)
        for on_host, on_gpu in ((worlds, put(worlds)), (1, 1), (None, None)):
            host = scene.closest_point(p, world=on_host)
            gpu = scene.closest_point(put(p), world=on_gpu)
            parts = ("found", "distance", "triangle", "mesh", "instance", "uv", "point")
            _same(gpu, host, get, parts)
            for call in ("winding_number", "contains", "signed_distance"):
                expected = getattr(scene, call)(p, world=on_host)
                got = get(getattr(scene, call)(put(p), world=on_gpu))
                np.testing.assert_array_equal(got, expected)
            for rule in ("nonzero", "winding"):
                np.testing.assert_array_equal(
                    get(scene.contains(put(p), rule=rule, world=on_gpu)),
                    scene.contains(p, rule=rule, world=on_host),
                )


def test_vertices_that_move(library):
    put, get, _ = library
    points, faces = _sphere()
    scene = bc.Scene(points, faces, moves=True)
    origins, ways = _rays(np.float32)
    scene.cast(put(origins), put(ways))
    moved = (points * [2, 1, 0.5]).astype(np.float32)
    still = bc.Scene(moved, faces).cast(origins, ways)
    scene.set_vertices(put(moved))
    _same(scene.cast(put(origins), put(ways)), still, get, PARTS)
    np.testing.assert_array_equal(
        get(scene.distance(put(origins))), bc.Scene(moved, faces).distance(origins)
    )
    with pytest.raises(RuntimeError, match="moved by an array in GPU memory"):
        scene.cast(origins, ways)
    scene.set_vertices(moved)
    _same(scene.cast(put(origins), put(ways)), still, get, PARTS)
    _same(scene.cast(put(origins), put(ways)), scene.cast(origins, ways), get, PARTS)


def test_vertices_of_the_host_move_after_casts_of_all_streams():
    put, get, _ = _torch()
    torch = pytest.importorskip("torch")
    points, faces = _sphere()
    scene = bc.Scene(points, faces, moves=True)
    origins, ways = _rays(np.float32)
    there = put(origins), put(ways)
    scene.cast(*there).t
    before = bc.Scene(points, faces).cast(origins, ways)
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        scene.cast(*there).t  # creates what the first cast on a stream needs
        torch.cuda._sleep(500_000_000)
        hits = scene.cast(*there)
        t, ids = hits.t, hits.id
    scene.set_vertices(points * [2, 1, 0.5])
    side.synchronize()
    np.testing.assert_array_equal(get(t), before.t)
    np.testing.assert_array_equal(get(ids), before.id)
    _same(scene.cast(*there), scene.cast(origins, ways), get, PARTS)


def test_a_scene_that_had_moved_before(library):
    put, get, _ = library
    points, faces = _sphere()
    scene = bc.Scene(points, faces, moves=True)
    scene.set_vertices(points * [2, 1, 0.5])
    origins, ways = _rays(np.float32)
    _same(scene.cast(put(origins), put(ways)), scene.cast(origins, ways), get, PARTS)
    there, back = np.eye(4, dtype=np.float32), np.eye(4, dtype=np.float32)
    there[0, 3], back[0, 3] = 0.5, -0.5
    placed = bc.Scene.from_instances([bc.Scene(points, faces)], [(0, None)], moves=True)
    transforms = np.ascontiguousarray(there[None, :3])
    placed.set_transforms(transforms)
    transforms[:] = back[:3]  # the scene has copied the transforms, so this must not matter
    _same(placed.cast(put(origins), put(ways)), placed.cast(origins, ways), get, PARTS)
    placed.set_transforms(transforms)
    _same(placed.cast(put(origins), put(ways)), placed.cast(origins, ways), get, PARTS)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_transforms_that_move_instances(library, dtype):
    put, get, _ = library
    points, faces = _sphere()
    meshes = [bc.Scene(points, faces), bc.Scene(points + 1e6, faces), bc.shape("box", (1, 2, 3))]
    instances = [bc.Instance(i % 3, None, i % 2) for i in range(60)]
    random = np.random.default_rng(4)
    rows = np.zeros((60, 4, 4))
    rows[:, :3, :3] = np.linalg.qr(random.normal(size=(60, 3, 3)))[0]
    rows[:, :3, 3] = random.normal(size=(60, 3)) * 3
    rows[1::3, :3, 3] -= rows[1::3, :3, :3] @ np.full(3, 1e6)  # the mesh that is far away
    rows[:, 3, 3] = 1
    rows[7] = 0  # hidden
    rows = rows.astype(dtype)
    rows[7, :3] = 0
    origins, ways = _rays(np.float32)
    world = np.arange(len(origins), dtype=np.uint32) % 2
    expected = bc.Scene.from_instances(meshes, instances, moves=True)
    expected.set_transforms(rows)
    scene = bc.Scene.from_instances(meshes, instances, moves=True)
    for array in (put(rows), put(rows)[:, :3]):
        scene.set_transforms(array)
        gpu = scene.cast(put(origins), put(ways), world=put(world.astype(np.int32)))
        _same(gpu, expected.cast(origins, ways, world=world), get, PARTS)
    assert scene.unusable_transforms() == (0, -1)
    rows[9:11, 0, 0] = np.nan
    scene.set_transforms(put(rows))
    assert scene.unusable_transforms() == (2, 9)
    rows[9:11] = 0
    scene.set_transforms(put(rows))
    expected.set_transforms(rows)
    gpu = scene.cast(put(origins), put(ways), world=put(world.astype(np.int32)))
    _same(gpu, expected.cast(origins, ways, world=world), get, PARTS)
    with pytest.raises(bc.UsageError, match="59 transforms for a scene that has 60"):
        scene.set_transforms(put(rows[1:]))
    scene.set_transforms(rows)  # by the host again
    _same(scene.cast(put(origins), put(ways)), expected.cast(origins, ways), get, PARTS)


def _warp():
    warp = pytest.importorskip("warp")
    if not warp.is_cuda_available():
        pytest.skip("Warp sees no GPU")
    return (lambda a: warp.array(a, device="cuda:0")), (lambda a: a.numpy()), warp.array


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("make", [_torch, _cupy, _jax, _warp])
def test_sensors_of_worlds_in_gpu_memory(make, dtype):
    put, get, kind = make()
    mujoco = pytest.importorskip("mujoco")
    import ballotcast.mujoco
    import test_gpu_poses as poses
    from ballotcast._mujoco_rays import FROM_ZERO
    from ballotcast._mujoco_sensors import LocalRays, placed

    model = mujoco.MjModel.from_xml_string(poses.MODEL)
    every = poses.states(model, 40)
    batch = poses.on_gpu(every, dtype, True)
    for name in [name for name in dir(batch) if name[0] != "_"]:
        setattr(batch, name, put(getattr(batch, name).array))
    there = ballotcast.mujoco.Caster(model, 40)
    here = ballotcast.mujoco.Caster(model, 40)
    there.update(batch)
    poses.rounded(every, dtype, here)
    pattern = bc.lidar_rays([-20.0, 0.0, 5.0], 5.0)
    found = there.lidar("nose", pattern)
    assert isinstance(found.dist, kind)
    rays = pattern.rays.astype(np.float64)
    start, way = (
        a.astype(np.float32)
        for a in placed(LocalRays(rays[:, :3], rays[:, 3:]), *here._pose("site", 0))
    )
    body = int(model.site_bodyid[0])
    bit = here._views.bits_of([ballotcast.mujoco.view_of(None, True, body)], here.scene)[0]
    world = np.broadcast_to(np.arange(40)[:, None], start.shape[:2])
    hits = here.scene.cast(start, way, t_min=FROM_ZERO, world=world, mask=bit)
    np.testing.assert_array_equal(get(found.dist), np.where(hits.hit, hits.t, np.float32(-1)))
    geoms = here.geoms[hits.instance % len(here.geoms)]
    np.testing.assert_array_equal(get(found.geomid), np.where(hits.hit, geoms, -1))
    np.testing.assert_allclose(get(there.depth("front")), here.depth("front"), rtol=1e-5)
    if make is not _warp:
        given = there.cast(put(start[3]), put(way[3]), world=3, bodyexclude=body, normal=True)
        np.testing.assert_array_equal(get(given.dist), get(found.dist)[3])
        np.testing.assert_array_equal(get(given.geomid), get(found.geomid)[3])
        assert given.normal.shape == (*start.shape[1:],)


def test_which_hits_count(library):
    put, get, _ = library
    points, faces = _sphere()
    meshes = [bc.Scene(points, faces), bc.Scene(points * 0.5, faces)]
    there = np.eye(4)
    there[:3, :3] *= -0.8  # a mirrored instance
    scene = bc.Scene.from_instances(meshes, [(0, None), (1, None), (0, there)])
    origins, ways = _rays(np.float32)
    rays = put(origins), put(ways)
    first = scene.cast(origins, ways)
    ids = first.id.astype(np.int64)
    masks = (np.arange(len(ids)) % 4).astype(np.int32)
    for given, on_gpu in (
        ({"sides": "back"}, {"sides": "back"}),
        ({"skip": ids}, {"skip": put(ids)}),
        ({"skip": first}, {"skip": scene.cast(*rays), "sides": "both"}),
        ({"mask": masks}, {"mask": put(masks)}),
        ({"skip_instance": 0}, {"skip_instance": 0}),
        ({"skip_instance": masks % 2 - 1}, {"skip_instance": put(masks % 2 - 1)}),
        ({"mask": 2, "sides": "front"}, {"mask": 2, "sides": "front"}),
    ):
        for of_instances in ([2**32 - 1] * 3, [1, 2, 0]):
            scene.set_masks(of_instances)
            _same(scene.cast(*rays, **on_gpu), scene.cast(origins, ways, **given), get, PARTS)
            for call in ("any", "count"):
                theirs = getattr(scene, call)(*rays, **on_gpu)
                ours = getattr(scene, call)(origins, ways, **given)
                np.testing.assert_array_equal(get(theirs), ours)
            found = scene.all(*rays, **on_gpu)
            np.testing.assert_array_equal(
                get(found.id), scene.all(origins, ways, **given).id.astype(np.int64)
            )
        scene.set_masks([2**32 - 1] * 3)
    with pytest.raises(TypeError, match="skip: expected an array in GPU memory"):
        scene.cast(*rays, skip=3)
    with pytest.raises(TypeError, match="mask: expected int32 or uint32 in GPU memory"):
        scene.cast(*rays, mask=put(masks.astype(np.float32)))
    with pytest.raises(ValueError, match="skip: expected"):
        scene.cast(*rays, skip=put(ids[:5]))


def test_wrong_arguments_are_named(library):
    put, _, _ = library
    scene = bc.Scene(*_sphere(4))
    origins, ways = _rays(np.float32, 8)
    with pytest.raises(TypeError, match="directions: in host memory"):
        scene.cast(put(origins), ways)
    with pytest.raises(ValueError, match=r"origins: expected a shape \(\.\.\., 3\)"):
        scene.cast(put(origins[:, :2].copy()), put(ways))
    with pytest.raises(TypeError, match="origins: expected float32 or float64"):
        scene.cast(put(np.zeros((8, 3), np.int32)), put(ways))
    with pytest.raises(ValueError, match="on device 'cpu'"):
        bc.Scene(*_sphere(4), device="cpu").cast(put(origins), put(ways))
    with pytest.raises(ValueError, match="only rays=1"):
        scene.contains(put(origins), rays=3)
    every = scene.all(put(origins), put(ways))
    with pytest.raises(ValueError, match="out: expected the hits of"):
        scene.cast(put(np.zeros((every.t.shape[0], 3), np.float32)), put(ways[:1]), out=every)
    with pytest.raises(TypeError, match="points: in host memory"):
        scene.contains(origins, world=put(np.zeros(8, np.int32)))
    for call in (scene.contains, scene.winding_number, scene.signed_distance, scene.distance):
        for world in (3, put(np.zeros(8, np.int32))):
            with pytest.raises(ValueError, match="only world 0"):
                call(put(origins), world=world)
    with pytest.raises(ValueError, match="at most 4 leading axes"):
        scene.cast(put(origins.reshape(2, 1, 2, 1, 2, 3)), put(ways[0]))


def test_hits_are_not_written_over_those_of_another_kind_or_gpu(library):
    put, get, _ = library
    scene = bc.Scene(*_sphere(4))
    origins, ways = _rays(np.float32, 8)
    single = scene.cast(put(origins), put(ways))
    double = scene.cast(put(origins.astype(np.float64)), put(ways))
    for out, rays in ((double, origins), (single, origins.astype(np.float64))):
        with pytest.raises(ValueError, match="out: expected the hits of 8 rays"):
            scene.cast(put(rays), put(ways), out=out)
    assert scene.cast(put(origins), put(ways), out=single) is single
    _same(single, scene.cast(origins, ways), get, ("hit", "t", "point"))


def test_hits_of_one_gpu_are_not_written_over_those_of_another():
    put, get, _ = _torch()
    torch = pytest.importorskip("torch")
    if torch.cuda.device_count() < 2:
        pytest.skip("there is one GPU")
    scene = bc.Scene(*_sphere(4))
    origins, ways = _rays(np.float32, 8)
    there = scene.cast(*(torch.as_tensor(a, device="cuda:1") for a in (origins, ways)))
    with pytest.raises(ValueError, match="out: expected .* on cuda:0, got .*cuda:1"):
        scene.cast(put(origins), put(ways), out=there)
    _same(there, scene.cast(origins, ways), get, ("hit", "t"))


def test_torch_streams_and_records_that_need_no_copy():
    put, get, _ = _torch()
    torch = pytest.importorskip("torch")
    scene = bc.Scene(*_sphere())
    origins, ways = _rays(np.float32)
    rows = np.zeros((len(origins), 8), np.float32)
    rows[:, :3], rows[:, 4:7], rows[:, 7] = origins, ways, 0.9
    host = scene.cast(origins, ways, t_max=np.float32(0.9))
    side = torch.cuda.Stream()
    tensor = put(rows)
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        torch.cuda._sleep(50_000_000)
        later = tensor + 0
        before = torch.cuda.memory_allocated()
        hits = scene.cast(later[:, :3], later[:, 4:7], t_min=later[:, 3], t_max=later[:, 7])
        added = torch.cuda.memory_allocated() - before
        t = hits.t
    side.synchronize()
    assert added <= 16 * len(origins) + 512, "rays were copied"
    np.testing.assert_array_equal(get(t), host.t)
    out = scene.cast(put(origins), put(ways))
    address = out.raw.data_ptr()
    assert scene.cast(put(origins), put(ways), out=out) is out and out.raw.data_ptr() == address


def test_casts_on_more_streams_than_casters_are_kept_for():
    put, get, _ = _cupy()
    cupy = pytest.importorskip("cupy")
    scene = bc.Scene(*_sphere())
    origins, ways = _rays(np.float32)
    there, expected = (put(origins), put(ways)), scene.cast(origins, ways).t
    streams = [cupy.cuda.Stream(non_blocking=True) for _ in range(200)]
    results = []
    cupy.cuda.Device().synchronize()
    for stream in streams + streams[::-1]:
        with stream:
            results.append(scene.cast(*there).t)
    cupy.cuda.Device().synchronize()
    for t in results:
        np.testing.assert_array_equal(get(t), expected)


def test_a_graph_can_be_replayed_after_casts_on_many_streams():
    put, get, _ = _torch()
    torch = pytest.importorskip("torch")
    cupy = pytest.importorskip("cupy")
    scene = bc.Scene(*_sphere())
    origins, ways = _rays(np.float32)
    there, expected = (put(origins), put(ways)), scene.cast(origins, ways).t
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        scene.cast(*there).t  # the first cast allocates, which is not allowed in a capture
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=side):
        t = scene.cast(*there).t
    for _ in range(200):
        with cupy.cuda.Stream(non_blocking=True):
            scene.cast(*(cupy.asarray(a) for a in (origins, ways)))
    t.zero_()
    graph.replay()
    torch.cuda.synchronize()
    np.testing.assert_array_equal(get(t), expected)


def test_gradients_are_not_promised_but_do_not_hurt():
    put, get, _ = _torch()
    scene = bc.Scene(*_sphere())
    origins, ways = _rays(np.float32, 100)
    t = scene.cast(put(origins).requires_grad_(), put(ways)).t
    assert not t.requires_grad
    np.testing.assert_array_equal(get(t), scene.cast(origins, ways).t)
