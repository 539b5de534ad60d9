// The trees that the CPU walks through when it casts many rays.
#pragma once

#include <vector>

#include "backends/scene/prepared_scene.hpp"
#include "bvh/wide/wide_tree.hpp"

namespace ballotcast::detail {

/// The wide trees of a prepared scene. The scene must outlive them. They are built once enough rays
/// have been cast to make up for the time of building, and again after vertices have moved. Hits do
/// not depend on which trees a ray walks through.
class WideScene {
 public:
  explicit WideScene(const PreparedScene& scene) : scene_(scene) {}

  /// Call this before `rays` rays are cast. Returns false if the rays should still walk through the
  /// trees of the layout.
  bool is_worth_it(u64 rays);

  /// Call this when something has moved.
  void follow(Moved moved);

  /// The tree of a scene without instances. Call this only after is_worth_it() returned true.
  const WideTree& tree() const { return trees_.front(); }
  /// The tree of a mesh of a scene with instances.
  const WideTree& tree_of_mesh(std::size_t mesh) const { return trees_[mesh]; }

 private:
  void make();

  const PreparedScene& scene_;
  std::vector<WideTree> trees_;
  u64 rays_ = 0;  // cast since the trees were made or dropped
};

}  // namespace ballotcast::detail
