"""Tests that the code in docs/python.md runs, and gives the results that the page shows."""

from pathlib import Path

import ballotcast
import numpy as np
import pytest

HERE = Path(__file__).resolve()
PAGES = [
    Path(ballotcast.__file__).parent / "program/share/doc/ballotcast/python.md",
    HERE.parents[2] / "docs/python.md",
]


def blocks_of(page: Path):
    inside = False
    for line in page.read_text().splitlines():
        if line.startswith("```"):
            inside = line == "```python"
        elif inside:
            yield line


def test_the_page_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pytest.importorskip("trimesh")
    page = next(page for page in PAGES if page.exists())
    names = {}
    told = 0
    for line in blocks_of(page):
        code, _, comment = line.partition("#")
        if not comment.strip().startswith("["):
            exec(line, names)
            continue
        result = eval(code, names)
        result = result.numpy() if hasattr(result, "numpy") else result
        expected = eval(comment, {"inf": np.inf})
        np.testing.assert_array_equal(result, expected, err_msg=line)
        told += 1
    assert told >= 4
