#include "cli/profile_file.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/error.hpp"
#include "support/files/files.hpp"
#include "support/processes/processes.hpp"
#include "support/profile.hpp"

namespace ballotcast::detail {

namespace {

/// How every profile begins.
constexpr std::string_view kBegin = "{\n  \"displayTimeUnit\"";

bool is_profile(const std::string& path) {
  std::string begin(kBegin.size(), '\0');
  std::ifstream(path, std::ios::binary).read(begin.data(), std::ssize(begin));
  return begin == kBegin;
}

}  // namespace

void require_profile_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored) &&
      std::filesystem::file_size(path, ignored) > 0 && !is_profile(path))
    throw UsageError("--profile: '" + path +
                     "' exists and is no profile; name another file, or remove it first");
  require_writable(path);
}

void write_profile(const std::string& path) {
  if (!is_in_front()) return;
  const std::string text = profile_as_json();
  const std::vector<std::uint8_t> bytes(text.begin(), text.end());
  write_files_atomically({{path, bytes}});
}

}  // namespace ballotcast::detail
