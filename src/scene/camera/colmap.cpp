// COLMAP's text files: cameras.txt has the lenses, images.txt has the pose and the lens of each
// picture (https://colmap.github.io/format.html).
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>

#include "ballotcast/error.hpp"
#include "math/vec.hpp"
#include "scene/camera/camera_files.hpp"
#include "scene/formats/readers.hpp"
#include "support/files/files.hpp"
#include "support/numbers.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {
namespace {

/// A row of the table of camera models. The parameters of a model are its focal lengths, then the
/// principal point, then the distortion coefficients.
struct LensModel {
  std::string_view name, projection;
  std::size_t focal_lengths, coefficients;
};

constexpr std::array<LensModel, 9> kLensModels = {{{"SIMPLE_PINHOLE", "perspective", 1, 0},
                                                   {"PINHOLE", "perspective", 2, 0},
                                                   {"SIMPLE_RADIAL", "perspective", 1, 1},
                                                   {"RADIAL", "perspective", 1, 2},
                                                   {"OPENCV", "perspective", 2, 4},
                                                   {"FULL_OPENCV", "perspective", 2, 8},
                                                   {"SIMPLE_RADIAL_FISHEYE", "fisheye", 1, 1},
                                                   {"RADIAL_FISHEYE", "fisheye", 1, 2},
                                                   {"OPENCV_FISHEYE", "fisheye", 2, 4}}};

/// Reads a file line by line. Errors name the file and the line.
class TextFile {
 public:
  explicit TextFile(std::string path)
      : path_(std::move(path)), bytes_(read_file(path_)), lines_(bytes_) {
    require_bytewise(bytes_, path_);
  }

  /// Moves to the next line that is neither empty nor a comment. Returns false at the end of the
  /// file.
  bool next_entry() {
    while (next_line())
      if (!rest_.empty() && rest_.front() != '#') return true;
    return false;
  }
  /// Moves to the next line, even if it is empty or a comment. Returns false at the end of the
  /// file.
  bool next_line() {
    if (!lines_.next()) return false;
    rest_ = trimmed(lines_.line());
    return true;
  }

  std::string_view word(const char* what) {
    const std::string_view word = next_word(rest_);
    if (word.empty()) fail(std::string(what) + " is missing");
    return word;
  }
  double number(const char* what) {
    const std::string_view text = word(what);
    const auto value = number_of(text);
    if (!value || !std::isfinite(*value) || std::abs(*value) > kLargestComponent)
      fail(std::string(what) + " must be a number, not '" + one_line(std::string(text)) + "'");
    return *value;
  }
  u32 count(const char* what, u32 low, u32 high) {
    const std::string_view text = word(what);
    const auto value = parsed<u32>(text);
    if (!value || *value < low || *value > high)
      fail(std::string(what) + " must be an integer from " + std::to_string(low) + " to " +
           std::to_string(high) + ", not '" + one_line(std::string(text)) + "'");
    return *value;
  }
  /// The rest of the line.
  std::string_view rest() const { return trimmed(rest_); }
  /// The number of words that are left.
  std::size_t words() const {
    std::size_t count = 0;
    for (std::string_view left = rest_; !next_word(left).empty();) ++count;
    return count;
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw InputError(at_line(path_, lines_.number()) + why);
  }

 private:
  const std::string path_;
  const std::vector<u8> bytes_;
  Lines lines_;
  std::string_view rest_;
};

/// Reads a lens: a camera without a pose.
FileCamera read_lens(TextFile& in) {
  const std::string name(in.word("the model"));
  const auto model = std::find_if(kLensModels.begin(), kLensModels.end(),
                                  [&](const LensModel& row) { return row.name == name; });
  if (model == kLensModels.end()) {
    std::string known;
    for (const LensModel& row : kLensModels)
      known += (known.empty() ? "" : ", ") + std::string(row.name);
    in.fail("camera model '" + one_line(name) + "' can't be drawn; known: " + known);
  }
  FileCamera camera{};
  camera.projection = model->projection;
  Intrinsics& matrix = camera.intrinsics;
  matrix.width = in.count("the width", 1, kLargestFileSide);
  matrix.height = in.count("the height", 1, kLargestFileSide);
  matrix.fx = in.number("the focal length");
  matrix.fy = model->focal_lengths == 2 ? in.number("the second focal length") : matrix.fx;
  if (!(matrix.fx > 0.0 && matrix.fy > 0.0)) in.fail("focal lengths must be above 0");
  matrix.cx = in.number("the principal point") - 0.5;
  matrix.cy = in.number("the principal point") - 0.5;
  for (std::size_t i = 0; i < model->coefficients; ++i)
    camera.distortion.push_back(in.number("a coefficient of distortion"));
  if (!in.rest().empty()) in.fail("more numbers than " + name + " has");
  return camera;
}

std::map<u32, FileCamera> read_lenses(const std::string& path) {
  TextFile in(path);
  std::map<u32, FileCamera> lenses;
  while (in.next_entry()) {
    const u32 id = in.count("the number of a camera", 0, ~0u);
    if (!lenses.emplace(id, read_lens(in)).second) in.fail("a second camera " + std::to_string(id));
  }
  return lenses;
}

/// Reads a quaternion and a translation. Returns the 3 x 4 matrix from world to camera coordinates.
std::array<double, 12> read_pose(TextFile& in) {
  double q[4], length = 0.0;
  for (double& part : q) {
    part = in.number("a part of the quaternion");
    length += part * part;
  }
  length = std::sqrt(length);
  if (!(length > 1e-9 && length < 1e9)) in.fail("the quaternion is no rotation: its length is 0");
  for (double& part : q) part /= length;
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  std::array<double, 12> m = {
      1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),     0,
      2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),     0,
      2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y), 0};
  for (const std::size_t at : {3, 7, 11}) m[at] = in.number("the translation");
  return m;
}

}  // namespace

std::vector<FileCamera> read_colmap(const std::string& cameras, const std::string& images) {
  const std::map<u32, FileCamera> lenses = read_lenses(cameras);
  TextFile in(images);
  std::vector<FileCamera> all;
  while (in.next_entry()) {
    in.count("the number of an image", 0, ~0u);
    const std::array<double, 12> pose = read_pose(in);
    const u32 id = in.count("the number of a camera", 0, ~0u);
    const auto lens = lenses.find(id);
    if (lens == lenses.end())
      in.fail("camera " + std::to_string(id) + " is not in " + one_line(cameras));
    FileCamera camera = lens->second;
    camera.image = std::string(in.rest());
    if (camera.image.empty()) in.fail("the name of the image is missing");
    set_pose(camera, {pose.data(), pose.size()}, "opencv", "world-to-camera");
    all.push_back(std::move(camera));
    if (!in.next_line()) break;
    // The line should be a list of points. If the file has no such lines, this is an image, which
    // would otherwise be skipped.
    if (in.words() % 3 != 0)
      in.fail(
          "after an image comes the line of its points, of three numbers each, or an empty one");
  }
  return all;
}

}  // namespace ballotcast::detail
