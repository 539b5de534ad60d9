// What can go wrong, as types. Only main turns them into exit codes.
#pragma once

#include <stdexcept>
#include <string>

namespace ballotcast::detail {

/// `text` as one line for people: control characters as \x1b, what is endless shortened. Messages
/// quote files, and files hold anything.
std::string one_line(const std::string& text);

/// Base of every error the library throws. what() is one line that names the culprit; a table may
/// follow a DeviceError's.
struct Error : std::runtime_error {
  explicit Error(const std::string& text) : std::runtime_error(one_line(text)) {}

 protected:
  struct SeveralLines {};
  Error(const std::string& text, SeveralLines) : std::runtime_error(text) {}
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
  explicit DeviceError(const std::string& text) : Error(text, SeveralLines{}) {}
};

/// A device has no room for what was asked of it: smaller batches of the same work may do.
struct OutOfDeviceMemory : DeviceError {
  using DeviceError::DeviceError;
};

}  // namespace ballotcast::detail
