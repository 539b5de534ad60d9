
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "ballotcast/error.hpp"
#include "scene/formats/mesh_formats.hpp"
#include "scene/pack/packed_scene.hpp"
#include "support/files/files.hpp"
#include "support/hash.hpp"

namespace ballotcast::detail {

namespace {

namespace fs = std::filesystem;

/// The clock of a file system may have a resolution of only two seconds. So a file that was written
/// less than this time before the scene was read may be written again with the same time.
constexpr std::int64_t kTick = 2'000'000'000;

timespec time_of(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return now;
}

/// The folder of a packed file. If the file is a link, the folder of the link's target, because
/// writing follows links.
fs::path folder_of(const std::string& pack) {
  const fs::path file = absolute_path(pack);
  std::error_code failure;
  return (fs::is_symlink(file, failure) ? fs::weakly_canonical(file, failure) : file).parent_path();
}

/// The path of a source relative to the folder of the packed file. Links in the path are kept, so
/// that they are followed each time. But for the system, `..` after a link is the parent of the
/// link's target. If the path leads to another file for this reason, links are resolved.
std::string beside_of(const fs::path& source, const std::string& pack) {
  const fs::path folder = folder_of(pack);
  const fs::path spelled = source.lexically_normal().lexically_proximate(folder.lexically_normal());
  std::error_code failure;
  if (fs::equivalent(folder / spelled, source, failure)) return spelled;
  return fs::weakly_canonical(source, failure)
      .lexically_proximate(fs::weakly_canonical(folder, failure));
}

/// The path of a source, or "" if there is no file. If the packed file may have been moved, its
/// sources may have been moved with it. Files at the old path may belong to someone else, so they
/// are used only if there is no file at the relative path. If the packed file can't have been
/// moved, the old path is used.
std::string place_of(const SourceFile& source, const std::string& pack, Travels travels) {
  if (travels == Travels::yes && !source.beside.empty())
    if (const fs::path beside = folder_of(pack) / source.beside; is_file(beside)) return beside;
  return is_file(source.path) ? source.path : "";
}

/// The reason why the file at `place` is not the same as the source, or "". If the contents must be
/// compared but can't be read, the file counts as missing.
std::string why_not_same(const SourceFile& source, const std::string& place, Travels travels) {
  struct stat info;
  const bool exists = ::stat(place.c_str(), &info) == 0;
  if (!exists || static_cast<std::uint64_t>(info.st_size) != source.bytes)
    return place + " has changed since";
  if (source.written_ns != 0 && in_nanoseconds(info.st_mtim) == source.written_ns) return "";
  if (::access(place.c_str(), R_OK) != 0)
    return travels == Travels::yes ? "" : place + " can't be read";
  const MappedFile file(place);
  return file.size() == source.bytes && content_hash(file.data(), file.size()) == source.hash
             ? ""
             : place + " has changed since";
}

/// Describes a file that was read. Programs can set its time of writing, but not its time of
/// change; so the latter tells whether the file was changed in the meantime. If the time of change
/// is in the future, it is from the clock of another computer, and neither time can be used.
SourceFile source_at(const std::string& path, std::int64_t started, const std::string& pack) {
  const MappedFile file(path);
  const std::int64_t now = in_nanoseconds(time_of(CLOCK_REALTIME));
  if (file.changed_ns() > started && file.changed_ns() <= now)
    throw InputError(path + ": was changed while the scene was read; pack it again");
  const bool is_old = file.written_ns() + kTick < started && file.changed_ns() <= now;
  const std::string absolute = absolute_path(path);
  return {absolute, beside_of(absolute, pack), file.size(), is_old ? file.written_ns() : 0,
          content_hash(file.data(), file.size())};
}

/// Adds the sources of a packed scene that is packed again, with paths relative to the new file.
void carry_over(const PackedFile& old, const std::string& pack, SceneSources& out) {
  SceneSources sources = sources_in(old);
  for (SourceFile& source : sources.files) {
    const std::string place = place_of(source, old.path(), Travels::yes);
    if (!place.empty()) source.path = place;
    source.beside = place.empty() ? "" : beside_of(place, pack);
    out.files.push_back(std::move(source));
  }
  out.missed.insert(out.missed.end(), sources.missed.begin(), sources.missed.end());
}

}  // namespace

std::int64_t begin_reading() {
  const std::int64_t now = in_nanoseconds(time_of(CLOCK_REALTIME));
  // File times are from the coarse clock, which has a resolution of a few milliseconds.
  while (in_nanoseconds(time_of(CLOCK_REALTIME_COARSE)) <= now)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return now;
}

SceneSources sources_of(const SceneData& scene, std::int64_t started, const std::string& pack) {
  SceneSources out;
  for (const std::string& path : scene.files) {
    if (scene.packed && path == scene.packed->path())
      carry_over(*scene.packed, pack, out);
    else
      out.files.push_back(source_at(path, started, pack));
  }
  for (const MissedFile& missed : scene.missed_files) {
    const fs::path inside = absolute_path(fs::path(missed.folder) / ".");
    out.missed.push_back({inside.parent_path(), missed.name});
  }
  return out;
}

std::string why_out_of_date(const SceneSources& sources, const std::string& pack, Travels travels) {
  for (const SourceFile& source : sources.files) {
    const std::string place = place_of(source, pack, travels);
    if (place.empty()) {
      if (travels == Travels::no) return source.path + " is gone";
      continue;
    }
    if (std::string why = why_not_same(source, place, travels); !why.empty()) return why;
  }
  for (const MissedFile& missed : sources.missed)
    if (const auto found = find_file(missed.folder, missed.name))
      return found->string() + " was not there when it was packed";
  return "";
}

}  // namespace ballotcast::detail
