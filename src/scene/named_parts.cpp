#include "scene/named_parts.hpp"

#include <algorithm>

#include "scene/scene.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {

u32 NamedParts::part_of(u32 triangle) const {
  if (ranges.empty()) return 0;
  const auto next = std::upper_bound(ranges.begin(), ranges.end(), triangle,
                                     [](u32 t, const PartRange& range) { return t < range.first; });
  return next[-1].part;
}

void PartCollector::begin(u32 first, const std::string& name) {
  const auto [entry, is_new] = index_of_.try_emplace(name, static_cast<u32>(parts_.names.size()));
  if (is_new) parts_.names.push_back(one_line(name));
  std::vector<PartRange>& ranges = parts_.ranges;
  if (ranges.empty() || ranges.back().part != entry->second)
    ranges.push_back({first, entry->second});
}

void append_parts(NamedParts& to, const NamedParts& from, const std::string& name, u32 first) {
  const u32 first_part = static_cast<u32>(to.names.size());
  if (from.ranges.empty()) {
    to.ranges.push_back({first, first_part});
    to.names.push_back(name);
    return;
  }
  for (const PartRange& range : from.ranges)
    to.ranges.push_back({first + range.first, first_part + range.part});
  to.names.insert(to.names.end(), from.names.begin(), from.names.end());
}

std::vector<std::string> part_names_of(const SceneData& scene) {
  if (scene.named_parts.names.empty()) return {scene.name};
  return scene.named_parts.names;
}

}  // namespace ballotcast::detail
