#include "scene/formats/named_files.hpp"

#include "scene/formats/readers.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {
namespace {

namespace fs = std::filesystem;

/// True for regular files. A material file may also name a pipe or a device, but reading one might
/// never end.
bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

/// Finds `name` below `directory`. Where a component of the name does not exist, one that differs
/// only in upper and lower case is used.
std::optional<fs::path> find_ignoring_case(fs::path directory, const fs::path& name) {
  for (const fs::path& component : name) {
    std::error_code error;
    if (fs::exists(directory / component, error)) {
      directory /= component;
      continue;
    }
    // Of several candidates the first in alphabetical order is used, because the order of a
    // directory differs between computers.
    std::optional<std::string> best;
    // A file that is named without a folder is in the working folder.
    const fs::path folder = directory.empty() ? "." : directory;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
      std::string candidate = entry->path().filename().string();
      if (lowered(candidate) == lowered(component.string()) && (!best || candidate < *best))
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
  // The operating system would end the name there.
  if (name.find('\0') != name.npos) return std::nullopt;
  for (char& c : name)
    if (c == '\\') c = '/';
  const std::filesystem::path wanted(name);
  if (wanted.empty()) return std::nullopt;
  if (is_file(directory / wanted)) return directory / wanted;
  if (wanted.is_relative())
    if (auto found = find_ignoring_case(directory, wanted)) return found;
  return find_ignoring_case(directory, wanted.filename());
}

std::optional<std::filesystem::path> find_file(const std::filesystem::path& directory,
                                               const std::string& name, SceneData& scene) {
  std::optional<std::filesystem::path> found = find_file(directory, name);
  if (!found) scene.missed_files.push_back({directory.string(), name});
  return found;
}

std::string scene_name_of(const std::string& path) {
  std::filesystem::path name = std::filesystem::path(path).filename();
  if (name.extension() == ".gz" || name.extension() == ".GZ") name = name.stem();
  return one_line(name.stem().string());
}

}  // namespace ballotcast::detail
