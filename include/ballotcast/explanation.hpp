// Explains why a ray has the hit that it has.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ballotcast/ray.hpp"

namespace ballotcast {

/// A triangle that a ray was tested with.
struct TestedTriangle {
  std::uint32_t triangle;  ///< the triangle's id: its index in the scene
  double t;                ///< where the ray meets the triangle's plane; undefined if its area is 0
  float u;                 ///< weight of the second corner at that point
  float v;                 ///< weight of the third corner at that point
  bool taken;              ///< true if this triangle became the best hit so far
  std::string verdict;     ///< why `taken` is true or false, in words
};

/// The walk of a ray through the scene's tree; see Renderer::explain.
struct HitExplanation {
  Ray ray;                  ///< the ray that is explained
  Hit hit;                  ///< the hit that a cast on the device finds
  std::uint64_t nodes = 0;  ///< number of nodes that were visited, summed over all trees
  /// Number of leaves visited; in a scene of instances, leaves of the tree over instances.
  std::uint64_t leaves = 0;
  std::uint64_t instances = 0;         ///< number of instances that were entered
  std::vector<TestedTriangle> tested;  ///< in the order of the tests
  std::string text;                    ///< every decision, as `ballotcast explain` prints it
  std::string json;  ///< the same text as JSON, as `ballotcast explain --json` prints it
};

}  // namespace ballotcast
