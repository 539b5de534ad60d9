// A prepared scene whose vertices or instances move.
#pragma once

#include "backends/scene/prepare.hpp"
#include "bvh/refit.hpp"
#include "scene/motion/frames.hpp"

namespace ballotcast::detail {

/// Follow::automatic rebuilds a tree whose wear is more than this; see MovingScene::wear.
inline constexpr double kWornOut = 1.3;

/// A copy of a scene, prepared for devices. Its vertices, or the transforms of its instances, can
/// be set. After that its tree must follow:
///
///   set_vertices --> refit:    the same leaves, new boxes. Fast, but the tree wears out.
///                --> rebuild:  a new tree.
///   set_transforms --> rebuild_upper: new trees over the instances.
///
/// Hits and pictures are the same as of a scene that has these vertices from the start. But
/// triangles at the same place are all in the tree, because they may move apart.
class MovingScene {
 public:
  /// Throws UsageError for unknown names and for a builder that cuts triangles, and InputError for
  /// an unusable scene.
  MovingScene(const SceneData& scene, std::string_view builder, std::string_view layout,
              const Progress& progress, BuildTree build);

  /// This scene changes in place with each call below.
  std::shared_ptr<const PreparedScene> prepared() const { return prepared_; }

  /// Replaces all vertices. Throws UsageError if their number differs, and InputError for an
  /// unusable coordinate. After an error nothing has changed.
  void set_vertices(Span<const Vec3f> vertices);

  bool has_instances() const { return !scene_->instances.empty(); }

  /// Replaces all transforms. Throws UsageError if their number differs, and InputError for an
  /// unusable transform. After an error nothing has changed.
  void set_transforms(Span<const Transform> transforms);
  /// Builds the trees over the instances anew. Call this when instances have moved.
  void rebuild_upper();

  /// Takes over camera and light of another frame. Takes over its vertices and normals, or its
  /// transforms, if they differ. Throws InputError for an unusable coordinate.
  void become(SceneChange change);

  void refit();
  void rebuild(const Progress& progress);
  /// Call this instead of refit() or rebuild() when no vertex has moved.
  void keep_tree();

  const BinaryTree& tree() const { return tree_.tree(); }

  /// See FollowingTree::wear. 1 with instances, because upper trees are always new.
  double wear() const { return has_instances() ? 1.0 : tree_.wear(scene_->mesh); }

 private:
  BuildMesh build_mesh(const Progress& progress) const;
  /// Swaps the scene's vertices with `positions`. Throws InputError first if these are unusable.
  void take(Array<vec3>& positions);

  std::shared_ptr<SceneData> scene_;
  std::shared_ptr<PreparedScene> prepared_;
  BuildTree build_;
  FollowingTree tree_;
  Array<vec3> spare_;  // the previous vertices; their memory receives the next ones
};

}  // namespace ballotcast::detail
