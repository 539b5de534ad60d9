#include "scene/pack/sources.hpp"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "scene/formats/mesh_formats.hpp"
#include "scene/pack/packed_scene.hpp"
#include "support/error.hpp"
#include "support/files/files.hpp"
#include "support/hash.hpp"

namespace ballotcast::detail {

namespace {

namespace fs = std::filesystem;

/// Files that were written so shortly before the scene was read may be written again without
/// another time: clocks of file systems tick up to every two seconds.
constexpr std::int64_t kTick = 2'000'000'000;

timespec time_of(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return now;
}

/// The folder of a packed file. Writing goes through a link, so the folder is that of its target.
fs::path folder_of(const std::string& pack) {
  const fs::path file = absolute_path(pack);
  std::error_code failure;
  return (fs::is_symlink(file, failure) ? fs::weakly_canonical(file, failure) : file).parent_path();
}

/// A source as seen from the folder of the packed file: as it is spelled, so that links in the
/// name are followed each time. But the system takes `..` behind a link for the parent of the
/// link's target. Where that leads elsewhere, the real folders count.
std::string beside_of(const fs::path& source, const std::string& pack) {
  const fs::path folder = folder_of(pack);
  const fs::path spelled = source.lexically_normal().lexically_proximate(folder.lexically_normal());
  std::error_code failure;
  if (fs::equivalent(folder / spelled, source, failure)) return spelled;
  return fs::weakly_canonical(source, failure)
      .lexically_proximate(fs::weakly_canonical(folder, failure));
}

/// The place of a source, or "" if there is no file. Beside a packed file that travels, its sources
/// have travelled with it; those at the old place may be of someone else, so they count only if
/// there are none beside it. Files that stay where they are have their sources at the old place.
std::string place_of(const SourceFile& source, const std::string& pack, Travels travels) {
  std::error_code failure;
  if (travels == Travels::yes && !source.beside.empty())
    if (const fs::path beside = folder_of(pack) / source.beside;
        fs::is_regular_file(beside, failure))
      return beside;
  return fs::is_regular_file(source.path, failure) ? source.path : "";
}

/// Why the file at `place` is not the source, or "". If only the contents can tell and they can't
/// be read, the file is like one that is gone.
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

/// What is known of a file that was read. The time of its last change can't be set by programs, so
/// a source may have any time of writing. A time of change that has not come yet is that of another
/// computer's clock and says nothing; then the time of writing is as little of use.
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

/// Adds the sources of a packed scene that is packed again, as seen from the new file.
void carry_over(const PackedFile& old, const std::string& pack, SceneSources& out) {
  SceneSources sources = sources_in(old);
  for (SourceFile& source : sources.files) {
    const std::string place = place_of(source, old.path(), Travels::yes);
    if (!place.empty()) source.path = place;
    source.beside = place.empty() ? "" : beside_of(place, pack);
    out.files.push_back(std::move(source));
  }
  out.absent.insert(out.absent.end(), sources.absent.begin(), sources.absent.end());
}

}  // namespace

std::int64_t begin_reading() {
  const std::int64_t now = in_nanoseconds(time_of(CLOCK_REALTIME));
  // Files get their times from the coarse clock, which ticks every few milliseconds.
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
    out.absent.push_back({inside.parent_path(), missed.name});
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
  for (const AbsentFile& absent : sources.absent)
    if (const auto found = find_file(absent.folder, absent.name))
      return found->string() + " was not there when it was packed";
  return "";
}

}  // namespace ballotcast::detail
