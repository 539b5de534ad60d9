// A prepared scene whose vertices or instances move.
#pragma once

#include "backends/scene/prepare.hpp"
#include "bvh/refit.hpp"
#include "scene/motion/frames.hpp"

namespace ballotcast::detail {

/// Follow::automatic rebuilds a tree if MovingScene::wear is above this value, i.e. if rays test
/// 30 % more nodes and triangles than just after the tree was built.
inline constexpr double kWornOut = 1.3;

/// A copy of a scene, prepared for devices. Its vertices, or the transforms of its instances, can
/// be set. After that its tree must be updated:
///
///   set_vertices --> refit:    the same leaves, new boxes. Fast, but rays may become slower.
///                --> rebuild:  a new tree.
///   set_transforms --> rebuild_upper: new trees over the instances.
///
/// Hits and pictures are the same as for a new scene with these vertices. But the tree contains all
/// triangles at the same place, because they may move apart.
class MovingScene {
 public:
  /// Throws UsageError for unknown names and for a builder that cuts triangles, and InputError for
  /// a scene that can't be used.
  MovingScene(const SceneData& scene, std::string_view builder, std::string_view layout,
              const Progress& progress, BuildTree build);

  /// The prepared scene, which each call below changes in place.
  std::shared_ptr<const PreparedScene> prepared() const { return prepared_; }

  /// Replaces all vertices. Throws UsageError if their number is different, and InputError for an
  /// invalid coordinate. After an error nothing has changed.
  void set_vertices(Span<const Vec3f> vertices);

  bool has_instances() const { return !scene_->instances.empty(); }

  /// Replaces all transforms. Throws UsageError if their number is different, and InputError for an
  /// invalid transform. After an error nothing has changed.
  void set_transforms(Span<const Transform> transforms);
  /// Rebuilds the trees over the instances. Call this function after instances have moved.
  void rebuild_upper();

  /// Takes over the camera and the light of another frame, and its vertices and normals, or its
  /// transforms, if they differ. Throws InputError for an invalid coordinate.
  void change_scene(SceneChange change);

  void refit();
  void rebuild(const Progress& progress);
  /// Call this function instead of refit() or rebuild() if no vertex has moved.
  void keep_tree();

  const BinaryTree& tree() const { return tree_.tree(); }

  /// How much worse the tree has become since it was built; see FollowingTree::wear. Returns 1 for
  /// scenes with instances, whose upper trees are always rebuilt.
  double wear() const { return has_instances() ? 1.0 : tree_.wear(scene_->mesh); }

 private:
  BuildMesh build_mesh(const Progress& progress) const;
  /// Swaps the scene's vertices with `positions`. If these are invalid, throws InputError before.
  void take(Array<vec3>& positions);

  std::shared_ptr<SceneData> scene_;
  std::shared_ptr<PreparedScene> prepared_;
  BuildTree build_;
  FollowingTree tree_;
  Array<vec3> spare_;  // the previous vertices; their memory is reused for the next ones
};

}  // namespace ballotcast::detail
