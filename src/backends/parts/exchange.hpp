// Casts rays at a scene in parts. Many rays go in two waves: while one waits for the slowest
// machine of a step, or for messages of another process, the machines work for the other.
//
//   machine thread 0   cast A  | cast B     | cast A ..          routers merge and route, each wave
//   machine thread 1   cast A      | cast B | cast A ..          between its casts
//
// In one process only rays that stay on their machines are so many (ResidentScene::keep).
#pragma once

#include <memory>

#include "backends/parts/wave.hpp"

namespace ballotcast::detail {

/// Rays, divided among waves.
class Exchange {
 public:
  /// `scene` must outlive it.
  explicit Exchange(const SeatedParts& scene);

  /// Takes rays[count].
  void take(const Ray* rays, u32 count);
  /// Casts them, as ResidentScene::cast does, without visits.
  CastCounts cast(RayKind kind, const CastChoice& choice);
  /// Copies the hits to hits[count].
  void results(Hit* hits);
  /// Gives back the memory for rays.
  void release();

  /// How many machines route rays.
  std::size_t routers() const { return first_.routers(); }

 private:
  /// The second wave, and threads that make the steps of both.
  struct Second {
    Wave wave;
    MachineThread for_first, for_second;

    explicit Second(const SeatedParts& scene) : wave(scene) {}
  };

  const SeatedParts& scene_;
  const u32 fewest_for_two_;
  Wave first_;
  std::unique_ptr<Second> second_;  // null if all rays go in one wave
};

/// As ResidentScene::count_crossings and crossings.
void count_crossings_in_parts(const SeatedParts& scene, const Ray* rays, u32* counts, u32 count);
void crossings_in_parts(const SeatedParts& scene, const Ray* rays, const u64* starts, Hit* hits,
                        u32 count);

}  // namespace ballotcast::detail
