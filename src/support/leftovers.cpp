#include "support/leftovers.hpp"

#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <set>
#include <utility>

namespace ballotcast::detail {

namespace {

struct Registry {
  std::mutex held;
  std::set<std::string> paths;
  std::set<pid_t> groups;
  Written written = Written::nothing;
};

/// Never destroyed, because an interruption may arrive after main has ended.
Registry& registry() {
  static Registry& one = *new Registry;
  return one;
}

}  // namespace

Held::Held() { registry().held.lock(); }
Held::~Held() { registry().held.unlock(); }

Leftover::Leftover(const Held&, std::string path) : path_(std::move(path)) {
  registry().paths.insert(path_);
}

Leftover::Leftover(const Held&, pid_t group) : group_(group) { registry().groups.insert(group); }

Leftover::Leftover(Leftover&& other) noexcept
    : path_(std::exchange(other.path_, {})), group_(std::exchange(other.group_, 0)) {}

Leftover::~Leftover() {
  if (path_.empty() && group_ == 0) return;
  forget(Held());
}

void Leftover::forget(const Held&) {
  registry().paths.erase(std::exchange(path_, {}));
  registry().groups.erase(std::exchange(group_, 0));
}

void note_written(const Held&, Written what) {
  registry().written = std::max(registry().written, what);
}

Written clear_leftovers() {
  Registry& all = registry();
  all.held.lock();
  for (const pid_t group : all.groups) {
    ::kill(-group, SIGKILL);
    // Waits, because the programs may still be writing what is removed next.
    while (::waitpid(-group, nullptr, 0) > 0) continue;
  }
  std::error_code ignored;
  for (const std::string& path : all.paths) std::filesystem::remove_all(path, ignored);
  return all.written;
}

}  // namespace ballotcast::detail
