// Checks a view of a scene before a launch, for debug builds of your program. For nvcc; other
// compilers must include cuda_runtime_api.h before.
#pragma once

#include <string>

#include "ballotcast/device.hpp"
#include "ballotcast/error.hpp"

namespace ballotcast::device {

/// Throws UsageError unless the memory of a view, which DeviceCaster::device_view() gave, is there,
/// and on the GPU that is current; DeviceError for an error of earlier work. It is not there when
/// the last caster of the scene is gone, or after reserve_rebuild(). Memory that somebody else has
/// got since then is not noticed.
template <class View>
inline void require_usable(const View& view) {
  const void* nodes = view.plain().nodes;
  if (!nodes) return;  // of a scene without triangles
  cudaPointerAttributes found{};
  const cudaError_t error = cudaPointerGetAttributes(&found, nodes);
  if (error != cudaSuccess) cudaGetLastError();
  if (error != cudaSuccess && error != cudaErrorInvalidValue)
    throw DeviceError(cudaGetErrorString(error));
  if (found.type != cudaMemoryTypeDevice)
    throw UsageError(
        "the view's memory is not there: its DeviceCaster is gone or has a new tree, or the view "
        "is "
        "for a host; take it again by device_view()");
  int current = 0;
  cudaGetDevice(&current);
  if (found.device != current)
    throw UsageError("the view is of GPU " + std::to_string(found.device) + ", and GPU " +
                     std::to_string(current) + " is current; use a caster of that");
}

}  // namespace ballotcast::device
