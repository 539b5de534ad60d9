// Backends: the machines that cast rays. Each is one folder and one row in backends.cpp.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backends/cast_choice.hpp"
#include "backends/prepare.hpp"
#include "backends/synthetic_runner.hpp"
#include "kernels/frame_settings.hpp"
#include "math/ray.hpp"

namespace ballotcast::detail {

/// What else a cast is to find out; each costs time.
struct CastChecks {
  u64* atomics = nullptr;  // gets the number of atomic operations issued
  /// See CastPlan::on_queue. On cpu it is never called.
  std::function<void(u32 pass, const std::vector<u32>& ids)> on_queue;
};

/// Rays that stay on a machine, to be cast there again and again. Refers to the scene it was made
/// by, which must outlive it; one cast at a time.
class ResidentRays {
 public:
  virtual ~ResidentRays() = default;

  /// Casts all of them at once, as ResidentScene::cast but in one part however many there are.
  virtual CastCounts cast(const CastChoice& choice, const CastChecks& checks) = 0;

  /// What the last cast found; `visits` may be null.
  virtual void results(Hit* hits, u32* visits) = 0;

  /// Casts `runs` times, not counting leaf visits, and returns the milliseconds of each: the
  /// device's own from the first kernel to the last on a GPU, else wall-clock time.
  virtual std::vector<double> time(const CastChoice& choice, u32 runs) = 0;
};

/// A scene on a machine.
class ResidentScene {
 public:
  virtual ~ResidentScene() = default;

  /// Casts rays[count] and writes hits[count]; where `visits` isn't null, also the leaves each ray
  /// visited. Ties: the smallest triangle. Throws UsageError for options that don't exist and
  /// DeviceError when the machine fails.
  virtual CastCounts cast(RayKind kind, const Ray* rays, Hit* hits, u32* visits, u64 count,
                          const CastChoice& choice) = 0;

  /// From here on works on no more than `rays` (at least 1) rays or paths at a time, of a frame on
  /// no less than a band of tiles; kPathsAtOnce until it is called. Frees what larger batches left.
  /// No hit and no pixel depends on it, only `passes` and a counter of blocks or passes do.
  virtual void set_batch(u32 rays) = 0;

  /// Writes how often each of rays[count] crosses a surface: see geometry/crossing.hpp.
  virtual void count_crossings(const Ray* rays, u32* counts, u64 count) = 0;

  /// Writes the crossings of rays[count], those of ray i from hits[starts[i]] to
  /// hits[starts[i + 1]], which are as many as count_crossings says.
  virtual void crossings(const Ray* rays, const u64* starts, Hit* hits, u64 count) = 0;

  /// Copies rays[count] to the machine.
  virtual std::unique_ptr<ResidentRays> keep(RayKind kind, const Ray* rays, u32 count) = 0;

  /// Draws a frame. Throws as `cast`.
  virtual DrawnFrame draw(const FrameSettings& settings, const CastChoice& choice,
                          const Progress& report) = 0;
};

/// A row of the table of backends.
struct BackendInfo {
  std::string_view name;
  std::string_view summary;
  /// Why it can't be used here, or "".
  std::string (*unusable)();
  /// The machine in words, e.g. "NVIDIA H200, compute capability 9.0, 139 GiB". Only if usable.
  std::string (*describe)();
  /// Bytes that are free there now; null where memory is the operating system's affair.
  u64 (*free_memory)();
  /// Copies a scene to the machine. `scene` must outlive the result.
  std::unique_ptr<ResidentScene> (*upload)(const PreparedScene& scene);
  /// Who reads the counter there if nobody says so.
  Loop (*auto_loop)();
  /// Do kernels take turns there? Else each ray is cast from start to end in one go, and what a
  /// pipeline would count is worked out.
  bool has_pipelines;
  /// Do times mean anything there?
  bool has_times;
  /// Makes the machine's synthetic runner; null where there are no lanes to experiment with.
  std::unique_ptr<SyntheticRunner> (*synthetic_runner)();
};

/// Every backend there is, whether usable or not.
const std::vector<BackendInfo>& backends();

/// What a wish for a backend came to.
struct BackendChoice {
  const BackendInfo* backend;
  std::string note;  // for `auto` without a GPU: why not; else ""
};

/// The row called `name`, usable or not. Throws UsageError for a name that doesn't exist.
const BackendInfo& backend_called(std::string_view name);

/// The backend called `name`, or for "auto" cuda if usable, else cpu. Throws UsageError for a name
/// that doesn't exist and DeviceError for a backend that can't be used here.
BackendChoice choose_backend(std::string_view name);

}  // namespace ballotcast::detail
