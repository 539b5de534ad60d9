// Which machines `--device` names.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/device/backend.hpp"
#include "ballotcast/api.hpp"
#include "support/processes/processes.hpp"

namespace ballotcast::detail {

struct ScenePart;

/// One machine of a backend.
struct BALLOTCAST_API MachineRef {
  const BackendInfo* backend;
  u32 index;

  /// "cuda:1", "cpu"
  std::string name() const;
  /// Makes it the machine that the calling thread uses from now on.
  void use() const;
};

/// The result of choosing a device.
struct DeviceChoice {
  const BackendInfo* backend;  // that of the first machine: it builds trees, and chooses the loop
  std::string note;            // for `auto` without a usable GPU: the reason; else ""
  // The machines that were listed. Empty: the machine that each calling thread uses already.
  std::vector<MachineRef> machines;
  Processes* processes = nullptr;  // with whom it shares work, or null

  /// True if work is done in chunks, by several machines or processes. Then CastCounts::passes and
  /// counter depend on how it was cut.
  bool is_shared() const { return machines.size() > 1u || processes != nullptr; }
  /// "cuda", "cuda:0,1+cpu"
  std::string name() const;
  /// True if all machines of this process have the same backend. Then they can copy from each
  /// other's memory.
  bool are_of_one_kind() const;
  /// How many of `most` paths of a frame one of the machines follows at a time.
  u32 paths_at_once(const CastChoice& choice, u32 most) const {
    return are_of_one_kind() ? backend->paths_at_once(choice, most) : most;
  }
  /// True if all machines are hardware, whose times mean something; see BackendInfo::has_times.
  bool has_times() const;
  /// The descriptions of all machines.
  std::string description() const;
  /// The number of free bytes of the machine that has the fewest; none if nobody manages memory.
  std::optional<u64> free_memory() const;
  /// Copies a scene to all machines. `scene` must outlive the result. `on_loss`: see
  /// make_several_scene.
  std::unique_ptr<ResidentScene> upload(
      const PreparedScene& scene, const std::function<void(const std::string&)>& on_loss) const;
  /// Copies the parts of a scene to the machines: see parts/parts.hpp.
  std::unique_ptr<ResidentScene> upload_parts(const PreparedScene& scene,
                                              const std::vector<ScenePart>& parts) const;
};

/// The function that builds trees for a device: on its first machine.
BuildTree build_on(const DeviceChoice& device, const std::optional<u64>& most_bytes);

/// The machines that a text lists: names of backends, joined by "+". After the name of a backend
/// may stand the numbers of its machines, "cuda:0,2", or "cuda:all". Numbers are not compared with
/// how many there are. Empty for "auto" and for the plain name of one backend. Throws UsageError
/// for what is no such text.
BALLOTCAST_API std::vector<MachineRef> listed_machines(std::string_view text);

/// The device called `name`: a text of listed_machines; for "auto", cuda if it is usable, else cpu.
/// Throws UsageError for what is no such text and for machines that are not there, and DeviceError
/// for a backend that can't be used here.
DeviceChoice choose_device(std::string_view name);

/// The same for work that one machine does. Throws UsageError for a list.
DeviceChoice choose_backend(std::string_view name);

}  // namespace ballotcast::detail
