"""Where a scene is cast, and how its tree is built: the options that all its constructors share."""

from typing import Any, Dict, NamedTuple, Optional

from . import _native
from ._arrays import whole_number


class Options(NamedTuple):
    """The last argument of the extension module's constructors."""

    device: str
    build: str
    moves: bool
    partition: int  # 0: as many parts as are needed
    max_memory: Optional[int]
    strict_devices: bool
    threads: int  # of the CPU, at most; 0: all


def devices() -> Dict[str, str]:
    """The devices that can be used here: what `device` calls each, and what it is."""
    return dict(_native.devices())


def options_of(
    device: str,
    build: str,
    moves: bool,
    partition: Any,
    max_memory: Any,
    strict_devices: Any,
    threads: Any,
) -> Options:
    """Checks what the extension module takes as numbers; it checks the names itself."""
    parts = 0 if partition == "auto" else whole_number(partition, 'partition, if not "auto"', 1)
    memory = None if max_memory is None else whole_number(max_memory, "max_memory", 1, 2**64)
    most = 0 if threads is None else whole_number(threads, "threads", 1)
    return Options(device, build, moves, parts, memory, bool(strict_devices), most)


class at_most:
    """Within it, calls of this thread have at most so many threads; 0 changes nothing."""

    def __init__(self, nthreads: Any) -> None:
        self._wanted = nthreads if nthreads == 0 else whole_number(nthreads, "nthreads")

    def __enter__(self) -> None:
        if self._wanted:
            self._before = _native.limit_threads(self._wanted)

    def __exit__(self, *_: Any) -> None:
        if self._wanted:
            _native.limit_threads(self._before)
