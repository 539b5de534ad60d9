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

/// Casts all rays. With any, any_by_warp and any_each, Hit::triangle becomes 0 for a hit and
/// kNoTriangle for a miss. With each_behind, ray i skips the triangle of the previous value of
/// hits[i]. The work is only enqueued, on the default stream. A SceneView is cast by closest, each
/// and any only, because more kernels take long to compile; throws std::invalid_argument otherwise.
void cast(const ballotcast::device::PlainView& scene, const Rays& rays, Way way);
void cast(const ballotcast::device::SceneView& scene, const Rays& rays, Way way);

/// Writes all results for each ray to `answers`. Ray i is cast into world i % worlds. The work is
/// only enqueued, on the default stream. (There is no such kernel for a PlainView: it would take
/// long to compile, and call the functions that a SceneView calls for a scene without instances.)
void answer(const ballotcast::device::SceneView& scene, const Rays& rays, unsigned worlds,
            Answer* answers);
void answer(const ballotcast::device::ShapesView& scene, const Rays& rays, unsigned worlds,
            Answer* answers);

/// Launches the kernel Everything with `blocks` blocks of `block_size` lanes, and does not wait for
/// it.
void run_everything(unsigned blocks, unsigned block_size, std::uint32_t* results,
                    Everything::Sums* sums);

/// The number of bins in use_slots().
inline constexpr std::uint32_t kBins = 5;

/// Device memory for use_slots(), of the sizes that slots.hpp requires. Counters must be 0 before.
struct SlotMemory {
  std::uint32_t *noted, *scratch;             // for Bins<kBins>
  std::uint32_t *begins, *queues;             // results of Bins<kBins>
  std::uint32_t *counted, *reserved, *queue;  // counters of count() and reserve(), and a queue
};

/// Notes the bins of lanes, makes the queues of the bins, counts the lanes that want a slot, and
/// reserves slots for these lanes. The work is only enqueued, on the default stream.
void use_slots(unsigned blocks, unsigned block_size, const std::uint32_t* bins,
               const std::uint8_t* wants, std::uint32_t count, const SlotMemory& memory);

/// True if use_slots() has the same results as the same kernels on emulated lanes. Waits for the
/// GPU.
bool slots_agree(std::uint32_t block_size);

}  // namespace own
