#include "scene/instances/named_parts.hpp"

#include <algorithm>
#include <utility>

#include "scene/scene_data.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

std::size_t NamedParts::range_of(u32 triangle) const {
  const auto next = std::upper_bound(ranges.begin(), ranges.end(), triangle,
                                     [](u32 t, const PartRange& range) { return t < range.first; });
  return static_cast<std::size_t>(next - ranges.begin()) - 1;
}

u32 NamedParts::part_of(u32 triangle, u32 instance) const {
  if (ranges.empty()) return 0;
  return ranges[range_of(triangle)].part + (shifts.empty() ? 0u : shifts[instance]);
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

namespace {

/// The parts of one of several meshes. Their numbers are consecutive.
struct OwnParts {
  std::size_t first_range, ranges_end;
  u32 first, count;
};

OwnParts own_parts_of(const NamedParts& parts, const MeshPart& mesh) {
  OwnParts own{0, 0, 0, 0};
  if (mesh.count == 0) return own;
  own.first_range = parts.range_of(mesh.first);
  own.ranges_end = parts.range_of(mesh.first + mesh.count - 1) + 1;
  u32 low = ~0u, high = 0;
  for (std::size_t i = own.first_range; i < own.ranges_end; ++i) {
    low = std::min(low, parts.ranges[i].part);
    high = std::max(high, parts.ranges[i].part);
  }
  own.first = low;
  own.count = high - low + 1;
  return own;
}

/// Makes the new list of names of a scene with instances: those of the parts that instances show.
class InstanceNamer {
 public:
  explicit InstanceNamer(SceneData& scene)
      : parts_(scene.named_parts), before_(std::exchange(parts_.names, {})) {
    for (const MeshPart& mesh : scene.parts) own_.push_back(own_parts_of(parts_, mesh));
    bases_.resize(own_.size());
    added_.resize(own_.size() + 1);
  }

  /// Keeps the names of the parts of a mesh, for its instances without a name of their own.
  void keep(u32 mesh) {
    bases_[mesh] = static_cast<u32>(parts_.names.size());
    add(mesh, "");
  }

  /// Stores the new part numbers in the ranges of all meshes.
  void number_ranges() {
    for (std::size_t m = 0; m < own_.size(); ++m)
      for (std::size_t i = own_[m].first_range; i < own_[m].ranges_end; ++i)
        parts_.ranges[i].part += bases_[m] - own_[m].first;
  }

  /// Numbers the parts of the next instance, which shows `mesh`. `name`: the instance's own name,
  /// or "" if its parts keep the names of the mesh's parts.
  void place(u32 mesh, const std::string& name) {
    const u32 next = static_cast<u32>(parts_.names.size());
    u32 first = bases_[mesh];
    if (!name.empty()) {
      // Meshes with a single part may share a part if their names are equal.
      auto& added = added_[own_[mesh].count == 1 ? own_.size() : mesh];
      const auto [entry, is_new] = added.try_emplace(name, next);
      if (is_new) add(mesh, one_line(name));
      first = entry->second;
    }
    parts_.shifts.push_back(first - bases_[mesh]);
  }

 private:
  void add(u32 mesh, const std::string& name) {
    const auto [first_range, ranges_end, first, count] = own_[mesh];
    for (u32 part = first; part < first + count; ++part)
      parts_.names.push_back(name.empty()  ? before_[part]
                             : count == 1u ? name
                                           : name + "/" + before_[part]);
  }

  NamedParts& parts_;
  std::vector<std::string> before_;
  std::vector<OwnParts> own_;  // of each mesh
  std::vector<u32> bases_;     // for each mesh: its first part in the ranges
  std::vector<std::unordered_map<std::string, u32>> added_;
};

}  // namespace

void name_instances(SceneData& scene, const std::vector<std::string>& names) {
  NamedParts& parts = scene.named_parts;
  if (parts.ranges.empty()) append_parts(parts, {}, scene.name, 0);
  std::vector<bool> keeps(scene.parts.size());
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i].empty()) keeps[scene.instances[i].mesh] = true;
  InstanceNamer namer(scene);
  for (u32 mesh = 0; mesh < keeps.size(); ++mesh)
    if (keeps[mesh]) namer.keep(mesh);
  namer.number_ranges();
  for (std::size_t i = 0; i < names.size(); ++i) namer.place(scene.instances[i].mesh, names[i]);
}

std::vector<std::string> part_names_of(const SceneData& scene) {
  if (scene.named_parts.names.empty()) return {scene.name};
  return scene.named_parts.names;
}

}  // namespace ballotcast::detail
