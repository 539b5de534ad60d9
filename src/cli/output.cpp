#include "cli/output.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "scene/formats/mesh_formats.hpp"
#include "support/error.hpp"
#include "support/files/files.hpp"
#include "support/processes/processes.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostWarnings = 8;

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw OutputError(path + ": can't be written: " + why);
}

}  // namespace

const OutputKind kPicture{"pictures are written as PNG", {".png"}};
const OutputKind kDrawnPicture{
    "pictures are written as PNG, or with linear numbers as PFM, HDR or EXR",
    {".png", ".pfm", ".hdr", ".exr"}};
const OutputKind kDrawnFrames{
    "frames are written as pictures (PNG, PFM, HDR, EXR) or as a film (MP4, GIF)",
    {".png", ".pfm", ".hdr", ".exr", ".mp4", ".gif"}};
const OutputKind kPage{"pages are written as HTML", {".html", ".htm"}};
const OutputKind kDrawing{"drawings are written as SVG", {".svg"}};
const OutputKind kJunit{"results for CI services are written as XML", {".xml"}};
const OutputKind kPackedScene{"packed scenes are BCAST files", {".bcast"}};

void print(const std::string& raw) {
  if (!is_in_front()) return;
  const std::string text = printable(raw);
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    refuse("stdout", errno != 0 ? std::strerror(errno) : "unknown reason");
}

void remark(const std::string& text) {
  if (!is_in_front()) return;
  std::fputs(("ballotcast: " + printable(text) + "\n").c_str(), stderr);
}

void remark_lines(const std::string& lines) {
  if (is_in_front()) std::fputs(printable(lines).c_str(), stderr);
}

void remark_warnings(const std::vector<std::string>& warnings) {
  const bool all = warnings.size() <= kMostWarnings;
  for (std::size_t i = 0; i < (all ? warnings.size() : kMostWarnings); ++i)
    remark("warning: " + one_line(warnings[i]));
  if (!all)
    remark("warning: " + std::to_string(warnings.size() - kMostWarnings) +
           " more warnings; ballotcast info --json lists all");
}

void require_writable(const std::string& path) {
  if (!is_in_front()) return;
  struct stat info;
  if (::stat(path.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode)) refuse(path, "it is a directory");
    if (::access(path.c_str(), W_OK) != 0) refuse(path, std::strerror(errno));
    if (!S_ISREG(info.st_mode)) return;
  } else if (errno != ENOENT) {
    refuse(path, std::strerror(errno));
  } else if (path.ends_with('/')) {
    refuse(path, "it names a directory");
  }
  // The file is first created under another name in its directory, so the directory must be
  // writable.
  std::error_code ignored;
  const fs::path real =
      fs::is_symlink(path, ignored) ? fs::weakly_canonical(path, ignored) : fs::path(path);
  const fs::path directory = real.has_parent_path() ? real.parent_path() : fs::path(".");
  if (!fs::is_directory(directory, ignored))
    refuse(path, "there is no directory " + directory.string());
  if (::access(directory.c_str(), W_OK | X_OK) != 0)
    refuse(path, "directory " + directory.string() + ": " + std::strerror(errno));
}

void require_name(const OutputKind& kind, const std::string& option, const std::string& path) {
  struct stat info;
  const bool is_file = ::stat(path.c_str(), &info) != 0 || S_ISREG(info.st_mode);
  if (path.empty() || !is_file || path.starts_with("/dev/") || path.starts_with("/proc/")) return;
  const std::string name = lowered(path);
  if (std::ranges::any_of(kind.endings, [&](const char* end) { return name.ends_with(end); }))
    return;
  throw UsageError(option + " '" + path + "': " + kind.words + "; call it " + kind.endings.front());
}

void require_no_scene_name(const std::string& path) {
  for (const std::string& input : suffixes_of_inputs())
    if (lowered(path).ends_with(input))
      throw UsageError("'" + path + "': results can't be named like scene files (" + input + ")");
}

void require_report_place(const std::string& option, const std::string& path,
                          const std::string& printed, const OutputKind& kind) {
  if (path.empty()) return;
  require_no_scene_name(path);
  require_name(kind, option, path);
  if (is_stdout(path))
    throw UsageError(option + " '" + path + "' can't share stdout with " + printed);
  require_writable(path);
}

void require_none_of(const std::string& option, const std::string& path,
                     const std::vector<std::string>& inputs) {
  if (path.empty()) return;
  for (const std::string& input : inputs)
    if (same_file(path, input))
      throw UsageError(option + " '" + path + "' is an input; writing to it would destroy it");
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return fs::path(a).lexically_normal() == fs::path(b).lexically_normal() ||
         (fs::is_regular_file(a, ignored) && fs::equivalent(a, b, ignored));
}

}  // namespace ballotcast::detail
