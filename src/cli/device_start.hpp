// Starts a device while something else is done.
#pragma once

#include <future>
#include <string>

#include "backends/backend.hpp"

namespace ballotcast::detail {

/// Chooses a backend on a thread of its own. The first call of a GPU's driver takes a few tenths of
/// a second, in which this thread can load files.
class DeviceStart {
 public:
  /// Starts choose_device(name). If no thread can be made, `choice` calls it.
  explicit DeviceStart(std::string name)
      : choice_(std::async(std::launch::async | std::launch::deferred, [name = std::move(name)] {
                  return choose_device(name);
                }).share()) {}

  /// Waits for the device. Throws the errors of choose_device, at each call.
  const DeviceChoice& choice() const { return choice_.get(); }

 private:
  std::shared_future<DeviceChoice> choice_;
};

}  // namespace ballotcast::detail
