// The machines that `--device` names.
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

  /// The name of the machine: "cuda:1", "cpu".
  std::string name() const;
  /// Makes this machine the current machine of the calling thread.
  void use() const;
};

/// The result of choosing a device.
struct DeviceChoice {
  const BackendInfo*
      // Backend of the first machine, which builds trees and determines the loop of `auto`
      backend;
  std::string note;  // for `auto` without a usable GPU: the reason; else ""
  // The machines that the text lists. If empty, each calling thread keeps its current machine.
  std::vector<MachineRef> machines;
  Processes* processes = nullptr;  // the processes that share the work, or null

  /// True if several machines or processes share the work in chunks. Then CastCounts::passes and
  /// CastCounts::counter depend on how the work was cut.
  bool is_shared() const { return machines.size() > 1u || processes != nullptr; }
  /// The name of the device: "cuda", "cuda:0,1+cpu".
  std::string name() const;
  /// True if all machines of this process have the same backend. Then each machine can copy from
  /// the memory of the others.
  bool are_of_one_kind() const;
  /// The number of paths of a frame that one of the machines processes at a time; at most `most`.
  u32 paths_at_once(const CastChoice& choice, u32 most) const {
    return are_of_one_kind() ? backend->paths_at_once(choice, most) : most;
  }
  /// True if every machine is real hardware, so that measured times are meaningful; see
  /// BackendInfo::has_times.
  bool has_times() const;
  /// The descriptions of all machines.
  std::string description() const;
  /// The number of free bytes on the machine with the fewest. Absent if no machine has its own
  /// memory.
  std::optional<u64> free_memory() const;
  /// Copies a scene to all machines. `scene` must outlive the result. `on_loss`: see
  /// make_several_scene.
  std::unique_ptr<ResidentScene> upload(
      const PreparedScene& scene, const std::function<void(const std::string&)>& on_loss) const;
  /// Copies the parts of a scene to the machines: see parts/parts.hpp.
  std::unique_ptr<ResidentScene> upload_parts(const PreparedScene& scene,
                                              const std::vector<ScenePart>& parts) const;
};

/// Returns the function that builds trees for a device. Trees are built on its first machine.
BuildTree build_on(const DeviceChoice& device, const std::optional<u64>& most_bytes);

/// Parses a list of machines: names of backends, joined by "+". The numbers of machines may follow
/// a name, as in "cuda:0,2"; or "cuda:all". Does not check whether the machines exist. Returns an
/// empty list for "auto" and for the plain name of one backend. Throws UsageError for any other
/// text.
BALLOTCAST_API std::vector<MachineRef> listed_machines(std::string_view text);

/// The device called `name`, a text as for listed_machines. For "auto": cuda if it is usable, else
/// cpu. Throws UsageError for other texts and for machines that do not exist, and DeviceError for a
/// backend that can't be used on this computer.
DeviceChoice choose_device(std::string_view name);

/// As choose_device, for work that only one machine can do. Throws UsageError for a list.
DeviceChoice choose_backend(std::string_view name);

}  // namespace ballotcast::detail
