#include "support/open_file.hpp"

#include <fcntl.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "support/error.hpp"
#include "support/files.hpp"

namespace ballotcast::detail {

namespace {

[[noreturn]] void refuse_unreadable(const std::string& path) {
  refuse_input(path, errno == ENOENT ? "no such file" : "can't be read: " + reason());
}

/// Refuses directories. Also refuses pipes and devices, because reading one might wait or go on for
/// ever.
void require_regular(const std::string& path, const struct stat& info) {
  if (S_ISDIR(info.st_mode)) refuse_input(path, "is a directory, not a file");
  if (!S_ISREG(info.st_mode)) refuse_input(path, "is a pipe or a device, not a file");
}

/// The folder of OnlyFilesBelow, or null.
std::atomic<const std::string*> only_below = nullptr;

void require_allowed(const std::string& path) {
  const std::string* const folder = only_below.load();
  if (folder == nullptr) return;
  std::error_code failure;
  const std::string real = std::filesystem::weakly_canonical(path, failure).string();
  if (failure || !real.starts_with(*folder))
    refuse_input(path, "lies outside of the folder of the scene");
}

}  // namespace

OnlyFilesBelow::OnlyFilesBelow(const std::string& folder) {
  only_below = new std::string(std::filesystem::canonical(folder).string() + "/");
}
OnlyFilesBelow::~OnlyFilesBelow() { delete only_below.exchange(nullptr); }
bool files_are_limited() { return only_below.load() != nullptr; }

std::string reason() { return std::strerror(errno); }

void refuse_input(const std::string& path, const std::string& why) {
  throw InputError(path + ": " + why);
}

void require_readable(const std::string& path) {
  struct stat info;
  require_allowed(path);
  if (::stat(path.c_str(), &info) != 0) refuse_unreadable(path);
  require_regular(path, info);
  if (::access(path.c_str(), R_OK) != 0) refuse_unreadable(path);
}

Descriptor open_input(const std::string& path, struct stat& info) {
  require_allowed(path);
  if (::stat(path.c_str(), &info) != 0) refuse_unreadable(path);
  require_regular(path, info);
  // O_NONBLOCK: if a pipe replaces the file at this moment, open() does not wait.
  Descriptor in(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!in.open()) refuse_unreadable(path);
  if (::fstat(in.get(), &info) != 0) refuse_unreadable(path);
  require_regular(path, info);
  return in;
}

}  // namespace ballotcast::detail
