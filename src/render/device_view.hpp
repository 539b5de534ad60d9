// Fills in the views of device.hpp, with which programs cast rays in their own kernels.
#pragma once

#include "backends/scene/prepared_scene.hpp"

namespace ballotcast::detail {

/// Fills in the device::SceneView or device::PlainView at `view`, of which the program says the
/// kind, the size and the version of its header. Throws UsageError; see DeviceCaster::device_view.
void fill_device_view(const SceneForPrograms& scene, void* view, u64 bytes, u32 kind, u32 version);

}  // namespace ballotcast::detail
