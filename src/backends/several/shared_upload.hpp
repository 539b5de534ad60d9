// A scene that goes from the host to one machine, and from there to the others.
#pragma once

#include <functional>
#include <future>
#include <memory>

#include "backends/device/backend.hpp"

namespace ballotcast::detail {

/// The uploads of one scene to several machines of a backend, each in a thread of its own.
class SharedUpload {
 public:
  /// Copies the scene from the host to the machine of the calling thread.
  using FromHost = std::function<std::unique_ptr<ResidentScene>()>;

  /// For one of the machines. The others wait until this has returned or thrown. The scene that it
  /// returns must live until `other` has returned for each of them.
  std::unique_ptr<ResidentScene> first(const FromHost& from_host);

  /// For the others: waits for the first, and copies from its memory, or from the host if that
  /// can't be reached. Throws what the first has thrown.
  std::unique_ptr<ResidentScene> other(const FromHost& from_host);

 private:
  const ResidentScene* scene_ = nullptr;  // that of the first
  std::promise<void> promise_;            // kept once `scene_` is there
  const std::shared_future<void> is_there_ = promise_.get_future();
};

}  // namespace ballotcast::detail
