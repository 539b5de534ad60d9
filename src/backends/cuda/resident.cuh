// A scene in device memory.
#pragma once

#include "backends/backend.hpp"
#include "backends/cuda/machine.cuh"

namespace ballotcast::detail {

/// Owns the device's copies of a scene's arrays; `view` points at them.
struct DeviceSceneArrays {
  DeviceBuffer<NodeBytes> nodes;
  TreeShape shape;
  DeviceBuffer<TriangleRows> triangles;
  DeviceBuffer<u32> copies_starts;
  DeviceBuffer<u32> copies_ids;
  DeviceBuffer<vec3> positions;
  DeviceBuffer<uvec3> corners;
  DeviceBuffer<vec3> corner_normals;
  DeviceBuffer<vec2> corner_texcoords;
  DeviceBuffer<u32> material_of;
  DeviceBuffer<Material> materials;
  DeviceBuffer<Rgba8> texels;
  DeviceBuffer<TextureView> textures;
  DeviceBuffer<float> srgb;  // both tables
  DeviceBuffer<u32> emitters;
  DeviceBuffer<float> emitters_cumulative;
  SceneView view;
};

/// Copies every array of `scene` to the device.
DeviceSceneArrays upload_arrays(CudaMachine& machine, const PreparedScene& scene);

/// Rays that lie on the device, to be cast there.
struct DeviceRays {
  RayKind kind;
  const Ray* rays;
  Hit* hits;
  u32* visits;  // may be null
  u32 count;
};

/// Casts rays through the layout, pipeline and strategy that are asked for. `walks` is scratch.
CastCounts cast_on_device(CudaMachine& machine, std::string_view layout,
                          const DeviceSceneArrays& arrays, const DeviceRays& rays,
                          DeviceBuffer<uint4>& walks, const CastOptions& options,
                          const CastChecks& checks);

/// As cast_on_device; adds the atomics issued to *atomics on the device.
CastCounts cast_counting(CudaMachine& machine, std::string_view layout,
                         const DeviceSceneArrays& arrays, const DeviceRays& rays,
                         DeviceBuffer<uint4>& walks, const CastOptions& options, u64* atomics);

/// Writes how often each ray crosses a surface to counts[count] on the device.
void count_crossings_on_device(CudaMachine& machine, std::string_view layout,
                               const DeviceSceneArrays& arrays, const Ray* rays, u32* counts,
                               u32 count);

/// Writes the crossings of rays[count], ray i's from hits[starts[i]] on; all on the device.
void store_crossings_on_device(CudaMachine& machine, std::string_view layout,
                               const DeviceSceneArrays& arrays, const Ray* rays, const u64* starts,
                               Hit* hits, u32 count);

/// Casts rays for draw_frame_on_device.
using DeviceCast = std::function<CastCounts(const DeviceRays&)>;

/// Draws a frame, `at_once` paths at a time, casting through `cast`.
Frame draw_frame_on_device(CudaMachine& machine, const DeviceSceneArrays& arrays,
                           const FrameSettings& settings, u32 at_once, const DeviceCast& cast,
                           const ProgressReport& report);

/// Why the kernels in this binary can't run on the current device, or "".
std::string missing_code();

}  // namespace ballotcast::detail
