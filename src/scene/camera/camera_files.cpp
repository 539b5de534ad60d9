#include "scene/camera/camera_files.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "ballotcast/error.hpp"
#include "scene/camera/camera_view.hpp"
#include "support/files/files.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {
namespace {

namespace fs = std::filesystem;

constexpr const char *kTransforms = "transforms.json", *kCameras = "cameras.txt",
                     *kImages = "images.txt";

std::vector<FileCamera> read_colmap_in(const fs::path& folder) {
  return read_colmap((folder / kCameras).string(), (folder / kImages).string());
}

std::vector<FileCamera> read_folder(const fs::path& folder, u32 width, u32 height) {
  const bool has_transforms = is_file(folder / kTransforms);
  for (const fs::path& colmap : {folder, folder / "sparse" / "0", folder / "sparse"}) {
    if (is_file(colmap / kCameras) && is_file(colmap / kImages)) {
      if (has_transforms)
        refuse_input(folder.string(), "has both " + std::string(kTransforms) +
                                          " and files of COLMAP; name one of them");
      return read_colmap_in(colmap);
    }
    if (is_file(colmap / "cameras.bin") && !has_transforms)
      refuse_input(colmap.string(),
                   "COLMAP's binary files are not read; write text: colmap model_converter "
                   "--output_type TXT");
  }
  if (!has_transforms)
    refuse_input(folder.string(),
                 "has neither transforms.json nor COLMAP's cameras.txt and "
                 "images.txt");
  return read_transforms((folder / kTransforms).string(), width, height);
}

/// The components of a path, without "." and "..".
std::vector<std::string> parts_of(std::string path) {
  std::replace(path.begin(), path.end(), '\\', '/');
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin <= path.size()) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string part = path.substr(begin, end - begin);
    if (!part.empty() && part != "." && part != "..") parts.push_back(part);
    begin = end + 1;
  }
  return parts;
}

/// Removes the suffix of a picture file from `name`. Other suffixes belong to the name.
std::string without_suffix(const std::string& name) {
  constexpr std::array<std::string_view, 10> kSuffixes = {".png", ".jpg",  ".jpeg", ".tif", ".tiff",
                                                          ".bmp", ".webp", ".exr",  ".hdr", ".ppm"};
  const std::string low = lowered(name);
  for (const std::string_view suffix : kSuffixes)
    if (low.size() > suffix.size() && low.ends_with(suffix))
      return name.substr(0, name.size() - suffix.size());
  return name;
}

}  // namespace

void set_pose(FileCamera& camera, Span<const double> pose, const std::string& convention,
              const std::string& direction) {
  CameraSettings settings;
  ballotcast::set_pose(settings, pose, convention, direction);
  const dvec3 eye(*settings.eye), ahead = dvec3(*settings.look_at) - eye;
  const dvec3 down = -dvec3(*settings.up), right = cross(down, ahead);
  camera.pose = {right.x, down.x, ahead.x, eye.x, right.y, down.y, ahead.y, eye.y,
                 right.z, down.z, ahead.z, eye.z, 0.0,     0.0,    0.0,     1.0};
}

void name_cameras(std::vector<FileCamera>& cameras) {
  std::vector<std::vector<std::string>> parts;
  for (const FileCamera& camera : cameras) parts.push_back(parts_of(camera.image));
  std::size_t common = parts.empty() || parts[0].empty() ? 0 : parts[0].size() - 1;
  for (const auto& own : parts) {
    std::size_t same = 0;
    while (same < common && same + 1 < own.size() && own[same] == parts[0][same]) ++same;
    common = same;
  }
  for (std::size_t i = 0; i < cameras.size(); ++i) {
    std::string name;
    for (std::size_t k = common; k < parts[i].size(); ++k)
      name += (k > common ? "-" : "") + parts[i][k];
    cameras[i].name = name.empty() ? "camera" : without_suffix(name);
  }
}

}  // namespace ballotcast::detail

namespace ballotcast {

using namespace detail;

CameraSettings FileCamera::settings() const {
  CameraSettings camera;
  set_projection(camera, projection, distortion);
  camera.ortho_height = 0.0;
  if (camera.projection != Projection::panorama) set_intrinsics(camera, intrinsics);
  ballotcast::set_pose(camera, {pose.data(), pose.size()});
  return camera;
}

std::vector<FileCamera> read_cameras(const std::string& path, std::uint32_t width,
                                     std::uint32_t height) {
  const auto read = [&] {
    std::error_code ignored;
    const std::string name = lowered(fs::path(path).filename().string());
    if (fs::is_directory(path, ignored)) return read_folder(path, width, height);
    if (name.ends_with(".json")) return read_transforms(path, width, height);
    if (name == kCameras || name == kImages) return read_colmap_in(fs::path(path).parent_path());
    require_readable(path);
    refuse_input(path,
                 "no file of cameras: these are transforms.json, COLMAP's cameras.txt and "
                 "images.txt, or a folder with them");
  };
  std::vector<FileCamera> cameras = read();
  if (cameras.empty()) refuse_input(path, "no camera is in it");
  name_cameras(cameras);
  // Checks all cameras now. Otherwise an invalid camera would be found only when its picture is
  // drawn.
  for (const FileCamera& camera : cameras) {
    try {
      Camera whole;
      override_with(whole, camera.settings());
      picture_plane(whole, camera.intrinsics.width, camera.intrinsics.height);
    } catch (const UsageError& error) {
      refuse_input(path, "camera '" + one_line(camera.image) + "': " + error.what());
    }
  }
  return cameras;
}

}  // namespace ballotcast
