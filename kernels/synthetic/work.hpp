// Synthetic rays: the work that a lane does before it reports, and which lanes hit. The kernels of
// the atomic benchmarks combine these with a strategy.
#pragma once

#include <string_view>

#include "kernels/lane.hpp"
#include "math/sampling.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

/// Which rays hit.
enum class HitPattern : u32 {
  random,         // each ray independently
  coherent,       // all 32 rays of a warp hit, or none does
  one_per_block,  // exactly one ray per block hits, at a random place in the block
};

/// Four floats that are read by one load.
struct alignas(16) Float4 {
  float x, y, z, w;
};

/// The synthetic rays of a launch.
struct SyntheticView {
  u32 count;
  HitPattern pattern;
  u32 threshold;  // rays with a hash up to this hit: hit probability * 2^32 - 1; 0: no ray hits
  u32 steps;      // steps of work per ray
  u32 ragged;     // factor on the steps of every eighth block, to make blocks uneven
  const Float4* read;  // two elements per ray, for work that reads memory
  float* written;      // one element per ray for work that writes memory, else a single one
};

/// True if ray i hits. The result is the same on every machine.
BC_HD inline bool hits(const SyntheticView& view, u32 i, u32 block_size) {
  switch (view.pattern) {
    case HitPattern::random:
      return view.threshold != 0u && mix_bits(i) <= view.threshold;
    case HitPattern::coherent:
      return view.threshold != 0u && mix_bits(i / kWarpSize) <= view.threshold;
    case HitPattern::one_per_block:
      break;
  }
  // The last block may have fewer rays than lanes. Then one of these rays hits.
  const u32 block = i / block_size;
  const u32 rest = view.count - block * block_size;
  return i % block_size == mix_bits(block) % (rest < block_size ? rest : block_size);
}

/// The factor on the steps of block `block`.
BC_HD inline u32 times_of(const SyntheticView& view, u32 block) {
  return block % 8u == 0u ? view.ragged : 1u;
}

/// A row of the table of kinds of work. `work(view, i, times)` does the work of ray i; `times` is
/// the result of times_of.
struct WorkInfo {
  std::string_view name;
  std::string_view summary;
  u32 bytes = 0;  // global memory traffic per ray, in bytes
};

/// Does no work before the hit is computed.
struct FlagWork {
  static constexpr WorkInfo info{"flag", "nothing: the hit is known at once"};

  BC_HD static float work(const SyntheticView&, u32, u32) { return 0.0f; }
};

/// Computes `steps` fused multiply-adds, each of which needs the result of the previous one.
struct FmaWork {
  static constexpr WorkInfo info{"fma", "fused multiply-adds, one after another"};

  BC_HD static float work(const SyntheticView& view, u32 i, u32 times) {
    float x = static_cast<float>(i & 1023u) * 0x1p-10f;
    const u32 steps = view.steps * times;
    for (u32 step = 0; step < steps; ++step) x = fused(x, 0.5f, 0.25f);
    return x;
  }
};

/// Reads 32 bytes and writes 4 bytes per ray.
struct MemoryWork {
  static constexpr WorkInfo info{"memory", "32 bytes read and 4 written", 36};

  BC_HD static float work(const SyntheticView& view, u32 i, u32) {
    const Float4 a = view.read[2u * i], b = view.read[2u * i + 1u];
    const float x = (a.x + a.y) + (a.z + a.w) + ((b.x + b.y) + (b.z + b.w));
    view.written[i] = x;
    return x;
  }
};

using Works = TypeList<FlagWork, FmaWork, MemoryWork>;

/// A value that no work ever returns. work_and_hit compares the result of the work with kNever. So
/// the hit depends on the work, and the compiler can't report first and work later.
inline constexpr float kNever = -1.0f;

}  // namespace ballotcast::detail
