"""Where a scene is cast, and how its tree is built: the options that all its constructors share."""

from __future__ import annotations

import inspect
from typing import Any, Callable, Dict, NamedTuple, Optional, TypedDict, TypeVar, Union

from . import _native
from ._arrays import whole_number
from ._types import Build, Device


class SceneOptions(TypedDict, total=False):
    """The keywords of all that makes a scene; `Scene` says what they mean."""

    device: Device
    build: Build
    moves: bool
    partition: Union[int, str]
    max_memory: Optional[int]
    strict_devices: bool
    threads: Optional[int]


_DEFAULTS: SceneOptions = {
    "device": "auto",
    "build": "balanced",
    "moves": False,
    "partition": 1,
    "max_memory": None,
    "strict_devices": False,
    "threads": None,
}

_Function = TypeVar("_Function", bound=Callable[..., Any])


def takes_options(function: _Function) -> _Function:
    """Shows the keywords of SceneOptions, in place of **options, to help() and editors."""
    signature = inspect.signature(function)
    others = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
    kinds = {name: kind.__forward_arg__ for name, kind in SceneOptions.__annotations__.items()}
    keywords = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=value, annotation=kinds[name]
        )
        for name, value in _DEFAULTS.items()
    ]
    function.__dict__["__signature__"] = signature.replace(parameters=[*others, *keywords])
    return function


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


def options_of(given: SceneOptions) -> Options:
    """Checks what the extension module takes as numbers; it checks the names itself."""
    for name in given:
        if name not in _DEFAULTS:
            known = ", ".join(_DEFAULTS)
            raise TypeError(f"unexpected keyword argument '{name}'; the options are {known}")
    asked: SceneOptions = {**_DEFAULTS, **given}
    partition, memory, threads = asked["partition"], asked["max_memory"], asked["threads"]
    return Options(
        asked["device"],
        asked["build"],
        asked["moves"],
        0 if partition == "auto" else whole_number(partition, 'partition, if not "auto"', 1),
        None if memory is None else whole_number(memory, "max_memory", 1, 2**64),
        bool(asked["strict_devices"]),
        0 if threads is None else whole_number(threads, "threads", 1),
    )


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
