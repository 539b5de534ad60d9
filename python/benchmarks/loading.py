"""Compares the time to read mesh files with that of other readers.

    python python/benchmarks/loading.py build/ballotcast big.obj [big.ply ...] [--runs 5]

Reads with one core and with two (taskset). tinyobjloader and assimp are compiled here if their
headers are installed, trimesh and meshio are used if they can be imported. Each run is a separate
process. Ballotcast also computes smooth normals if the file has none; the other readers only read
the file's content. Prints medians; MB are 10^6 bytes of the file.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

CLOCK = """
#include <chrono>
#include <cstdio>
template <class Read> int timed(Read read) {
  const auto begin = std::chrono::steady_clock::now();
  if (!read()) return 1;
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  std::printf("%f\\n", wall.count());
  return 0;
}
"""
SOURCES = {
    "tinyobjloader": (
        "#define TINYOBJLOADER_IMPLEMENTATION\n#include <tiny_obj_loader.h>\n"
        "int main(int, char** a) { tinyobj::ObjReader r;"
        " return timed([&] { return r.ParseFromFile(a[1]); }); }",
        [],
        (".obj",),
    ),
    "assimp": (
        "#include <assimp/Importer.hpp>\n#include <assimp/scene.h>\n"
        "int main(int, char** a) { Assimp::Importer i;"
        " return timed([&] { return i.ReadFile(a[1], 0) != nullptr; }); }",
        ["-lassimp"],
        (".obj", ".ply", ".stl", ".glb", ".gltf", ".off"),
    ),
}
IN_PYTHON = {
    "trimesh": "import time, trimesh; t = time.perf_counter();"
    " trimesh.load({file!r}, process=False); print(time.perf_counter() - t)",
    "meshio": "import time, meshio; t = time.perf_counter();"
    " meshio.read({file!r}); print(time.perf_counter() - t)",
}


def readers(program, folder):
    """Yields pairs: a reader's name, and a function from a file to the words of a command that
    reads it, or to None."""
    yield "ballotcast", lambda file: [program, "info", file, "--json", "--build", "fast"]
    for name, (source, libraries, suffixes) in SOURCES.items():
        path = os.path.join(folder, name)
        with open(path + ".cpp", "w") as out:
            out.write(CLOCK + source)
        words = [os.environ.get("CXX", "c++"), "-O3", "-o", path, path + ".cpp", *libraries]
        if subprocess.run(words, capture_output=True).returncode == 0:
            yield name, lambda file, p=path, s=suffixes: [p, file] if file.endswith(s) else None
    for name, code in IN_PYTHON.items():
        if subprocess.run([sys.executable, "-c", f"import {name}"], capture_output=True).returncode:
            continue
        yield name, lambda file, c=code: [sys.executable, "-c", c.format(file=file)]


def measured(words, cores):
    """Returns the seconds that reading takes; None if the command fails."""
    if shutil.which("taskset"):
        words = ["taskset", "-c", ",".join(map(str, range(cores))), *words]
    got = subprocess.run(words, capture_output=True, text=True)
    if got.returncode != 0:
        return None
    if got.stdout.startswith("{"):
        return json.loads(got.stdout)["scene"]["load_ms"] / 1000
    return float(got.stdout.split()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    print(f"{'file':16} {'reader':14} {'cores':>5} {'wall s':>8} {'MB/s':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for file in arguments.files:
            size = os.path.getsize(file) / 1e6
            for name, words_for in list(readers(arguments.program, folder)):
                words = words_for(file)
                for cores in (1, 2) if words else ():
                    runs = [measured(words, cores) for _ in range(arguments.runs)]
                    if None in runs:
                        print(f"{os.path.basename(file):16} {name:14} can't read it")
                        break
                    wall = statistics.median(runs)
                    row = f"{os.path.basename(file):16} {name:14} {cores:5}"
                    print(f"{row} {wall:8.3f} {size / wall:8.1f}")


main()
