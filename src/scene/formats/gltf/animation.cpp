#include "scene/formats/gltf/animation.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "ballotcast/error.hpp"
#include "math/trig.hpp"
#include "support/json.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

double length_of(const Quaternion& q) {
  return std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}

/// a * p + b * q.
Quaternion mixed(double a, const Quaternion& p, double b, const Quaternion& q) {
  return {a * p[0] + b * q[0], a * p[1] + b * q[1], a * p[2] + b * q[2], a * p[3] + b * q[3]};
}

Quaternion quaternion_of(const std::vector<double>& numbers) {
  return unit_quaternion({numbers[0], numbers[1], numbers[2], numbers[3]});
}

std::vector<double> numbers_of(const Quaternion& q) { return {q.begin(), q.end()}; }

}  // namespace

Quaternion unit_quaternion(const Quaternion& q) {
  const double length = length_of(q);
  if (!(length > 1e-15)) return {};
  return mixed(1.0 / length, q, 0.0, q);
}

Quaternion slerp(const Quaternion& from, const Quaternion& to, double s) {
  const double dot = from[0] * to[0] + from[1] * to[1] + from[2] * to[2] + from[3] * to[3];
  const double sign = dot < 0.0 ? -1.0 : 1.0;  // q and -q represent the same rotation
  // The angle between both, computed from the diagonals of their rhombus, which is precise for
  // small angles, too.
  const double turns =
      2.0 * turns_of(length_of(mixed(1.0, from, sign, to)), length_of(mixed(sign, to, -1.0, from)));
  double a = 1.0 - s, b = s;
  if (const double whole = sincos_turns(turns).sin; whole > 1e-6) {
    a = sincos_turns(turns * a).sin / whole;
    b = sincos_turns(turns * b).sin / whole;
  }
  return unit_quaternion(mixed(a, from, sign * b, to));
}

std::vector<double> GltfCurve::stored(std::size_t key, Row row) const {
  const std::size_t at = interpolation == Interpolation::cubic ? 3 * key + row : key;
  const auto begin = values->values.begin() + static_cast<std::ptrdiff_t>(at * width);
  return {begin, begin + width};
}

std::vector<double> GltfCurve::between(std::size_t key, double span, double s) const {
  std::vector<double> value = stored(key, kValue);
  const std::vector<double> next = stored(key + 1, kValue);
  if (interpolation == Interpolation::linear) {
    if (turns) return numbers_of(slerp(quaternion_of(value), quaternion_of(next), s));
    for (u32 i = 0; i < width; ++i) value[i] = (1.0 - s) * value[i] + s * next[i];
    return value;
  }
  const std::vector<double> leaving = stored(key, kBehind), arriving = stored(key + 1, kBefore);
  const double s2 = s * s, s3 = s2 * s;
  for (u32 i = 0; i < width; ++i)
    value[i] = (2.0 * s3 - 3.0 * s2 + 1.0) * value[i] + span * (s3 - 2.0 * s2 + s) * leaving[i] +
               (3.0 * s2 - 2.0 * s3) * next[i] + span * (s3 - s2) * arriving[i];
  return value;
}

std::vector<double> GltfCurve::at(double seconds) const {
  const std::vector<float>& keys = times->values;
  const auto next = std::upper_bound(keys.begin(), keys.end(), seconds,
                                     [](double s, float key) { return s < double{key}; });
  const std::size_t key =
      next == keys.begin() ? 0 : static_cast<std::size_t>(next - keys.begin()) - 1;
  std::vector<double> value;
  if (next == keys.begin() || next == keys.end() || interpolation == Interpolation::step) {
    value = stored(key, kValue);
  } else {
    const double begin = double{keys[key]}, span = double{*next} - begin;
    value = between(key, span, (seconds - begin) / span);
  }
  return turns ? numbers_of(quaternion_of(value)) : value;
}

namespace {

constexpr const char* kAnimations = "animations";
constexpr u32 kFloats = 5126;

// Animations may have this many numbers in addition to the number of bytes of the file. Accessors
// without bytes consist of zeros, so a small file could otherwise have very many numbers.
constexpr u64 kNumbersAlways = u64{1} << 20;

[[noreturn]] void refuse_name(const GltfFile& file, const std::vector<std::string>& names,
                              const std::string& wanted) {
  constexpr std::size_t kMostNamed = 10;
  std::string list;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNamed); ++i)
    list += (i == 0 ? "" : ", ") + std::to_string(i) +
            (names[i].empty() ? "" : " " + quoted_name(names[i]));
  throw InputError(file.path() + ": has no animation " + quoted_name(wanted) + "; it has " + list +
                   (names.size() > kMostNamed ? " and more" : "") + "; or say all or none");
}

/// The indices of the animations that `wanted` names. Names are tried before indices, because a
/// name may look like an index.
std::vector<u32> chosen(const GltfFile& file, const std::string& wanted) {
  const std::vector<std::string> names = names_of_animations(file);
  if (names.empty()) return {};
  if (wanted.empty()) return {0};
  const auto named = std::find(names.begin(), names.end(), wanted);
  if (named != names.end()) return {static_cast<u32>(named - names.begin())};
  u32 number = 0;
  const char* const end = wanted.data() + wanted.size();
  const auto [stop, error] = std::from_chars(wanted.data(), end, number);
  if (error == std::errc{} && stop == end && number < names.size()) return {number};
  if (wanted == "none") return {};
  if (wanted != "all") refuse_name(file, names, wanted);
  std::vector<u32> all(names.size());
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

Interpolation interpolation_in(const Section& sampler) {
  const std::string name = sampler.has("interpolation") ? sampler.text("interpolation") : "LINEAR";
  if (name == "STEP") return Interpolation::step;
  if (name == "LINEAR") return Interpolation::linear;
  if (name != "CUBICSPLINE")
    sampler.fail("interpolation", "must be STEP, LINEAR or CUBICSPLINE, not " + quoted_name(name));
  return Interpolation::cubic;
}

/// The number of morph targets of a mesh.
std::size_t target_count(const Section& mesh) {
  const Json& primitives = mesh.at("primitives");
  if (!primitives.is_array() || primitives.empty() || !primitives[0].is_object()) return 0;
  const auto targets = primitives[0].find("targets");
  return targets != primitives[0].end() && targets->is_array() ? targets->size() : 0;
}

std::string elements_of(u64 count) { return counted(count, "element"); }

}  // namespace

std::vector<std::string> names_of_animations(const GltfFile& file) {
  std::vector<std::string> names(file.size_of(kAnimations));
  for (u32 i = 0; i < names.size(); ++i) {
    const Json& in = file.root().at(kAnimations)[i];
    if (in.is_object() && in.contains("name") && in["name"].is_string())
      names[i] = in["name"].get<std::string>();
  }
  return names;
}

/// Reads the accessors of samplers. Each is read once.
class GltfAnimation::Samplers {
 public:
  Samplers(GltfFile& file, GltfAttributes& numbers) : file_(file), numbers_(numbers) {}

  /// The curve of a sampler with this many numbers per key, which are scalars or one vector.
  GltfCurve curve(const Section& in, u32 width, bool are_scalars) {
    moved_ += width;
    if (moved_ > most_numbers()) in.fail("moves more numbers than the file has bytes");
    GltfCurve curve;
    curve.interpolation = interpolation_in(in);
    curve.width = width;
    curve.times = &times(in);
    const u64 rows = curve.interpolation == Interpolation::cubic ? 3 : 1;
    const u32 size = are_scalars ? 1 : width;
    curve.values = &values(in, rows * curve.times->count() * (width / size), size);
    return curve;
  }

 private:
  u64 most_numbers() const { return kNumbersAlways + file_.bytes_read(); }

  const GltfNumbers& times(const Section& in) {
    const u32 index = file_.index(in, kInput, "accessors");
    const GltfNumbers& times = numbers_.get(in, kInput, 1, 1);
    if (!are_times_.insert(index).second) return times;
    if (file_.item("accessors", index).count("componentType", 0, 0xffff) != kFloats)
      in.fail(kInput, "must be times as floats (componentType 5126)");
    if (times.count() == 0) in.fail(kInput, "has no times");
    require_finite(in, kInput, index, times);
    if (times.values.front() < 0.0f) in.fail(kInput, "has a time below 0");
    for (std::size_t i = 1; i < times.values.size(); ++i)
      if (!(times.values[i - 1] < times.values[i]))
        in.fail(kInput, "has times that don't rise: key " + std::to_string(i) + " is at " +
                            fixed(double{times.values[i]}, 6) + " s");
    return times;
  }

  const GltfNumbers& values(const Section& in, u64 wanted, u32 size) {
    const u32 index = file_.index(in, kOutput, "accessors");
    const Section accessor = file_.item("accessors", index);
    const u32 count = accessor.count("count", 0, 0x7fffffff);
    if (count != wanted)
      in.fail(kOutput, "has " + elements_of(count) + ", but its keys need " + elements_of(wanted));
    const GltfNumbers& values = numbers_.get(in, kOutput, size, size);
    const bool normalized = accessor.has("normalized") && accessor.flag("normalized");
    if (accessor.count("componentType", 0, 0xffff) != kFloats && !normalized)
      in.fail(kOutput, "must be floats (componentType 5126) or normalized integers");
    require_finite(in, kOutput, index, values);
    if (numbers_.number_count() > most_numbers())
      in.fail(kOutput, "and those before it have more numbers than the file has bytes");
    return values;
  }

  void require_finite(const Section& in, const char* key, u32 index, const GltfNumbers& numbers) {
    if (!are_finite_.insert(index).second) return;
    for (const float number : numbers.values)
      if (!std::isfinite(number)) in.fail(key, "has a number that is not finite");
  }

  static constexpr const char *kInput = "input", *kOutput = "output";

  GltfFile& file_;
  GltfAttributes& numbers_;
  std::set<u32> are_times_, are_finite_;  // accessors that were already checked
  u64 moved_ = 0;                         // number of values of all curves at one time
};

GltfAnimation::GltfAnimation(GltfFile& file, GltfAttributes& numbers, const std::string& wanted) {
  const std::vector<u32> played = chosen(file, wanted);
  Samplers samplers(file, numbers);
  for (const u32 index : played) read(file, samplers, file.item(kAnimations, index));
  if (played.empty()) return;
  const Section first = file.item(kAnimations, played.front());
  const std::string name = names_of_animations(file)[played.front()];
  name_ = file.path() + ": " + first.name() + (name.empty() ? "" : " " + quoted_name(name)) +
          (played.size() > 1 ? " and others" : "");
}

void GltfAnimation::read(GltfFile& file, Samplers& samplers, const Section& in) {
  const std::vector<Section> all = in.objects("samplers");
  std::set<std::pair<u32, Path>> moved;
  for (const Section& channel : in.objects("channels")) {
    const Section target = channel.object("target");
    // Such a target belongs to an extension, about which check_extensions warns.
    if (!target.has("node")) continue;
    const u32 node = file.index(target, "node", "nodes");
    const Path path = path_in(target);
    if (!moved.emplace(node, path).second) target.fail("path", "is moved by a channel before, too");
    const bool is_weights = path == Path::weights;
    if (!is_weights && file.item("nodes", node).has("matrix"))
      target.fail("node", "has a matrix, so nothing else can place it");
    if (all.empty()) channel.fail("sampler", "is one of its animation, which has none");
    const u32 sampler = channel.count("sampler", 0, static_cast<u32>(all.size() - 1));
    GltfCurve curve = samplers.curve(all[sampler], width_of(file, target, node, path), is_weights);
    curve.turns = path == Path::rotation;
    channels_.push_back({node, path, curve});
  }
}

GltfAnimation::Path GltfAnimation::path_in(const Section& target) {
  const std::string path = target.text("path");
  if (path == "translation") return Path::translation;
  if (path == "rotation") return Path::rotation;
  if (path == "scale") return Path::scale;
  if (path != "weights")
    target.fail("path",
                "must be translation, rotation, scale or weights, not " + quoted_name(path));
  return Path::weights;
}

u32 GltfAnimation::width_of(const GltfFile& file, const Section& target, u32 node, Path path) {
  if (path == Path::rotation) return 4;
  if (path != Path::weights) return 3;
  const auto mesh = file.index_if(file.item("nodes", node), "mesh", "meshes");
  if (!mesh) target.fail("node", "has weights that move, but no mesh");
  const std::size_t count = target_count(file.item("meshes", *mesh));
  if (count == 0) target.fail("node", "has weights that move, but its mesh has no morph targets");
  return static_cast<u32>(std::min<std::size_t>(count, 0x7fffffff));
}

bool GltfAnimation::moves_weights() const {
  return std::any_of(channels_.begin(), channels_.end(),
                     [](const Channel& channel) { return channel.path == Path::weights; });
}

NodePoses GltfAnimation::at(double seconds) const {
  NodePoses poses;
  for (const Channel& channel : channels_) {
    NodePose& pose = poses[channel.node];
    std::vector<double> v = channel.curve.at(seconds);
    switch (channel.path) {
      case Path::translation:
        pose.translation = dvec3(v[0], v[1], v[2]);
        break;
      case Path::scale:
        pose.scale = dvec3(v[0], v[1], v[2]);
        break;
      case Path::rotation:
        pose.rotation = {v[0], v[1], v[2], v[3]};
        if (pose.rotation == Quaternion{})
          throw InputError(name_ + " turns nodes[" + std::to_string(channel.node) +
                           "] by a rotation of length 0 at " + fixed(seconds, 3) + " s");
        break;
      case Path::weights:
        pose.weights = std::move(v);
    }
  }
  return poses;
}

double GltfAnimation::end() const {
  double end = 0.0;
  for (const Channel& channel : channels_)
    end = std::max(end, double{channel.curve.times->values.back()});
  return end;
}

}  // namespace ballotcast::detail
