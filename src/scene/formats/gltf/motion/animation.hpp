// The animations of a glTF file: which nodes they move, and how.
#pragma once

#include <string>
#include <vector>

#include "scene/formats/gltf/motion/curve.hpp"
#include "scene/formats/gltf/nodes.hpp"

namespace ballotcast::detail {

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
