#include "bvh/builders/builder.hpp"
#include "bvh/builders/reinsertion.hpp"
#include "bvh/builders/top_down.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

namespace {

/// Room for parts of cut triangles, as a fraction of the number of triangles. More room makes
/// larger trees that are hardly better.
constexpr double kSpare = 0.4;

}  // namespace

const std::vector<BuilderInfo>& builders() {
  static const std::vector<BuilderInfo> table = {
      {"ploc", "fast", "bottom-up: neighbours along a curve are joined", build_ploc, true},
      {"binned-sah", "", "surface area heuristic over 32 bins per axis", build_binned_sah},
      {"sbvh", "balanced", "the same, and long triangles are split", build_sbvh},
      {"sbvh-reinserted", "best", "the same, and subtrees are moved to better places",
       build_sbvh_reinserted},
  };
  return table;
}

const BuilderInfo& builder_called(std::string_view name) {
  for (const BuilderInfo& row : builders())
    if (row.name == name || (!row.effort.empty() && row.effort == name)) return row;
  throw_unknown("builder", name, builder_names());
}

std::vector<std::string_view> builder_names() {
  std::vector<std::string_view> names;
  for (const BuilderInfo& row : builders())
    if (!row.effort.empty()) names.push_back(row.effort);
  for (const BuilderInfo& row : builders()) names.push_back(row.name);
  return names;
}

BinaryTree build_binned_sah(const Mesh& mesh, const Copies& copies, const Progress& report) {
  return build_top_down(mesh, copies, 0.0, report);
}

BinaryTree build_sbvh(const Mesh& mesh, const Copies& copies, const Progress& report) {
  return build_top_down(mesh, copies, kSpare, report);
}

BinaryTree build_sbvh_reinserted(const Mesh& mesh, const Copies& copies, const Progress& report) {
  return reinserted(build_top_down(mesh, copies, kSpare, report), {}, report);
}

}  // namespace ballotcast::detail
