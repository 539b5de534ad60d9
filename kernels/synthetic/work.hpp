// Made-up rays: what a lane does before it reports, and which lanes have something to report. The
// kernels of the atomic benchmarks are made of these and a strategy.
#pragma once

#include <string_view>

#include "kernels/lane.hpp"
#include "math/sampling.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

/// Which lanes hit.
enum class HitPattern : u32 {
  random,         // each ray by itself
  coherent,       // the 32 rays of a warp alike
  one_per_block,  // exactly one ray of each block, anywhere in it
};

/// Four floats that a lane reads at once.
struct alignas(16) Float4 {
  float x, y, z, w;
};

/// The rays of a launch.
struct SyntheticView {
  u32 count;
  HitPattern pattern;
  u32 threshold;       // a ray hits if its hash is at most this: probability * 2^32 - 1
  u32 steps;           // of work a ray
  const Float4* read;  // two a ray, for work that reads memory
  float* written;      // one a ray, for work that writes it; else one in all
};

/// Does ray i hit? The same on every machine.
BC_HD inline bool hits(const SyntheticView& view, u32 i, u32 block_size) {
  switch (view.pattern) {
    case HitPattern::random:
      return view.threshold != 0u && mix_bits(i) <= view.threshold;
    case HitPattern::coherent:
      return view.threshold != 0u && mix_bits(i / kWarpSize) <= view.threshold;
    case HitPattern::one_per_block:
      break;
  }
  // The last block may be short: its ray is among those it has.
  const u32 block = i / block_size;
  const u32 rest = view.count - block * block_size;
  return i % block_size == mix_bits(block) % (rest < block_size ? rest : block_size);
}

/// A row of the table of kinds of work.
struct WorkInfo {
  std::string_view name;
  std::string_view summary;
  u32 bytes = 0;  // of global memory a ray moves
};

/// Nothing but the flag itself.
struct FlagWork {
  static constexpr WorkInfo info{"flag", "nothing: the hit is known at once"};

  BC_HD static float work(const SyntheticView&, u32) { return 0.0f; }
};

/// `steps` fused multiply-adds, each waiting for the one before.
struct FmaWork {
  static constexpr WorkInfo info{"fma", "fused multiply-adds, one after another"};

  BC_HD static float work(const SyntheticView& view, u32 i) {
    float x = static_cast<float>(i & 1023u) * 0x1p-10f;
    for (u32 step = 0; step < view.steps; ++step) x = fused(x, 0.5f, 0.25f);
    return x;
  }
};

/// 32 bytes read and 4 written.
struct MemoryWork {
  static constexpr WorkInfo info{"memory", "32 bytes read and 4 written", 36};

  BC_HD static float work(const SyntheticView& view, u32 i) {
    const Float4 a = view.read[2u * i], b = view.read[2u * i + 1u];
    const float x = (a.x + a.y) + (a.z + a.w) + ((b.x + b.y) + (b.z + b.w));
    view.written[i] = x;
    return x;
  }
};

using Works = TypeList<FlagWork, FmaWork, MemoryWork>;

/// What no work comes to: asking for it makes the hit depend on the work, so that no compiler
/// reports first and works later.
inline constexpr float kNever = -1.0f;

}  // namespace ballotcast::detail
