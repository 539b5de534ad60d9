"""Tests that the code in pages about Python runs, and gives the results that they show."""

import ast
from pathlib import Path

import ballotcast
import numpy as np
import pytest

HERE = Path(__file__).resolve()
FOLDERS = [
    Path(ballotcast.__file__).parent / "program/share/doc/ballotcast",
    HERE.parents[2] / "docs",
]
NEEDS = {"python.md": ["trimesh"], "robots.md": ["mujoco", "trimesh", "yourdfpy"]}


def statements_of(page: Path):
    """Yields the statements of each block of code: its syntax tree, and the comment at its end."""
    block = None
    for line in page.read_text().splitlines():
        if line.startswith("```"):
            if block is not None:
                for statement in ast.parse("\n".join(block)).body:
                    rest = block[statement.end_lineno - 1].encode()[statement.end_col_offset :]
                    yield statement, rest.decode().strip().lstrip("#").strip()
            block = [] if line == "```python" else None
        elif block is not None:
            block.append(line)


@pytest.mark.parametrize("name", NEEDS)
def test_a_page_runs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for module in NEEDS[name]:
        pytest.importorskip(module)
    page = next(folder / name for folder in FOLDERS if (folder / name).exists())
    names = {}
    told = 0
    for statement, comment in statements_of(page):
        code = ast.unparse(statement)
        if not comment.startswith("["):
            exec(code, names)
            continue
        result = eval(code, names)
        result = result.numpy() if hasattr(result, "numpy") else result
        expected = eval(comment, {"inf": np.inf})
        np.testing.assert_array_equal(result, expected, err_msg=code)
        told += 1
    assert told >= 4
