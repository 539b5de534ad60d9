"""Times calls with a single ray for meshes of several sizes, to show the overhead of a call.

    python python/benchmarks/latency.py [--calls 2000]

If embreex and Open3D are installed, their calls are timed, too, in turns. Prints medians in
microseconds.
"""

import argparse
import statistics
import time

import ballotcast as bc
import ballotcast.open3d
import numpy as np

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--calls", type=int, default=2000)
arguments = parser.parse_args()

origin, way = np.float32([[0.3, 0.3, 9]]), np.float32([[0, 0, -1]])
origin_64, way_64 = origin.astype(float), way.astype(float)
both = np.concatenate([origin, way], axis=1)


def grid(n):
    """Returns a wavy sheet of 2 (n - 1)^2 triangles: vertices and faces."""
    x, y = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
    i = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)).ravel()
    faces = np.r_[np.c_[i, i + 1, i + n], np.c_[i + 1, i + n + 1, i + n]]
    return np.c_[x.ravel(), y.ravel(), np.sin(x * y).ravel()].astype(np.float32), faces


def calls_of(vertices, faces):
    """Returns a dictionary from names to calls with one ray."""
    scene = bc.Scene(vertices, faces, device="cpu", build="fast")
    engine = ballotcast.open3d.RaycastingScene()
    engine.add_triangles(vertices, faces.astype(np.uint32))
    yield "cast", lambda: scene.cast(origin, way)
    yield "cast, doubles", lambda: scene.cast(origin_64, way_64)
    yield "any", lambda: scene.any(origin, way)
    yield "count", lambda: scene.count(origin, way)
    yield "all", lambda: scene.all(origin, way)
    yield "closest_point", lambda: scene.closest_point(origin)
    yield "contains", lambda: scene.contains(origin)
    yield "cast_rays", lambda: engine.cast_rays(both)
    try:
        import open3d

        theirs, tensor = open3d.t.geometry.RaycastingScene(), open3d.core.Tensor(both)
        theirs.add_triangles(
            open3d.core.Tensor(vertices), open3d.core.Tensor(faces.astype(np.uint32))
        )
        yield "Open3D cast_rays", lambda: theirs.cast_rays(tensor)
    except ImportError:
        pass
    try:
        from embreex import rtcore_scene
        from embreex.mesh_construction import TriangleMesh

        embree = rtcore_scene.EmbreeScene()
        TriangleMesh(embree, vertices[faces])
        yield "embreex run", lambda: embree.run(origin, way)
    except ImportError:
        pass


def microseconds(calls):
    """Returns the median time of each call, in microseconds. The calls take turns."""
    taken = {name: [] for name in calls}
    for call in calls.values():
        call()  # the first call builds the tree
    for _ in range(arguments.calls):
        for name, call in calls.items():
            start = time.perf_counter()
            call()
            taken[name].append(time.perf_counter() - start)
    return {name: 1e6 * statistics.median(times) for name, times in taken.items()}


for n in (10, 100, 300, 1000):
    vertices, faces = grid(n)
    times = microseconds(dict(calls_of(vertices, faces)))
    print(f"{len(faces)} triangles:", flush=True)
    for name, time_of_call in times.items():
        print(f"  {name:18} {time_of_call:7.1f}", flush=True)
