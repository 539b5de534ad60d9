#include <optional>

#include "bvh/builders/builder.hpp"
#include "bvh/builders/submeshes.hpp"
#include "bvh/host_build_machine.hpp"
#include "bvh/ploc/host_join.hpp"
#include "bvh/ploc/presplit.hpp"
#include "support/numbers.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

namespace {

/// The limit on additional fragments of cut triangles, as a fraction of the number of triangles.
/// With a higher limit, trees are larger but hardly better.
constexpr double kSpare = 0.4;

/// Adapts a builder without rounds to the function type of the table.
template <BinaryTree (*kBuild)(const Mesh&, const Copies&, const Progress&)>
BinaryTree without_rounds(const Mesh& mesh, const Copies& copies, u32, const Progress& report) {
  return kBuild(mesh, copies, report);
}

/// Builds a tree with kBuild, then improves it with `reinserted`.
template <BinaryTree (*kBuild)(const Mesh&, const Copies&, const Progress&)>
BinaryTree with_rounds(const Mesh& mesh, const Copies& copies, u32 rounds, const Progress& report) {
  return reinserted(kBuild(mesh, copies, report), rounds, report);
}

/// Parses the number of rounds after NAME/. Returns nothing if the text is not a valid number.
std::optional<u32> rounds_in(std::string_view text) {
  const std::optional<u32> rounds = parsed<u32>(text);
  return rounds && *rounds >= 1 && *rounds <= kMostRounds ? rounds : std::nullopt;
}

/// The triangles of a mesh that are not copies.
struct Uncopied {
  Uncopied(const Mesh& mesh, const Copies& copies)
      : ids(without_copies(copies, mesh.triangles.size())),
        view{mesh.positions.data(), mesh.triangles.data(), ids.empty() ? nullptr : ids.data(),
             static_cast<u32>(mesh.triangles.size() - copies.ids.size())} {
    require_at_once(view.count);
  }

  const std::vector<u32> ids;
  const ploc::TriangleView view;
};

BinaryTree tree_of(const ploc::TriangleView& elements, const ploc::KeyGrid& grid,
                   const Progress& report) {
  return shallow(ploc::tree_of(ploc::join_on_host(elements, grid, report)));
}

}  // namespace

const std::vector<BuilderInfo>& builders() {
  static const std::vector<BuilderInfo> table = {
      {"ploc", "bottom-up: neighbours along a curve are joined", without_rounds<build_ploc>, 0,
       true},
      {"ploc-reinserted", "the same, then subtrees are moved to better places",
       with_rounds<build_ploc>, 3, true},
      {"ploc-presplit", "the same, and first space is halved, and long triangles are cut",
       with_rounds<build_ploc_presplit>, 5, true, true, true},
      {"binned-sah", "surface area heuristic over 32 bins per axis",
       without_rounds<build_binned_sah>},
      {"sbvh", "the same, and long triangles are split", without_rounds<build_sbvh>, 0, false,
       false, true},
      {"sbvh-reinserted", "the same, then subtrees are moved to better places",
       with_rounds<build_sbvh>, 6, false, false, true},
  };
  return table;
}

const std::vector<EffortInfo>& efforts() {
  static const std::vector<EffortInfo> table = {
      {"fast", "ploc", "ploc", "ploc"},
      {"balanced", "ploc-presplit", "ploc-presplit", "ploc-reinserted"},
      {"best", "sbvh-reinserted", "ploc-presplit/20", "ploc-reinserted/20"},
  };
  return table;
}

std::string Builder::name() const {
  std::string name(info->name);
  if (rounds != info->rounds) name += "/" + std::to_string(rounds);
  return name;
}

Builder builder_called(std::string_view name, BuildOn on) {
  for (const EffortInfo& effort : efforts())
    if (effort.name == name)
      return builder_called(on == BuildOn::host ? effort.on_host : effort.on_machines);
  const std::size_t slash = name.find('/');
  for (const BuilderInfo& row : builders()) {
    if (row.name == name) return {&row, row.rounds};
    if (slash == name.npos || row.name != name.substr(0, slash)) continue;
    if (row.rounds == 0)
      throw UsageError("builder " + std::string(row.name) + " has no rounds: leave out '" +
                       std::string(name.substr(slash)) + "'");
    if (const auto rounds = rounds_in(name.substr(slash + 1))) return {&row, *rounds};
    throw UsageError("builder '" + std::string(name) +
                     "': behind the / comes the number of rounds, 1 to " +
                     std::to_string(kMostRounds));
  }
  throw_unknown("builder", name, builder_names());
}

Builder builder_of_moving(std::string_view name) {
  for (const EffortInfo& effort : efforts())
    if (effort.name == name) return builder_called(effort.of_moving);
  const Builder builder = builder_called(name);
  if (!builder.info->cuts) return builder;
  std::string others;
  for (const BuilderInfo& row : builders())
    if (!row.cuts) others += (others.empty() ? "" : ", ") + std::string(row.name);
  throw UsageError("builder " + builder.name() +
                   " cuts triangles, so its trees can't follow vertices that move; those of " +
                   others + " can");
}

std::vector<std::string_view> builder_names() {
  std::vector<std::string_view> names;
  for (const EffortInfo& row : efforts()) names.push_back(row.name);
  for (const BuilderInfo& row : builders()) names.push_back(row.name);
  return names;
}

BinaryTree build_ploc(const Mesh& mesh, const Copies& copies, const Progress& report) {
  mesh.require_valid();
  const Uncopied triangles(mesh, copies);
  if (triangles.view.count == 0) return {};
  return tree_of(triangles.view, ploc::grid_of(triangles.view), report);
}

BinaryTree build_ploc_presplit(const Mesh& mesh, const Copies& copies, const Progress& report) {
  mesh.require_valid();
  const Uncopied triangles(mesh, copies);
  if (triangles.view.count == 0) return {};
  HostBuildMachine machine;
  const ploc::Fragments fragments(machine, triangles.view);
  return tree_of(fragments.view(), ploc::grid_of(triangles.view), report);
}

BinaryTree build_binned_sah(const Mesh& mesh, const Copies& copies, const Progress& report) {
  return build_top_down(mesh, copies, 0.0, report);
}

BinaryTree build_sbvh(const Mesh& mesh, const Copies& copies, const Progress& report) {
  return build_top_down(mesh, copies, kSpare, report);
}

}  // namespace ballotcast::detail
