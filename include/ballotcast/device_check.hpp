// Checks a view of a scene before a launch, for debug builds of your program. With compilers other
// than nvcc, include cuda_runtime_api.h first.
#pragma once

#include <string>

#include "ballotcast/device.hpp"
#include "ballotcast/error.hpp"

namespace ballotcast::device {

/// Checks that a view from DeviceCaster::device_view() can be used on the current GPU. Throws
/// UsageError if the view's memory was freed (when the last caster of the scene was destroyed, or
/// by reserve_rebuild()) or belongs to another GPU; DeviceError for an error of earlier work. Does
/// not notice if the freed memory has been allocated again since then.
template <class View>
inline void require_usable(const View& view) {
  const void* nodes = view.plain().nodes;
  if (!nodes) return;  // the view of a scene without triangles has no memory
  cudaPointerAttributes found{};
  const cudaError_t error = cudaPointerGetAttributes(&found, nodes);
  if (error != cudaSuccess) cudaGetLastError();
  if (error != cudaSuccess && error != cudaErrorInvalidValue)
    throw DeviceError(cudaGetErrorString(error));
  if (found.type != cudaMemoryTypeDevice)
    throw UsageError(
        "the view's memory is not there: its DeviceCaster is gone or has a new tree, or the view "
        "is for a host; take it again by device_view()");
  int current = 0;
  cudaGetDevice(&current);
  if (found.device != current)
    throw UsageError("the view is of GPU " + std::to_string(found.device) + ", and GPU " +
                     std::to_string(current) + " is current; use a caster of that");
}

}  // namespace ballotcast::device
