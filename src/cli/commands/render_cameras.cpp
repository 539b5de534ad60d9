#include <map>

#include "cli/commands/render_request.hpp"
#include "cli/output.hpp"
#include "support/error.hpp"
#include "support/files/files.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {
namespace {

constexpr const char* kCameras = "--cameras";

}  // namespace

void require_cameras_alone(const std::string& cameras, const std::string& camera,
                           FunctionRef<bool(const char*)> gives) {
  if (cameras.empty()) {
    if (!camera.empty()) throw UsageError("--camera is one of --cameras PATH, which is not stated");
    return;
  }
  for (const char* other :
       {"--eye", "--look-at", "--fov", "--ortho", "--intrinsics", "--pose", "--convention",
        "--pose-is", "--projection", "--distortion", "--frames"})
    if (gives(other))
      throw UsageError(std::string(kCameras) + " and " + other + " can't be used together");
}

std::size_t index_of_camera(const std::vector<FileCamera>& cameras, const std::string& name,
                            const std::string& path) {
  std::vector<std::size_t> found;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < cameras.size(); ++i) {
    names.push_back(cameras[i].name);
    if (cameras[i].image == name || cameras[i].name == name) found.push_back(i);
  }
  if (found.size() == 1) return found[0];
  const std::string similar = nearest(name, names);
  throw UsageError("--camera '" + name +
                   "': " + (found.empty() ? "no camera of " : "several cameras of ") +
                   one_line(path) + (found.empty() ? " is called so" : " are called so") +
                   (found.empty() && !similar.empty() ? "; is it " + one_line(similar) + "?" : ""));
}

CameraSettings with_lens_of(const FileCamera& camera, const CameraSettings& stated) {
  CameraSettings out = camera.settings();
  out.lens = stated.lens;
  out.focus = stated.focus;
  return out;
}

RenderRequest with_cameras(const RenderRequest& request) {
  require_cameras_alone(request.cameras, request.camera,
                        [&](const char* option) { return request.gives(option); });
  if (request.cameras.empty()) return request;
  const bool has_size = request.gives("--size");
  const RenderSettings& settings = request.settings;
  std::vector<FileCamera> cameras =
      read_cameras(request.cameras, has_size ? settings.width : 0, has_size ? settings.height : 0);
  RenderRequest r = request;
  if (request.camera.empty()) {
    r.several = std::move(cameras);
    return r;
  }
  const std::size_t index = index_of_camera(cameras, request.camera, request.cameras);
  r = through_camera(r, cameras[index]);
  if (r.output.find('%') != r.output.npos)
    r.output =
        numbered_name(r.output, kCameras, true).of(static_cast<u32>(index), cameras[index].name);
  return r;
}

RenderRequest through_camera(const RenderRequest& request, const FileCamera& camera) {
  RenderRequest r = request;
  r.scene.camera = with_lens_of(camera, r.scene.camera);
  if (!r.gives("--size")) {
    r.settings.width = camera.intrinsics.width;
    r.settings.height = camera.intrinsics.height;
  }
  return r;
}

NumberedName name_for_cameras(const RenderRequest& r) {
  const NumberedName name = numbered_name(r.output, kCameras, true);
  std::map<std::string, std::size_t> owners;
  for (std::size_t i = 0; i < r.several.size(); ++i) {
    const std::string path = name.of(static_cast<u32>(i), r.several[i].name);
    const auto [owner, is_new] = owners.emplace(path, i);
    if (!is_new)
      throw UsageError("--output '" + r.output + "': the cameras '" +
                       one_line(r.several[owner->second].image) + "' and '" +
                       one_line(r.several[i].image) + "' would both be written to '" +
                       one_line(path) + "'; number them: %04d");
    if (i == 0 || i + 1 == r.several.size()) require_writable(path);
  }
  if (is_stdout(r.output)) throw UsageError("--cameras: pictures can't go to stdout");
  return name;
}

}  // namespace ballotcast::detail
