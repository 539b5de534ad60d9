// Explains a hit: the ray's walk through the tree, step by step, then in words and as JSON.
// Also lists the queues of casts.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "backends/device/resident_scene.hpp"
#include "backends/scene/prepared_scene.hpp"
#include "ballotcast/renderer.hpp"
#include "bvh/layouts/children.hpp"
#include "geometry/triangle.hpp"

namespace ballotcast::detail {

/// A child of a node, and whether the ray entered it.
struct ExplainedChild {
  InspectedChild child;
  u32 at;        // the index of a node, or the place of a leaf's first triangle
  bool entered;  // the ray enters the box, before the best hit so far
};

/// A node whose two children were tested. If the ray enters both boxes, it goes to child `first`,
/// and the other child waits.
struct ExplainedNode {
  u32 node;
  float limit;  // t of the best hit so far
  ExplainedChild children[2];
  u32 first;           // 0 or 1
  bool below = false;  // true: a node of the instance that the ray entered last
};

/// A triangle that was tested, and the result.
struct ExplainedTriangle {
  u32 triangle;
  vec3 corner[3];
  EdgeWeights weights;
  float t, u, v;        // where the ray meets the triangle's plane; undefined if it has no area
  bool taken;           // true if it became the best hit
  std::string verdict;  // the reason why it was taken or not, in words
  u32 copies = 0;       // number of equal triangles that it stands for; see bvh/copies.hpp
};

/// A leaf whose triangles were tested. In a scene with instances: a leaf of the upper tree that the
/// ray reached; the next steps are in the space of its instances.
struct ExplainedLeaf {
  u32 first;  // the place of its first triangle or instance
  std::vector<ExplainedTriangle> triangles;
  u32 instances = 0;   // in the leaf
  bool below = false;  // true: a leaf of the instance that the ray entered last
};

/// The ray enters an instance. The nodes and leaves that follow are those of its mesh, in the
/// mesh's coordinates.
struct ExplainedInstance {
  u32 instance;
  u32 mesh;
  Ray ray;             // in the mesh's coordinates
  Transform to_scene;  // from the mesh's coordinates to those of the scene
};

/// The surface at the hit, as shadings see it.
struct ExplainedSurface {
  std::string material;
  vec3 color;     // linear, texture included
  vec3 emission;  // linear radiance
  Surface surface;
  float facing;  // cosine of the angle between the normal and the direction back to the origin
};

/// The walk of a ray through a tree.
struct Explanation {
  Ray ray;
  // The ray that was cast: `ray`, or the moved ray of geometry/far_origin.hpp if `ray` starts far
  // away. Distances in `steps` belong to this ray.
  Ray cast;
  double shift;  // t of `ray` minus t of `cast`
  float cast_t;  // t of the hit along `cast`
  RayKind kind;
  bool valid;  // false if the ray can't hit anything (is_valid), so no step was taken
  std::vector<std::variant<ExplainedNode, ExplainedLeaf, ExplainedInstance>> steps;
  Hit hit;
  std::optional<ExplainedSurface> surface;  // only for a closest hit

  u64 nodes() const;
  /// The number of visited leaves of the tree; with instances, of the upper tree only. Pipelines
  /// count the same.
  u64 leaves() const;
  u64 triangles() const;
  u64 instances() const;
};

/// Walks the ray through the scene's tree with the functions of the kernels, and records each
/// decision. The ray and all results are relative to SceneData::origin, as in Renderer::closest.
/// The world must exist. `filter` says which hits count; its arrays are in host memory.
Explanation explain(const PreparedScene& prepared, const Ray& ray, RayKind kind, u32 world = 0,
                    const HitFilter& filter = {});

/// An explanation, with facts about the scene and the device.
struct ExplainReport {
  Explanation explanation;
  std::string scene, builder, layout;
  u32 levels = 0;            // levels of the tree
  bool packed_tree = false;  // the tree was packed, and not built
  std::string_view cache;    // name_of(CacheUse); "" without --cache
  u64 triangles = 0, instances = 0;
  Location at{};       // of the hit
  std::string part;    // the name of the part that was hit; "" if no part has a name
  dvec3 origin{0.0};   // origin of the scene, which is added to positions
  std::string device;  // the device that cast the same ray
  Hit device_hit{};

  /// True if the device found the same result. For an any-hit ray, this compares only whether there
  /// is a hit.
  bool same() const {
    return explanation.kind == RayKind::any ? explanation.hit.found() == device_hit.found()
                                            : same_bits(explanation.hit, device_hit);
  }
};

/// Explains a ray, and casts it on the renderer's device. The world must exist.
ExplainReport explained(Renderer& renderer, const Ray& ray, RayKind kind, u32 world = 0,
                        const RayFilter& filter = {});

/// The explanation as text for people, 80 columns wide.
std::string explain_text(const ExplainReport& report);

/// The whole explanation as JSON, including the bits of the hits' floats.
std::string explain_json(const ExplainReport& report);

// The queues of a cast with pipeline queue, pass by pass, as `ballotcast explain --queue` prints
// them: two runs are compared by comparing two texts (queues.cpp).

/// The ids of the rays that are still alive after each pass, in the order of the queue. That of the
/// last pass is empty.
using Queues = std::vector<std::vector<u32>>;

/// Casts rays with pipeline queue, on a machine that has pipelines. The host reads each counter,
/// whatever loop is chosen.
Queues queues_of(ResidentRays& rays, CastChoice choice);

/// The queues of the rays through the centres of all pixels, row by row: ray i goes through pixel i
/// % width of row i / width. Of the settings, size and camera count. Throws UsageError for devices
/// that have no queues, and for several machines.
Queues queues_of_picture(const Renderer& renderer, const RenderSettings& picture, RayKind kind,
                         const CastOptions& options);

/// One line per pass with its number of rays, and below it the ids, 8 in a line. It holds nothing
/// that differs between equal casts, such as times or the machine.
std::string queues_text(const Queues& queues);

/// One line per pass: the place of a ray in its queue, until the ray is in none.
std::string place_in_queues_text(const Queues& queues, u32 ray);

/// The queues as an object of JSON, whose member "passes" has an array of ids for each pass.
std::string queues_json(const Queues& queues, const CastOptions& options);

}  // namespace ballotcast::detail
