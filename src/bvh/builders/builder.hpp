// Builders: each one file and one row in the table of builders.cpp.
#pragma once

#include <string_view>
#include <vector>

#include "bvh/bvh2.hpp"

namespace ballotcast {

/// A row of the table of builders.
struct BuilderInfo {
  std::string_view name;
  std::string_view summary;
  Bvh2 (*build)(const Mesh& mesh);
};

/// Every builder there is; the first is the default.
const std::vector<BuilderInfo>& builders();

/// Top-down build; each node is split where the surface area heuristic over 32 bins an axis is
/// cheapest (I. Wald, On fast Construction of SAH-based Bounding Volume Hierarchies, 2007). Runs on
/// the calling oneTBB arena; the tree is the same for every number of threads.
Bvh2 build_binned_sah(const Mesh& mesh);

}  // namespace ballotcast
