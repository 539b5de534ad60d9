"""Where a scene is cast, and how its tree is built: the options that all its constructors share."""

from typing import Any, NamedTuple, Optional

from ._arrays import whole_number


class Options(NamedTuple):
    """The last argument of the extension module's constructors."""

    device: str
    build: str
    moves: bool
    partition: int  # 0: as many parts as are needed
    max_memory: Optional[int]
    strict_devices: bool


def options_of(
    device: str, build: str, moves: bool, partition: Any, max_memory: Any, strict_devices: Any
) -> Options:
    """Checks what the extension module takes as numbers; it checks the names itself."""
    parts = 0 if partition == "auto" else whole_number(partition, 'partition, if not "auto"', 1)
    memory = None if max_memory is None else whole_number(max_memory, "max_memory", 1, 2**64)
    return Options(device, build, moves, parts, memory, bool(strict_devices))
