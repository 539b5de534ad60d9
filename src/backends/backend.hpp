// Backends: the machines that cast rays. Each is one folder and one row in backends.cpp.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backends/prepare.hpp"
#include "backends/synthetic_runner.hpp"
#include "kernels/frame_settings.hpp"
#include "kernels/pipelines/pipeline.hpp"
#include "math/ray.hpp"

namespace ballotcast::detail {

/// How rays are cast where there is a choice. None of it changes a hit.
struct CastOptions {
  std::string_view pipeline = "auto";  // a row of kernels/pipelines/table.hpp, or auto
  std::string_view atomics = "auto";   // a row of kernels/strategies/table.hpp, or auto
  u32 block_size = 256;            // lanes: a multiple of 32 from 32 to 1024; `warp` has its own
  std::string_view loop = "auto";  // who reads the counter: host, host:K, graph, or auto
  u32 passes = 0;                  // for a strategy that counts nothing; 0: count them first
};

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
  virtual CastCounts cast(const CastOptions& options, const CastChecks& checks) = 0;

  /// What the last cast found; `visits` may be null.
  virtual void results(Hit* hits, u32* visits) = 0;

  /// Casts `runs` times, not counting leaf visits, and returns the milliseconds of each: the
  /// device's own from the first kernel to the last on a GPU, else wall-clock time.
  virtual std::vector<double> time(const CastOptions& options, u32 runs) = 0;
};

/// A scene on a machine.
class ResidentScene {
 public:
  virtual ~ResidentScene() = default;

  /// Casts rays[count] and writes hits[count]; where `visits` isn't null, also the leaves each ray
  /// visited. Ties: the smallest triangle. Throws UsageError for options that don't exist and
  /// DeviceError when the machine fails.
  virtual CastCounts cast(RayKind kind, const Ray* rays, Hit* hits, u32* visits, u64 count,
                          const CastOptions& options) = 0;

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
  virtual Frame draw(const FrameSettings& settings, const CastOptions& options,
                     const ProgressReport& report) = 0;
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
  /// Makes the machine's synthetic_runner; null where there are no lanes to experiment with.
  std::unique_ptr<SyntheticRunner> (*synthetic_runner)();
};

/// Every backend there is, whether usable or not.
const std::vector<BackendInfo>& backends();

/// What a wish for a backend came to.
struct BackendChoice {
  const BackendInfo* backend;
  std::string note;  // for `auto` without a GPU: why not; else ""
};

/// The backend called `name`, or for "auto" cuda if usable, else cpu. Throws UsageError for a name
/// that doesn't exist and DeviceError for a backend that can't be used here.
BackendChoice choose_backend(std::string_view name);

/// Throws UsageError unless `options` names rows that exist and go together, a loop, and a block
/// size that can be launched.
void require_valid(const CastOptions& options);

/// Does this pipeline take this strategy? Throws UsageError for names that don't exist.
bool takes(std::string_view pipeline, std::string_view atomics);

/// What a cast of `rays` with these options counts, worked out from its leaf visits.
CastCounts expected_counts(const CastOptions& options, u64 rays, const LeafVisits& visits);

/// What the counter's sum means for a pipeline and a strategy that it takes; throws UsageError
/// otherwise.
Counts counts_of(std::string_view pipeline, std::string_view atomics);

/// The row that `pipeline` means: `auto` is the fastest, among those that take `atomics` if that is
/// no auto, too.
std::string_view resolved_pipeline(std::string_view pipeline, std::string_view atomics = "auto");

/// The row that `atomics` means in `pipeline`, which may be auto, too: `auto` is resolved.
std::string_view resolved_strategy(std::string_view pipeline, std::string_view atomics);

/// The loop called `name`: host, host:K with K from 1 to 1024, graph; `automatic` for auto. Throws
/// UsageError otherwise.
Loop loop_called(std::string_view name, Loop automatic);

/// `options` for a pipeline's `run`.
CastPlan plan_of(const CastOptions& options, Loop automatic);

}  // namespace ballotcast::detail
