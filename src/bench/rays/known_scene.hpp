// A scene of a benchmark, the rays through it, and the hits that these must have. Cameras may move
// from cast to cast, so that each cast has rays that were never cast before.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ballotcast/scene.hpp"
#include "bench/rays/workloads.hpp"
#include "bench/results.hpp"
#include "math/portable.hpp"

namespace ballotcast::detail {

/// How a camera moves.
struct CameraMotion {
  double degrees = 0.0;  // by which it turns to the side, per cast
  double step = 0.0;     // by which it moves ahead, per cast, in diagonals of the scene's box

  bool moves() const { return degrees != 0.0 || step != 0.0; }
};

/// The number of casts that are measured.
inline constexpr u32 kMovingCasts = 256;

/// The motion that a text says: "turn:DEGREES", "step", or "" for none. Throws UsageError for
/// another text.
CameraMotion motion_of(const std::string& text);

/// The camera at cast `number`. `diagonal`: of the scene's box.
Camera moved(const Camera& camera, const CameraMotion& motion, u32 number, double diagonal);

/// A scene with all surfaces opaque. Hits are found by a plain walk on the CPU through a reference
/// tree. Peers know nothing of opacity, so benchmarks ignore it.
class KnownScene {
 public:
  /// Throws InputError for an unusable scene.
  explicit KnownScene(SceneData&& scene);

  const std::shared_ptr<const SceneData>& scene() const { return scene_; }
  const Mesh& mesh() const { return scene_->mesh; }
  u64 triangles() const { return mesh().triangles.size(); }
  /// The triangles that no tree contains.
  const Copies& copies() const { return reference_->copies; }

  /// The rays of a workload, made from a picture of this size; of a camera that moves, those of
  /// cast `number`. Throws InputError if no camera can frame the scene.
  RaySet rays(const std::string& workload, u32 width, u32 height, const CameraMotion& motion = {},
              u32 number = 0) const;
  /// The hits of `set`.
  std::vector<Hit> hits(const RaySet& set) const;

 private:
  std::shared_ptr<const SceneData> scene_;
  std::shared_ptr<const PreparedScene> reference_;
  std::unique_ptr<ResidentScene> cpu_;
};

/// The axes scene and, if `sized` (see for_each_scene), triangles.
Values scene_axes(const KnownScene& scene, bool sized);

/// The size in memory of a tree with its triangles, per triangle of the mesh.
double bytes_per_triangle(const EncodedBvh& tree, u64 triangles);

}  // namespace ballotcast::detail
