// The animations of a glTF file: which nodes they move, and how.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "scene/formats/gltf/accessors.hpp"
#include "scene/formats/gltf/nodes.hpp"

namespace ballotcast::detail {

/// x, y, z, w.
using Quaternion = std::array<double, 4>;

/// The rotation between `from` and `to`, at the share `s` of the way along the shorter arc. Both
/// have length 1.
Quaternion slerp(const Quaternion& from, const Quaternion& to, double s);

/// `q` with length 1, or zeros if it has none.
Quaternion unit_quaternion(const Quaternion& q);

/// How a curve goes from key to key.
enum class Interpolation { step, linear, cubic };

/// Several numbers over time: keys at rising times, and between them what the interpolation says
/// (Khronos Group, glTF 2.0 Specification, appendix C).
struct GltfCurve {
  const GltfNumbers* times = nullptr;   // at least one
  const GltfNumbers* values = nullptr;  // `width` numbers per key; with `cubic` thrice as many
  u32 width = 0;
  Interpolation how = Interpolation::linear;
  bool turns = false;  // true: the numbers are a quaternion; the result has length 1, or is 0

  /// The numbers at a time. Before the first key and after the last they are those of that key.
  std::vector<double> at(double seconds) const;

 private:
  /// What is stored for a key: its value; with `cubic` also the slopes before and behind it.
  enum Row : u32 { kBefore, kValue, kBehind };
  std::vector<double> stored(std::size_t key, Row row) const;
  std::vector<double> between(std::size_t key, double span, double s) const;
};

/// The names of all animations of a file; "" for those without a name.
std::vector<std::string> names_of_animations(const GltfFile& file);

/// The animations of a file that are to be played, together.
class GltfAnimation {
 public:
  /// Nothing is played.
  GltfAnimation() = default;
  /// Reads those that `wanted` names: see SceneRequest::animation. `numbers` must outlive this
  /// object. Throws InputError, which names the file and the animation, if there is no such one, or
  /// if it can't be played.
  GltfAnimation(GltfFile& file, GltfAttributes& numbers, const std::string& wanted);

  /// True if something moves.
  bool moves() const { return !channels_.empty(); }
  /// True if weights of morph targets change.
  bool moves_weights() const;
  /// The nodes that move, as they are at a time. Throws InputError for a rotation without length.
  NodePoses at(double seconds) const;
  /// The time of the last key; 0 if nothing moves.
  double end() const;
  /// What is played, for messages: "PATH: animations[0]".
  const std::string& name() const { return name_; }

 private:
  enum class Path { translation, rotation, scale, weights };
  /// What changes a property of a node.
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
