#include "scene/named_files.hpp"

#include "scene/text.hpp"

namespace ballotcast::detail {
namespace {

namespace fs = std::filesystem;

/// A pipe or a device that a material file names could be read for ever; they don't count.
bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

/// `name` below `directory`, each component in whatever case it has on disk.
std::optional<fs::path> find_ignoring_case(fs::path directory, const fs::path& name) {
  for (const fs::path& part : name) {
    std::error_code error;
    if (fs::exists(directory / part, error)) {
      directory /= part;
      continue;
    }
    // The first in alphabetical order: directory order differs between machines.
    std::optional<std::string> best;
    for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
         entry.increment(error)) {
      std::string candidate = entry->path().filename().string();
      if (lowered(candidate) == lowered(part.string()) && (!best || candidate < *best))
        best = std::move(candidate);
    }
    if (!best) return std::nullopt;
    directory /= *best;
  }
  return is_file(directory) ? std::optional(directory) : std::nullopt;
}

}  // namespace

std::optional<std::filesystem::path> find_file(const std::filesystem::path& directory,
                                               std::string name) {
  if (name.find('\0') != name.npos) return std::nullopt;  // the system would see less of it
  for (char& c : name)
    if (c == '\\') c = '/';
  const std::filesystem::path wanted(name);
  if (wanted.empty()) return std::nullopt;
  if (is_file(directory / wanted)) return directory / wanted;
  if (wanted.is_relative())
    if (auto found = find_ignoring_case(directory, wanted)) return found;
  return find_ignoring_case(directory, wanted.filename());
}

}  // namespace ballotcast::detail
