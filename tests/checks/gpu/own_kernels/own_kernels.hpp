// Kernels of a user's program, which cast rays with device.hpp. They are compiled as users compile
// them, without the library's compiler options.
#pragma once

#include "device_header/lane_kernels.hpp"
#include "device_header/own_answer.hpp"

namespace own {

/// How a kernel casts a ray.
enum class Way { closest, by_warp, each, any, any_by_warp, any_each, each_behind };

/// Rays and their hits in device memory.
struct Rays {
  const Ray* rays;
  Hit* hits;
  unsigned count;
};

/// Casts all rays. With the `any` ways, Hit::triangle is 0 or kNoTriangle. With each_behind, ray i
/// skips the triangle that hits[i] holds before. The work is only enqueued, on the default stream.
void cast(const ballotcast::device::PlainView& scene, const Rays& rays, Way way);
void cast(const ballotcast::device::SceneView& scene, const Rays& rays, Way way);

/// Computes all results for each ray, in world i % `worlds` for ray i.
void answer(const ballotcast::device::PlainView& scene, const Rays& rays, unsigned worlds,
            Answer* answers);
void answer(const ballotcast::device::SceneView& scene, const Rays& rays, unsigned worlds,
            Answer* answers);

/// Enqueues the kernel Everything with `blocks` blocks of `block_size` lanes. Does not wait for it.
void run_everything(unsigned blocks, unsigned block_size, std::uint32_t* results,
                    Everything::Sums* sums);

}  // namespace own
