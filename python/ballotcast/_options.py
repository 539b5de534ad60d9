"""Where a scene is cast, and how its tree is built: the options that all its constructors share."""

import operator
from typing import Any, NamedTuple, Optional


class Options(NamedTuple):
    """The last arguments of the extension module's constructors."""

    device: str
    build: str
    moves: bool
    partition: int  # 0: as many parts as are needed
    max_memory: Optional[int]


def options_of(device: str, build: str, moves: bool, partition: Any, max_memory: Any) -> Options:
    """Checks what the extension module takes as numbers; it checks the names itself."""
    parts = 0 if partition == "auto" else _number(partition, "partition", '"auto", or')
    memory = None if max_memory is None else _number(max_memory, "max_memory", "None, or")
    return Options(device, build, moves, parts, memory)


def _number(value: Any, name: str, or_else: str) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: expected {or_else} an integer, got {value!r}") from None
    most = 0xFFFFFFFF if name == "partition" else 0xFFFFFFFFFFFFFFFF
    if not 1 <= number <= most:
        raise ValueError(f"{name}: expected {or_else} an integer from 1 to {most}, got {value!r}")
    return number
