"""Pictures in pytest: approved once, compared at every run.

    def test_view(picture):
        picture.check(scene.render(320, 240), "view")

The pictures belong to a suite of `ballotcast regress`: a folder with suite.json, which says what
there is and what was approved, and the approved pictures. The first run fails and says how to
approve.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional

import pytest

from ._pictures import Picture, as_picture, compare, write_png

_FORMAT = "ballotcast suite"
_NAME = re.compile(r"[A-Za-z0-9_.-]+")
_UNUSABLE = 3  # the program's exit code for a file that can't be used
_PROGRAM = [sys.executable, "-m", "ballotcast"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("ballotcast_pictures", "the folder of the fixture `picture`", default="pictures")


@pytest.fixture
def picture(request: pytest.FixtureRequest) -> "Pictures":
    """Compares pictures with approved ones: picture.check(array, name)."""
    folder = request.config.rootpath / str(request.config.getini("ballotcast_pictures"))
    return Pictures(folder, request.config.invocation_params.dir)


class Pictures:
    """The pictures of a test suite.

    Args:
      folder: where suite.json is. It is made if it does not exist.
      start: where pytest was started. Printed commands and names of files are for this folder,
        even if a test has changed the working folder. By default, the working folder.
    """

    def __init__(self, folder: Path, start: Optional[Path] = None) -> None:
        self._folder = folder
        self._start = start or Path.cwd()
        self._suite = folder / "suite.json"

    def check(
        self,
        picture: Any,
        name: str,
        tolerance: Optional[Dict[str, Any]] = None,
        why: Optional[str] = None,
    ) -> None:
        """Fails the test unless the picture is the approved one.

        Args:
          picture: uint8 (height, width, 3), or the name of a PNG file.
          name: letters, digits, `-`, `_` and `.`; one picture each.
          tolerance: ranges as in a suite: {"max_error": [0, 2]}. By default nothing may differ.
          why: the reason of the tolerance, which must have one.
        """
        __tracebackhide__ = True
        if not isinstance(name, str) or not _NAME.fullmatch(name) or not name.strip("."):
            raise ValueError(f"name: expected letters, digits, -, _ and ., got {name!r}")
        if (tolerance is None) != (why is None):
            raise ValueError("tolerance and why: give both or none")
        new = self._folder / "new" / f"{name}.png"
        new.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(picture, (str, os.PathLike)):
            shutil.copyfile(picture, new)
        else:
            write_png(new, picture)
        # A picture that is copied by a command is a case like any other.
        case: Dict[str, Any] = {"name": name, "command": ["cp", f"new/{name}.png", "{output}"]}
        if tolerance is not None:
            case["tolerance"] = {**tolerance, "why": why}
        before = self._state(case)
        page = new.with_suffix(".html")
        # The program prints the command that approves, and its page has the same.
        run = self._run(
            ["regress", self._seen(self._suite), "--only", name, "--html", self._seen(page)]
        )
        if run.returncode == 0:
            return
        if run.returncode == _UNUSABLE:
            # The case is taken out again, or every later picture would fail by it.
            self._write(before)
            raise ValueError(f"picture {name!r}: {run.stderr.strip()}")
        lines = [run.stdout.strip(), run.stderr.strip(), f"look: {self._seen(page)}"]
        lines += self._explained(picture, name, new)
        pytest.fail("\n".join(line for line in lines if line), pytrace=False)

    def _state(self, case: Dict[str, Any]) -> Optional[str]:
        """Makes sure that the suite has this case. Returns its text from before; None for none."""
        before = self._suite.read_text() if self._suite.exists() else None
        suite: Dict[str, Any] = {"format": _FORMAT, "cases": []}
        if before is not None:
            suite = json.loads(before)
        cases: List[Dict[str, Any]] = suite["cases"]
        if case in cases:
            return before
        others = [other for other in cases if other.get("name") != case["name"]]
        suite["cases"] = [*others, case]
        self._write(json.dumps(suite, indent=2) + "\n")
        return before

    def _write(self, text: Optional[str]) -> None:
        """Replaces the suite, or removes it for None."""
        if text is None:
            return self._suite.unlink()
        part = self._suite.with_suffix(f".{os.getpid()}.tmp")
        part.write_text(text)
        os.replace(part, self._suite)

    def _explained(self, picture: Any, name: str, new: Path) -> List[str]:
        """What explains the worst pixel of a picture that a scene drew."""
        golden = self._folder / "suite-goldens" / f"{name}.png"
        if not isinstance(picture, Picture) or not golden.exists():
            return []
        approved = as_picture(golden, name)
        if approved.shape != picture.shape:
            return []
        worst = compare(approved, new).worst
        told = None if worst is None else picture.explained_by(*worst)
        return [] if told is None else [f"explain: {told}"]

    def _seen(self, path: Path) -> str:
        """The name of a file, seen from the folder where pytest was started."""
        return os.path.relpath(path, self._start)

    def _run(self, arguments: List[str]) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [*_PROGRAM, *arguments], cwd=self._start, capture_output=True, text=True, check=False
        )
