"""Compares the time of a path-traced picture with that of Mitsuba 3 (llvm), on the CPU. The two
take turns.

    python python/benchmarks/frame.py sponza.obj [--samples 16] [--bounces 2] [--runs 7]

Needs Mitsuba, and LLVM's library for it. Both draw 640x360 pixels of the same white triangles,
under a constant sky and a sun, without a filter. Mitsuba's `max_depth` counts the rays of a path
up to the light: two more than bounces. Prints the median seconds per frame, with the scene
loaded and the tree built, and the mean light, which must agree.
"""

import argparse
import json
import os
import statistics
import tempfile
import time

import ballotcast as bc
import mitsuba
import numpy as np

mitsuba.set_variant("llvm_ad_rgb")

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("scene")
parser.add_argument("--samples", type=int, default=16)
parser.add_argument("--bounces", type=int, default=2)
parser.add_argument("--runs", type=int, default=7)
parser.add_argument("--eye", type=float, nargs=3, default=[-62, 8, -2])
parser.add_argument("--look-at", type=float, nargs=3, default=[60, 14, 3])
arguments = parser.parse_args()

SKY, SUN, FOV, SIZE = [0.8] * 3, 6.0, 60.0, (640, 360)
TOWARDS_SUN = (np.array([0.35, 1.0, 0.22]) / np.linalg.norm([0.35, 1.0, 0.22])).tolist()

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "scene.json")
    sky = {"zenith": SKY, "horizon": SKY, "ground": SKY}
    with open(path, "w") as file:
        json.dump(
            {
                "meshes": [os.path.abspath(arguments.scene)],
                "sun": {"direction": TOWARDS_SUN, "color": [1, 1, 1], "strength": SUN},
                "sky": sky,
                "crease_angle": 0,  # flat normals, as in Mitsuba's scene
            },
            file,
        )
    scene = bc.load(path, device="cpu")


def our_frame():
    return scene.render(
        *SIZE,
        samples=arguments.samples,
        bounces=arguments.bounces,
        exposure=1.0,
        smooth="off",
        eye=arguments.eye,
        look_at=arguments.look_at,
        fov=FOV,
        linear=True,
    )


mesh = mitsuba.Mesh("scene", len(scene.vertices), len(scene.faces))
parameters = mitsuba.traverse(mesh)
parameters["vertex_positions"] = scene.vertices.astype(np.float32).ravel()
parameters["faces"] = scene.faces.astype(np.uint32).ravel()
parameters.update()
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "mesh.ply")
    mesh.write_ply(path)
    place = mitsuba.ScalarTransform4f().look_at(
        origin=arguments.eye, target=arguments.look_at, up=[0, 1, 0]
    )
    white = {"type": "diffuse", "reflectance": {"type": "rgb", "value": [0.8] * 3}}
    their_scene = mitsuba.load_dict(
        {
            "type": "scene",
            "integrator": {"type": "path", "max_depth": arguments.bounces + 2, "rr_depth": 100},
            "sensor": {
                "type": "perspective",
                "fov": FOV,
                "fov_axis": "y",
                "to_world": place,
                "film": {
                    "type": "hdrfilm",
                    "width": SIZE[0],
                    "height": SIZE[1],
                    "rfilter": {"type": "box"},
                },
                "sampler": {"type": "independent", "sample_count": arguments.samples},
            },
            "sky": {"type": "constant", "radiance": {"type": "rgb", "value": SKY}},
            "sun": {
                "type": "directional",
                "direction": [-x for x in TOWARDS_SUN],
                "irradiance": {"type": "rgb", "value": [SUN] * 3},
            },
            "mesh": {"type": "ply", "filename": path, "face_normals": True}
            | {"bsdf": {"type": "twosided", "inner": white}},
        }
    )


def their_frame():
    return np.array(mitsuba.render(their_scene))


times = {"Mitsuba": [], "Ballotcast": []}
for run in range(arguments.runs + 1):
    for (name, seconds), draw in zip(times.items(), (their_frame, our_frame)):
        start = time.perf_counter()
        picture = np.asarray(draw())
        if run > 0:  # the first call compiles, or builds a tree
            seconds.append(time.perf_counter() - start)
        if run == arguments.runs:
            print(f"{name:11} {statistics.median(seconds):6.2f} s   mean {picture.mean():.4f}")
theirs, ours = map(statistics.median, times.values())
print(f"ratio       {theirs / ours:6.2f}")
