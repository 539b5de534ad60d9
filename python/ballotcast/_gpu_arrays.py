"""Arrays in GPU memory, of any library.

Results are arrays of the library of the arguments. Work is enqueued on the stream that is current
in that library, after the work that the caller has enqueued.

    library   how its arrays are read       where results lie
    PyTorch   tensor's own methods          torch.empty
    CuPy      __cuda_array_interface__      cupy.empty
    Warp      __cuda_array_interface__      warp.empty
    JAX       DLPack                        memory of this package, lent by DLPack. Calls wait for
                                            results, because JAX has no streams for callers
    others    __cuda_array_interface__      memory of this package with that interface (GpuArray)
"""

from __future__ import annotations

import sys
from typing import Any, Optional, Tuple

import numpy as np

from . import _native
from ._arrays import size_of

_CUDA = 2  # DLPack's number for CUDA devices
_OF_HOST = frozenset((np.ndarray, float, int, list, tuple, type(None)))
_LEGACY_STREAM = 1  # DLPack's and CUDA's number for the default stream, for which all others wait


class View:
    """An array in GPU memory, whatever its library: owner, address, dtype, shape, and strides in
    elements."""

    def __init__(
        self,
        library: "Library",
        owner: Any,
        address: int,
        dtype: np.dtype,
        shape: Tuple[int, ...],
        strides: Tuple[int, ...],
    ) -> None:
        self.library = library
        self.owner = owner  # the object that owns the memory and keeps it alive
        self.address = address
        self.dtype = dtype
        self.shape = shape
        self.strides = strides

    @property
    def size(self) -> int:
        """The number of elements."""
        return size_of(self.shape)

    @property
    def contiguous(self) -> bool:
        """True if the elements are stored one behind the other, in C order."""
        steps = zip(self.shape, self.strides, c_order(self.shape))
        return all(length == 1 or stride == step for length, stride, step in steps)


class Library:
    """The functions of an array library on one GPU. Subclasses are for PyTorch, CuPy, Warp and JAX;
    the base class is for all other libraries."""

    def __init__(self, device: int) -> None:
        self.device = device

    def shares_with(self, other: "Library") -> bool:
        """True if arrays of both belong to the same library and are on the same GPU."""
        return type(self) is type(other) and self.device == other.device

    def stream(self) -> int:
        """Returns the address of the CUDA stream on which this library enqueues work now."""
        return _LEGACY_STREAM

    def empty(self, shape: Tuple[int, ...], dtype: str) -> Any:
        """Creates an array of "float32", "int64", "bool" and so on. Use it with address_of and
        `for_caller` only."""
        return GpuArray(shape, np.dtype(dtype), self.device)

    def address_of(self, array: Any) -> int:
        """Returns the address of an array from `empty`."""
        return int(array.memory.address)

    def for_caller(self, array: Any) -> Any:
        """Returns the array that the caller gets for a written array from `empty`."""
        return array


class _Torch(Library):
    def __init__(self, tensor: Any) -> None:
        super().__init__(tensor.device.index)
        self._torch = sys.modules["torch"]
        self._device = tensor.device

    def stream(self) -> int:
        return int(self._torch.cuda.current_stream(self._device).cuda_stream)

    def empty(self, shape: Tuple[int, ...], dtype: str) -> Any:
        return self._torch.empty(shape, dtype=getattr(self._torch, dtype), device=self._device)

    def address_of(self, array: Any) -> int:
        return int(array.data_ptr())


class _Cupy(Library):
    def __init__(self, array: Any) -> None:
        super().__init__(int(array.device.id))
        self._cupy = sys.modules["cupy"]

    def stream(self) -> int:
        with self._cupy.cuda.Device(self.device):
            return int(self._cupy.cuda.get_current_stream().ptr)

    def empty(self, shape: Tuple[int, ...], dtype: str) -> Any:
        with self._cupy.cuda.Device(self.device):
            return self._cupy.empty(shape, dtype)

    def address_of(self, array: Any) -> int:
        return int(array.data.ptr)


class _Warp(Library):
    def __init__(self, array: Any) -> None:
        super().__init__(int(array.device.ordinal))
        self._warp = sys.modules["warp"]
        self._device = array.device

    def stream(self) -> int:
        return int(self._warp.get_stream(self._device).cuda_stream)

    def empty(self, shape: Tuple[int, ...], dtype: str) -> Any:
        kind = self._warp.dtype_from_numpy(np.dtype(dtype))
        return self._warp.empty(shape, dtype=kind, device=self._device)

    def address_of(self, array: Any) -> int:
        return int(array.ptr or 0)


class _Jax(Library):
    def for_caller(self, array: Any) -> Any:
        _native.gpu_wait(self.stream(), self.device)
        jax = sys.modules["jax"]
        return jax.dlpack.from_dlpack(array.lent())


class GpuArray:
    """An array in GPU memory that belongs to no other library.

    It has `__cuda_array_interface__`: torch.as_tensor, cupy.asarray, numba.cuda.as_cuda_array
    and others take it without a copy.
    """

    def __init__(self, shape: Tuple[int, ...], dtype: np.dtype, device: int) -> None:
        self.shape = shape
        self.dtype = dtype
        self.device = device
        self.memory = _native.GpuMemory(max(1, size_of(shape) * dtype.itemsize), device)

    @property
    def __cuda_array_interface__(self) -> "dict[str, Any]":
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self.memory.address, False),
            "strides": None,
            "stream": _LEGACY_STREAM,
            "version": 3,
        }

    def lent(self) -> Any:
        """Lends the array to libraries that take DLPack."""
        kind = f"{self.dtype.kind}{self.dtype.itemsize}"
        return _native.gpu_export(self.memory, list(self.shape), kind, self.device)

    def __repr__(self) -> str:
        return f"<ballotcast.GpuArray: {self.dtype}, shape {self.shape}, cuda:{self.device}>"


def copied(numbers: np.ndarray, device: int) -> "_native.GpuMemory":
    """Copies numbers from host memory to a GPU."""
    words = np.ascontiguousarray(numbers).reshape(-1).view(np.uint32)
    memory = _native.GpuMemory(max(4, words.nbytes), device)
    memory.fill(words)
    return memory


def on_gpu(value: Any) -> bool:
    """True for an array in GPU memory."""
    if type(value) in _OF_HOST:
        return False
    if hasattr(type(value), "__dlpack_device__"):
        kind = value.__dlpack_device__()[0]  # a number; for Open3D an enum
        return int(getattr(kind, "value", kind)) == _CUDA
    return hasattr(value, "__cuda_array_interface__")


def any_on_gpu(*values: Any) -> bool:
    """True if one of these values is an array in GPU memory."""
    return any(on_gpu(value) for value in values)


def view_of(value: Any, name: str) -> View:
    """A view of an array in GPU memory. Does not copy it."""
    module = type(value).__module__.partition(".")[0]
    if module == "torch":
        return _view_of_torch(value.detach(), name)
    if module in ("jax", "jaxlib"):
        return _view_of_lent(value, name)
    interface = value.__cuda_array_interface__
    shape, dtype = tuple(interface["shape"]), _dtype(interface["typestr"], name)
    address = int(interface["data"][0])
    steps = interface.get("strides")
    for step in (address, *(steps or ())):
        if step % dtype.alignment:
            raise ValueError(
                f"{name}: its numbers do not lie at multiples of {dtype.alignment} bytes"
            )
    own = {"cupy": _Cupy, "warp": _Warp}.get(module)
    library = own(value) if own else Library(_device_of(address))
    _wait_for(interface.get("stream"), library)
    strides = c_order(shape) if steps is None else tuple(s // dtype.itemsize for s in steps)
    return View(library, value, address, dtype, shape, strides)


def _view_of_torch(tensor: Any, name: str) -> View:
    dtype = _dtype(str(tensor.dtype).partition(".")[2], name)
    shape, strides = tuple(tensor.shape), tuple(tensor.stride())
    return View(_Torch(tensor), tensor, tensor.data_ptr(), dtype, shape, strides)


def _view_of_lent(value: Any, name: str) -> View:
    """Returns a view of an array that DLPack lends, after the work that writes the array is
    done."""
    lent = _native.GpuImport(value.__dlpack__(stream=_LEGACY_STREAM))
    library = _Jax(_device_of(lent.address))
    dtype = _dtype(lent.type, name)
    return View(library, lent, lent.address, dtype, tuple(lent.shape), tuple(lent.strides))


def _device_of(address: int) -> int:
    return _native.gpu_device_of(address) if address else 0


def _wait_for(stream: Optional[int], library: Library) -> None:
    """Waits for the stream that writes an array, unless work of `library` is enqueued on the
    same stream."""
    if stream is not None and stream != library.stream():
        _native.gpu_wait(stream, library.device)


def c_order(shape: Tuple[int, ...]) -> Tuple[int, ...]:
    """Returns the strides of a contiguous array, in elements."""
    strides, step = [], 1
    for length in reversed(shape):
        strides.append(step)
        step *= length
    return tuple(reversed(strides))


def _dtype(text: str, name: str) -> np.dtype:
    try:
        return np.dtype(text)
    except TypeError:
        raise TypeError(f"{name}: expected float32 or float64 in GPU memory, got {text}") from None


def common_library(views: "list[Optional[View]]") -> Library:
    """Returns the library of the first array in GPU memory. Raises ValueError for several GPUs."""
    libraries = [view.library for view in views if view is not None]
    devices = {library.device for library in libraries}
    if len(devices) > 1:
        names = " and ".join(f"cuda:{device}" for device in sorted(devices))
        raise ValueError(f"the arrays of one call are on {names}")
    return libraries[0]
