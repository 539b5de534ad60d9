// Builders of trees. Each builder is a function in this folder and a row in the table of
// builders.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ballotcast/api.hpp"
#include "ballotcast/options.hpp"
#include "bvh/binary_tree.hpp"
#include "bvh/copies.hpp"

namespace ballotcast::detail {

/// A row of the table of builders.
struct BuilderInfo {
  std::string_view name;
  std::string_view summary;
  // Builds the tree of a mesh without the triangles in `copies`. `rounds` is 0 if the row has no
  // rounds.
  BinaryTree (*build)(const Mesh& mesh, const Copies& copies, u32 rounds, const Progress& report);
  u32 rounds = 0;  // default number of reinsertion rounds; 0: the builder has no rounds
  // True if there are kernels that build the same tree on a device (kernels/build).
  bool on_machines = false;
  bool presplit = false;  // true if long triangles are cut before building
  // True if a triangle may be in several leaves, each with a box around one fragment of it. Such a
  // tree can't be refitted to vertices that move.
  bool cuts = false;
};

/// All builders, the fastest first. Each builder runs on all threads
/// (support/threads/parallel.hpp), makes the same tree for any number of threads, and throws
/// InputError for a mesh that can't be used.
const std::vector<BuilderInfo>& builders();

/// A name for an acceptable build time, such as "fast", and the builders that it stands for.
struct EffortInfo {
  std::string_view name;
  std::string_view on_host;
  std::string_view on_machines;  // the builder if kernels on a device build the tree
  // The builder for vertices that move; BuilderInfo::cuts must be false
  std::string_view of_moving;
};

/// All efforts, the fastest first.
const std::vector<EffortInfo>& efforts();

/// A row of the table, and the number of rounds to run.
struct Builder {
  const BuilderInfo* info = nullptr;
  u32 rounds = 0;

  /// The name of the row. If the number of rounds is not the default, it is appended:
  /// ploc-reinserted/12.
  std::string name() const;
  BinaryTree build(const Mesh& mesh, const Copies& copies = {}, const Progress& report = {}) const {
    return info->build(mesh, copies, rounds, report);
  }
};

/// Where a tree is built: on the host, or by kernels on a device. The builder of an effort depends
/// on this.
enum class BuildOn { host, machine };

/// Parses the name of a builder: a row, which may be followed by a number of rounds (NAME/ROUNDS),
/// or an effort (fast, balanced, best), which stands for a row. Throws UsageError, which lists the
/// names, for any other text.
BALLOTCAST_API Builder builder_called(std::string_view name, BuildOn on = BuildOn::host);

/// As builder_called, for a tree that is refitted to vertices that move. Throws UsageError for a
/// builder that cuts triangles.
Builder builder_of_moving(std::string_view name);

/// The names that builder_called accepts, without rounds: every effort, then every row.
std::vector<std::string_view> builder_names();

/// The builder that is used by default.
inline constexpr std::string_view kDefaultBuilder = "balanced";

/// A builder of good trees that are the same on all devices.
inline constexpr std::string_view kSteadyBuilder = "sbvh";

/// The largest number of reinsertion rounds that a user may ask for.
inline constexpr u32 kMostRounds = 1000;

/// Builds bottom-up: sorts the triangles along a space-filling curve, then joins neighbours whose
/// common box is small (D. Meister, J. Bittner, Parallel Locally-Ordered Clustering for Bounding
/// Volume Hierarchy Construction, 2018). Clusters are joined within the nodes of the tree of the
/// sorted keys (C. Benthin et al., H-PLOC: Hierarchical Parallel Locally-Ordered Clustering for
/// Bounding Volume Hierarchy Construction, 2024).
BinaryTree build_ploc(const Mesh& mesh, const Copies& copies = {}, const Progress& report = {});

/// As build_ploc, but first divides space into cells, and cuts triangles that are long compared
/// with their cells; see bvh/ploc/presplit.hpp.
BinaryTree build_ploc_presplit(const Mesh& mesh, const Copies& copies = {},
                               const Progress& report = {});

/// The top-down build that build_binned_sah and build_sbvh share: from the root down, it splits
/// each node in two where the surface area heuristic is lowest. The tree does not contain the
/// triangles in `copies`. `spare` limits the number of additional fragments of cut triangles, as a
/// fraction of the number of triangles; with 0, no triangle is cut. It runs on all threads, and the
/// tree is the same for any number of threads.
BinaryTree build_top_down(const Mesh& mesh, const Copies& copies, double spare,
                          const Progress& report);

/// Builds top-down. Each node is split where the surface area heuristic over 32 bins per axis is
/// lowest (I. Wald, On fast Construction of SAH-based Bounding Volume Hierarchies, 2007).
BinaryTree build_binned_sah(const Mesh& mesh, const Copies& copies = {},
                            const Progress& report = {});

/// As build_binned_sah, with spatial splits: long triangles are cut where that lowers the cost (M.
/// Stich et al., 2009). A triangle may be in several leaves. Together their boxes contain the whole
/// triangle.
BinaryTree build_sbvh(const Mesh& mesh, const Copies& copies = {}, const Progress& report = {});

// Functions that improve finished trees, and a limit on the depth of trees for traversal.

/// Improves `tree` in rounds: each round removes subtrees and inserts them where the boxes become
/// smaller; see bvh/reinsertion. Leaves keep their triangles. The result is the same for any number
/// of threads.
BinaryTree reinserted(BinaryTree tree, u32 rounds, const Progress& report = {});

/// Returns `tree` unchanged if no leaf is deeper than kDeepestLevel. Otherwise replaces the
/// smallest possible subtrees that are too deep by balanced trees of their leaves.
BinaryTree shallow(BinaryTree tree);

}  // namespace ballotcast::detail
