#include "scene/pack/sources.hpp"

#include <sys/stat.h>
#include <time.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "scene/named_files.hpp"
#include "support/content_hash.hpp"
#include "support/error.hpp"
#include "support/mapped_file.hpp"
#include "support/open_file.hpp"

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

std::string folder_of(const std::string& pack) { return fs::absolute(pack).parent_path(); }

/// The place of a source: beside the packed file, or where it was when the scene was packed. "" if
/// there is no file at either place.
std::string place_of(const SourceFile& source, const std::string& pack) {
  std::error_code failure;
  const fs::path beside = fs::path(folder_of(pack)) / source.beside;
  if (!source.beside.empty() && fs::is_regular_file(beside, failure)) return beside;
  return fs::is_regular_file(source.path, failure) ? source.path : "";
}

bool is_same(const SourceFile& source, const std::string& place) {
  struct stat info;
  if (::stat(place.c_str(), &info) == 0 && source.written_ns != 0 &&
      static_cast<std::uint64_t>(info.st_size) == source.bytes &&
      in_nanoseconds(info.st_mtim) == source.written_ns)
    return true;
  const MappedFile file(place);
  return file.size() == source.bytes && content_hash(file.data(), file.size()) == source.hash;
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
    const MappedFile file(path);
    if (file.written_ns() > started)
      throw InputError(path + ": was changed while the scene was read; pack it again");
    const fs::path absolute = fs::absolute(path).lexically_normal();
    out.files.push_back({absolute, absolute.lexically_proximate(folder_of(pack)), file.size(),
                         file.written_ns() + kTick < started ? file.written_ns() : 0,
                         content_hash(file.data(), file.size())});
  }
  for (const MissedFile& missed : scene.missed_files)
    out.absent.push_back({fs::absolute(missed.folder).lexically_normal(), missed.name});
  return out;
}

std::string why_out_of_date(const SceneSources& sources, const std::string& pack, GoneSource gone) {
  for (const SourceFile& source : sources.files) {
    const std::string place = place_of(source, pack);
    if (place.empty() && gone == GoneSource::is_missed) return source.path + " is gone";
    if (!place.empty() && !is_same(source, place)) return place + " has changed since";
  }
  for (const AbsentFile& absent : sources.absent)
    if (const auto found = find_file(absent.folder, absent.name))
      return found->string() + " was not there when it was packed";
  return "";
}

}  // namespace ballotcast::detail
