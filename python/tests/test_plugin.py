"""Tests the fixture `picture`, in separate processes of pytest."""

import html
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import ballotcast
import numpy as np
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


def run(folder, spoilt=0, tolerance="None", test=TEST, options=(), **environment):
    code = test.replace("SPOILT", str(spoilt)).replace('"view", TOLERANCE', f'"view", {tolerance}')
    (folder / "test_it.py").write_text(code)
    (folder / "box.obj").write_text(BOX)
    (folder / "pytest.ini").write_text("[pytest]\n")
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py", *options],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )


def command_in(output):
    """Returns the command that approves the picture, from pytest's output."""
    return re.search(r"^(?:E +)?approve: (.* accept .*)$", output, re.M).group(1)


def command_on(page):
    """Returns the command that approves the picture, from the page as it is shown without
    scripts."""
    plain = re.search(r"<noscript>.*?</noscript>", page.read_text(), re.S).group(0)
    return html.unescape(re.findall(r"<code>(.* accept .*)</code>", plain)[-1].split("<code>")[-1])


def approve(folder, output, reason="right"):
    command = command_in(output).replace("'...'", shlex.quote(reason))
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
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


def test_a_scene_from_arrays_is_explained_by_a_call(tmp_path):
    approve(tmp_path, run(tmp_path).stdout)
    of_arrays = TEST.replace(
        'bc.load("box.obj")',
        'bc.load("box.obj")\n    scene = bc.Scene(scene.vertices, scene.faces)',
    )
    changed = run(tmp_path, spoilt=3, test=of_arrays)
    assert (
        "explain: scene.explain(pixel=(7,4), width=32, height=24, eye=[3, 2, 4]" in changed.stdout
    )


def test_update_approves_what_is_drawn_now(tmp_path):
    done = run(tmp_path, options=["--ballotcast-update"])
    assert done.returncode == 0 and "approved now: view" in done.stdout, done.stdout
    assert run(tmp_path).returncode == 0
    again = run(tmp_path, options=["--ballotcast-update"])
    assert again.returncode == 0 and "approved now" not in again.stdout
    why = ["--ballotcast-update", "--ballotcast-reason", "the lamp is warmer"]
    assert run(tmp_path, spoilt=3, options=why).returncode == 0
    assert run(tmp_path, spoilt=3).returncode == 0
    reasons = [
        json.loads(line)["reason"]
        for line in (tmp_path / "pictures/suite-history.jsonl").read_text().splitlines()
    ]
    assert reasons == ["updated by pytest --ballotcast-update", "the lamp is warmer"]


SEVERAL = """
import numpy as np, pytest

@pytest.mark.parametrize("name", ["a", "b", "c"])
def test_several(picture, name):
    image = np.full((6, 8, 3), 40, np.uint8)
    image[1, 2] += np.uint8(SPOILT if name != "b" else 0)
    picture.check(image, name, IGNORED)
"""


def test_a_page_at_the_end_has_all_that_failed(tmp_path):
    plain = SEVERAL.replace(", IGNORED", "")
    good = run(tmp_path, test=plain, options=["--ballotcast-update"])
    assert good.returncode == 0 and "approved now: a, b, c" in good.stdout
    bad = run(tmp_path, spoilt=5, test=plain, GITHUB_ACTIONS="true")
    assert "page of 2 pictures that failed: pictures/new/failures.html" in bad.stdout
    place = r"^::error file=test_it.py,line=4,title=test_several\[a\]::picture a failed$"
    assert re.search(place, bad.stdout, re.M), bad.stdout
    page = (tmp_path / "pictures/new/failures.html").read_text()
    assert '"name":"a"' in page and '"name":"c"' in page and '"name":"b"' not in page
    assert "failures.html" not in run(tmp_path, test=plain).stdout


MANY = """
import numpy as np, pytest

@pytest.mark.parametrize("number", range(6))
def test_many(picture, number):
    picture.check(np.full((6, 8, 3), number, np.uint8), f"PROCESS{number}")
"""


def test_processes_that_check_at_the_same_time_keep_the_cases_of_each_other(tmp_path):
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    processes = []
    for name in ("a", "b", "c"):
        (tmp_path / f"test_{name}.py").write_text(MANY.replace("PROCESS", name))
        words = ["-q", "-p", "no:cacheprovider", f"test_{name}.py", "--ballotcast-update"]
        processes.append(
            subprocess.Popen(
                [sys.executable, "-m", "pytest", *words],
                cwd=tmp_path,
                stdout=subprocess.PIPE,
                text=True,
            )
        )
    for process in processes:
        told = process.communicate()[0]
        assert process.returncode == 0, told
    suite = json.loads((tmp_path / "pictures/suite.json").read_text())
    expected = sorted(f"{name}{i}" for name in "abc" for i in range(6))
    assert sorted(case["name"] for case in suite["cases"]) == expected
    history = (tmp_path / "pictures/suite-history.jsonl").read_text().splitlines()
    assert sorted(json.loads(line)["case"] for line in history) == expected


@pytest.mark.parametrize(
    "ignored", ["ignore=[(2, 1, 1, 1)]", "ignore_where=(np.arange(48) == 10).reshape(6, 8)"]
)
def test_ignored_pixels_may_differ(tmp_path, ignored):
    test = SEVERAL.replace("IGNORED", ignored)
    assert run(tmp_path, test=test, options=["--ballotcast-update"]).returncode == 0
    assert run(tmp_path, spoilt=5, test=test).returncode == 0
    other = test.replace("image[1, 2]", "image[1, 3]")
    assert run(tmp_path, spoilt=5, test=other).returncode == 1


def test_page_and_message_have_one_command_and_the_history_grows(tmp_path):
    first = run(tmp_path)
    command = command_in(first.stdout)
    assert command.endswith("accept pictures/suite.json view --reason='...'")
    assert command_on(tmp_path / "pictures/new/view.html") == command
    approve(tmp_path, first.stdout, "it's right")
    changed = run(tmp_path, spoilt=3)
    approve(tmp_path, changed.stdout, "three steps are right")
    lines = (tmp_path / "pictures/suite-history.jsonl").read_text().splitlines()
    old, new = map(json.loads, lines)
    assert (old["case"], old["reason"], old["change"]["verdict"]) == ("view", "it's right", "new")
    change = new["change"]
    assert (change["verdict"], change["different_pixels"], change["max_error"]) == (
        "different",
        1,
        3,
    )
    assert new["old_pixels"] == old["new_pixels"] != new["new_pixels"]
    again = run(tmp_path)
    assert again.returncode == 1
    page = (tmp_path / "pictures/new/view.html").read_text()
    assert page.index("three steps are right") < page.index("it's right")


def test_commands_are_for_the_folder_where_pytest_was_started(tmp_path):
    tests = tmp_path / "tests"
    tests.mkdir()
    code = (
        TEST.replace("SPOILT", "0")
        .replace(", TOLERANCE", "")
        .replace("(picture)", "(picture, monkeypatch)")
    )
    code = code.replace(
        '    scene = bc.load("box.obj")',
        '    scene = bc.load("tests/box.obj")\n    monkeypatch.chdir("/")',
    )
    (tests / "test_it.py").write_text(code)
    (tests / "box.obj").write_text(BOX)
    (tmp_path / "pytest.ini").write_text("[pytest]\nballotcast_pictures = tests/my pictures\n")
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert "accept 'tests/my pictures/suite.json' view --reason='...'" in done.stdout, done.stdout
    approve(tmp_path, done.stdout)
    assert subprocess.run(words, cwd=tmp_path, capture_output=True).returncode == 0


def test_wrong_arguments():
    from ballotcast.pytest_plugin import Pictures

    with pytest.raises(ValueError, match="name: expected letters"):
        Pictures(Path()).check(None, "a/b")
    with pytest.raises(ValueError, match="tolerance and why"):
        Pictures(Path()).check(None, "a", tolerance={"max_error": [0, 1]})


def test_a_case_that_a_suite_cant_hold_is_not_kept(tmp_path):
    from ballotcast.pytest_plugin import Pictures

    pictures = Pictures(tmp_path)
    square = np.zeros((8, 8, 3), np.uint8)
    with pytest.raises(ValueError, match="max_eror"):
        pictures.check(square, "first", tolerance={"max_eror": [0, 3]}, why="x")
    assert not (tmp_path / "suite.json").exists()
    with pytest.raises(pytest.fail.Exception):
        pictures.check(square, "good")  # it was not approved yet
    kept = (tmp_path / "suite.json").read_text()
    with pytest.raises(ValueError, match="max_eror"):
        pictures.check(square, "bad", tolerance={"max_eror": [0, 3]}, why="x")
    for name in ("..", ".", 5):
        with pytest.raises(ValueError, match="name: expected"):
            pictures.check(square, name)
    assert (tmp_path / "suite.json").read_text() == kept
