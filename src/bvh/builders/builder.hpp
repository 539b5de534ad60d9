// Builders of trees. Each is one function here and one row in the table of builders.cpp.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "ballotcast/options.hpp"
#include "bvh/binary_tree.hpp"
#include "bvh/copies.hpp"

namespace ballotcast::detail {

/// A row of the table of builders.
struct BuilderInfo {
  std::string_view name;
  std::string_view effort;  // the builder's name in everyday words: fast, balanced, best; or ""
  std::string_view summary;
  // Builds the tree of a mesh without its `copies`.
  BinaryTree (*build)(const Mesh& mesh, const Copies& copies, const Progress& report);
  // True if machines with kernels can build the same tree (kernels/build).
  bool on_machines = false;
};

/// All builders, the fastest first. Each runs on all threads (support/threads.hpp), makes the same
/// tree with any number of threads, and throws InputError for an unusable mesh.
const std::vector<BuilderInfo>& builders();

/// The builder with this name or effort. If there is no such builder, throws UsageError, which
/// lists the names.
const BuilderInfo& builder_called(std::string_view name);

/// The names that builder_called accepts: every effort, then every name.
std::vector<std::string_view> builder_names();

/// The builder that is used by default.
inline constexpr std::string_view kDefaultBuilder = "balanced";

/// Builds bottom-up, by joining neighbours along a curve; see ploc.cpp.
BinaryTree build_ploc(const Mesh& mesh, const Copies& copies = {}, const Progress& report = {});

/// Builds top-down. Each node is split where the surface area heuristic over 32 bins per axis is
/// lowest (I. Wald, On fast Construction of SAH-based Bounding Volume Hierarchies, 2007).
BinaryTree build_binned_sah(const Mesh& mesh, const Copies& copies = {},
                            const Progress& report = {});

/// As build_binned_sah, with spatial splits: long triangles are cut where that lowers the cost (M.
/// Stich et al., 2009). A triangle may be in several leaves; their boxes together contain all of
/// it.
BinaryTree build_sbvh(const Mesh& mesh, const Copies& copies = {}, const Progress& report = {});

/// As build_sbvh; then improves the tree with `reinserted`.
BinaryTree build_sbvh_reinserted(const Mesh& mesh, const Copies& copies = {},
                                 const Progress& report = {});

}  // namespace ballotcast::detail
