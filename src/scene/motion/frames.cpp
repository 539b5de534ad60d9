#include "scene/motion/frames.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "ballotcast/error.hpp"
#include "scene/formats/mesh_formats.hpp"
#include "scene/json/json_section.hpp"
#include "scene/light/light.hpp"
#include "support/float_environment.hpp"
#include "support/json.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

constexpr const char *kKeyframes = "keyframes", *kBetween = "between", *kFrame = "frame";

/// A number as a function of time: ascending frames, and the value at each of them.
struct Track {
  std::vector<double> frames, values;

  double slope(std::size_t i) const {
    return (values[i + 1] - values[i]) / (frames[i + 1] - frames[i]);
  }

  /// The slope of a smooth curve at key i. It is 0 at both ends and at turning points, and is
  /// limited so that the curve does not leave the range between its keys (F. Fritsch, R. Carlson,
  /// Monotone Piecewise Cubic Interpolation, 1980).
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

/// The numbers of one key as functions of time: several numbers if its value is a list.
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

Json in_frame(const Json& object, const std::string& file, const std::string& name, double frame) {
  if (!has_keyframes(object)) return object;
  const Section in(object, file, name);
  const std::vector<Section> keyframes = in.objects(kKeyframes);
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

namespace {

/// The largest frame number in all lists of keyframes.
u32 last_keyframe_in(const Json& json) {
  u32 last = 0;
  if (json.is_object() && json.contains(kKeyframes) && json[kKeyframes].is_array())
    for (const Json& one : json[kKeyframes])
      if (one.is_object() && one.contains(kFrame) && one[kFrame].is_number_unsigned())
        last = std::max(last, std::min(one[kFrame].get<u32>(), kLastFrame));
  if (json.is_structured())
    for (const Json& one : json) last = std::max(last, last_keyframe_in(one));
  return last;
}

}  // namespace

bool may_have_frames(const std::string& file) {
  return is_scene_file(file) || may_be_animated(file);
}

SceneFrames::SceneFrames(const SceneRequest& request, const OnWarnings& on_warnings)
    : request_(request) {
  const DefaultFloats floats;
  const std::string& file = request.file;
  if (!may_have_frames(file))
    throw UsageError("frames: '" + file +
                     "' has none; scene files (.json) and glTF files (.gltf, .glb) have");
  if (!request.meshes.empty())
    throw UsageError("frames: meshes can't be added; name them in a scene file");
  require_sensible(request);
  if (!request.time && !request.frame) request_.frame = 0;
  const LoadOptions options = options_for_files(request_);
  SceneData scene;
  if (!is_scene_file(file)) {
    scene = load_mesh(file, options);
  } else {
    json_ = std::make_shared<const Json>(read_scene_json(file));
    const SceneDescription description = description_of_scene(*json_, file, options.moment.frame);
    std::vector<PlacedScene> loaded = load_meshes(description, file, options);
    for (const InstanceEntry& instance : description.instances)
      instances_move_ = instances_move_ || instance.moves;
    const bool meshes_move = std::find(description.moves.begin(), description.moves.end(), true) !=
                             description.moves.end();
    if (meshes_move && !description.instances.empty())
      throw UsageError("frames: '" + file +
                       "' has keyframes for meshes beside instances; make these meshes instances");
    take_meshes(loaded, meshes_move);
    scene = joined_scene(description, std::move(loaded), file, options);
  }
  alone_ = scene.motion;
  if (alone_) {
    meshes_.clear();
    motions_ = {alone_};
  }
  warn_of_size(scene);
  apply_settings(request_, scene, on_warnings);
  scene_ = std::make_shared<const SceneData>(std::move(scene));
}

void SceneFrames::take_meshes(const std::vector<PlacedScene>& loaded, bool meshes_move) {
  for (const PlacedScene& one : loaded)
    if (one.scene.motion) motions_.push_back(one.scene.motion);
  if (!meshes_move && motions_.empty()) return;
  for (const PlacedScene& one : loaded) {
    Mesh mesh;
    mesh.positions = one.scene.mesh.positions;
    mesh.triangles = one.scene.mesh.triangles;
    mesh.corner_normals = one.scene.mesh.corner_normals;
    meshes_.push_back({std::move(mesh), one.scene.origin, one.scene.name, one.scene.motion});
  }
}

u32 SceneFrames::last_frame() const {
  double last = json_ ? last_keyframe_in(*json_) : 0.0;
  for (const std::shared_ptr<FileMotion>& motion : motions_)
    last = std::max(last, std::ceil(motion->end() * request_.frames_per_second));
  return static_cast<u32>(std::min(last, double{kLastFrame}));
}

SceneChange SceneFrames::in(u32 frame) const { return change_in(frame, true); }

SceneChange SceneFrames::change_in(u32 frame, bool with_normals) const {
  const DefaultFloats floats;
  SceneRequest request = request_;
  request.time.reset();
  request.frame = frame;
  const Moment moment = moment_of(request);
  SceneChange change;
  change.camera = scene_->camera;
  change.sun = scene_->sun;
  if (alone_) {
    MovedFile moved = alone_->at(*moment.seconds);
    change.pose = std::move(moved.pose);
    if (!change.pose) change.transforms = transforms_of(*scene_, moved.instances);
    change.camera = moved.camera;
    change.sun = moved.sun;
  }
  if (json_) {
    const SceneDescription description = description_of_scene(*json_, request_.file, moment.frame);
    if (description.settings.camera) change.camera = description.settings.camera;
    if (is_given(description.settings.sun)) change.sun = description.settings.sun;
    if (instances_move_) change.transforms = transforms_in(description);
    if (!meshes_.empty()) change.pose = pose_in(description, moment, with_normals);
  }
  override_with(change.sun, request_.sun);
  return change;
}

std::vector<PlacedBox> SceneFrames::boxes_in(const std::vector<u32>& frames) const {
  const DefaultFloats floats;
  SceneData moved;  // only the members on which its box depends
  moved.origin = scene_->origin;
  moved.parts = scene_->parts;
  moved.instances = scene_->instances;
  moved.worlds = scene_->worlds;
  const std::vector<Aabb> parts = boxes_of_parts(*scene_);
  if (moved.instances.empty()) {
    moved.mesh.positions = scene_->mesh.positions;
    moved.mesh.triangles = scene_->mesh.triangles;
  }
  std::vector<PlacedBox> boxes;
  for (const u32 frame : frames) {
    try {
      SceneChange change = change_in(frame, false);
      if (change.pose) {
        moved.mesh.positions = std::move(change.pose->positions);
        moved.origin = change.pose->origin;
        moved.mesh.require_valid();
      }
      if (change.transforms) {
        set_transforms(moved, change.transforms->transforms, parts);
        moved.origin = change.transforms->origin;
      }
    } catch (const InputError&) {
      continue;
    }
    boxes.push_back({moved.instances.empty() ? moved.mesh.bounds() : box_of_instances(moved, parts),
                     moved.origin});
  }
  return boxes;
}

Pose SceneFrames::pose_in(const SceneDescription& description, const Moment& moment,
                          bool with_normals) const {
  std::vector<PlacedMesh> meshes;
  for (std::size_t i = 0; i < meshes_.size(); ++i) {
    MovingMesh& moving = meshes_[i];
    if (moving.motion) {
      Pose pose = std::move(*moving.motion->at(*moment.seconds).pose);
      moving.mesh.positions = std::move(pose.positions);
      moving.mesh.corner_normals = std::move(pose.corner_normals);
      moving.origin = pose.origin;
    }
    meshes.push_back({moving.mesh, moving.origin, description.meshes[i].placement, moving.name});
  }
  try {
    return pose_of(meshes, with_normals);
  } catch (const InputError& error) {
    throw InputError(request_.file + ": frame " + fixed(moment.frame, 0) + ": " + error.what());
  }
}

PlacedTransforms SceneFrames::transforms_in(const SceneDescription& description) const {
  std::vector<PlacedPart> placed;
  // All meshes that are not instances are merged into the first mesh.
  if (!description.meshes.empty()) placed.push_back({0, {}});
  for (const InstanceEntry& instance : description.instances)
    placed.push_back({scene_->instances[placed.size()].mesh, instance.to_world});
  return transforms_of(*scene_, placed);
}

}  // namespace ballotcast::detail
