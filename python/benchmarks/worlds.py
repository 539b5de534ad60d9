"""Measures lidars of robots in thousands of worlds, beside mujoco_warp and mujoco-lidar.

    python python/benchmarks/worlds.py [--worlds 4096] [--peers NAME,NAME]
    python python/benchmarks/worlds.py --only depth      # one world on the CPU, beside mj_multiRay

In each world a quadruped of 32 geoms stands somewhere on a terrain that all worlds share, and casts
64 rays. A step takes the poses of all geoms and sites, which are in GPU memory, updates the trees,
and casts; its results stay in GPU memory. Steps are CUDA graphs, except for JAX, which compiles
them itself. Poses change with every step. Prints lines of JSON: median times, and how results
differ.

Needs mujoco, and torch with a GPU; without one, the same runs on the CPU with NumPy arrays, to test
this program. Peers that are missing are left out: mujoco-warp, warp-lang, mujoco-lidar, jax.
"""

import argparse
import concurrent.futures
import json
import os
import statistics
import sys
import time

import ballotcast.mujoco
import mujoco
import numpy as np

POSES = ("geom_xpos", "geom_xmat", "site_xpos", "site_xmat")
ANGLES = [np.radians(a) for a in (-50.0, -25.0, -8.0, 4.0)]  # elevations of the lidar's rings


def model_of(cells, camera=""):
    """A quadruped of 32 geoms on a terrain of cells x cells squares, or on a plane."""
    leg = """<body name="{n}" pos="{x} {y} 0"><joint axis="1 0 0" range="-.5 .5"/>
      <geom type="cylinder" size=".05 .04" euler="1.5708 0 0"/><geom type="sphere" size=".055"/>
      <body pos="0 {s} 0"><joint axis="0 1 0" range="-1 1"/>
        <geom type="capsule" size=".035" fromto="0 0 0 -.1 0 -.2"/>
        <geom type="box" size=".03 .02 .06" pos="-.05 0 -.1"/>
        <body pos="-.1 0 -.2"><joint axis="0 1 0" range="-1 1"/>
          <geom type="capsule" size=".022" fromto="0 0 0 .1 0 -.2"/>
          <geom type="ellipsoid" size=".03 .03 .05" pos=".05 0 -.1"/>
          <geom type="sphere" size=".03" pos=".1 0 -.2"/></body></body></body>"""
    legs = ""
    for i in range(4):
        ahead, left = 1 - 2 * (i & 1), 1 - 2 * (i >> 1)
        legs += leg.format(n=f"leg{i}", x=0.22 * ahead, y=0.12 * left, s=0.08 * left)
    count = cells + 1
    asset, ground = "", '<geom type="plane" size="40 40 1"/>'
    if cells:
        asset = f"""<asset><hfield name="land" nrow="{count}" ncol="{count}" size="40 40 1.5 .1"/>
          </asset>"""
        ground = '<geom type="hfield" hfield="land"/>'
    xml = f"""<mujoco>
      <compiler angle="radian"/>
      {asset}<worldbody>{ground}
        <body name="trunk" pos="0 0 .5"><freejoint/>
          <geom type="box" size=".25 .1 .07"/><geom type="box" size=".06 .05 .05" pos=".3 0 .05"/>
          <geom type="cylinder" size=".04 .03" pos="0 0 .1"/><geom type="capsule" size=".02"
            fromto="-.2 0 .08 -.3 0 .12"/>
          <site name="lidar" pos="0 0 .16"/>{camera}{legs}</body></worldbody></mujoco>"""
    model = mujoco.MjModel.from_xml_string(xml)
    if not cells:
        return model
    x = np.linspace(-40, 40, count)
    land = (
        0.3 * np.sin(0.31 * x)[:, None] * np.cos(0.23 * x)
        + 0.12 * np.sin(1.9 * x + 0.7)[:, None] * np.sin(1.7 * x)
        + 0.05 * np.sin(5.1 * x)[:, None] * np.cos(4.3 * x)
    )
    model.hfield_data[:] = ((land - land.min()) / np.ptp(land)).reshape(-1).astype(np.float32)
    return model


def height_at(model, x, y):
    if not model.nhfield:
        return 0.0
    count = int(model.hfield_nrow[0])
    half, _, top, _ = model.hfield_size[0]
    at = [int(np.clip(round((v / half + 1) / 2 * (count - 1)), 0, count - 1)) for v in (y, x)]
    return float(model.hfield_data[at[0] * count + at[1]]) * top


def random_poses(model, worlds, seed):
    """The poses of all worlds, float32; and their qpos."""
    random, data = np.random.default_rng(seed), mujoco.MjData(model)
    shapes = {"geom": model.ngeom, "site": model.nsite}
    out = {
        name: np.empty((worlds, shapes[name[:4]], 3 if name.endswith("pos") else 9), np.float32)
        for name in POSES
    }
    qpos = np.empty((worlds, model.nq))
    for world in range(worlds):
        mujoco.mj_resetData(model, data)
        x, y = random.uniform(-36, 36, 2)
        turn = np.array([1, *random.normal(size=2) * 0.08, 0]) + [0, 0, 0, random.uniform(-1, 1)]
        data.qpos[:3] = x, y, height_at(model, x, y) + 0.5
        data.qpos[3:7] = turn / np.linalg.norm(turn)
        data.qpos[7:] = random.uniform(-0.5, 0.5, model.nq - 7)
        mujoco.mj_kinematics(model, data)
        for name in POSES:
            out[name][world] = getattr(data, name).reshape(out[name].shape[1:])
        qpos[world] = data.qpos
    return out, qpos


def lidar_angles(count):
    """Azimuths and elevations of the rays of the lidar, and their directions."""
    around = np.arange(count // len(ANGLES)) * 2 * np.pi / (count // len(ANGLES))
    phi, theta = (a.reshape(-1) for a in np.meshgrid(ANGLES, around, indexing="ij"))
    ways = np.stack([np.cos(phi) * np.cos(theta), np.cos(phi) * np.sin(theta), np.sin(phi)], -1)
    return theta, phi, ways.astype(np.float32).astype(np.float64)


class Arrays:
    """The poses in fixed arrays, which every step overwrites with those of another set."""

    def __init__(self, sets, device):
        self.on_gpu = device == "cuda"
        if self.on_gpu:
            import torch

            self.torch = torch
            self.sets = [{n: torch.as_tensor(a, device="cuda") for n, a in s.items()} for s in sets]
            self.now = {n: a.clone() for n, a in self.sets[0].items()}
        else:
            self.sets = sets
            self.now = {n: a.copy() for n, a in sets[0].items()}

    def step(self, number):
        for name, array in self.sets[number % len(self.sets)].items():
            self.now[name].copy_(array) if self.on_gpu else np.copyto(self.now[name], array)

    def wait(self):
        if self.on_gpu:
            self.torch.cuda.synchronize()

    def used(self):
        """Bytes of GPU memory that are in use."""
        if not self.on_gpu:
            return 0
        self.torch.cuda.synchronize()
        free, total = self.torch.cuda.mem_get_info()
        return total - free


class Ours:
    def __init__(self, model, arrays, ways, options):
        self.arrays, self.ways = arrays, ways
        device = "cuda" if arrays.on_gpu else "auto"
        self.caster = ballotcast.mujoco.Caster(model, options.worlds, device=device)
        self.batch = type("Poses", (), dict(arrays.now))
        self.graph, self.refit = None, None
        self.run()
        if arrays.on_gpu and options.graphs:
            self.refit = captured(arrays.torch, self.move)
            self.graph = captured(arrays.torch, self.run)
        self.kept = self.found  # the arrays into which the graph writes

    def move(self):
        self.caster.update(self.batch)

    def run(self):
        self.move()
        self.found = self.caster.lidar("lidar", self.ways)

    def step(self):
        if self.graph:
            self.graph.replay()
        else:
            self.run()
            self.kept = self.found

    def results(self):
        return host(self.kept.dist).reshape(-1), host(self.kept.geomid).reshape(-1)


def captured(torch, function):
    """Returns a CUDA graph of a function."""
    torch.cuda.synchronize()
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        function()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        function()
    return graph


class MujocoWarp:
    """mujoco_warp's rays, with its tree over the geoms of all worlds, or without (brute force)."""

    def __init__(self, model, arrays, ways, options, tree=True):
        import mujoco_warp as mjw
        import warp as wp

        self.wp, self.mjw, self.arrays = wp, mjw, arrays
        self.device = "cuda:0" if arrays.on_gpu else "cpu"
        worlds, count = options.worlds, len(ways)
        self.m = mjw.put_model(model)
        self.d = mjw.make_data(model, nworld=worlds, nconmax=8, njmax=8)
        self.ways = wp.array(ways.astype(np.float32), dtype=wp.vec3)
        self.pnt = wp.zeros((worlds, count), dtype=wp.vec3)
        self.vec = wp.zeros((worlds, count), dtype=wp.vec3)
        self.dist = wp.zeros((worlds, count), dtype=float)
        self.geomid = wp.zeros((worlds, count), dtype=int)
        self.normal = wp.zeros((worlds, count), dtype=wp.vec3)
        body = int(model.site_bodyid[0])
        self.exclude = wp.array(np.full(count, body, np.int32), dtype=int)
        self.every = mjw._src.types.vec6(-1, -1, -1, -1, -1, -1)
        self.d.geom_xpos = as_warp(wp, arrays.now["geom_xpos"], wp.vec3)
        self.d.geom_xmat = as_warp(wp, arrays.now["geom_xmat"], wp.mat33)
        self.site_xpos = as_warp(wp, arrays.now["site_xpos"], wp.vec3)
        self.site_xmat = as_warp(wp, arrays.now["site_xmat"], wp.mat33)
        self.tree = None
        if tree:
            self.tree = mjw.create_render_context(
                model, worlds, cam_active=[], enabled_geom_groups=[0, 1, 2, 3, 4, 5]
            )
        self.kernel = rays_kernel(wp)
        self.run()
        self.graph = None
        if arrays.on_gpu and options.graphs:
            wp.synchronize()
            with wp.ScopedCapture(device=self.device) as capture:
                self.run()
            self.graph = capture.graph

    def run(self):
        shape = self.dist.shape
        if self.tree is not None:
            self.mjw.refit_bvh(self.m, self.d, self.tree)
        inputs = [self.site_xpos, self.site_xmat, self.ways, self.pnt, self.vec]
        self.wp.launch(self.kernel, dim=shape, inputs=inputs, device=self.device)
        self.mjw.rays(
            self.m,
            self.d,
            self.pnt,
            self.vec,
            self.every,
            True,
            self.exclude,
            self.dist,
            self.geomid,
            self.normal,
            self.tree,
        )

    def step(self):
        # Warp's stream and PyTorch's default stream wait for each other.
        self.wp.capture_launch(self.graph) if self.graph else self.run()

    def results(self):
        return self.dist.numpy().reshape(-1), self.geomid.numpy().reshape(-1)


class MujocoWarpBrute(MujocoWarp):
    def __init__(self, *args):
        super().__init__(*args, tree=False)


def as_warp(wp, array, dtype):
    """A view of an array (worlds, n, 3 or 9) as a Warp array of vectors or matrices."""
    inner = (3, 3) if dtype is wp.mat33 else (3,)
    from_library = wp.from_numpy if isinstance(array, np.ndarray) else wp.from_torch
    return from_library(array.reshape(*array.shape[:2], *inner), dtype=dtype)


def rays_kernel(wp):
    @wp.kernel
    def place_rays(
        at: wp.array2d(dtype=wp.vec3),
        turn: wp.array2d(dtype=wp.mat33),
        ways: wp.array(dtype=wp.vec3),
        pnt: wp.array2d(dtype=wp.vec3),
        vec: wp.array2d(dtype=wp.vec3),
    ):
        world, ray = wp.tid()
        pnt[world, ray] = at[world, 0]
        vec[world, ray] = turn[world, 0] * ways[ray]

    return place_rays


class LidarWarp:
    """mujoco-lidar's kernels for Warp, without its copies to and from the host. (Its function
    trace_rays_batch takes and returns NumPy arrays.)"""

    def __init__(self, model, arrays, ways, options):
        import warp as wp
        from mujoco_lidar.core_warp import kernels
        from mujoco_lidar.core_warp.mjlidar_warp import MjLidarWarp

        self.wp, self.kernels, self.arrays = wp, kernels, arrays
        self.device = "cuda:0" if arrays.on_gpu else "cpu"
        body = int(model.site_bodyid[0])
        self.lidar = MjLidarWarp(model, 1000.0, bodyexclude=body, device=self.device)
        theta, phi, _ = lidar_angles(options.rays)
        self.worlds = options.worlds
        self.angles = [
            wp.array(a.astype(np.float32), dtype=wp.float32, device=self.device)
            for a in (theta, phi)
        ]
        self.dist = wp.zeros((options.worlds, len(ways)), dtype=float, device=self.device)
        self.points = wp.zeros((options.worlds, len(ways)), dtype=wp.vec3, device=self.device)
        now = arrays.now
        self.xpos = as_warp(wp, now["geom_xpos"], wp.vec3)
        plain = wp.from_torch if arrays.on_gpu else wp.from_numpy
        self.xmat = plain(now["geom_xmat"], dtype=wp.float32)
        self.site = plain(now["site_xpos"].reshape(-1, 3), dtype=wp.vec3)
        self.turn = plain(now["site_xmat"].reshape(-1, 3, 3), dtype=wp.float32)
        self.run()
        self.graph = None
        if arrays.on_gpu and options.graphs:
            wp.synchronize()
            with wp.ScopedCapture(device=self.device) as capture:
                self.run()
            self.graph = capture.graph

    def run(self):
        own = self.lidar
        own._update_batch_bvh(self.worlds, self.xpos, self.xmat)
        inputs = [own._batch_bvh.id, own.geom_types, own.geom_sizes, own.geom_mesh_ids]
        inputs += [own.mesh_ids, self.xpos, self.xmat, self.site, self.turn, *self.angles]
        inputs += [float(own.cutoff_dist), self.dist, self.points]
        kernel = self.kernels.trace_rays_batch_bvh_kernel
        self.wp.launch(kernel, dim=self.dist.shape, inputs=inputs, device=self.device)

    def step(self):
        # Warp's stream and PyTorch's default stream wait for each other.
        self.wp.capture_launch(self.graph) if self.graph else self.run()

    def results(self):
        return self.dist.numpy().reshape(-1), None


class LidarJax:
    """mujoco-lidar's functions for JAX, compiled by jax.jit."""

    def __init__(self, model, arrays, ways, options):
        import jax
        from mujoco_lidar.core_jax import MjLidarJax

        self.jax, self.arrays = jax, arrays
        self.lidar = MjLidarJax(model, bodyexclude=int(model.site_bodyid[0]))
        theta, phi, _ = lidar_angles(options.rays)
        self.angles = [jax.numpy.asarray(a.astype(np.float32)) for a in (theta, phi)]
        self.sets = [
            [jax.numpy.asarray(host(poses[name])) for name in POSES] for poses in arrays.sets
        ]
        self.number = 0
        self.step()

    def step(self):
        geom_at, geom_turn, at, turn = self.sets[self.number % len(self.sets)]
        self.number += 1
        found = self.lidar.trace_rays_batch(
            geom_at, geom_turn, at[:, 0], turn[:, 0].reshape(-1, 3, 3), *self.angles
        )
        self.found = found[0].block_until_ready()

    def results(self):
        self.number = 0
        self.step()
        return np.asarray(self.found).reshape(-1), None


def host(array):
    for name in ("cpu", "numpy"):
        array = getattr(array, name)() if hasattr(array, name) else array
    return np.asarray(getattr(array, "array", array))


def timed(arrays, step, runs, steps):
    """The median time of a step in ms, and the least and largest of all runs."""
    for number in range(3):
        arrays.step(number)
        step()
    taken = []
    for _ in range(runs):
        arrays.wait()
        begin = time.perf_counter()
        for number in range(steps):
            arrays.step(number)
            step()
        arrays.wait()
        taken.append(1e3 * (time.perf_counter() - begin) / steps)
    return statistics.median(taken), min(taken), max(taken)


def reference(model, qpos, poses, ways, worlds):
    """What mj_multiRay finds in the first worlds."""
    data, body = mujoco.MjData(model), int(model.site_bodyid[0])
    dist, geomid = np.empty((worlds, len(ways))), np.empty((worlds, len(ways)), np.int32)
    for world in range(worlds):
        data.qpos[:] = qpos[world]
        mujoco.mj_kinematics(model, data)
        data.geom_xpos[:] = poses["geom_xpos"][world]
        data.geom_xmat[:] = poses["geom_xmat"][world]
        turn = poses["site_xmat"][world, 0].reshape(3, 3).astype(float)
        start = poses["site_xpos"][world, 0].astype(float)
        vec = np.ascontiguousarray(ways @ turn.T)
        multi_ray(model, data, start, vec, body, geomid[world], dist[world])
    return dist.reshape(-1), geomid.reshape(-1)


def multi_ray(model, data, start, vec, bodyexclude, geomid, dist):
    """mj_multiRay."""
    count, rows = len(vec), vec.reshape(-1)
    mujoco.mj_multiRay(
        model, data, start, rows, None, 1, bodyexclude, geomid, dist, None, count, 1e10
    )


def compared(name, found, expected):
    """Says how results differ: distances by more than 1e-4 of them, or another geom."""
    dist, geomid = (a[: len(expected[0])] if a is not None else None for a in found)
    both = (dist >= 0) & (expected[0] >= 0)
    apart = np.abs(dist - expected[0]) / np.maximum(np.abs(expected[0]), 0.1)
    far = (both & (apart > 1e-4)) | (dist < 0) != (expected[0] < 0)
    near = apart[both & ~far]
    row = {
        "compared": name,
        "rays": len(dist),
        "hits": int((expected[0] >= 0).sum()),
        "differ": int(far.sum()),
        "most_of_others": float(near.max(initial=0.0)),
    }
    if geomid is not None and expected[1] is not None:
        row["other_geom"] = int((geomid != expected[1]).sum())
    return row


def show(**row):
    rounded = {k: float(f"{v:.4g}") if isinstance(v, float) else v for k, v in row.items()}
    print(json.dumps(rounded), flush=True)


MAKERS = {
    "ballotcast": Ours,
    "mujoco_warp": MujocoWarp,
    "mujoco_warp brute": MujocoWarpBrute,
    "mujoco-lidar warp": LidarWarp,
    "mujoco-lidar jax": LidarJax,
}
SLOW = ("mujoco_warp brute", "mujoco-lidar jax")


def lidars(options, arrays, model, ways, expected):
    times, found = {}, {}
    for name, make in MAKERS.items():
        if name != "ballotcast" and name not in options.peers.split(","):
            continue
        arrays.step(0)
        before, begin = arrays.used(), time.perf_counter()
        try:
            one = make(model, arrays, ways, options)
        except ImportError as error:
            print(f"{name}: {error}", file=sys.stderr)
            continue
        arrays.wait()
        made_s, memory = time.perf_counter() - begin, arrays.used() - before
        runs = (2, 3) if name in SLOW else (options.runs, options.steps)
        ms, least, most = timed(arrays, one.step, *runs)
        show(
            who=name,
            worlds=options.worlds,
            rays=len(ways),
            step_ms=ms,
            least_ms=least,
            most_ms=most,
            rays_per_s=options.worlds * len(ways) / ms * 1e3,
            made_s=made_s,
            bytes_per_world=memory / options.worlds,
        )
        times[name] = ms
        if name == "ballotcast" and one.graph:
            graph_rows(one, arrays, options)
        arrays.step(0)
        arrays.wait()
        one.step()
        arrays.wait()
        found[name] = one.results()
        del one
        show(**compared(f"{name} with mj_multiRay", found[name], expected))
    for name in list(found)[1:]:
        show(**compared(f"{name} with ballotcast", found[name], found["ballotcast"]))
    others = [ms for name, ms in times.items() if name != "ballotcast"]
    if others:
        show(what="the best peer's step / ballotcast's", times=min(others) / times["ballotcast"])


def graph_rows(one, arrays, options):
    """Times the update of the trees alone, and steps that are no CUDA graphs."""
    for what, step in (("update", one.refit.replay), ("step without a graph", one.run)):
        ms, least, most = timed(arrays, step, options.runs, options.steps)
        count = one.caster.scene.instance_count
        show(who="ballotcast", what=what, instances=count, ms=ms, least_ms=least, most_ms=most)


def depth(options):
    """A depth picture of one world on the CPU, beside mj_multiRay."""
    camera = '<camera name="front" pos=".4 0 .3" xyaxes="0 -1 0 .3 0 1" resolution="64 64"/>'
    model = model_of(options.cells, camera)
    data = mujoco.MjData(model)
    data.qpos[2] = height_at(model, 0, 0) + 0.5
    mujoco.mj_forward(model, data)
    start = data.cam_xpos[0].copy()
    f = 32 / np.tan(np.radians(model.cam_fovy[0]) / 2)
    x, y = np.meshgrid((np.arange(64) + 0.5 - 32) / f, -(np.arange(64) + 0.5 - 32) / f)
    local = np.stack([x, y, -np.ones_like(x)], -1).reshape(-1, 3)
    vec = np.ascontiguousarray(local @ data.cam_xmat[0].reshape(3, 3).T)
    dist, geomid = np.empty(4096), np.empty(4096, np.int32)

    def theirs(low, high):
        multi_ray(model, data, start, vec[low:high], -1, geomid[low:high], dist[low:high])

    for threads in sorted({1, os.cpu_count()}):
        step = -(-4096 // threads)
        pool = concurrent.futures.ThreadPoolExecutor(threads)
        parts = [(low, min(low + step, 4096)) for low in range(0, 4096, step)]

        def all_of_theirs(pool=pool, parts=parts):
            if len(parts) == 1:
                return theirs(0, 4096)
            list(pool.map(lambda part: theirs(*part), parts))

        caster = ballotcast.mujoco.Caster(model, device="cpu", threads=threads)
        caster.update(data)
        theirs_ms = best_of(all_of_theirs, options.runs)
        rays_ms = best_of(lambda c=caster: c.multi_ray(start, vec), options.runs)
        depth_ms = best_of(lambda c=caster: c.depth("front"), options.runs)
        update_ms = best_of(lambda c=caster: c.update(data), options.runs)
        show(
            what="64x64 depth, one world, CPU",
            threads=threads,
            geoms=model.ngeom,
            mj_multiRay_ms=theirs_ms,
            multi_ray_ms=rays_ms,
            depth_ms=depth_ms,
            update_ms=update_ms,
            times=theirs_ms / rays_ms,
        )
        ours = caster.multi_ray(start, vec)
        show(**compared("multi_ray with mj_multiRay", (ours.dist, ours.geomid), (dist, geomid)))


def best_of(call, runs):
    """The median time of a call in ms."""
    call()
    taken = []
    for _ in range(max(runs, 5) * 4):
        begin = time.perf_counter()
        call()
        taken.append(1e3 * (time.perf_counter() - begin))
    return statistics.median(taken)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--worlds", type=int, default=4096)
    parser.add_argument("--rays", type=int, default=64)
    parser.add_argument(
        "--cells", type=int, default=128, help="of the terrain, along a side; 0: a plane"
    )
    parser.add_argument("--sets", type=int, default=4, help="sets of poses, taken in turn")
    parser.add_argument("--steps", type=int, default=50, help="steps per run")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--checked", type=int, default=64, help="worlds compared with mj_multiRay")
    parser.add_argument("--peers", default=",".join(list(MAKERS)[1:]))
    parser.add_argument("--only", choices=("lidar", "depth"))
    parser.add_argument("--no-graphs", dest="graphs", action="store_false")
    options = parser.parse_args()
    try:
        import torch

        device = "cuda" if torch.cuda.is_available() else "cpu"
    except ImportError:
        device = "cpu"
    if options.only != "depth":
        model = model_of(options.cells)
        states = [random_poses(model, options.worlds, seed) for seed in range(options.sets)]
        sets, qpos = [poses for poses, _ in states], states[0][1]
        triangles = 2 * options.cells**2
        show(what="model", geoms=model.ngeom, triangles_of_terrain=triangles, device=device)
        ways = lidar_angles(options.rays)[2]
        worlds = min(options.worlds, options.checked)
        expected = reference(model, qpos, sets[0], ways, worlds)
        lidars(options, Arrays(sets, device), model, ways, expected)
    if options.only != "lidar":
        depth(options)


if __name__ == "__main__":
    main()
