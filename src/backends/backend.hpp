// Backends: the machines that cast rays. Each is one folder and one row in backends.cpp.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backends/prepare.hpp"
#include "kernels/frame_settings.hpp"
#include "math/ray.hpp"

namespace ballotcast {

/// How rays are cast where there is a choice. None of it changes a hit.
struct CastOptions {
  std::string_view pipeline = "auto";       // a row of kernels/pipelines/table.hpp, or auto
  std::string_view atomics = "block-vote";  // a row of kernels/strategies/table.hpp
  u32 block_size = 256;                     // lanes: a multiple of 32 from 32 to 1024
};

/// A scene on a machine.
class ResidentScene {
 public:
  virtual ~ResidentScene() = default;

  /// Casts rays[count] and writes hits[count]; where `visits` isn't null, also the leaves each ray
  /// visited. Ties: the smallest primitive. Throws UsageError for options that don't exist and
  /// DeviceError when the machine fails.
  virtual CastCounts cast(RayKind kind, const Ray* rays, Hit* hits, u32* visits, u64 count,
                          const CastOptions& options) = 0;

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
  /// Copies a scene to the machine. `scene` must outlive the result.
  std::unique_ptr<ResidentScene> (*upload)(const PreparedScene& scene);
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

/// Throws UsageError unless `options` names rows that exist and a block size that can be launched.
void require_valid(const CastOptions& options);

/// The row that `pipeline` means: `auto` is resolved.
std::string_view resolved_pipeline(std::string_view pipeline);

}  // namespace ballotcast
