// A scene in parts on its machines, each with a thread of its own.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backends/device/backend.hpp"
#include "backends/parts/cut.hpp"
#include "backends/parts/ray_router.hpp"
#include "backends/several/machine_thread.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {

/// A part on its machine.
struct SeatedPart {
  ScenePart part;
  std::unique_ptr<ResidentScene> scene;
};

/// A machine, its thread, and its parts. They are made, used and freed in the thread.
struct MachineOfParts {
  std::string name;
  std::unique_ptr<MachineThread> thread;
  std::vector<std::size_t> parts;  // their numbers
  /// Makes a router from whose memory all these machines can copy; null if there is none.
  std::function<std::unique_ptr<RayRouter>(const PartBoxes&)> make_router;
};

/// Runs work(), and lets an error of the machine name it.
template <class Work>
void naming(const MachineOfParts& machine, const Work& work) {
  try {
    work();
  } catch (const OutOfDeviceMemory&) {
    throw;
  } catch (const DeviceError& error) {
    throw DeviceError(machine.name + ", which holds a part of the scene: " + error.what());
  }
}

/// Calls work(machine, part) for each part of each machine, in the threads of the machines. An
/// error of a machine names it.
void on_parts(const std::vector<MachineOfParts>& machines,
              const std::function<void(std::size_t machine, std::size_t part)>& work);

/// What the whole scene says of rays.
Approach approach_of(const PreparedScene& whole);

/// A scene in parts on its machines.
struct SeatedParts {
  std::vector<SeatedPart> parts;
  std::vector<MachineOfParts> machines;
  Approach approach;

  SeatedParts() = default;
  ~SeatedParts();

  PartBoxes boxes() const;
};

}  // namespace ballotcast::detail
