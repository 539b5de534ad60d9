#include "backends/several/shared_upload.hpp"

#include "support/error.hpp"

namespace ballotcast::detail {

std::unique_ptr<ResidentScene> SharedUpload::first(const FromHost& from_host) {
  try {
    std::unique_ptr<ResidentScene> scene = from_host();
    scene_ = scene.get();
    promise_.set_value();
    return scene;
  } catch (...) {
    promise_.set_exception(std::current_exception());
    throw;
  }
}

std::unique_ptr<ResidentScene> SharedUpload::other(const FromHost& from_host) {
  is_there_.get();
  try {
    if (std::unique_ptr<ResidentScene> copy = scene_->copied()) return copy;
  } catch (const DeviceError&) {  // of either machine; if it is this one, the next line tells
  }
  return from_host();
}

}  // namespace ballotcast::detail
