// A prepared scene whose vertices move.
#pragma once

#include "backends/scene/prepare.hpp"
#include "bvh/refit.hpp"
#include "scene/motion/frames.hpp"

namespace ballotcast::detail {

/// Follow::automatic rebuilds a tree that has worn out more than this; see MovingScene::wear.
inline constexpr double kWornOut = 1.3;

/// A copy of a scene, prepared for devices. Its vertices can be set, or the transforms of its
/// instances; then its tree must follow.
///
///   set_vertices --> refit:    the same leaves, new boxes. Fast, but the tree wears out.
///                --> rebuild:  a new tree.
///   set_transforms --> rebuild_upper: new trees over the instances.
///
/// Hits and pictures are those of a scene that has these vertices from the start. Unlike there,
/// triangles at the same place are all in the tree, because they may part.
class MovingScene {
 public:
  /// Throws UsageError for unknown names and for a builder that cuts triangles, and InputError for
  /// an unusable scene.
  MovingScene(const SceneData& scene, std::string_view builder, std::string_view layout,
              const Progress& progress, BuildTree build);

  /// It changes in place with each call below.
  std::shared_ptr<const PreparedScene> prepared() const { return prepared_; }

  /// Replaces all vertices. Throws UsageError for another number than before, and InputError for an
  /// unusable coordinate; then nothing has changed.
  void set_vertices(Span<const Vec3f> vertices);

  bool has_instances() const { return !scene_->instances.empty(); }

  /// Replaces all transforms. Throws UsageError for another number than before, and InputError for
  /// an unusable transform; then nothing has changed.
  void set_transforms(Span<const Transform> transforms);
  /// Makes the trees over the instances anew. To be called when instances have moved.
  void rebuild_upper();

  /// Takes over camera and light of another frame, and its vertices and normals, or its transforms,
  /// if they differ.
  /// Throws InputError for an unusable coordinate.
  void become(SceneChange change);

  void refit();
  void rebuild(const Progress& progress);
  /// To be called in place of refit() or rebuild() when no vertex has moved.
  void keep_tree();

  const BinaryTree& tree() const { return tree_.tree(); }

  /// See FollowingTree::wear. 1 with instances, whose upper trees are always new.
  double wear() const { return has_instances() ? 1.0 : tree_.wear(scene_->mesh); }

 private:
  BuildMesh build_mesh(const Progress& progress) const;
  /// Exchanges the vertices of the scene and these. Throws InputError, before, if they are
  /// unusable.
  void take(Array<vec3>& positions);

  std::shared_ptr<SceneData> scene_;
  std::shared_ptr<PreparedScene> prepared_;
  BuildTree build_;
  FollowingTree tree_;
  Array<vec3> spare_;  // the last vertices, whose memory takes the next ones
};

}  // namespace ballotcast::detail
