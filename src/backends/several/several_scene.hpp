// One scene on several machines.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backends/device/backend.hpp"

namespace ballotcast::detail {

/// What a machine needs to take part.
struct Member {
  std::string name;  // for messages
  /// Copies the scene to the machine. Runs before everything else in the machine's thread, which it
  /// also makes use the machine.
  std::function<std::unique_ptr<ResidentScene>()> upload;
  /// True if it works in the memory of this process. One that does not never gets a whole film to
  /// smooth.
  bool is_here = true;
};

/// Copies the scene to all machines. They share each cast and each frame, by demand; every hit and
/// every pixel has the bits that each of them alone would give. If a machine fails, the others do
/// its work, and it gets none any more: `on_loss` is told why, in the thread of the caller. If it
/// is null, or no machine is left, the failure is thrown. `share_memory`: each machine can copy
/// from the memory of the others.
std::unique_ptr<ResidentScene> make_several_scene(
    std::vector<Member> members, bool share_memory,
    std::function<void(const std::string& why)> on_loss);

}  // namespace ballotcast::detail
