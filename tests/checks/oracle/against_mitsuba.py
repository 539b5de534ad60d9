#!/usr/bin/env python3
"""Draws the same scenes with Ballotcast and with Mitsuba 3, and compares the light.

Usage: against_mitsuba.py BALLOTCAST [--spp N] [--scene NAME] [--keep FOLDER] [--json FILE]

Each scene is written as OBJ and MTL for Ballotcast, and handed to Mitsuba from the same numbers.
Both draw linear pictures without smoothing and with equally many bounces. For each 16x16 block the
means over its pixels and colours are compared. Exit code 0: no block differs by more than 1 %;
1: one does; 77: mitsuba or numpy is not installed (pip install mitsuba numpy; apt install libllvm19).

Means of few samples are noisy: the default takes about ten minutes on a desktop.
"""
import argparse
import glob
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# Mitsuba compiles with LLVM; versions 14 to 16 of Debian 12 fail. This takes the newest version.
found = {int(m[1]): path for path in glob.glob("/usr/lib/*/libLLVM-*.so")
         if (m := re.search(r"libLLVM-(\d+)\.so$", path))}
if found:
    os.environ.setdefault("DRJIT_LIBLLVM_PATH", found[max(found)])

try:
    import numpy as np
    import mitsuba as mi
    mi.set_variant("llvm_ad_rgb")
    import drjit as dr
    dr.arange(mi.Float, 1)
except (ImportError, RuntimeError) as why:
    print(f"skipped: {why} (pip install mitsuba numpy; apt install libllvm19)")
    sys.exit(77)

HERE = pathlib.Path(__file__).resolve().parent
SCENES = HERE.parent.parent / "scenes"
BLOCK = 16
BOUNCES = 8
LIMIT = 0.01


class Mesh:
    """Triangles with one material each; corners are positions, texture coordinates, normals."""

    def __init__(self):
        self.positions, self.normals, self.texcoords = [], [], []
        self.faces = {}  # by material: triples of indices of corners

    def add(self, material, corners):
        """Adds a convex polygon; a corner is (position, normal or None, texcoord or None)."""
        first = len(self.positions)
        for position, normal, texcoord in corners:
            self.positions.append(position)
            self.normals.append(normal)
            self.texcoords.append(texcoord)
        for i in range(1, len(corners) - 1):
            self.faces.setdefault(material, []).append((first, first + i, first + i + 1))

    def read(self, path, texcoord_of=None):
        """Adds an OBJ file that has positions, faces and materials only."""
        points, material = [], None
        for line in path.read_text().splitlines():
            words = line.split()
            if not words or words[0].startswith("#"):
                continue
            if words[0] == "v":
                points.append(tuple(map(float, words[1:4])))
            elif words[0] == "usemtl":
                material = words[1]
            elif words[0] == "f":
                at = [points[int(w.split("/")[0]) - 1] for w in words[1:]]
                self.add(material, [(p, None, texcoord_of(p) if texcoord_of else None) for p in at])

    def sphere(self, material, centre, radius, steps=96):
        def corner(i, j):
            t, p = math.pi * i / steps, math.pi * j / steps
            d = (math.sin(t) * math.sin(p), math.cos(t), math.sin(t) * math.cos(p))
            return tuple(c + radius * k for c, k in zip(centre, d)), d, None
        for i in range(steps):
            for j in range(2 * steps):
                a, b, c, d = corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)
                if i == 0:
                    self.add(material, [a, b, c])
                elif i == steps - 1:
                    self.add(material, [a, b, d])
                else:
                    self.add(material, [a, b, c, d])

    def write(self, path, library):
        lines = [f"mtllib {library}"]
        lines += [f"v {p[0]!r} {p[1]!r} {p[2]!r}" for p in self.positions]
        if self.normals[0]:
            lines += [f"vn {n[0]!r} {n[1]!r} {n[2]!r}" for n in self.normals]
        if self.texcoords[0]:
            lines += [f"vt {t[0]!r} {t[1]!r}" for t in self.texcoords]
        for material, faces in self.faces.items():
            lines.append(f"usemtl {material}")
            form = ("{0}/{0}/{0}" if self.texcoords[0] else "{0}//{0}") if self.normals[0] else (
                "{0}/{0}" if self.texcoords[0] else "{0}")
            lines += ["f " + " ".join(form.format(i + 1) for i in face) for face in faces]
        path.write_text("\n".join(lines) + "\n")

    def for_mitsuba(self, material, bsdf, emission=None, flip=0.0):
        """Returns the triangles of a material as a mesh of Mitsuba. If `flip` is not 0, they are
        moved by `flip` along their normals and face the other way."""
        faces = np.array(self.faces[material], dtype=np.uint32)
        used, faces = np.unique(faces, return_inverse=True)
        faces = faces.reshape(-1, 3)
        at = np.array([self.positions[i] for i in used], dtype=float)
        if flip:
            a, b, c = (at[faces[0, k]] for k in range(3))
            normal = np.cross(b - a, c - a)
            at = at - flip * normal / np.linalg.norm(normal)
            faces = faces[:, ::-1]
        has_normals, has_texcoords = bool(self.normals[0]), bool(self.texcoords[0])
        properties = mi.Properties()
        properties["bsdf"] = mi.load_dict(bsdf)
        if emission is not None:
            properties["emitter"] = mi.load_dict(
                {"type": "area", "radiance": {"type": "rgb", "value": emission}})
        if not has_normals:
            properties["face_normals"] = True
        mesh = mi.Mesh(material, len(at), len(faces), has_vertex_normals=has_normals,
                       has_vertex_texcoords=has_texcoords, props=properties)
        values = mi.traverse(mesh)
        values["vertex_positions"] = at.ravel().astype(np.float32)
        values["faces"] = faces.ravel().astype(np.uint32)
        if has_normals:
            values["vertex_normals"] = np.array([self.normals[i] for i in used],
                                                dtype=np.float32).ravel()
        if has_texcoords:
            # In Mitsuba, v points down; in Ballotcast, up.
            uv = np.array([self.texcoords[i] for i in used], dtype=np.float32)
            values["vertex_texcoords"] = (uv * [1, -1] + [0, 1]).astype(np.float32).ravel()
        values.update()
        return mesh


def write_pfm(path, pixels):
    height, width, _ = pixels.shape
    path.write_bytes(f"PF\n{width} {height}\n-1.0\n".encode() + pixels[::-1].astype("<f4").tobytes())


def read_pfm(path):
    data = path.read_bytes()
    kind, size, scale, pixels = data.split(b"\n", 3)
    assert kind == b"PF" and float(scale) < 0, "expected a little-endian PFM with colours"
    width, height = map(int, size.split())
    return np.frombuffer(pixels, "<f4").reshape(height, width, 3)[::-1].astype(float)


def sky_picture(radiance_of, width=1024):
    """Returns a picture of the sky from a function of arrays of directions; see docs/scenes.md."""
    height = width // 2
    down, around = np.meshgrid((np.arange(height) + 0.5) / height * math.pi,
                               ((np.arange(width) + 0.5) / width - 0.5) * 2 * math.pi, indexing="ij")
    return radiance_of(np.sin(down) * np.sin(around), np.cos(down),
                       -np.sin(down) * np.cos(around)).astype(np.float32)


def mitsuba_sky(pixels):
    # The left edge of Mitsuba's picture is the middle of Ballotcast's.
    return {"type": "envmap", "bitmap": mi.Bitmap(np.roll(pixels, pixels.shape[1] // 2, axis=1)),
            "mis_compensation": False}


def gradient(up, zenith, horizon, ground):
    """Returns the radiance of a sky without a picture; see docs/scenes.md."""
    zenith, horizon, ground = (np.array(c)[None, None, :] for c in (zenith, horizon, ground))
    low = np.clip(1 - up, 0, 1)[..., None] ** 3
    band = np.clip(-12 * up, 0, 1)[..., None]
    return np.where(up[..., None] >= 0, zenith * (1 - low) + horizon * low,
                    horizon * (1 - band) + ground * band)


def diffuse(color):
    return {"type": "twosided", "bsdf": {"type": "diffuse",
                                         "reflectance": {"type": "rgb", "value": color}}}


class Scene:
    def __init__(self, mesh, camera, size=(96, 96)):
        self.mesh, self.camera, self.size = mesh, camera, size
        self.materials = {}  # name: (lines of MTL, BSDF of Mitsuba, emission or None)
        self.options, self.lights, self.files = [], {}, {}

    def material(self, name, mtl, bsdf, emission=None):
        self.materials[name] = (mtl, bsdf, emission)

    def matt(self, name, color, emission=None):
        mtl = "Kd {} {} {}".format(*color)
        if emission:
            mtl += "\nKe {} {} {}".format(*emission)
        self.material(name, mtl, diffuse(color), emission)


def cornell():
    mesh = Mesh()
    mesh.read(SCENES / "cornell-box.obj")
    scene = Scene(mesh, dict(eye=(278, 273, -800), look_at=(278, 273, 0), fov=39.3))
    name = None
    for line in (SCENES / "cornell-box.mtl").read_text().splitlines():
        words = line.split()
        if words and words[0] == "newmtl":
            name = words[1]
            scene.materials[name] = {}
        elif words and words[0] in ("Kd", "Ke"):
            scene.materials[name][words[0]] = [float(w) for w in words[1:4]]
    for name, colors in list(scene.materials.items()):
        emission = colors.get("Ke")
        scene.matt(name, colors["Kd"], emission if emission and max(emission) > 0 else None)
    return scene


def furnace():
    """Makes a white matt sphere and a white sphere of rough metal under a white sky. Both must
    vanish."""
    mesh = Mesh()
    mesh.sphere("matt", (-1.1, 0, 0), 1)
    mesh.sphere("metal", (1.1, 0, 0), 1)
    scene = Scene(mesh, dict(eye=(0, 0, 8), look_at=(0, 0, 0), fov=32), (128, 64))
    scene.matt("matt", (1, 1, 1))
    scene.material("metal", "Kd 1 1 1\nPm 1\nPr 0.6",
                   {"type": "roughconductor", "distribution": "ggx", "alpha": 0.36,
                    "material": "none"})
    scene.options = ["--sky-zenith", "1,1,1", "--sky-horizon", "1,1,1", "--sky-ground", "1,1,1",
                     "--sun-strength", "0"]
    scene.lights = {"sky": {"type": "constant", "radiance": {"type": "rgb", "value": 1.0}}}
    return scene


def sky_with_soft_sun(x, up, z):
    toward = (0.5 * x + 0.7 * up + 0.5 * z) / math.sqrt(0.99)
    sun = np.clip((toward - math.cos(0.25)) / (1 - math.cos(0.25)), 0, 1)[..., None] ** 2
    return gradient(up, (0.2, 0.4, 0.9), (0.8, 0.8, 0.8), (0.2, 0.15, 0.1)) + sun * 60


def spheres():
    """Makes objects of metal, a mirror, glass and a pane of glass on a matt floor, under a sky
    with a soft sun."""
    mesh = Mesh()
    for i, name in enumerate(["metal", "gloss", "mirror", "glass"]):
        mesh.sphere(name, (-3.6 + 2.4 * i, 1.01, 0), 1)
    up, front = (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    mesh.add("floor", [((x, 0.0, z), up, None)
                       for x, z in ((-7.0, 5.0), (7.0, 5.0), (7.0, -5.0), (-7.0, -5.0))])
    mesh.add("pane", [((x, y, 2.0), front, None)
                      for x, y in ((-5.0, 0.1), (-3.0, 0.1), (-3.0, 1.2), (-5.0, 1.2))])
    scene = Scene(mesh, dict(eye=(0, 2.5, 11), look_at=(0, 0.9, 0), fov=26), (160, 80))
    scene.matt("floor", (0.5, 0.45, 0.4))
    base = [0.9, 0.6, 0.3]
    scene.material("metal", "Kd 0.9 0.6 0.3\nPm 1\nPr 0.5",
                   {"type": "principled", "base_color": {"type": "rgb", "value": base},
                    "metallic": 1.0, "roughness": 0.5, "spec_tint": 0.0})
    # A Phong exponent of 48 corresponds to a GGX width of sqrt(2 / 50) = 0.2.
    scene.material("gloss", "Kd 0 0 0\nKs 1 1 1\nNs 48\nillum 3",
                   {"type": "roughconductor", "distribution": "ggx", "alpha": 0.2,
                    "material": "none"})
    scene.material("mirror", "Kd 0 0 0\nKs 1 1 1\nNs 1e9\nillum 3",
                   {"type": "conductor", "material": "none"})
    scene.material("glass", "Kd 0 0 0\nNi 1.5\nillum 7",
                   {"type": "dielectric", "int_ior": 1.5, "ext_ior": 1.0})
    scene.material("pane", "Kd 0 0 0\nNi 1.5\nillum 4\nd 0.2\nTf 0.8 0.9 1",
                   {"type": "thindielectric", "int_ior": 1.5, "ext_ior": 1.0,
                    "specular_transmittance": {"type": "rgb", "value": [0.8, 0.9, 1.0]}})
    sky = sky_picture(sky_with_soft_sun)
    scene.files["sky.pfm"] = sky
    scene.options = ["--sky", "sky.pfm"]
    scene.lights = {"sky": mitsuba_sky(sky)}
    return scene


def atrium():
    """Makes the atrium with textures on all surfaces, in sun and sky."""
    mesh = Mesh()
    mesh.read(SCENES / "atrium.obj",
              lambda p: (0.35 * p[0] + 0.2 * p[2], 0.35 * p[1] - 0.15 * p[2] + 0.1 * p[0]))
    text = "".join(line for line in (SCENES / "atrium.json").read_text().splitlines(True)
                   if not line.strip().startswith("//"))
    stated = json.loads(text)
    camera = stated["camera"]
    scene = Scene(mesh, dict(eye=camera["eye"], look_at=camera["look_at"], fov=camera["fov"]),
                  (128, 80))
    # The texture has soft waves, so that the way of filtering does not matter.
    y, x = np.mgrid[0:64, 0:64] * (2 * math.pi / 64)
    waves = np.stack([150 + 70 * np.sin(x + p) * np.cos(y - p) for p in (0.0, 0.5, 1.0)], axis=-1)
    picture = np.round(waves).astype(np.uint8)
    scene.files["waves.png"] = picture
    texture = {"type": "twosided", "bsdf": {"type": "diffuse", "reflectance": {
        "type": "bitmap", "bitmap": mi.Bitmap(picture), "raw": False}}}
    for name in mesh.faces:
        scene.material(name, "Kd 1 1 1\nmap_Kd waves.png", texture)
    sun = (0.35, 1.0, 0.22)
    scene.options = ["--crease-angle", "0", "--sun-direction", "0.35,1,0.22", "--sun-color", "1,1,1",
                     "--sun-strength", "5", "--sky-zenith", "0.3,0.5,0.95", "--sky-horizon",
                     "0.85,0.9,1", "--sky-ground", "0.3,0.3,0.3", "--sky-strength", "1"]
    sky = sky_picture(lambda x, up, z: gradient(up, (0.3, 0.5, 0.95), (0.85, 0.9, 1),
                                                (0.3, 0.3, 0.3)))
    scene.lights = {"sky": mitsuba_sky(sky),
                    "sun": {"type": "directional", "direction": [-c for c in sun],
                            "irradiance": {"type": "rgb", "value": 5.0}}}
    return scene


def drawn_by_ballotcast(program, scene, spp, folder):
    (folder / "scene.mtl").write_text(
        "".join(f"newmtl {name}\n{mtl}\n" for name, (mtl, _, _) in scene.materials.items()))
    scene.mesh.write(folder / "scene.obj", "scene.mtl")
    for name, pixels in scene.files.items():
        if name.endswith(".pfm"):
            write_pfm(folder / name, pixels)
        else:
            mi.util.write_bitmap(str(folder / name), mi.Bitmap(pixels), write_async=False)
    camera = scene.camera
    subprocess.run([program, "render", "scene.obj", "--size", "{}x{}".format(*scene.size),
                    "--spp", str(spp), "--bounces", str(BOUNCES), "--smooth", "off",
                    "--eye", ",".join(map(str, camera["eye"])),
                    "--look-at", ",".join(map(str, camera["look_at"])), "--fov", str(camera["fov"]),
                    *scene.options, "-o", "ours.pfm"], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL)
    return read_pfm(folder / "ours.pfm")


def drawn_by_mitsuba(scene, spp):
    size = max(max(abs(c) for c in p) for p in scene.mesh.positions)
    camera = scene.camera
    # Mitsuba's max_depth counts BOUNCES + 1 surfaces, and then a light.
    parts = {"type": "scene",
             "integrator": {"type": "path", "max_depth": BOUNCES + 2, "rr_depth": 1000},
             "sensor": {"type": "perspective", "fov": camera["fov"], "fov_axis": "y",
                        "near_clip": 1e-4 * size, "far_clip": 1e4 * size,
                        "to_world": mi.ScalarTransform4f().look_at(
                            camera["eye"], camera["look_at"], [0, 1, 0]),
                        "film": {"type": "hdrfilm", "width": scene.size[0], "height": scene.size[1],
                                 "rfilter": {"type": "box"}, "component_format": "float32"},
                        "sampler": {"type": "independent"}}}
    parts.update(scene.lights)
    for name, (_, bsdf, emission) in scene.materials.items():
        if name not in scene.mesh.faces:
            continue
        parts[f"mesh-{name}"] = scene.mesh.for_mitsuba(name, bsdf, emission)
        if emission:  # Ballotcast's lamps shine on both sides
            parts[f"back-{name}"] = scene.mesh.for_mitsuba(name, bsdf, emission, flip=1e-5 * size)
    loaded = mi.load_dict(parts)
    most = 64 if scene.size[0] * scene.size[1] > 8000 else 128  # limits the memory of one pass
    total, passes = 0.0, max(1, spp // most)
    for seed in range(passes):
        total = total + np.array(mi.render(loaded, spp=min(spp, most), seed=seed))[..., :3]
    return total / passes


def block_means(pixels):
    height, width, channels = pixels.shape
    return pixels.reshape(height // BLOCK, BLOCK, width // BLOCK, BLOCK, channels).mean((1, 3, 4))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--spp", type=int, default=4096)
    parser.add_argument("--scene", action="append")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    program = str(pathlib.Path(arguments.program).resolve())
    makers = {f.__name__: f for f in (cornell, furnace, spheres, atrium)}
    rows, failures = [], 0
    for name in arguments.scene or makers:
        scene = makers[name]()
        with tempfile.TemporaryDirectory() as work:
            folder = arguments.keep / name if arguments.keep else pathlib.Path(work)
            folder.mkdir(parents=True, exist_ok=True)
            ours = drawn_by_ballotcast(program, scene, arguments.spp, folder)
            theirs = drawn_by_mitsuba(scene, arguments.spp)
            if arguments.keep:
                write_pfm(folder / "theirs.pfm", theirs)
        a, b = block_means(ours), block_means(theirs)
        off = np.abs(a - b) / np.maximum(b, 1e-6)
        at = np.unravel_index(off.argmax(), off.shape)
        bad = not off.max() <= LIMIT
        failures += bad
        rows.append({"scene": name, "size": list(scene.size), "samples": arguments.spp,
                     "blocks": int(off.size), "largest": float(off.max()),
                     "rms": float(np.sqrt((off ** 2).mean())), "mean": float(a.mean() / b.mean() - 1)})
        print(f"{'FAIL' if bad else 'ok  '} {name:8} largest difference of a block "
              f"{100 * off.max():.2f} % (row {at[0]}, column {at[1]}), rms {100 * rows[-1]['rms']:.2f} %, "
              f"of the whole picture {100 * rows[-1]['mean']:+.3f} %", flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(
            {"mitsuba": mi.__version__, "bounces": BOUNCES, "block": BLOCK, "scenes": rows}, indent=1)
            + "\n")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
