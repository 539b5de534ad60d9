#include "scene/json/frames.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "scene/formats/mesh_formats.hpp"
#include "scene/json/json_section.hpp"
#include "scene/light.hpp"
#include "support/error.hpp"
#include "support/float_environment.hpp"
#include "support/json.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

constexpr const char *kKeyframes = "keyframes", *kBetween = "between", *kFrame = "frame";

/// A number over time: ascending frames, and the value at each.
struct Track {
  std::vector<double> frames, values;

  double slope(std::size_t i) const {
    return (values[i + 1] - values[i]) / (frames[i + 1] - frames[i]);
  }

  /// The slope of a smooth curve at key i: 0 at both ends and at turning points, and nowhere so
  /// steep that the curve goes beyond its keys (F. Fritsch, R. Carlson, Monotone Piecewise Cubic
  /// Interpolation, 1980).
  double tangent(std::size_t i) const {
    if (i == 0 || i + 1 == values.size()) return 0.0;
    const double before = slope(i - 1), after = slope(i);
    if (before * after <= 0.0) return 0.0;
    const double mean = (values[i + 1] - values[i - 1]) / (frames[i + 1] - frames[i - 1]);
    const double most = 3.0 * std::min(std::abs(before), std::abs(after));
    return std::clamp(mean, -most, most);
  }

  double at(double frame, bool smooth) const {
    if (frame <= frames.front()) return values.front();
    if (frame >= frames.back()) return values.back();
    std::size_t i = 0;
    while (frames[i + 1] <= frame) ++i;
    const double width = frames[i + 1] - frames[i], s = (frame - frames[i]) / width;
    const double change = values[i + 1] - values[i];
    if (!smooth) return values[i] + change * s;
    const double a = tangent(i) * width, b = tangent(i + 1) * width;
    return values[i] + s * (a + s * ((3.0 * change - 2.0 * a - b) + s * (a + b - 2.0 * change)));
  }
};

/// The numbers of one key over time: several, if its value is a list.
struct KeyTracks {
  bool is_list = false;
  std::vector<Track> numbers;

  void add(const Section& in, const std::string& key, const Json& value, double frame) {
    const std::vector<double> now = numbers_in(in, key, value);
    if (numbers.empty()) {
      is_list = value.is_array();
      numbers.resize(now.size());
    }
    if (is_list != value.is_array() || numbers.size() != now.size())
      in.fail(key, "must have the form that it has in the keyframes before");
    for (std::size_t i = 0; i < now.size(); ++i) {
      numbers[i].frames.push_back(frame);
      numbers[i].values.push_back(now[i]);
    }
  }

  Json at(double frame, bool smooth) const {
    if (!is_list) return numbers[0].at(frame, smooth);
    Json list = Json::array();
    for (const Track& track : numbers) list.push_back(track.at(frame, smooth));
    return list;
  }

 private:
  static std::vector<double> numbers_in(const Section& in, const std::string& key,
                                        const Json& value) {
    std::vector<double> numbers;
    if (value.is_number()) numbers.push_back(value.get<double>());
    if (value.is_array())
      for (const Json& element : value) {
        if (!element.is_number()) break;
        numbers.push_back(element.get<double>());
      }
    if (numbers.empty() || (value.is_array() && numbers.size() != value.size()))
      in.fail(key, "can't change from frame to frame: it must be a number or a list of numbers");
    return numbers;
  }
};

bool is_smooth(const Section& in) {
  if (!in.has(kBetween)) return false;
  const std::string between = in.text(kBetween);
  if (between != "linear" && between != "smooth") in.fail(kBetween, "must be linear or smooth");
  return between == "smooth";
}

}  // namespace

bool has_keyframes(const Json& object) {
  return object.is_object() && (object.contains(kKeyframes) || object.contains(kBetween));
}

Json in_frame(const Json& object, const std::string& file, const std::string& name, u32 frame) {
  if (!has_keyframes(object)) return object;
  const Section in(object, file, name);
  const std::vector<Section> keyframes = in.parts(kKeyframes);
  if (keyframes.empty()) in.fail(kKeyframes, "must be a list of at least one keyframe");
  std::map<std::string, KeyTracks> tracks;
  double last = -1.0;
  for (std::size_t i = 0; i < keyframes.size(); ++i) {
    const Section& key = keyframes[i];
    const u32 at = key.count(kFrame, 0, kLastFrame);
    if (at <= last) key.fail(kFrame, "must be above that of the keyframe before");
    last = at;
    for (const auto& [name_of_value, value] : in.at(kKeyframes)[i].items())
      if (name_of_value != kFrame) tracks[name_of_value].add(key, name_of_value, value, at);
  }
  const bool smooth = is_smooth(in);
  Json still = object;
  still.erase(kKeyframes);
  still.erase(kBetween);
  for (const auto& [key, values] : tracks) still[key] = values.at(frame, smooth);
  return still;
}

SceneFrames::SceneFrames(const SceneRequest& request, const OnWarnings& on_warnings)
    : request_(request) {
  const DefaultFloats floats;
  if (!lowered(request.file).ends_with(kSceneFileSuffix))
    throw UsageError("frames: '" + request.file + "' has none; only .json scene files have");
  if (!request.meshes.empty())
    throw UsageError("frames: meshes can't be added; name them in the scene file");
  json_ = std::make_shared<const Json>(read_scene_json(request.file));
  const StatedScene stated = stated_scene(*json_, request.file, request.frame);
  std::vector<PlacedScene> loaded =
      load_parts(stated, request.file, {request.crease_angle, request.frame});
  for (const StatedInstance& instance : stated.instances)
    instances_move_ = instances_move_ || instance.moves;
  const bool meshes_move =
      std::find(stated.moves.begin(), stated.moves.end(), true) != stated.moves.end();
  if (meshes_move && !stated.instances.empty())
    throw UsageError("frames: '" + request.file +
                     "' has keyframes for meshes beside instances; make these meshes instances");
  if (meshes_move)
    for (const PlacedScene& part : loaded) {
      Mesh mesh;
      mesh.positions = part.scene.mesh.positions;
      mesh.triangles = part.scene.mesh.triangles;
      mesh.corner_normals = part.scene.mesh.corner_normals;
      parts_.push_back({std::move(mesh), part.scene.origin, part.scene.name});
    }
  SceneData scene =
      joined_scene(stated, std::move(loaded), request.file, {request.crease_angle, request.frame});
  warn_of_size(scene);
  apply_settings(request_, scene, on_warnings);
  scene_ = std::make_shared<const SceneData>(std::move(scene));
}

SceneChange SceneFrames::in(u32 frame) const {
  const DefaultFloats floats;
  const StatedScene stated = stated_scene(*json_, request_.file, frame);
  SceneChange change;
  change.camera = stated.settings.camera ? stated.settings.camera : scene_->camera;
  change.sun = is_stated(stated.settings.sun) ? stated.settings.sun : scene_->sun;
  state_over(change.sun, request_.sun);
  if (instances_move_) change.transforms = transforms_in(stated);
  if (parts_.empty()) return change;
  std::vector<PlacedMesh> meshes;
  for (std::size_t i = 0; i < parts_.size(); ++i)
    meshes.push_back(
        {parts_[i].mesh, parts_[i].origin, stated.meshes[i].placement, parts_[i].name});
  try {
    change.pose = pose_of(meshes);
  } catch (const InputError& error) {
    throw InputError(request_.file + ": frame " + std::to_string(frame) + ": " + error.what());
  }
  return change;
}

PlacedTransforms SceneFrames::transforms_in(const StatedScene& stated) const {
  std::vector<PlacedPart> placed;
  // The meshes that are no instances are the first one.
  if (!stated.meshes.empty()) placed.push_back({0, {}});
  for (const StatedInstance& instance : stated.instances)
    placed.push_back({scene_->instances[placed.size()].mesh, instance.to_world});
  return transforms_of(*scene_, placed);
}

}  // namespace ballotcast::detail
