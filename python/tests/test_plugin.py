"""The fixture `picture`, in a pytest of its own."""

import re
import subprocess
import sys
from pathlib import Path

import ballotcast
import pytest

PROGRAM = Path(ballotcast.__file__).parent / "program/bin/ballotcast"
pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason="the program is in the wheel only")

TEST = """
import ballotcast as bc, numpy as np

def test_view(picture):
    scene = bc.load("box.obj")
    image = scene.render(32, 24, shading="normal", eye=(3, 2, 4), look_at=(0, 0, 0))
    image[4, 7] += np.uint8(SPOILT)
    picture.check(image, "view", TOLERANCE)
"""
BOX = """v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
"""


def run(folder, spoilt=0, tolerance="None"):
    code = TEST.replace("SPOILT", str(spoilt)).replace('"view", TOLERANCE', f'"view", {tolerance}')
    (folder / "test_it.py").write_text(code)
    (folder / "box.obj").write_text(BOX)
    (folder / "pytest.ini").write_text("[pytest]\n")
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py"],
        cwd=folder,
        capture_output=True,
        text=True,
    )


def approve(folder, output):
    command = re.search(r"^(?:E +)?approve: ballotcast (accept .*)$", output, re.M).group(1)
    words = command.replace("--reason ...", "--reason right").split()
    done = subprocess.run(
        [sys.executable, "-m", "ballotcast", *words], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_new_then_approved_then_changed(tmp_path):
    first = run(tmp_path)
    assert first.returncode == 1 and "new: view" in first.stdout, first.stdout + first.stderr
    approve(tmp_path, first.stdout)
    assert run(tmp_path).returncode == 0
    changed = run(tmp_path, spoilt=3)
    assert changed.returncode == 1 and "different: view" in changed.stdout
    assert (tmp_path / "pictures/new/view.html").exists()
    explain = re.search(r"explain: ballotcast (explain .*)$", changed.stdout, re.M).group(1)
    assert explain.endswith("--pixel 7,4") and "--eye 3,2,4" in explain
    told = subprocess.run(
        [sys.executable, "-m", "ballotcast", *explain.split()],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert told.returncode == 0, told.stderr
    tolerance = '{"max_error": [1, 5]}, "a test"'
    assert run(tmp_path, 3, tolerance).returncode == 0
    assert run(tmp_path, 9, tolerance).returncode == 1
    needless = run(tmp_path, 0, tolerance)
    assert needless.returncode == 1 and "tolerance not needed" in needless.stdout


def test_wrong_arguments():
    from ballotcast.pytest_plugin import Pictures

    with pytest.raises(ValueError, match="name: expected letters"):
        Pictures(Path()).check(None, "a/b")
    with pytest.raises(ValueError, match="tolerance and why"):
        Pictures(Path()).check(None, "a", tolerance={"max_error": [0, 1]})
