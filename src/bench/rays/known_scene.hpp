// A scene of a benchmark, rays through it, and their correct hits. The camera may move from cast to
// cast, so that each cast has rays that were never cast before.
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
  double degrees = 0.0;  // the angle by which it turns to the side per cast
  // The distance by which it moves ahead per cast, in diagonals of the scene's box
  double step = 0.0;

  bool moves() const { return degrees != 0.0 || step != 0.0; }
};

/// The number of casts that are measured with a moving camera.
inline constexpr u32 kMovingCasts = 256;

/// Parses a motion: "turn:DEGREES", "step", or "" for none. Throws UsageError for another text.
CameraMotion motion_of(const std::string& text);

/// The camera at cast `number`. `diagonal` is the diagonal of the scene's box.
Camera moved(const Camera& camera, const CameraMotion& motion, u32 number, double diagonal);

/// A scene whose surfaces have all been made opaque, because peers do not support opacity. Correct
/// hits are found by a plain traversal of a reference tree on the CPU.
class KnownScene {
 public:
  /// Takes over the scene. Throws InputError if it is unusable.
  explicit KnownScene(SceneData&& scene);

  const std::shared_ptr<const SceneData>& scene() const { return scene_; }
  const Mesh& mesh() const { return scene_->mesh; }
  u64 triangles() const { return mesh().triangles.size(); }
  /// The triangles that are in no tree, because they are copies of others.
  const Copies& copies() const { return reference_->copies; }

  /// The rays of a workload, made for a picture of this size. If the camera moves, the rays of cast
  /// `number`. Throws InputError if no camera can frame the scene.
  RaySet rays(const std::string& workload, u32 width, u32 height, const CameraMotion& motion = {},
              u32 number = 0) const;
  /// The correct hits of `set`.
  std::vector<Hit> hits(const RaySet& set) const;

 private:
  std::shared_ptr<const SceneData> scene_;
  std::shared_ptr<const PreparedScene> reference_;
  std::unique_ptr<ResidentScene> cpu_;
};

/// The axes that identify a scene in rows: scene and, if `sized` (see for_each_scene), triangles.
Values scene_axes(const KnownScene& scene, bool sized);

/// The size of a tree with its triangles in memory, in bytes per triangle of the mesh.
double bytes_per_triangle(const EncodedBvh& tree, u64 triangles);

}  // namespace ballotcast::detail
