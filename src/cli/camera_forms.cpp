#include "cli/camera_forms.hpp"

#include <algorithm>

#include "ballotcast/tables.hpp"
#include "support/error.hpp"
#include "support/files/files.hpp"
#include "support/numbers.hpp"
#include "support/text.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {
namespace {

constexpr u64 kLargestFile = u64{1} << 16;

/// The numbers of a text, with commas or blanks between them; nothing if one is no number.
std::optional<std::vector<double>> numbers_in(std::string text) {
  for (char& c : text)
    if (c == ',' || c == '\t' || c == '\n' || c == '\r') c = ' ';
  std::vector<double> numbers;
  for (std::size_t at = text.find_first_not_of(' '); at != text.npos;
       at = text.find_first_not_of(' ', at)) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const auto number = finite_number(std::string_view(text).substr(at, end - at));
    if (!number) return std::nullopt;
    numbers.push_back(*number + 0.0);
    at = end;
  }
  return numbers;
}

/// The numbers of an option: a list, or the name of a file that holds one.
std::vector<double> numbers_of(const std::string& option, const std::string& text) {
  if (const auto numbers = numbers_in(text); numbers && !numbers->empty()) return *numbers;
  std::vector<u8> bytes;
  try {
    bytes = read_file(text, kLargestFile);
  } catch (const InputError& error) {
    throw UsageError(option + " needs numbers with commas between them, or a file of numbers; " +
                     error.what());
  }
  const auto numbers = numbers_in({bytes.begin(), bytes.end()});
  if (!numbers) throw InputError(text + ": no file of numbers, as " + option + " needs it");
  return *numbers;
}

/// fx, fy, cx and cy, of these four numbers or of the nine of a matrix.
std::vector<double> intrinsics_of(const std::string& option, const std::vector<double>& n) {
  if (n.size() == 4) return n;
  if (n.size() != 9)
    throw UsageError(option + " needs 4 numbers, fx,fy,cx,cy, or the 9 of a matrix, not " +
                     std::to_string(n.size()));
  const bool plain = n[3] == 0.0 && n[6] == 0.0 && n[7] == 0.0 && n[8] == 1.0;
  if (!plain || n[1] != 0.0)
    throw UsageError(option +
                     (plain ? ": a skew (the second number, " + shortest(n[1]) + ") can't be drawn"
                            : ": the matrix must be fx,0,cx,0,fy,cy,0,0,1"));
  return {n[0], n[4], n[2], n[5]};
}

/// The rows of a table in words: "name: summary; name: summary".
std::string in_words(const std::vector<Choice>& rows) {
  std::string words;
  for (const Choice& row : rows)
    words += (words.empty() ? "" : "; ") + row.name + ": " + row.summary;
  return words;
}

}  // namespace

CameraSettings CameraForms::over(CameraSettings camera, u32 width, u32 height) const {
  if (!projection.empty() || !distortion.empty())
    set_projection(camera, projection.empty() ? "perspective" : projection, distortion);
  if (!intrinsics.empty()) {
    if (camera.fov || camera.ortho_height)
      throw UsageError("--intrinsics can't be used together with --fov or --ortho");
    set_intrinsics(camera,
                   {intrinsics[0], intrinsics[1], intrinsics[2], intrinsics[3], width, height});
  }
  if (pose.empty() && !(convention.empty() && pose_is.empty()))
    throw UsageError(std::string(convention.empty() ? "--pose-is" : "--convention") +
                     " is that of --pose, which is not stated");
  if (!pose.empty()) {
    if (camera.eye || camera.look_at)
      throw UsageError("--pose can't be used together with --eye or --look-at");
    set_pose(camera, pose, convention.empty() ? "opencv" : convention,
             pose_is.empty() ? "camera-to-world" : pose_is);
  }
  return camera;
}

std::vector<Option> camera_form_options(CameraForms& forms, const std::string& group) {
  // The names of options refer to these.
  static const std::vector<Choice> conventions = pose_conventions(), kinds = projections();
  return {
      {group, "--intrinsics", "LIST", "",
       "camera matrix in pixels of this picture: fx,fy,cx,cy, or its 9 numbers, or a file of them; "
       "as in OpenCV, 0,0 is the centre of the top left pixel",
       [&forms](const std::string& name, const std::string& text) {
         forms.intrinsics = intrinsics_of(name, numbers_of(name, text));
       }},
      {group, "--pose", "LIST", "",
       "pose in place of --eye and --look-at: the 12 or 16 numbers, row by row, of the matrix from "
       "the camera's coordinates to the world's, or a file of them",
       [&forms](const std::string& name, const std::string& text) {
         forms.pose = numbers_of(name, text);
       }},
      {group, "--convention", "NAME", "opencv",
       "which way the camera's axes point: " + in_words(conventions),
       set_name(forms.convention, "convention", names_of(conventions))},
      {group, "--pose-is", "NAME", "camera-to-world",
       "what --pose leads from and to: camera-to-world; or world-to-camera, as of COLMAP and "
       "OpenCV",
       set_name(forms.pose_is, "direction of a pose", {"camera-to-world", "world-to-camera"})},
      {group, "--projection", "NAME", "perspective",
       "how directions become places in the picture: " + in_words(kinds),
       set_name(forms.projection, "projection", names_of(kinds))},
      {group, "--distortion", "LIST", "",
       "OpenCV's coefficients: k1,k2,p1,p2,k3,k4,k5,k6 (or fewer), of a fisheye k1,k2,k3,k4; or a "
       "file of them",
       [&forms](const std::string& name, const std::string& text) {
         forms.distortion = numbers_of(name, text);
       }},
  };
}

}  // namespace ballotcast::detail
