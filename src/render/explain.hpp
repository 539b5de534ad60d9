// Why a ray hit what it hit: the walk through the tree, step by step.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "backends/prepare.hpp"
#include "bvh/layouts/inspected_child.hpp"
#include "geometry/triangle.hpp"

namespace ballotcast::detail {

/// A child of a node, and what became of it.
struct ExplainedChild {
  InspectedChild child;
  bool entered;  // is its box met, at a distance up to the best hit so far?
};

/// A node whose children's boxes the ray was held to. Of two that are entered, the one that was
/// gone to first is `first`; the other waits.
struct ExplainedNode {
  u32 node;
  float limit;  // t of the best hit so far
  ExplainedChild children[2];
  u32 first;  // 0 or 1
};

/// A triangle that the ray was held to.
struct ExplainedTriangle {
  u32 triangle;
  vec3 corner[3];
  EdgeWeights weights;
  float t, u, v;        // where the ray meets its plane; meaningless where it has no area
  bool taken;           // did it become the best hit?
  std::string verdict;  // why, in words
  u32 copies = 0;       // how many with the same corners it stands for: see bvh/copies.hpp
};

/// A leaf whose triangles were tested.
struct ExplainedLeaf {
  u32 reference;
  std::vector<ExplainedTriangle> triangles;
};

/// The surface that was hit, as shadings see it.
struct ExplainedSurface {
  std::string material;
  vec3 color;     // linear, texture included
  vec3 emission;  // linear radiance
  Surface surface;
  float facing;  // cosine between the normal and the way back
};

/// A ray's way through a tree.
struct Explanation {
  Ray ray;
  Ray cast;      // what was cast for it: steps tell its distances. See geometry/far_origin.hpp
  double shift;  // t of `ray` less that of `cast`
  float cast_t;  // of the hit, along `cast`
  RayKind kind;
  bool valid;  // can the ray hit anything at all?
  std::vector<std::variant<ExplainedNode, ExplainedLeaf>> steps;
  Hit hit;
  std::optional<ExplainedSurface> surface;  // of a closest hit

  u64 nodes() const;
  u64 leaves() const { return steps.size() - nodes(); }
  u64 triangles() const;
};

/// Takes the ray through the scene's tree with the functions that kernels are made of, and writes
/// down each decision. The ray is relative to SceneData::origin, as for Renderer::closest, and so
/// is everything here.
Explanation explain(const PreparedScene& prepared, const Ray& ray, RayKind kind);

}  // namespace ballotcast::detail
