"""Keywords that several functions share, and the keywords of a scene: on which device its rays
are cast, and how its tree is built."""

from __future__ import annotations

import functools
import inspect
from typing import Any, Callable, Dict, Optional, TypedDict, TypeVar, Union, cast

from . import _native
from ._arrays import whole_number
from ._types import Build, Device

_Function = TypeVar("_Function", bound=Callable[..., Any])


def takes_keywords(keywords: Any, defaults: Any) -> Callable[[_Function], _Function]:
    """A decorator for functions that take the keywords of a TypedDict as **keywords. Adds the
    keywords that the caller left out, refuses unknown keywords, and shows all keywords to help()
    and editors."""

    def decorated(function: _Function) -> _Function:
        signature = inspect.signature(function)
        own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        kinds = {name: kind.__forward_arg__ for name, kind in keywords.__annotations__.items()}
        left_out = {name: defaults[name] for name in kinds}
        shared = [
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kinds[name]
            )
            for name, default in left_out.items()
        ]
        shown = signature.replace(parameters=[*own, *shared])

        @functools.wraps(function)
        def checked(*arguments: Any, **passed: Any) -> Any:
            for name in passed:
                if name not in shown.parameters:
                    known = [p.name for p in shown.parameters.values() if p.kind is p.KEYWORD_ONLY]
                    raise TypeError(
                        f"unexpected keyword argument '{name}'; known are {', '.join(known)}"
                    )
            return function(*arguments, **{**left_out, **passed})

        checked.__dict__["__signature__"] = shown
        return cast(_Function, checked)

    return decorated


class SceneOptions(TypedDict, total=False):
    """The keywords of a scene; `Scene` explains them."""

    device: Device
    build: Build
    moves: bool
    partition: Union[int, str]
    max_memory: Optional[int]
    strict_devices: bool
    threads: Optional[int]
    layout: str
    pipeline: str
    atomics: str
    loop: str
    order: str
    block_size: int


def _value_of(text: str) -> Union[None, bool, int, str]:
    """Returns a default of the library's table of settings in the form for callers."""
    if text in ("", "0"):
        return None
    if text == "off":
        return False
    return int(text) if text.isdigit() else text


_DEFAULTS: Dict[str, Any] = {
    name: _value_of(text) for name, text in _native.cast_settings().items()
}
_DEFAULTS["moves"] = False  # the only keyword that is no setting of casts

takes_options = takes_keywords(SceneOptions, _DEFAULTS)


#: The last argument of the extension module's constructors: `moves`, and the library's settings of
#: casts as texts, by their names. Settings that the caller has not given are missing.
Options = Dict[str, str]


def devices() -> Dict[str, str]:
    """Returns the devices that can be used here: their names for `device`, and their
    descriptions."""
    return dict(_native.devices())


def options_of(options: SceneOptions) -> Options:
    """Checks the options that are numbers, and returns all options as texts. The extension
    module checks the rest."""
    texts: Dict[str, Any] = dict(options)
    for name in ("moves", "strict_devices"):
        texts[name] = "on" if texts[name] else None
    if texts["partition"] != "auto":
        texts["partition"] = str(whole_number(texts["partition"], 'partition, if not "auto"', 1))
    for name, end in (("max_memory", 2**64), ("threads", 2**32)):
        if texts[name] is not None:
            texts[name] = str(whole_number(texts[name], name, 1, end))
    texts["block_size"] = str(whole_number(texts["block_size"], "block_size"))
    return {name: value for name, value in texts.items() if value is not None}


class at_most:
    """A context in which calls of this thread use at most `nthreads` threads; 0 changes nothing."""

    def __init__(self, nthreads: Any) -> None:
        self._wanted = nthreads if nthreads == 0 else whole_number(nthreads, "nthreads")

    def __enter__(self) -> None:
        if self._wanted:
            self._before = _native.limit_threads(self._wanted)

    def __exit__(self, *_: Any) -> None:
        if self._wanted:
            _native.limit_threads(self._before)
