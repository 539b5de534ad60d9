// The animations of a glTF file: which nodes they move, and how.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "scene/formats/gltf/accessors.hpp"
#include "scene/formats/gltf/nodes.hpp"

namespace ballotcast::detail {

/// A quaternion: x, y, z, w.
using Quaternion = std::array<double, 4>;

/// The rotation at the fraction `s` between `from` and `to`, along the shorter arc. Both must have
/// length 1.
Quaternion slerp(const Quaternion& from, const Quaternion& to, double s);

/// `q` scaled to length 1, or zeros if its length is 0.
Quaternion unit_quaternion(const Quaternion& q);

/// How values between two keys are interpolated.
enum class Interpolation { step, linear, cubic };

/// Several numbers as a function of time: keys at ascending times, and an interpolation between
/// them (Khronos Group, glTF 2.0 Specification, appendix C).
struct GltfCurve {
  const GltfNumbers* times = nullptr;   // at least one key
  const GltfNumbers* values = nullptr;  // `width` numbers per key; with `cubic` three times as many
  u32 width = 0;
  Interpolation interpolation = Interpolation::linear;
  // true: the numbers are a quaternion; the result is scaled to length 1, or is 0
  bool turns = false;

  /// The numbers at a time. Before the first key they are those of the first key, after the last
  /// key those of the last.
  std::vector<double> at(double seconds) const;

 private:
  /// The values that are stored for a key: with `cubic`, also the slopes before and after it.
  enum Row : u32 { kBefore, kValue, kBehind };
  std::vector<double> stored(std::size_t key, Row row) const;
  std::vector<double> between(std::size_t key, double span, double s) const;
};

/// The names of all animations of a file; "" for those without a name.
std::vector<std::string> names_of_animations(const GltfFile& file);

/// The animations of a file that are played together.
class GltfAnimation {
 public:
  /// An animation without channels: nothing moves.
  GltfAnimation() = default;
  /// Reads the animations that `wanted` names: see SceneRequest::animation. `numbers` must outlive
  /// this object. Throws InputError, which names the file and the animation, if there is no such
  /// animation, or if it can't be played.
  GltfAnimation(GltfFile& file, GltfAttributes& numbers, const std::string& wanted);

  /// True if an animation changes a node.
  bool moves() const { return !channels_.empty(); }
  /// True if weights of morph targets change.
  bool moves_weights() const;
  /// The poses of the nodes that move, at a time. Throws InputError for a rotation whose length is
  /// 0.
  NodePoses at(double seconds) const;
  /// The time of the last key, in seconds; 0 if nothing moves.
  double end() const;
  /// The name of the animation for messages: "PATH: animations[0]".
  const std::string& name() const { return name_; }

 private:
  enum class Path { translation, rotation, scale, weights };
  /// A channel: a curve, and the property of a node that it changes.
  struct Channel {
    u32 node;
    Path path;
    GltfCurve curve;
  };

  class Samplers;

  void read(GltfFile& file, Samplers& samplers, const Section& in);
  static Path path_in(const Section& target);
  static u32 width_of(const GltfFile& file, const Section& target, u32 node, Path path);

  std::vector<Channel> channels_;
  std::string name_;
};

}  // namespace ballotcast::detail
