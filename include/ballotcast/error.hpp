// The exceptions of the library.
#pragma once

#include <stdexcept>
#include <string>

#include "ballotcast/api.hpp"

namespace ballotcast {

/// The base of all errors that the library throws. what() is one line: the cause and, if there is
/// one, the remedy. Only a DeviceError may have more lines, with a table.
class BALLOTCAST_API Error : public std::runtime_error {
 public:
  /// `text` becomes the result of what(), and `hint` the result of hint().
  explicit Error(const std::string& text, const std::string& hint = "");

  /// The setting that can help, by its name in SceneRequest, RendererOptions, RenderSettings or
  /// CastOptions, e.g. "max_memory"; or "" if no setting helps.
  const std::string& hint() const { return hint_; }

 protected:
  /// A tag that selects the next constructor.
  struct SeveralLines {};
  /// Like the public constructor, but `text` may have several lines.
  Error(const std::string& text, const std::string& hint, SeveralLines)
      : std::runtime_error(text), hint_(hint) {}

 private:
  std::string hint_;
};

/// An option or argument is invalid, e.g. an unknown name or a size of 0x0. Correct the call.
class BALLOTCAST_API UsageError : public Error {
 public:
  using Error::Error;
};

/// A file can't be read, or its content can't be used. Correct the file.
class BALLOTCAST_API InputError : public Error {
 public:
  using Error::Error;
};

/// A file can't be written. Check the path, the permissions and the free disk space.
class BALLOTCAST_API OutputError : public Error {
 public:
  using Error::Error;
};

/// A GPU is missing, too small, too old, or failed; or a kernel deadlocked on the emulated device.
/// Another device gives the same result.
class BALLOTCAST_API DeviceError : public Error {
 public:
  /// `text` becomes the result of what(). It may have several lines.
  explicit DeviceError(const std::string& text, const std::string& hint = "")
      : Error(text, hint, SeveralLines{}) {}
};

/// The device does not have enough memory. A smaller picture or scene, or a larger
/// RendererOptions::max_memory, may help.
class BALLOTCAST_API OutOfDeviceMemory : public DeviceError {
 public:
  using DeviceError::DeviceError;
};

}  // namespace ballotcast
