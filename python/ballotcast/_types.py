"""The types of arguments, for type checkers."""

from __future__ import annotations

from typing import Any, Literal, NewType, Protocol, Tuple, Union

import numpy.typing as npt

#: A device that the type Device does not list: DeviceName("cuda:0,2+cpu").
DeviceName = NewType("DeviceName", str)

#: The devices that `devices` lists, "auto" and combinations of all machines. Any other device is a
#: DeviceName.
Device = Union[
    Literal[
        "auto", "cpu", "emulated", "cuda", "cuda:all", "cuda:all+cpu",
        "cuda:0", "cuda:1", "cuda:2", "cuda:3", "cuda:4", "cuda:5", "cuda:6", "cuda:7",
    ],
    DeviceName,
]  # fmt: skip
Build = Literal["fast", "balanced", "best"]
Rule = Literal["parity", "nonzero", "winding"]
Sides = Literal["both", "front", "back"]
ShapeKind = Literal[
    "sphere", "ellipsoid", "box", "capsule", "cylinder", "cone", "disc", "plane", "floor"
]  # fmt: skip


class Lent(Protocol):
    """An array of another library, in host or GPU memory, that can be used through DLPack."""

    def __dlpack_device__(self) -> Tuple[Any, int]: ...


class InGpuMemory(Protocol):
    """An array in GPU memory."""

    @property
    def __cuda_array_interface__(self) -> Any: ...


#: Arrays of any library, and lists of numbers.
Numbers = Union[npt.ArrayLike, Lent, InGpuMemory]
