"""Tests what mypy says about right and wrong calls. Needs mypy."""

import os
import subprocess
import sys
from pathlib import Path

import ballotcast as bc
import pytest

pytest.importorskip("mypy")

GOOD = """
import numpy as np
import ballotcast as bc

scene = bc.Scene([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]], device="cuda:0", build="fast")
several = bc.Scene(np.eye(3), np.array([[0, 1, 2]]), device=bc.DeviceName("cuda:0,2+cpu"))
hits = scene.cast(np.zeros((2, 3)), [0, 0, 1], t_max=np.ones(2))
places: np.ndarray = hits[hits.hit].point
scene.contains([[0, 0, 0]], rule="winding")
scene.render(8, 8, eye=(0, 0, 1), fov=40, lens=0.1)
bc.camera_rays(**bc.read_cameras("transforms.json")[0])
"""
BAD = {
    'bc.Scene([], [], device="gpu")': "device",
    'bc.Scene([], [], build="slow")': "build",
    'bc.Scene([], []).contains([], rule="odd")': "rule",
    "bc.Scene([], []).cast(None, [0, 0, 1])": "cast",
    "bc.Scene([], []).render(eyes=(0, 0, 1))": "eyes",
    "bc.Scene([], []).explain(fov='wide')": "fov",
    "bc.camera_rays(8, 8, lens=0.1)": "lens",
    "bc.Scene([], []).cast([0, 0, 0], open)": "cast",
}


def told(code, folder):
    (folder / "code.py").write_text(code)
    root = str(Path(bc.__file__).parent.parent)
    path = {} if "site-packages" in root else {"MYPYPATH": root}
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--no-error-summary", "--cache-dir=cache", "code.py"],
        cwd=folder,
        env={**os.environ, **path},
        capture_output=True,
        text=True,
    )
    return done.stdout + done.stderr


def test_mypy_takes_right_calls_and_refuses_wrong_ones(tmp_path):
    lines = GOOD.splitlines()
    first = len(lines) + 1
    got = told("\n".join([*lines, *BAD]), tmp_path)
    errors = [line for line in got.splitlines() if ": error:" in line and "code.py" in line]
    assert [int(e.split(":")[1]) for e in errors] == list(range(first, first + len(BAD))), got
    for error, word in zip(errors, BAD.values()):
        assert word in error
