// The trees that the CPU walks through when it casts many rays.
#pragma once

#include <vector>

#include "backends/scene/prepared_scene.hpp"
#include "bvh/wide/wide_tree.hpp"

namespace ballotcast::detail {

/// The wide trees of a prepared scene, which must outlive it. They are made when enough rays have
/// been cast to make up for that, and again after vertices have moved. Which trees a ray walks
/// through can't change its hit.
class WideScene {
 public:
  explicit WideScene(const PreparedScene& scene) : scene_(scene) {}

  /// To be called before `rays` rays are cast. False if they should still walk through the trees of
  /// the layout.
  bool is_worth_it(u64 rays);

  /// To be called when something has moved.
  void follow(Moved moved);

  /// The tree of a scene without instances. Only after is_worth_it() was true.
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
