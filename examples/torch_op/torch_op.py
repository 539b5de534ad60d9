"""An operator of PyTorch whose kernel casts rays. The operator is compiled at the first run.

    python torch_op.py INCLUDE

INCLUDE: the folder of the installed headers, in which ballotcast/device.hpp is.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
USAGE = "usage: torch_op.py INCLUDE, the folder in which ballotcast/device_core.hpp is"


def load_operator(include: str):
    """Compiles the operator, and returns it: closest(view, rays) -> (t, triangles)."""
    from torch.utils.cpp_extension import load

    load(
        name="ballotcast_op",
        sources=[str(HERE / "binding.cpp"), str(HERE / "closest.cu")],
        extra_include_paths=[include],
        extra_cuda_cflags=["-std=c++17"],
        is_python_module=False,
    )
    import torch

    return torch.ops.ballotcast.closest


def main() -> None:
    if len(sys.argv) != 2 or not (Path(sys.argv[1]) / "ballotcast/device_core.hpp").exists():
        sys.exit(USAGE)
    try:
        import ballotcast as bc
        import numpy as np
        import torch
    except ImportError as error:
        sys.exit(f"torch_op: needs the packages ballotcast, numpy and torch: {error}")
    if not torch.cuda.is_available():
        sys.exit("torch_op: needs an NVIDIA GPU, and a PyTorch that sees it")
    closest = load_operator(sys.argv[1])
    scene = bc.Scene([[0, 0, 2], [2, 0, 2], [0, 2, 2]], [[0, 1, 2]])
    view = torch.from_numpy(scene.device_view().view(np.uint8).copy())
    rays = torch.zeros(4, 8, device="cuda")
    rays[:, 0] = torch.tensor([0.5, 1.0, 1.5, 3.0])  # x coordinates of the origins
    rays[:, 1] = 0.25
    rays[:, 6] = 1.0  # towards +z
    rays[:, 7] = torch.inf
    t, triangles = closest(view, rays)
    print(t.tolist(), triangles.tolist())  # [2.0, 2.0, 2.0, inf] [0, 0, 0, -1]


if __name__ == "__main__":
    main()
