"""Filters decide which hits of rays count: the arguments `sides`, `skip`, `mask` and
`skip_instance` of casts."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, Tuple

import numpy as np

from ._arrays import as_array, as_words, described
from ._gpu_hits import GpuRecords
from ._records import Records

SIDES = ("both", "front", "back")  # in the order of the library's Sides


class Filter(NamedTuple):
    """A filter in the form in which the caller gives it."""

    sides: str = "both"
    skip: Any = None
    mask: Any = None
    skip_instance: Any = None

    def arrays(self) -> Tuple[Any, Any, Any]:
        """Returns the arrays `skip`, `mask` and `skip_instance`, in host or GPU memory."""
        return self.skip_ids(), self.mask, self.skip_instance

    def skip_ids(self) -> Any:
        """Returns the ids of the triangles to skip, also if the caller has given hits."""
        return self.skip.id if isinstance(self.skip, (Records, GpuRecords)) else self.skip

    def side(self) -> int:
        """Returns the library's number for `sides`."""
        if self.sides not in SIDES:
            known = ", ".join(map(repr, SIDES))
            raise ValueError(f"sides: expected one of {known}, got {self.sides!r}")
        return SIDES.index(self.sides)

    def masks(self) -> Optional[np.ndarray]:
        """Returns the masks as uint32 in host memory, or None."""
        return as_words(self.mask, "mask", "masks")

    def skipped(self) -> Optional[np.ndarray]:
        """Returns the ids to skip as uint32 in host memory, with 2^32 - 1 for no triangle; or
        None."""
        return _skipped(self.skip_ids(), "skip", "ids of triangles")

    def skipped_instances(self) -> Optional[np.ndarray]:
        """Returns the instances to skip as uint32 in host memory, with 2^32 - 1 for none; or
        None."""
        return _skipped(self.skip_instance, "skip_instance", "numbers of instances")


def _skipped(value: Any, name: str, what: str) -> Optional[np.ndarray]:
    if value is None:
        return None
    ids = as_array(value, name)
    if ids.dtype.kind not in "iu":
        raise TypeError(f"{name}: expected {what}, integers, got {described(ids)}")
    if ids.size and (int(ids.min()) < -1 or int(ids.max()) >= 2**32):
        raise ValueError(f"{name}: {what} must be from 0 to 2^32 - 2, or -1 for none")
    return ids.astype(np.uint32)


#: The filter with which all hits count.
EVERY_HIT = Filter()


def filter_of(sides: str, skip: Any, mask: Any, skip_instance: Any) -> Optional[Filter]:
    """Returns the filter; None if every hit counts, as in most casts."""
    if sides == "both" and skip is None and mask is None and skip_instance is None:
        return None
    return Filter(sides, skip, mask, skip_instance)
