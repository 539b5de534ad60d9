"""Tests that the examples run and draw pictures."""

import runpy
import sys
from pathlib import Path

import ballotcast as bc
import numpy as np
import pytest
from test_gpu import cupy_with_gpu

FOLDERS = [Path(__file__).resolve().parents[1] / "examples", Path(__file__).parent / "examples"]
EXAMPLES = sorted(path for folder in FOLDERS for path in folder.glob("*.py"))


def test_there_are_examples_and_each_is_short():
    assert len(EXAMPLES) >= 4
    for example in EXAMPLES:
        most = 80 if example.stem.startswith("gym") else 30
        assert len(example.read_text().splitlines()) < most, example.stem


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example(example, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if example.stem.startswith("torch"):
        pytest.importorskip("torch")
    if example.stem.startswith("cupy"):
        cupy_with_gpu()
    if example.stem.startswith("gym"):
        pytest.importorskip("gymnasium", reason="gymnasium is not installed")
        pytest.importorskip("mujoco", reason="MuJoCo is not installed")
    names = runpy.run_path(str(example))
    picture = bc.read_png(tmp_path / f"{example.stem}.png")
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 20
    if example.stem == "torch_loss":
        np.testing.assert_allclose(names["camera"].detach(), [1.1, 0.7, 1.6, 0.9], atol=0.02)


def test_the_example_of_cupy_says_what_it_needs(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)  # as if CuPy were not installed
    example = next(path for path in EXAMPLES if path.stem == "cupy_depth")
    with pytest.raises(SystemExit, match="cupy_depth: needs an NVIDIA GPU, and CuPy"):
        runpy.run_path(str(example))
