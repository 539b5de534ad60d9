// Opens files for reading. Internals of what reads files; others use files.hpp or mapped_file.hpp.
#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <utility>

namespace ballotcast::detail {

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }
  /// Closes the file now. Returns false if the system reports a failed write at this point.
  bool close() { return ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

/// A time of the system in nanoseconds since 1970.
inline std::int64_t in_nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1000000000 + time.tv_nsec;
}

/// The words of the system about the last failed call.
std::string reason();

/// Throws InputError: "PATH: WHY".
[[noreturn]] void refuse_input(const std::string& path, const std::string& why);

/// During its lifetime, open_input refuses files outside of a folder, in all threads, for scenes
/// that may name any file and come from somewhere else. Only one can exist at a time.
class OnlyFilesBelow {
 public:
  explicit OnlyFilesBelow(const std::string& folder);
  ~OnlyFilesBelow();
  OnlyFilesBelow(const OnlyFilesBelow&) = delete;
  OnlyFilesBelow& operator=(const OnlyFilesBelow&) = delete;
};

/// True during the lifetime of an OnlyFilesBelow: libraries that open files by themselves must not
/// be used.
bool files_are_limited();

/// Opens a regular file and describes it in `info`. Throws InputError, which names the path, if it
/// is missing, unreadable, or no regular file.
Descriptor open_input(const std::string& path, struct stat& info);

}  // namespace ballotcast::detail
