// Reads transforms.json files of NeRF, instant-ngp and nerfstudio: cameras in the convention
// opengl. Values that all cameras share are given beside "frames".
#include <array>
#include <cmath>
#include <string_view>

#include "ballotcast/error.hpp"
#include "math/trig.hpp"
#include "scene/camera/camera_files.hpp"
#include "scene/json/json_section.hpp"
#include "support/files/files.hpp"
#include "support/json.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {
namespace {

constexpr u64 kLargestTransforms = u64{1} << 28;

/// The camera models by nerfstudio's names, and their projections.
struct ModelName {
  std::string_view name, projection;
};
constexpr std::array<ModelName, 7> kModelNames = {{{"OPENCV", "perspective"},
                                                   {"PINHOLE", "perspective"},
                                                   {"SIMPLE_PINHOLE", "perspective"},
                                                   {"SIMPLE_RADIAL", "perspective"},
                                                   {"RADIAL", "perspective"},
                                                   {"OPENCV_FISHEYE", "fisheye"},
                                                   {"EQUIRECTANGULAR", "panorama"}}};

/// An element of "frames": the camera of a picture. Keys that are missing there are looked up in
/// the top level of the file.
class TransformsFrame {
 public:
  TransformsFrame(const Section& frame, const Section& file) : frame_(frame), file_(file) {}

  bool has(const char* key) const { return frame_.has(key) || file_.has(key); }
  const Section& with(const char* key) const { return frame_.has(key) ? frame_ : file_; }
  double number(const char* key, double otherwise = 0.0) const {
    return has(key) ? with(key).number(key) : otherwise;
  }

  /// The width or height of the picture, in pixels. Some programs write it as 1920.0.
  u32 side(const char* key, u32 otherwise) const {
    if (!has(key) && otherwise == 0)
      file_.fail(key, "is missing, and no size of the pictures is given (--size)");
    const double side = number(key, otherwise);
    if (!(side >= 1.0 && side <= kLargestFileSide && side == std::floor(side)))
      with(key).fail(key, "must be an integer from 1 to " + std::to_string(kLargestFileSide));
    return static_cast<u32>(side);
  }

  /// A focal length in pixels: the value of `key`, or that of the angle of view `angle_key` along a
  /// side.
  double focal_length(const char* key, const char* angle_key, double side, double otherwise) const {
    if (has(key)) return number(key);
    if (!has(angle_key)) return otherwise;
    const double angle = number(angle_key);
    if (!(angle > 0.0 && angle < kPi)) with(angle_key).fail(angle_key, "must be above 0, below pi");
    const SinCos half = sincos_turns(angle / (4.0 * kPi));
    return side / 2.0 * half.cos / half.sin;
  }

  std::string projection() const {
    if (has("is_fisheye") && with("is_fisheye").flag("is_fisheye")) return "fisheye";
    if (!has("camera_model")) return "perspective";
    const std::string name = with("camera_model").text("camera_model");
    std::string known;
    for (const ModelName& model : kModelNames) {
      if (model.name == name) return std::string(model.projection);
      known += (known.empty() ? "" : ", ") + std::string(model.name);
    }
    with("camera_model").fail("camera_model", "is '" + one_line(name) + "'; known: " + known);
  }

  std::vector<double> distortion(const std::string& projection) const {
    std::vector<double> k;
    if (projection == "panorama") return k;
    const bool is_fisheye = projection == "fisheye";
    for (const char* key : {"k1", "k2", is_fisheye ? "k3" : "p1", is_fisheye ? "k4" : "p2"})
      k.push_back(number(key));
    if (is_fisheye) return k;
    k.push_back(number("k3"));
    if (number("k4") != 0.0)
      with("k4").fail("k4", "can't be drawn: it is not that of OpenCV, which is a divisor");
    return k;
  }

 private:
  const Section &frame_, &file_;
};

FileCamera camera_of(const Section& section, const Section& file, u32 width, u32 height) {
  const TransformsFrame frame(section, file);
  FileCamera camera;
  camera.image = section.text("file_path");
  camera.projection = frame.projection();
  camera.distortion = frame.distortion(camera.projection);
  Intrinsics& matrix = camera.intrinsics;
  matrix.width = frame.side("w", width);
  matrix.height = frame.side("h", height);
  if (camera.projection != "panorama") {
    matrix.fx = frame.focal_length("fl_x", "camera_angle_x", matrix.width, 0.0);
    if (!(matrix.fx > 0.0)) file.fail("fl_x", "or \"camera_angle_x\" must be there, and above 0");
    matrix.fy = frame.focal_length("fl_y", "camera_angle_y", matrix.height, matrix.fx);
    if (!(matrix.fy > 0.0)) file.fail("fl_y", "must be above 0");
    matrix.cx = frame.number("cx", matrix.width / 2.0) - 0.5;
    matrix.cy = frame.number("cy", matrix.height / 2.0) - 0.5;
  }
  const std::vector<double> pose = section.matrix("transform_matrix");
  try {
    set_pose(camera, {pose.data(), pose.size()}, "opengl", "camera-to-world");
  } catch (const UsageError& error) {
    section.fail("transform_matrix", std::string("is wrong: ") + error.what());
  }
  return camera;
}

}  // namespace

std::vector<FileCamera> read_transforms(const std::string& path, u32 width, u32 height) {
  const std::vector<u8> bytes = read_file(path, kLargestTransforms);
  const Json json = parse_json({bytes.begin(), bytes.end()}, path, /*comments=*/false);
  const Section file(json, path, "");
  file.at("frames");
  std::vector<FileCamera> cameras;
  for (const Section& frame : file.objects("frames"))
    cameras.push_back(camera_of(frame, file, width, height));
  return cameras;
}

}  // namespace ballotcast::detail
