"""An operator of PyTorch whose kernels cast rays, on the CPU and on a GPU. It is compiled at the
first run; the kernel for GPUs is left out if PyTorch sees none.

    python torch_op.py INCLUDE

INCLUDE: the folder of the installed headers, in which ballotcast/device_core.hpp is.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
USAGE = "usage: torch_op.py INCLUDE, the folder in which ballotcast/device_core.hpp is"


def load_operator(include: str):
    """Compiles the operator; call this once. Returns a function closest(scene, rays) ->
    (t, triangles), of a ballotcast.Scene and rays (n, 8): origin, t_min, direction, t_max. Triangle
    -1: a miss. Origins are relative to scene.origin, which is 0 unless vertices are doubles."""
    import numpy as np
    import torch
    from torch.utils.cpp_extension import load

    sources = ["binding.cpp"]
    if torch.cuda.is_available():
        sources += ["binding_cuda.cpp", "closest.cu"]
    load(
        name="ballotcast_op",
        sources=[str(HERE / source) for source in sources],
        extra_include_paths=[include],
        extra_cflags=["-O3"],
        extra_cuda_cflags=["-std=c++17"],
        is_python_module=False,
    )

    # For torch.compile: the shapes and types of the results.
    @torch.library.register_fake("ballotcast::closest")
    def _(view, rays):
        return rays.new_empty(rays.shape[0]), rays.new_empty(rays.shape[0], dtype=torch.long)

    def closest(scene, rays):
        on_gpu = rays.device.type == "cuda"
        view = scene.device_view(rays.device.index) if on_gpu else scene.host_view()
        return torch.ops.ballotcast.closest(torch.from_numpy(view.view(np.uint8).copy()), rays)

    return closest


def main() -> None:
    if len(sys.argv) != 2 or not (Path(sys.argv[1]) / "ballotcast/device_core.hpp").exists():
        sys.exit(USAGE)
    try:
        import ballotcast as bc
        import torch
    except ImportError as error:
        sys.exit(f"torch_op: needs the packages ballotcast and torch: {error}")
    closest = load_operator(sys.argv[1])
    scene = bc.Scene([[0, 0, 2], [2, 0, 2], [0, 2, 2]], [[0, 1, 2]])
    rays = torch.zeros(4, 8, device="cuda" if torch.cuda.is_available() else "cpu")
    rays[:, 0] = torch.tensor([0.5, 1.0, 1.5, 3.0])  # x coordinates of the origins
    rays[:, 1] = 0.25
    rays[:, 6] = 1.0  # towards +z
    rays[:, 7] = torch.inf
    t, triangles = closest(scene, rays)
    print(t.tolist(), triangles.tolist())  # [2.0, 2.0, 2.0, inf] [0, 0, 0, -1]


if __name__ == "__main__":
    main()
