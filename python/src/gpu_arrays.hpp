// Arrays in GPU memory, which Python passes by their addresses, and the memory of this module's own
// arrays.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "ballotcast/error.hpp"

namespace ballotcast::python {

namespace nb = nanobind;

using Address = std::uint64_t;

template <class T>
T* pointer(Address address) {
  return reinterpret_cast<T*>(static_cast<std::uintptr_t>(address));
}

/// Copies the sizes or strides of the leading axes. Throws UsageError if there are too many.
template <class From, std::size_t N>
void copy_axes(const std::vector<From>& from, From (&to)[N]) {
  if (from.size() > N)
    throw UsageError("arrays in GPU memory: at most " + std::to_string(N) + " leading axes, got " +
                     std::to_string(from.size()));
  std::copy(from.begin(), from.end(), to);
}

/// Adds the classes and functions of arrays to the module.
void bind_gpu_arrays(nb::module_& module);

}  // namespace ballotcast::python
