// Explains a hit: the traversal of the ray step by step, then in words and as JSON. Also lists the
// queues of casts.
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
  u32 at;        // the index of a node, or the position of a leaf's first triangle
  bool entered;  // true if the ray enters the box before the best hit so far
};

/// A node whose two children were tested. If the ray enters both boxes, it visits child `first`,
/// and the other child later.
struct ExplainedNode {
  u32 node;
  float limit;  // t of the best hit so far
  ExplainedChild children[2];
  u32 first;           // 0 or 1: the child that is visited first
  bool below = false;  // true: a node of the instance that the ray entered last
};

/// A triangle that was tested, and the result.
struct ExplainedTriangle {
  u32 triangle;
  vec3 corner[3];
  EdgeWeights weights;
  // The point where the ray meets the triangle's plane; undefined if the triangle has no area
  float t, u, v;
  bool taken;           // true if it became the best hit
  std::string verdict;  // in words, the reason why it did or did not become the best hit
  u32 copies = 0;       // number of equal triangles that it represents; see bvh/copies.hpp
};

/// A leaf whose triangles were tested. In a scene with instances, a leaf of the upper tree that the
/// ray reached; the next steps are in the space of its instances.
struct ExplainedLeaf {
  u32 first;  // the position of its first triangle or instance
  std::vector<ExplainedTriangle> triangles;
  u32 instances = 0;   // number of instances in the leaf
  bool below = false;  // true: a leaf of the instance that the ray entered last
};

/// A step in which the ray enters an instance. The nodes and leaves that follow are those of its
/// mesh, in the coordinates of the mesh.
struct ExplainedInstance {
  u32 instance;
  u32 mesh;
  Ray ray;             // the ray in the coordinates of the mesh
  Transform to_scene;  // the transform from the coordinates of the mesh to those of the scene
};

/// An instance in a leaf that the ray does not enter because of its filter.
struct ExplainedLeftOut {
  u32 instance;
  const char* why;
};

/// A crossing of a ray with a shape, and the result.
struct ExplainedCrossing {
  float t, u, v;
  bool front;                        // true if the ray enters the shape here
  bool taken;                        // true if it became the best hit
  std::string verdict;               // in words, the reason why it did or did not
  std::optional<CellTriangle> cell;  // for a heightfield: the triangle of its grid
};

/// A shape that was tested.
struct ExplainedShape {
  u32 instance, mesh;
  u32 id;
  std::string kind;  // the name of the shape's kind
  std::vector<ExplainedCrossing> crossings;
};

/// Properties of the surface at the hit that shadings use.
struct ExplainedSurface {
  std::string material;
  vec3 color;     // linear colour, including the texture
  vec3 emission;  // linear radiance
  Surface surface;
  float facing;  // cosine of the angle between the normal and the direction to the ray's origin
};

/// The traversal of a tree by a ray.
struct Explanation {
  Ray ray;
  // The ray that was cast: `ray`, or the moved ray of geometry/far_origin.hpp if the origin of
  // `ray` is far away. Distances in `steps` belong to this ray.
  Ray cast;
  double shift;  // t of `ray` minus t of `cast`
  float cast_t;  // t of the hit along `cast`
  RayKind kind;
  bool valid;  // false if the ray can't hit anything (is_valid), so no step was taken
  std::vector<std::variant<ExplainedNode, ExplainedLeaf, ExplainedInstance, ExplainedLeftOut,
                           ExplainedShape>>
      steps;
  Hit hit;
  std::optional<ExplainedSurface> surface;  // only for a closest hit

  u64 nodes() const;
  /// The number of visited leaves of the tree; with instances, of the upper tree only. Pipelines
  /// count in the same way.
  u64 leaves() const;
  u64 triangles() const;
  u64 instances() const;
};

/// Traverses the scene's tree with the ray, using the functions of the kernels, and records each
/// decision. The ray and all results are relative to SceneData::origin, as in Renderer::closest.
/// The world must exist. `filter` says which hits count; its arrays must be in host memory.
Explanation explain(const PreparedScene& prepared, const Ray& ray, RayKind kind, u32 world = 0,
                    const HitFilter& filter = {});

/// An explanation, with properties of the scene and the result of the device.
struct ExplainReport {
  Explanation explanation;
  std::string scene, builder, layout;
  u32 levels = 0;            // number of levels of the tree
  bool packed_tree = false;  // true if the tree was packed with the scene, and not built
  std::string_view cache;    // name_of(CacheUse); "" without --cache
  u64 triangles = 0, instances = 0;
  Location at{};       // the location of the hit
  std::string part;    // the name of the part that was hit; "" if no part has a name
  dvec3 origin{0.0};   // origin of the scene, which is added to positions in the text
  std::string device;  // the device that cast the same ray
  Hit device_hit{};

  /// True if the device found the same hit. For an any-hit ray, only the existence of a hit is
  /// compared.
  bool same() const {
    return explanation.kind == RayKind::any ? explanation.hit.found() == device_hit.found()
                                            : same_bits(explanation.hit, device_hit);
  }
};

/// Explains a ray, and casts it on the renderer's device. The world must exist.
ExplainReport explained(Renderer& renderer, const Ray& ray, RayKind kind, u32 world = 0,
                        const RayFilter& filter = {});

/// The explanation as readable text, 80 columns wide.
std::string explain_text(const ExplainReport& report);

/// The whole explanation as JSON, including the bits of the hits' floats.
std::string explain_json(const ExplainReport& report);

// The queues of a cast with pipeline queue, pass by pass, as `ballotcast explain --queue` prints
// them. To compare two runs, users compare the two texts (queues.cpp).

/// The ids of the rays that are still alive after each pass, in the order of the queue. The last
/// queue is empty.
using Queues = std::vector<std::vector<u32>>;

/// Casts rays with pipeline queue, on a machine that has pipelines. The host reads the counter
/// after each pass, for every loop option.
Queues queues_of(ResidentRays& rays, CastChoice choice);

/// The queues of the rays through the centres of all pixels, row by row: ray i goes through pixel i
/// % width of row i / width. Only the size and the camera of the settings are used. Throws
/// UsageError for devices that have no queues, and for several machines.
Queues queues_of_picture(const Renderer& renderer, const RenderSettings& picture, RayKind kind,
                         const CastOptions& options);

/// The queues as text: a line per pass with its number of rays, and below it the ids, 8 in a line.
/// The text contains nothing that differs between equal casts, such as times or the machine.
std::string queues_text(const Queues& queues);

/// The positions of one ray as text: a line per pass with the ray's position in the queue, until
/// the ray is in no queue.
std::string place_in_queues_text(const Queues& queues, u32 ray);

/// The queues as a JSON object, whose member "passes" has an array of ids for each pass.
std::string queues_json(const Queues& queues, const CastOptions& options);

}  // namespace ballotcast::detail
