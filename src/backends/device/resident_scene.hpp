// A scene in the memory of a machine, which answers queries and draws frames.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "backends/device/cast_choice.hpp"
#include "backends/scene/prepared_scene.hpp"
#include "kernels/queries/table.hpp"
#include "math/portable.hpp"
#include "math/ray.hpp"
#include "support/error.hpp"
#include "support/processes/processes.hpp"

namespace ballotcast::detail {

struct DrawnFrame;  // kernels/frame/drawn_frame.hpp
struct FrameSettings;
struct RawFilm;

/// A random word in the memory of a machine, and its address. Processes use it to find out whether
/// one can read the memory of the other.
struct MemoryProbe {
  LentMemory memory;
  u64 word = 0;
};

u64 random_word();

/// True if `machine` finds the word at its address.
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

/// What a cast should find out besides hits. Each of these takes extra time.
struct CastChecks {
  u64* atomics = nullptr;  // receives the number of atomic operations issued; 0 on backend cpu
  /// See CastPlan::on_queue. Backend cpu never calls it. Backend cuda does not call it if atomics
  /// are counted.
  std::function<void(u32 pass, const std::vector<u32>& ids)> on_queue;
};

/// Rays that stay on a machine, so that they can be cast again and again, one cast at a time. The
/// scene that made them must outlive them.
class ResidentRays {
 public:
  virtual ~ResidentRays() = default;

  /// Casts all rays at once and not in batches. Otherwise the same as ResidentScene::cast.
  virtual CastCounts cast(const CastChoice& choice, const CastChecks& checks) = 0;

  /// Replaces all rays by the same number of others. Throws UsageError if the rays are not on one
  /// machine.
  virtual void replace(const Ray*) {
    throw UsageError("rays can only be replaced on one machine, at a whole scene");
  }

  /// Copies the results of the last cast; `visits` may be null.
  virtual void results(Hit* hits, u32* visits) = 0;

  /// Casts all rays `runs` times without counting leaf visits. Returns the milliseconds of each
  /// run: on a GPU the device time from the first kernel to the end of the last, else wall-clock
  /// time.
  virtual std::vector<double> time(const CastChoice& choice, u32 runs) = 0;
};

/// A scene on a machine.
class ResidentScene {
 public:
  virtual ~ResidentScene() = default;

  /// Answers a query whose arrays are in host memory. Sums are added to what the arrays hold.
  /// Returns the counts of a cast, or 0 for other queries. If the closest triangles of a ray have
  /// equal t, the triangle with the smallest id is the hit. Throws DeviceError if the machine
  /// fails.
  virtual CastCounts answer(const Query& query) = 0;

  /// Answers a cast without visits and worlds. Its rays, hits and RayFilter may be in host memory
  /// or in the memory of any machine of the same backend.
  virtual CastCounts answer_in_place(const Query& cast) { return answer(cast); }

  /// All crossings of the rays of a query of CrossingCounts. The default implementation counts the
  /// crossings first. A machine whose memory grows as needed can find them in one walk.
  virtual AllHits all_crossings(const Query& counting);

  /// Answers a cast. `visits` may be null.
  CastCounts cast(RayKind kind, const Ray* rays, Hit* hits, u32* visits, u64 count,
                  const CastChoice& choice, const RayWorlds& worlds = {}) {
    return answer(cast_query(kind, rays, hits, count, choice, worlds, visits));
  }

  /// Call this before a query or a frame. `rays`, at least 1, is how many items or paths are
  /// processed at a time. A frame takes at least one row of tiles, even if that is more. The
  /// default is kPathsAtOnce. Frees the memory of larger batches. Hits and pixels do not depend on
  /// this number; only `passes` and the counters of strategies that count blocks or passes do.
  /// `bytes` is the memory that the work takes besides the scene; it is kept for the next work.
  virtual void begin_work(u32 rays, u64 bytes) = 0;

  /// Copies rays[count] to the machine.
  virtual std::unique_ptr<ResidentRays> keep(RayKind kind, const Ray* rays, u32 count) = 0;

  /// Copies this scene to the machine that the calling thread uses, directly from memory to memory.
  /// Returns null if that machine can't reach the memory of this one. Several threads may call it
  /// at once.
  virtual std::unique_ptr<ResidentScene> copied() const { return nullptr; }

  /// Takes over what has changed in the scene: lights, and what has `moved`, such as vertices with
  /// their normals, the tree and lamps.
  virtual void follow(Moved moved) = 0;

  /// Draws a frame, or the rows of it that the settings state. Throws the same errors as `cast`.
  virtual DrawnFrame draw(const FrameSettings& settings, const CastChoice& choice,
                          const Progress& report) = 0;

  /// Smooths a whole picture whose rows were drawn in chunks (DrawnFrame::raw). The returned counts
  /// contain only the number of rays.
  virtual DrawnFrame develop(const FrameSettings& settings, const std::vector<RawFilm>& films) = 0;

  /// Lends a word of its machine's memory to another process. Absent if the machine can't.
  virtual std::optional<MemoryProbe> lend() { return {}; }
  /// True if this scene can smooth films in the memory of another process, where this word lies.
  virtual bool reads(const MemoryProbe&) { return false; }
  /// Frees the films that were lent (FrameSettings::raw_is_lent).
  virtual void end_loan() {}
};

}  // namespace ballotcast::detail
