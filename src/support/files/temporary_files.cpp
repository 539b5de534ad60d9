#include "support/files/temporary_files.hpp"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <set>
#include <utility>

#include "ballotcast/error.hpp"

namespace ballotcast::detail {

namespace {

struct Registry {
  std::mutex held;
  std::set<std::string> paths;
  std::set<pid_t> groups;
  Written written = Written::nothing;
};

/// What an interruption must remove and end. This object is never destroyed, because an
/// interruption may arrive after main has ended.
Registry& registry() {
  static Registry& one = *new Registry;
  return one;
}

}  // namespace

Held::Held() { registry().held.lock(); }
Held::~Held() { registry().held.unlock(); }

Cleanup::Cleanup(const Held&, std::string path) : path_(std::move(path)) {
  registry().paths.insert(path_);
}

Cleanup::Cleanup(const Held&, pid_t group) : group_(group) { registry().groups.insert(group); }

Cleanup::Cleanup(Cleanup&& other) noexcept
    : path_(std::exchange(other.path_, {})), group_(std::exchange(other.group_, 0)) {}

Cleanup::~Cleanup() {
  if (path_.empty() && group_ == 0) return;
  forget(Held());
}

void Cleanup::forget(const Held&) {
  registry().paths.erase(std::exchange(path_, {}));
  registry().groups.erase(std::exchange(group_, 0));
}

void note_written(const Held&, Written what) {
  registry().written = std::max(registry().written, what);
}

TemporaryFolder::TemporaryFolder() {
  std::error_code failure;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(failure);
  if (failure)
    throw OutputError("the folder for temporary files can't be used: " + failure.message());
  std::string name = (folder / "ballotcast-XXXXXX").string();
  const Held held;
  if (!::mkdtemp(name.data())) throw OutputError(name + ": " + std::strerror(errno));
  path_ = name;
  cleanup_.emplace(held, name);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

Written clean_up() {
  Registry& all = registry();
  all.held.lock();
  for (const pid_t group : all.groups) {
    ::kill(-group, SIGKILL);
    // Waits for the programs to end, because they may still be writing to files that are removed
    // next.
    while (::waitpid(-group, nullptr, 0) > 0) continue;
  }
  std::error_code ignored;
  for (const std::string& path : all.paths) std::filesystem::remove_all(path, ignored);
  return all.written;
}

}  // namespace ballotcast::detail
