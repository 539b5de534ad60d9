"""Tests examples/torch_op, an operator of PyTorch whose kernels cast rays: its kernel for the CPU,
and on machines with a GPU, the one for the GPU.

Needs PyTorch, a compiler, and BALLOTCAST_INCLUDE: the folder of the installed headers."""

import os
import runpy
from pathlib import Path

import ballotcast as bc
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs PyTorch")
EXAMPLE = Path(__file__).resolve().parent.parent.parent / "examples/torch_op/torch_op.py"
CORNERS = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
FACES = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]


@pytest.fixture(scope="module")
def closest():
    include = os.environ.get("BALLOTCAST_INCLUDE")
    if not include or not EXAMPLE.exists():
        pytest.skip("needs BALLOTCAST_INCLUDE, and the examples of the repository")
    return runpy.run_path(str(EXAMPLE))["load_operator"](include)


def devices():
    return ["cpu", "cuda"] if torch.cuda.is_available() else ["cpu"]


def random_rays(count, device):
    rays = np.random.default_rng(1).normal(size=(count, 8)).astype(np.float32)
    rays[:, 3], rays[:, 7] = 0, np.inf
    return torch.from_numpy(rays).to(device)


def view_of(scene, device):
    view = scene.host_view() if device == "cpu" else scene.device_view()
    return torch.from_numpy(view.view(np.uint8).copy())


def scenes():
    tetrahedron = bc.Scene(CORNERS, FACES)
    placed = [(0, np.eye(4)), (0, np.diag([2, 2, 2, 1]))]
    return [tetrahedron, bc.Scene.from_instances([tetrahedron], placed)]


@pytest.mark.parametrize("device", devices())
def test_it_finds_the_hits_of_casts(closest, device):
    rays = random_rays(5000, device)
    for scene in scenes():
        t, triangles = closest(scene, rays)
        assert t.device == triangles.device == rays.device
        hits = scene.cast(rays.cpu().numpy()[:, [0, 1, 2, 4, 5, 6]])
        assert 100 < hits.hit.sum() < 4900
        ids = hits.id.astype(np.int64)
        assert np.array_equal(triangles.cpu().numpy(), np.where(hits.hit, ids, -1))
        assert np.array_equal(t.cpu().numpy()[hits.hit], hits.t[hits.hit])
    t, triangles = closest(scene, rays[:0])
    assert t.shape == triangles.shape == (0,)


@pytest.mark.parametrize("device", devices())
def test_it_is_an_operator_that_can_be_compiled(closest, device):
    view, rays = view_of(scenes()[0], device), random_rays(100, device)
    operator = torch.ops.ballotcast.closest
    torch.library.opcheck(operator.default, (view, rays))

    def nearest(rays):
        return operator(view, rays)[0].min()

    compiled = torch.compile(nearest, backend="aot_eager", fullgraph=True)
    assert compiled(rays) == nearest(rays)


@pytest.mark.parametrize("device", devices())
def test_wrong_tensors_are_errors(closest, device):
    view, rays = view_of(scenes()[0], device), random_rays(4, device)
    operator = torch.ops.ballotcast.closest
    for wrong, words in [
        ((view[:-1], rays), "view: expected the bytes"),
        ((view, rays[:, :6]), "floats of shape"),
        ((view, rays.double()), "floats of shape"),
        ((view, rays.reshape(-1)[2:26].reshape(3, 8)), "aligned to 16 bytes"),
    ]:
        with pytest.raises(RuntimeError, match=words):
            operator(*wrong)
