// What the library throws.
#pragma once

#include <stdexcept>
#include <string>

#include "ballotcast/api.hpp"

namespace ballotcast {

/// Base of every error that the library throws. what() is one line that names the culprit and,
/// where there is a remedy, the remedy. In a DeviceError a table may follow.
class BALLOTCAST_API Error : public std::runtime_error {
 public:
  /// `text` becomes what().
  explicit Error(const std::string& text);

 protected:
  /// For texts with several lines.
  struct SeveralLines {};
  /// `text` may have several lines.
  Error(const std::string& text, SeveralLines) : std::runtime_error(text) {}
};

/// An option or argument makes no sense: an unknown name, a size of 0x0. Correct the call.
class BALLOTCAST_API UsageError : public Error {
 public:
  using Error::Error;
};

/// A file can't be read, or its content can't be used. Correct the file.
class BALLOTCAST_API InputError : public Error {
 public:
  using Error::Error;
};

/// A file can't be written. Look at the path, the rights and the room on the disk.
class BALLOTCAST_API OutputError : public Error {
 public:
  using Error::Error;
};

/// A GPU is absent, too small, too old, or failed; or a kernel deadlocked on the emulated device.
/// Another device gives the same result.
class BALLOTCAST_API DeviceError : public Error {
 public:
  /// `text` becomes what(); it may have several lines.
  explicit DeviceError(const std::string& text) : Error(text, SeveralLines{}) {}
};

/// A device has no room for what was asked of it. A smaller picture or scene, or a larger
/// RendererOptions::max_memory, may do.
class BALLOTCAST_API OutOfDeviceMemory : public DeviceError {
 public:
  using DeviceError::DeviceError;
};

}  // namespace ballotcast
