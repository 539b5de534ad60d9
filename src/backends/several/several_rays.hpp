// Rays that stay on several machines.
#pragma once

#include "backends/several/machines.hpp"

namespace ballotcast::detail {

/// Rays that are divided among machines: one block after another goes to the next machine, so that
/// all get as much of what takes long. Large blocks, because rays of one part of a picture share
/// what is in the caches.
class SeveralRays final : public ResidentRays {
 public:
  SeveralRays(Machines& machines, RayKind kind, const Ray* rays, u32 count);
  ~SeveralRays() override;

  CastCounts cast(const CastChoice& choice, const CastChecks& checks) override;
  void results(Hit* hits, u32* visits) override;
  /// All machines cast at the same time. A run takes as long as the slowest of them.
  std::vector<double> time(const CastChoice& choice, u32 runs) override;

 private:
  struct Part {
    std::vector<u32> blocks;
    u32 count = 0;
    std::unique_ptr<ResidentRays> rays;
  };

  /// Calls work(part, scene) in the thread of each machine that has rays.
  template <class Work>
  void on_all(const Work& work) {
    machines_.on_all([&](std::size_t i, ResidentScene& scene) {
      if (!parts_[i].blocks.empty()) work(parts_[i], scene);
    });
  }

  /// Calls with(first ray, the ray behind the last) for each block of a part.
  template <class With>
  void for_each_block(const Part& part, const With& with) const {
    for (const u32 block : part.blocks)
      with(block * block_, static_cast<u32>(std::min<u64>(u64{block + 1u} * block_, count_)));
  }

  Machines& machines_;
  const u32 count_;
  u32 block_;                // rays per block, but for the last
  std::vector<Part> parts_;  // one per machine
  std::mutex mutex_;         // of what all machines add to
};

}  // namespace ballotcast::detail
