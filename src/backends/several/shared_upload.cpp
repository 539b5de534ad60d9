#include "backends/several/shared_upload.hpp"

#include "support/error.hpp"

namespace ballotcast::detail {

std::unique_ptr<ResidentScene> SharedUpload::first(const FromHost& from_host) {
  try {
    std::unique_ptr<ResidentScene> scene = from_host();
    promise_.set_value(scene.get());
    return scene;
  } catch (...) {
    promise_.set_value(nullptr);
    throw;
  }
}

std::unique_ptr<ResidentScene> SharedUpload::other(const FromHost& from_host) {
  if (const ResidentScene* const there = first_.get()) {
    try {
      if (std::unique_ptr<ResidentScene> copy = there->copied()) return copy;
    } catch (const DeviceError&) {  // of either machine; if it is this one, the next line tells
    }
  }
  return from_host();
}

}  // namespace ballotcast::detail
