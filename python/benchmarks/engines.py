"""Compares the times of this package's engines for trimesh and Open3D with the libraries' own.

    python python/benchmarks/engines.py sponza.obj [--rays 1000000] [--runs 5]

Needs trimesh, embreex and Open3D. Rays start anywhere in the scene's box and go in any direction.
Each call is timed as a whole, from NumPy arrays to NumPy arrays. The engines take turns. Prints
median times.
"""

import argparse
import statistics
import time

import ballotcast as bc
import ballotcast.open3d
import ballotcast.trimesh
import numpy as np
import open3d
import trimesh
from trimesh.ray import ray_pyembree

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("scene")
parser.add_argument("--rays", type=int, default=1_000_000)
parser.add_argument("--runs", type=int, default=5)
arguments = parser.parse_args()

scene = bc.load(arguments.scene)
vertices, faces = scene.vertices.astype(np.float32), scene.faces
low, high = vertices.min(axis=0), vertices.max(axis=0)
random = np.random.default_rng(1)
origins = random.uniform(low, high, size=(arguments.rays, 3)).astype(np.float32)
ways = random.normal(size=(arguments.rays, 3))
ways = (ways / np.linalg.norm(ways, axis=1, keepdims=True)).astype(np.float32)
rays = np.concatenate([origins, ways], axis=1)
few = rays[: arguments.rays // 5]  # for calls that return all hits, in large arrays
origins, ways = origins.astype(np.float64), ways.astype(np.float64)  # for trimesh
tensor, few_tensor = open3d.core.Tensor(rays), open3d.core.Tensor(few)
points = open3d.core.Tensor(np.ascontiguousarray(rays[:, :3]))
some = points[: arguments.rays // 5]

mesh = trimesh.Trimesh(vertices, faces, process=False)
theirs, ours = ray_pyembree.RayMeshIntersector(mesh), ballotcast.trimesh.RayMeshIntersector(mesh)
their_scene, our_scene = open3d.t.geometry.RaycastingScene(), ballotcast.open3d.RaycastingScene()
for one in (their_scene, our_scene):
    one.add_triangles(open3d.core.Tensor(vertices), open3d.core.Tensor(faces))


def places(engine):
    return engine.intersects_id(origins, ways, multiple_hits=False, return_locations=True)


def compare(name, of, theirs, ours):
    seconds = ([], [])
    for run in range(arguments.runs + 1):
        for taken, engine in zip(seconds, (theirs, ours)):
            start = time.perf_counter()
            of(engine)
            if run > 0:  # the first call builds the tree
                taken.append(time.perf_counter() - start)
    their, our = map(statistics.median, seconds)
    print(f"{name:34} {their:7.3f} {our:7.3f} {their / our:6.2f}", flush=True)


print(f"{scene}, {arguments.rays} rays, device {our_scene._scene().device}")
print(f"{'call':34} {'their s':>7} {'our s':>7} {'times':>6}")
compare("trimesh intersects_id, locations", places, theirs, ours)
compare("trimesh intersects_first", lambda e: e.intersects_first(origins, ways), theirs, ours)
compare("trimesh intersects_any", lambda e: e.intersects_any(origins, ways), theirs, ours)
compare("Open3D cast_rays", lambda e: e.cast_rays(tensor), their_scene, our_scene)
compare("Open3D test_occlusions", lambda e: e.test_occlusions(tensor), their_scene, our_scene)
compare("Open3D compute_occupancy", lambda e: e.compute_occupancy(points), their_scene, our_scene)
compare("Open3D compute_distance", lambda e: e.compute_distance(some), their_scene, our_scene)
compare(
    "Open3D create_rays_pinhole",
    lambda e: e.create_rays_pinhole(60, [0, 0, 0], [3, 2, 5], [0, 1, 0], 1920, 1080),
    their_scene,
    our_scene,
)
compare(
    "Open3D count_intersections",
    lambda e: e.count_intersections(few_tensor),
    their_scene,
    our_scene,
)
compare(
    "Open3D list_intersections", lambda e: e.list_intersections(few_tensor), their_scene, our_scene
)
