// A scene in the memory of a machine, which answers queries and draws frames.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "backends/device/cast_choice.hpp"
#include "backends/scene/prepared_scene.hpp"
#include "ballotcast/error.hpp"
#include "kernels/queries/queries.hpp"
#include "math/portable.hpp"
#include "math/ray_hit.hpp"
#include "support/processes/processes.hpp"

namespace ballotcast::detail {

struct DrawnFrame;  // kernels/frame/drawn_frame.hpp
struct FrameSettings;
struct RawFilm;

/// A random word in the memory of a machine, and its address. With it, a process finds out whether
/// it can read the memory of another process.
struct MemoryProbe {
  LentMemory memory;
  u64 word = 0;
};

u64 random_word();

/// True if `machine` reads the right word at its address.
template <class Machine>
bool reads(Machine& machine, const MemoryProbe& probe) {
  u64 word = ~probe.word;
  auto here = machine.template make<u64>(1);
  try {
    [[maybe_unused]] const auto taken = machine.template take<u64>(
        probe.memory, 1, [&](u64* there) { machine.gather(here.data(), there, 1); });
    machine.download(&word, static_cast<const u64*>(here.data()), 1);
  } catch (const DeviceError&) {
    return false;
  }
  return word == probe.word;
}

/// Additional results of a cast. Each of them takes extra time.
struct CastChecks {
  u64* atomics = nullptr;  // receives the number of atomic operations issued; 0 on backend cpu
  /// Receives the queue of each pass; see CastPlan::on_queue. Backend cpu never calls this
  /// function. Backend cuda does not call it if atomics are counted.
  std::function<void(u32 pass, const std::vector<u32>& ids)> on_queue;
};

/// Rays that stay on a machine, so that they can be cast repeatedly, one cast at a time. The scene
/// that made them must outlive them.
class ResidentRays {
 public:
  virtual ~ResidentRays() = default;

  /// Casts all rays at once and not in batches. Otherwise the same as ResidentScene::cast.
  virtual CastCounts cast(const CastChoice& choice, const CastChecks& checks) = 0;

  /// Replaces the rays by the same number of other rays. Throws UsageError if the rays are not on a
  /// single machine.
  virtual void replace(const Ray*) {
    throw UsageError("rays can only be replaced on one machine, at a whole scene");
  }

  /// Copies the results of the last cast to the host; `visits` may be null.
  virtual void results(Hit* hits, u32* visits) = 0;

  /// Casts all rays `runs` times without counting leaf visits. Returns the milliseconds of each
  /// run: on a GPU the device time from the first kernel to the end of the last, else the
  /// wall-clock time.
  virtual std::vector<double> time(const CastChoice& choice, u32 runs) = 0;
};

/// A scene on a machine.
class ResidentScene {
 public:
  virtual ~ResidentScene() = default;

  /// Answers a query whose arrays are in host memory. Sums are added to the values in the arrays.
  /// Returns the counts of a cast, or 0 for other queries. If the closest triangles of a ray have
  /// equal t, the triangle with the smallest id is the hit. Throws DeviceError if the machine
  /// fails.
  virtual CastCounts answer(const Query& query) = 0;

  /// Answers a cast without visits and worlds. Its rays, hits and RayFilter may be in host memory
  /// or in the memory of any machine of the same backend.
  virtual CastCounts answer_in_place(const Query& cast) { return answer(cast); }

  /// Finds all crossings of the rays of a query of CrossingCounts. The default implementation
  /// counts the crossings first. A machine whose memory can grow finds them in one traversal.
  virtual AllHits all_crossings(const Query& counting);

  /// Answers a cast. `visits` may be null.
  CastCounts cast(RayKind kind, const Ray* rays, Hit* hits, u32* visits, u64 count,
                  const CastChoice& choice, const RayWorlds& worlds = {}) {
    return answer(cast_query(kind, rays, hits, count, choice, worlds, visits));
  }

  /// Call this function before a query or a frame. `rays`, at least 1, is the number of items or
  /// paths that are processed at a time. A frame takes at least one row of tiles, even if that is
  /// more. The default is kPathsAtOnce. The memory of larger batches is freed. Hits and pixels do
  /// not depend on this number; only `passes` and the counters of strategies that count blocks or
  /// passes do. `bytes` is the memory that the work takes in addition to the scene; it is kept for
  /// the next work.
  virtual void begin_work(u32 rays, u64 bytes) = 0;

  /// Copies rays[count] to the machine.
  virtual std::unique_ptr<ResidentRays> keep(RayKind kind, const Ray* rays, u32 count) = 0;

  /// Copies this scene to the current machine of the calling thread, directly from memory to
  /// memory. Returns null if that machine can't access the memory of this one. Several threads may
  /// call this function at the same time.
  virtual std::unique_ptr<ResidentScene> copied() const { return nullptr; }

  /// Takes over the changes of the scene: lights, and the data that changes with `moved`, such as
  /// vertices with their normals, the tree and lamps.
  virtual void follow(Moved moved) = 0;

  /// Draws a frame, or only those rows that the settings select. Throws DeviceError if the machine
  /// fails.
  virtual DrawnFrame draw(const FrameSettings& settings, const CastChoice& choice,
                          const Progress& report) = 0;

  /// Smooths a whole picture whose rows were drawn in chunks (DrawnFrame::raw). In the returned
  /// counts, only the number of rays is set.
  virtual DrawnFrame develop(const FrameSettings& settings, const std::vector<RawFilm>& films) = 0;

  /// Returns a word of its machine's memory for another process. Absent if the machine does not
  /// support this.
  virtual std::optional<MemoryProbe> lend() { return {}; }
  /// True if this scene can smooth films in the memory of the process in which this word is
  /// located.
  virtual bool reads(const MemoryProbe&) { return false; }
  /// Frees the films that other processes may read (FrameSettings::raw_is_lent).
  virtual void end_loan() {}
};

}  // namespace ballotcast::detail
