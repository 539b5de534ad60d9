#include "backends/parts/parts.hpp"

#include <algorithm>
#include <numeric>

#include "ballotcast/error.hpp"
#include "kernels/parts/route.hpp"
#include "scene/instances/instances.hpp"

namespace ballotcast::detail {

namespace {

/// Divides boxes among parts, so that the boxes of a part are close together. A part is the list of
/// its boxes' ids, in ascending order.
class Cut {
 public:
  /// `ids` lists the boxes; box(id) returns a box.
  Cut(std::vector<u32> ids, std::function<Aabb(u32 id)> box, u32 count)
      : ids_(std::move(ids)), box_(std::move(box)) {
    const std::size_t most = std::min<std::size_t>(count, ids_.size());
    if (most > 0) split(0, ids_.size(), static_cast<u32>(most));
  }

  const std::vector<std::vector<u32>>& parts() const { return parts_; }
  /// The box around a part.
  Aabb box_of(const std::vector<u32>& part) const {
    Aabb all;
    for (const u32 id : part) all.include(box_(id));
    return all;
  }

 private:
  void split(std::size_t begin, std::size_t end, u32 count) {
    const auto at = [&](std::size_t i) { return ids_.begin() + static_cast<std::ptrdiff_t>(i); };
    if (count == 1) {
      std::sort(at(begin), at(end));
      parts_.emplace_back(at(begin), at(end));
      return;
    }
    Aabb centers;
    for (std::size_t i = begin; i < end; ++i) centers.include(box_(ids_[i]).center());
    const u32 axis = longest_axis(centers.extent());
    const u32 lower = count / 2;
    const std::size_t middle = begin + (end - begin) * lower / count;
    std::nth_element(at(begin), at(middle), at(end), [&](u32 a, u32 b) {
      const float center_a = component(box_(a).center(), axis),
                  center_b = component(box_(b).center(), axis);
      return center_a < center_b || (center_a == center_b && a < b);
    });
    split(begin, middle, lower);
    split(middle, end, count - lower);
  }

  std::vector<u32> ids_;
  const std::function<Aabb(u32 id)> box_;
  std::vector<std::vector<u32>> parts_;
};

/// A view of the same array, which keeps `owner` alive.
Array<u32> shared(const Array<u32>& array, const std::shared_ptr<const void>& owner) {
  return Array<u32>::view(array.data(), array.size(), owner);
}

/// A part without its trees.
std::shared_ptr<PreparedScene> part_of(const std::shared_ptr<const PreparedScene>& whole) {
  auto part = std::make_shared<PreparedScene>();
  part->scene = whole->scene;
  part->builder = whole->builder;
  part->only_casts = true;
  if (!whole->copies.ids.empty())
    part->copies = {shared(whole->copies.starts, whole), shared(whole->copies.ids, whole)};
  part->bounds =
      // The bounds of the whole scene, because rays from far away are moved by these bounds
      whole->bounds;
  return part;
}

std::vector<ScenePart> cut_triangles(const std::shared_ptr<const PreparedScene>& whole, u32 count,
                                     const BuildTree& build) {
  const Mesh& mesh = whole->scene->mesh;
  std::vector<u32> triangles = without_copies(whole->copies, mesh.triangles.size());
  if (whole->copies.ids.empty()) {
    triangles.resize(mesh.triangles.size());
    std::iota(triangles.begin(), triangles.end(), 0u);
  }
  const Cut cut(
      std::move(triangles), [&](u32 id) { return mesh.bounds_of(id); }, count);
  std::vector<ScenePart> parts;
  for (const std::vector<u32>& ids : cut.parts()) {
    parts.push_back({nullptr, cut.box_of(ids)});
    BinaryTree tree = build.of_any_size(whole->builder, loose_mesh(mesh, ids), {}, {});
    for (u32& id : tree.order) id = ids[id];
    const std::shared_ptr<PreparedScene> part = part_of(whole);
    part->encoded = encode(whole->encoded.layout, std::move(tree), mesh);
    set_arrays(*part);
    parts.back().prepared = part;
  }
  return parts;
}

std::vector<ScenePart> cut_instances(const std::shared_ptr<const PreparedScene>& whole, u32 count,
                                     const BuildTree& build) {
  const SceneData& scene = *whole->scene;
  if (scene.world_count() > 1)
    throw UsageError(scene.place() + ": a scene with several worlds can't be cut into parts",
                     "partition");
  const auto box = [&](u32 id) { return box_of(scene.instances[id], whole->levels.boxes); };
  std::vector<u32> instances;
  for (u32 id = 0; id < scene.instances.size(); ++id)
    if (!box(id).empty()) instances.push_back(id);
  const Cut cut(std::move(instances), box, count);
  std::vector<ScenePart> parts;
  for (const std::vector<u32>& ids : cut.parts()) {
    parts.push_back({nullptr, cut.box_of(ids)});
    const std::shared_ptr<PreparedScene> part = part_of(whole);
    TwoLevelTree trees = build_two_levels(
        scene, whole->builder, whole->encoded.layout,
        [&](const Builder& builder, const Mesh& mesh) {
          return build.build(builder, mesh, {}, {});
        },
        [&](u32 id) { return std::binary_search(ids.begin(), ids.end(), id); });
    part->encoded = std::move(trees.encoded);
    part->levels = std::move(trees.levels);
    set_arrays(*part);
    parts.back().prepared = part;
  }
  return parts;
}

}  // namespace

std::vector<ScenePart> cut_into_parts(const std::shared_ptr<const PreparedScene>& whole, u32 count,
                                      const BuildTree& build) {
  return whole->scene->instances.empty() ? cut_triangles(whole, count, build)
                                         : cut_instances(whole, count, build);
}

std::size_t machines_of(const DeviceChoice& device) {
  return std::max<std::size_t>(device.machines.size(), 1u);
}

MemoryTable memory_of(const std::vector<ScenePart>& parts, const DeviceChoice& device) {
  std::vector<MemoryTable> tables(machines_of(device));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    MemoryTable& table = tables[machine_of_part(i, tables.size())];
    for (const MemoryItem& row : memory_of(*parts[i].prepared)) {
      const auto same = std::find_if(table.begin(), table.end(), [&](const MemoryItem& other) {
        return other.name == row.name;
      });
      if (same == table.end())
        table.push_back(row);
      else
        same->bytes += row.bytes;
    }
  }
  return *std::max_element(
      tables.begin(), tables.end(),
      [](const MemoryTable& a, const MemoryTable& b) { return bytes_of(a) < bytes_of(b); });
}

u32 number_of_parts(const DeviceChoice& device, u32 wanted, const MemoryTable& whole,
                    const MemoryBudget& budget) {
  if (wanted > kMostParts)
    throw UsageError(
        "at most " + std::to_string(kMostParts) + " parts, not " + std::to_string(wanted),
        "partition");
  if (device.processes) {
    if (wanted > 1)
      throw UsageError(
          "several processes can't share a scene in parts: use one process for all GPUs of a "
          "computer",
          "partition");
    return 1;
  }
  if (wanted > 0) return wanted;
  const bool fits = !budget.bytes || static_cast<double>(bytes_of(whole)) <=
                                         kMostOfMemory * static_cast<double>(*budget.bytes);
  return fits ? 1u : static_cast<u32>(std::min<std::size_t>(machines_of(device), kMostParts));
}

}  // namespace ballotcast::detail
