"""The header with which the caller's own kernels cast rays."""

from __future__ import annotations

from pathlib import Path

_HEADER = "device_nvrtc.hpp"


def device_header() -> str:
    """Returns the CUDA C++ header with which your own kernels cast rays. It is one text without
    #include, for `cupy.RawModule` and other users of NVRTC, and needs C++17. (With nvcc, use the
    installed headers of the library.)

    Its functions take a view of a scene: see `Scene.device_view`.
    """
    return Path(__file__).with_name(_HEADER).read_text(encoding="utf-8")
