"""Compares pictures in pytest tests: a picture is approved once, then compared at every run.

    def test_view(picture):
        picture.check(scene.render(320, 240), "view")

The pictures belong to a suite of `ballotcast regress`: a folder with the approved pictures and
with suite.json, which lists them. The first run fails and says how to approve; `pytest
--ballotcast-update` approves all pictures that the tests check. At the end of a run, a page
shows all pictures that failed.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence

import numpy as np
import pytest

from ._comparing import compare, mask_of
from ._pictures import Picture, as_picture, write_png

_FORMAT = "ballotcast suite"
_NAME = re.compile(r"[A-Za-z0-9_.-]+")
_UNUSABLE = 3  # the program's exit code for a file that can't be used
_PROGRAM = [sys.executable, "-m", "ballotcast"]
_REASON = "updated by pytest --ballotcast-update"
# Properties of a test's report. They also come from the processes of pytest-xdist.
_FAILED, _UPDATED = "ballotcast_failed", "ballotcast_updated"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("ballotcast_pictures", "the folder of the fixture `picture`", default="pictures")
    group = parser.getgroup("ballotcast", "pictures that are approved (ballotcast)")
    group.addoption(
        "--ballotcast-update",
        action="store_true",
        help="approve the pictures that the tests check as they are now, in place of comparing",
    )
    group.addoption(
        "--ballotcast-reason",
        metavar="TEXT",
        default=_REASON,
        help="why the pictures of --ballotcast-update are right; kept in the history",
    )


def _folder_of(config: pytest.Config) -> Path:
    folder: Path = config.rootpath / str(config.getini("ballotcast_pictures"))
    return folder


@pytest.fixture
def picture(request: pytest.FixtureRequest) -> "Pictures":
    """Compares pictures with approved ones: picture.check(array, name)."""
    config = request.config
    update = (
        config.getoption("ballotcast_reason") if config.getoption("ballotcast_update") else None
    )

    def note(what: str, name: str) -> None:
        request.node.user_properties.append((what, name))

    return Pictures(_folder_of(config), config.invocation_params.dir, update, note)


def _noted(reports: Iterable[Any], what: str) -> Dict[str, Any]:
    """Returns the reports that have noted pictures, by the name of the picture."""
    found: Dict[str, Any] = {}
    for report in reports:
        for key, name in getattr(report, "user_properties", ()):
            if key == what:
                found.setdefault(name, report)
    return found


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Writes a page with all pictures that failed, and reports which pictures were approved."""
    reports = [report for kind in terminalreporter.stats.values() for report in kind]
    failed, updated = _noted(reports, _FAILED), _noted(reports, _UPDATED)
    if updated:
        terminalreporter.write_sep("-", "ballotcast")
        terminalreporter.write_line(f"approved now: {', '.join(sorted(updated))}")
    if not failed:
        return
    pictures = Pictures(_folder_of(config), config.invocation_params.dir)
    terminalreporter.write_sep("-", "ballotcast")
    terminalreporter.write_line(pictures.page_of(sorted(failed)))
    if os.environ.get("GITHUB_ACTIONS") == "true":
        for name, report in failed.items():
            file, line, test = report.location
            place = f"file={file},line={(line or 0) + 1},title={test}".replace("\n", " ")
            terminalreporter.write_line(f"::error {place}::picture {name} failed")


class Pictures:
    """The pictures of a test suite.

    Args:
      folder: the folder of suite.json. It is made if it does not exist.
      start: the folder where pytest was started. Printed commands and names of files are relative
        to it, even if a test has changed the working folder. By default, the working folder.
      update: None, or the reason for approving pictures instead of comparing them.
      note: a function that is called with the event (failed or updated) and the picture's name.
    """

    def __init__(
        self,
        folder: Path,
        start: Optional[Path] = None,
        update: Optional[str] = None,
        note: Optional[Callable[[str, str], None]] = None,
    ) -> None:
        self._folder = folder
        self._start = start or Path.cwd()
        self._suite = folder / "suite.json"
        self._update = update
        self._note = note or (lambda what, name: None)

    def check(
        self,
        picture: Any,
        name: str,
        tolerance: Optional[Dict[str, Any]] = None,
        why: Optional[str] = None,
        *,
        ignore: Iterable[Sequence[int]] = (),
        ignore_where: Any = None,
    ) -> None:
        """Fails the test unless the picture equals the approved one.

        Args:
          picture: uint8 (height, width, 3), or the name of a PNG file.
          name: the picture's unique name, of letters, digits, `-`, `_` and `.`.
          tolerance: ranges as in a suite: {"max_error": [0, 2]}. By default nothing may differ.
          why: the reason for the tolerance. Required if there is one.
          ignore: rectangles (x, y, width, height) of pixels that are not compared.
          ignore_where: an array or a picture file, as large as the picture; pixels are not compared
            where it is neither black (0) nor wholly transparent.
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
        # In the suite, this picture is a case whose command copies the file.
        case: Dict[str, Any] = {"name": name, "command": ["cp", f"new/{name}.png", "{output}"]}
        if tolerance is not None:
            case["tolerance"] = {**tolerance, "why": why}
        case.update(self._ignored(name, ignore, ignore_where))
        page = new.with_suffix(".html")
        with self._alone():
            run = self._regress(case, page)
        if run.returncode == 0:
            return
        if run.returncode == _UNUSABLE:
            raise ValueError(f"picture {name!r}: {run.stderr.strip()}")
        self._note(_FAILED, name)
        lines = [run.stdout.strip(), run.stderr.strip(), f"look: {self._seen(page)}"]
        lines += self._explained(picture, name, new)
        pytest.fail("\n".join(line for line in lines if line), pytrace=False)

    def _regress(self, case: Dict[str, Any], page: Path) -> "subprocess.CompletedProcess[str]":
        """Compares or approves the picture of a case. Adds the case to the suite, unless the
        program can't use it."""
        name: str = case["name"]
        before = self._state(case)
        # The program prints the command that approves the picture, and writes the same command to
        # its page.
        run = self._run(
            ["regress", self._seen(self._suite), "--only", name, "--html", self._seen(page)]
        )
        if run.returncode == 1 and self._update is not None:
            run = self._run(["accept", self._seen(self._suite), name, f"--reason={self._update}"])
            if run.returncode == 0:
                self._note(_UPDATED, name)
        if run.returncode == _UNUSABLE:
            # Removes the case again, because otherwise every later picture would fail because of
            # it.
            self._write(before)
        return run

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """A context in which no other process, such as one of pytest-xdist, changes the suite."""
        with open(self._folder / "new" / ".lock", "w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def page_of(self, names: List[str]) -> str:
        """Writes one page with the last results of these pictures. Returns a line with the name
        of the page."""
        page = self._folder / "new" / "failures.html"
        self._run(
            [
                *("regress", self._seen(self._suite)),
                *("--only", ",".join(names), "--html", self._seen(page)),
            ]
        )
        count = "1 picture" if len(names) == 1 else f"{len(names)} pictures"
        return f"page of {count} that failed: {self._seen(page)}"

    def _ignored(self, name: str, ignore: Iterable[Sequence[int]], where: Any) -> Dict[str, Any]:
        """Returns the keys of a case that say which pixels are not compared."""
        keys: Dict[str, Any] = {}
        parts = [[int(number) for number in part] for part in ignore]
        if parts:
            keys["ignore"] = parts
        if where is not None:
            mask = self._folder / "masks" / f"{name}.png"
            mask.parent.mkdir(parents=True, exist_ok=True)
            write_png(mask, np.repeat(mask_of(where)[:, :, None], 3, axis=2) * np.uint8(255))
            keys["ignore_where"] = f"masks/{name}.png"
        return keys

    def _state(self, case: Dict[str, Any]) -> Optional[str]:
        """Makes sure that the suite contains this case. Returns the text of the suite before, or
        None if there was no suite."""
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
        """Replaces the text of the suite; removes the suite if `text` is None."""
        if text is None:
            return self._suite.unlink()
        part = self._suite.with_suffix(f".{os.getpid()}.tmp")
        part.write_text(text)
        os.replace(part, self._suite)

    def _explained(self, picture: Any, name: str, new: Path) -> List[str]:
        """Returns the lines that explain the worst pixel of a picture that a scene drew."""
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
        """Returns the name of a file, relative to the folder where pytest was started."""
        return os.path.relpath(path, self._start)

    def _run(self, arguments: List[str]) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [*_PROGRAM, *arguments], cwd=self._start, capture_output=True, text=True, check=False
        )
