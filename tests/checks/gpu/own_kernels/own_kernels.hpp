// Kernels of a user's program, which cast rays with device.hpp. They are compiled as users compile
// them, without the library's compiler options.
#pragma once

#include "device_header/lane_kernels.hpp"
#include "device_header/own_answer.hpp"
#include "device_header/slot_kernels.hpp"

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

/// How many bins use_slots() takes.
inline constexpr std::uint32_t kBins = 5;

/// Device memory, of the sizes that slots.hpp says; counters are 0.
struct SlotMemory {
  std::uint32_t *noted, *scratch;             // of Bins<kBins>
  std::uint32_t *begins, *queues;             // the bins
  std::uint32_t *counted, *reserved, *queue;  // counters, and a queue in any order
};

/// Notes the bins of lanes, makes their queues, counts the lanes that want a slot, and gives slots
/// to them. Only enqueued.
void use_slots(unsigned blocks, unsigned block_size, const std::uint32_t* bins,
               const std::uint8_t* wants, std::uint32_t count, const SlotMemory& memory);

/// True if they have the results of emulated lanes.
bool slots_agree(std::uint32_t block_size);

}  // namespace own
