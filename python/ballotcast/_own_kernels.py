"""The header with which kernels of the caller cast rays."""

from __future__ import annotations

from pathlib import Path

_HEADER = "device_nvrtc.hpp"


def device_header() -> str:
    """The CUDA C++ header with which your own kernels cast rays. It is one text that includes
    nothing, for `cupy.RawModule` and other users of NVRTC. Needs C++17. (nvcc takes the installed
    headers of the library.)

    Its functions take a view of a scene: see `Scene.device_view`.
    """
    return Path(__file__).with_name(_HEADER).read_text(encoding="utf-8")
