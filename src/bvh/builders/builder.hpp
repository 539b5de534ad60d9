// Builders: each one function and one row in the table of builders.cpp.
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
  std::string_view effort;  // the same in everyday words: fast, balanced, best
  std::string_view summary;
  // Of a mesh whose `copies` are left out.
  BinaryTree (*build)(const Mesh& mesh, const Copies& copies, const Progress& report);
};

/// Every builder there is, the fastest first. Each runs on all threads (support/threads.hpp), makes
/// the same tree for any number of them, and throws InputError for an unusable mesh.
const std::vector<BuilderInfo>& builders();

/// The builder called so, by name or effort. Throws UsageError, listing them, when there is none.
const BuilderInfo& builder_called(std::string_view name);

/// What builder_called takes: every effort, then every name.
std::vector<std::string_view> builder_names();

/// What is taken when nothing is said.
inline constexpr std::string_view kDefaultBuilder = "balanced";

/// Top-down build; each node is split where the surface area heuristic over 32 bins an axis is
/// cheapest (I. Wald, On fast Construction of SAH-based Bounding Volume Hierarchies, 2007).
BinaryTree build_binned_sah(const Mesh& mesh, const Copies& copies = {},
                            const Progress& report = {});

/// The same with spatial splits: long triangles are cut where that makes a better tree (M. Stich et
/// al., 2009). A triangle may stand in several leaves; their boxes together hold all of it.
BinaryTree build_sbvh(const Mesh& mesh, const Copies& copies = {}, const Progress& report = {});

/// The same, and then improved: see reinserted.
BinaryTree build_sbvh_reinserted(const Mesh& mesh, const Copies& copies = {},
                                 const Progress& report = {});

}  // namespace ballotcast::detail
