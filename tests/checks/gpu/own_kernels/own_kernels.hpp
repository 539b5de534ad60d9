// Kernels of a program, which cast rays with device.hpp. They are compiled as programs compile
// them: without the options of the library.
#pragma once

#include "device_header/lane_kernels.hpp"
#include "device_header/own_answer.hpp"

namespace own {

/// How a kernel casts a ray.
enum class Way { closest, by_warp, each, any, any_by_warp, any_each, each_behind };

/// Rays in device memory, and where their hits go.
struct Rays {
  const Ray* rays;
  Hit* hits;
  unsigned count;
};

/// Casts all rays. Of those for any hit, Hit::triangle is 0 or kNoTriangle. With each_behind, rays
/// do not hit the triangles that are in `hits` before. Only enqueued, on the default stream.
void cast(const ballotcast::device::PlainView& scene, const Rays& rays, Way way);
void cast(const ballotcast::device::SceneView& scene, const Rays& rays, Way way);

/// All answers about each ray, in world i % `worlds`.
void answer(const ballotcast::device::PlainView& scene, const Rays& rays, unsigned worlds,
            Answer* answers);
void answer(const ballotcast::device::SceneView& scene, const Rays& rays, unsigned worlds,
            Answer* answers);

/// Runs Everything on so many lanes. Only enqueued.
void run_everything(unsigned blocks, unsigned block_size, std::uint32_t* results,
                    Everything::Sums* sums);

}  // namespace own
