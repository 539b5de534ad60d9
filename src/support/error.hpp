// What can go wrong, as types. Only main turns them into exit codes.
#pragma once

#include <stdexcept>
#include <string>

namespace ballotcast {

/// Base of every error the library throws. what() is one line that names the culprit; a table may
/// follow it.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An option or argument that makes no sense: unknown name, size 0x0.
struct UsageError : Error {
  using Error::Error;
};

/// A file that can't be read, or whose content can't be used.
struct InputError : Error {
  using Error::Error;
};

/// A file that can't be written.
struct OutputError : Error {
  using Error::Error;
};

/// A GPU that is absent, too small, too old, or failed; or a kernel that deadlocked in emulation.
struct DeviceError : Error {
  using Error::Error;
};

/// A device has no room for what was asked of it: smaller batches of the same work may do.
struct OutOfDeviceMemory : DeviceError {
  using DeviceError::DeviceError;
};

}  // namespace ballotcast
