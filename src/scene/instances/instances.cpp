#include "scene/instances/instances.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "ballotcast/error.hpp"
#include "scene/instances/mesh_placement.hpp"
#include "scene/instances/shapes.hpp"
#include "scene/mesh/fill_mesh.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {
namespace {

std::string called(std::size_t instance) { return "instance " + std::to_string(instance); }

std::string called(const PlacedPart& placed, std::size_t index) {
  return placed.name.empty() ? called(index) : placed.name;
}

TransformSizes sizes_of(const Transform& m) { return detail::sizes_of(m, inverse_of(m)); }

/// The reason why rays can't be cast into an instance, or "".
const char* text_of(TransformDefect defect) {
  switch (defect) {
    case TransformDefect::none:
      break;
    case TransformDefect::not_finite:
      return "has a number that is not finite";
    case TransformDefect::no_inverse:
      return "flattens the mesh, or has no inverse";
    case TransformDefect::scale:
      return "scales by more than 2^20 (1e6) or by less than its reciprocal";
    case TransformDefect::distortion:
      return "stretches or shears the mesh by more than 4096";
    case TransformDefect::too_far:
      return "moves the mesh too far away for its size there";
    case TransformDefect::too_small:
      return "makes the mesh too small beside a scene of this size";
  }
  return "";
}

u32 world_of(const SceneData& scene, std::size_t instance) {
  return scene.worlds.empty() ? 0u : scene.worlds[instance];
}

/// The origin for a scene, chosen by the boxes of all instances.
dvec3 origin_of(const SceneData& scene, const std::vector<PlacedPart>& instances) {
  const std::vector<Aabb> boxes = boxes_of_parts(scene);
  dvec3 low(std::numeric_limits<double>::infinity()), high = -low;
  for (const PlacedPart& placed : instances) {
    const Aabb& box = boxes[placed.mesh];
    if (box.empty() || placed.to_world.hides()) continue;
    for (u32 corner = 0; corner < 8; ++corner) {
      const dvec3 p((corner & 1u) ? box.high.x : box.low.x, (corner & 2u) ? box.high.y : box.low.y,
                    (corner & 4u) ? box.high.z : box.low.z);
      const dvec3 at = placed.to_world.point(scene.parts[placed.mesh].origin + p);
      low = glm::min(low, at);
      high = glm::max(high, at);
    }
  }
  return low.x <= high.x ? origin_for(low, high) : dvec3(0.0);
}

/// Throws InputError, which names the instance, unless rays can be cast into all instances.
template <class NameOf>
void require_usable(const SceneData& scene, const std::vector<Aabb>& parts, NameOf name_of) {
  const std::vector<InstanceBounds> all = bounds_of_worlds(scene, parts);
  // First checks each instance alone. Only then can it be checked whether an instance is too small
  // compared with others, because instances with defects do not count for the size of a world.
  for (const bool beside_others : {false, true})
    for (std::size_t i = 0; i < scene.instances.size(); ++i) {
      const SceneInstance& instance = scene.instances[i];
      if (hides(instance.to_scene)) continue;
      const TransformSizes sizes = sizes_of(instance.to_scene);
      TransformDefect defect = defect_of(sizes, magnitude_of(parts[instance.mesh]));
      if (beside_others && !fits_in(sizes, all[world_of(scene, i)].magnitude))
        defect = TransformDefect::too_small;
      if (defect != TransformDefect::none)
        throw InputError(name_of(i) + ": its transform " + text_of(defect));
    }
}

}  // namespace

SceneData scene_of_instances(std::vector<SceneData> meshes,
                             const std::vector<PlacedPart>& instances,
                             std::optional<dvec3> origin) {
  for (const SceneData& mesh : meshes)
    if (!mesh.instances.empty() && !is_single_shape(mesh))
      throw InputError(mesh.place() + ": has instances itself; they can't be nested");
  SceneData scene = side_by_side(std::move(meshes));
  place_parts(scene, instances, origin);
  return scene;
}

void place_parts(SceneData& scene, const std::vector<PlacedPart>& instances,
                 std::optional<dvec3> origin) {
  if (instances.empty()) throw InputError("a scene of instances needs at least one instance");
  if (instances.size() > kMostInstances)
    throw InputError("the scene has " + std::to_string(instances.size()) +
                     " instances; the limit is " + std::to_string(kMostInstances));
  u64 ids = 0;
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const PlacedPart& placed = instances[i];
    if (placed.mesh >= scene.parts.size())
      throw InputError(called(placed, i) + ": mesh " + std::to_string(placed.mesh) + " of " +
                       std::to_string(scene.parts.size()));
    if (placed.material != kOwnMaterials && placed.material >= scene.materials.size())
      throw InputError(called(placed, i) + ": material " + std::to_string(placed.material) +
                       " of " + std::to_string(scene.materials.size()));
    if (placed.world >= kMostWorlds)
      throw InputError(called(placed, i) + ": world " + std::to_string(placed.world) +
                       "; the last one can be " + std::to_string(kMostWorlds - 1));
    ids += scene.parts[placed.mesh].count;
    if (ids > kMostIds)
      throw InputError("the instances have " + std::to_string(ids) +
                       " triangles or more; ids of 32 bits end at " + std::to_string(kMostIds));
  }
  const PlacedTransforms at = transforms_of(scene, instances, origin);
  scene.origin = at.origin;
  u32 first_id = 0;
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const PlacedPart& placed = instances[i];
    const MeshPart& part = scene.parts[placed.mesh];
    u32 material = placed.material;
    if (placed.own_material) {
      material = static_cast<u32>(scene.materials.size());
      scene.materials.push_back(*placed.own_material);
      scene.material_names.push_back(placed.name);
    }
    scene.instances.push_back({at.transforms[i], first_id, part.first, material, placed.mesh});
    scene.worlds.push_back(placed.world);
    scene.masks.push_back(placed.mask);
    first_id += part.count;
  }
  if (scene.world_count() == 1) scene.worlds.clear();
  const auto is_every = [](u32 mask) { return mask == kEveryBit; };
  if (std::all_of(scene.masks.begin(), scene.masks.end(), is_every)) scene.masks.clear();
  std::vector<std::string> names;
  for (const PlacedPart& placed : instances) names.push_back(placed.part);
  if (std::any_of(names.begin(), names.end(), [](const std::string& n) { return !n.empty(); }))
    name_instances(scene, names);
  require_usable(scene, boxes_of_parts(scene),
                 [&](std::size_t i) { return called(instances[i], i); });
}

PlacedTransforms transforms_of(const SceneData& scene, const std::vector<PlacedPart>& instances,
                               std::optional<dvec3> origin) {
  PlacedTransforms out{origin ? *origin : origin_of(scene, instances), {}};
  for (const PlacedPart& placed : instances)
    out.transforms.push_back(
        transform_of(placed.to_world, scene.parts[placed.mesh].origin, out.origin));
  return out;
}

void require_count(const SceneData& scene, std::size_t transforms) {
  const std::size_t count = scene.instances.size();
  if (count == 0) throw UsageError("the scene has no instances that could move");
  if (transforms != count)
    throw UsageError(std::to_string(transforms) + " transforms for a scene that has " +
                     std::to_string(count) + " instances");
}

void require_usable_instances(const SceneData& scene) {
  require_usable(scene, boxes_of_parts(scene), [](std::size_t i) { return called(i); });
}

std::vector<Aabb> boxes_of_parts(const SceneData& scene) {
  std::vector<Aabb> boxes;
  for (const MeshPart& part : scene.parts)
    boxes.push_back(reduce_ranges<u32>(
        part.first, part.first + part.count, 1 << 14, Aabb{},
        [&](u32 begin, u32 end, Aabb box) {
          for (u32 i = begin; i < end; ++i) box.include(scene.mesh.bounds_of(i));
          return box;
        },
        [](Aabb a, const Aabb& b) {
          a.include(b);
          return a;
        }));
  return boxes;
}

Aabb box_of(const SceneInstance& instance, const std::vector<Aabb>& parts) {
  const Aabb& own = parts[instance.mesh];
  Aabb box;
  if (!own.empty() && !hides(instance.to_scene))
    transformed_box(instance.to_scene, own.low, own.high, box.low, box.high);
  return box;
}

std::vector<Aabb> boxes_of_instances(const SceneData& scene, const std::vector<Aabb>& parts) {
  std::vector<Aabb> boxes(scene.instances.size());
  for_each_range<std::size_t>(boxes.size(), 1024, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) boxes[i] = box_of(scene.instances[i], parts);
  });
  return boxes;
}

Aabb box_of_instances(const SceneData& scene, const std::vector<Aabb>& parts) {
  Aabb all;
  for (const Aabb& box : boxes_of_instances(scene, parts))
    if (!box.empty()) all.include(box);
  return all;
}

void set_transforms(SceneData& scene, const std::vector<Transform>& transforms,
                    const std::vector<Aabb>& parts) {
  const std::vector<SceneInstance> before = scene.instances;
  for (std::size_t i = 0; i < transforms.size(); ++i)
    scene.instances[i].to_scene = without_negative_zeros(transforms[i]);
  try {
    require_usable(scene, parts, [](std::size_t i) { return called(i); });
  } catch (...) {
    scene.instances = before;
    throw;
  }
}

std::vector<InstanceBounds> bounds_of_worlds(const SceneData& scene,
                                             const std::vector<Aabb>& parts) {
  std::vector<InstanceBounds> bounds(scene.world_count());
  for (std::size_t i = 0; i < scene.instances.size(); ++i) {
    const SceneInstance& instance = scene.instances[i];
    const Aabb& box = parts[instance.mesh];
    if (box.empty() || hides(instance.to_scene)) continue;
    const TransformSizes sizes = sizes_of(instance.to_scene);
    if (defect_of(sizes, magnitude_of(box)) == TransformDefect::none)
      bounds[world_of(scene, i)].include(bounds_of(sizes, magnitude_of(box)));
  }
  return bounds;
}

WorldEntries entries_of_worlds(const SceneData& scene) {
  const auto has_entry = [&](std::size_t i) {
    return scene.parts[scene.instances[i].mesh].count > 0;
  };
  WorldEntries entries;
  entries.firsts.assign(scene.world_count() + 1, 0);
  for (std::size_t i = 0; i < scene.instances.size(); ++i)
    if (has_entry(i)) ++entries.firsts[world_of(scene, i) + 1];
  for (u32 w = 0; w < entries.world_count(); ++w) entries.firsts[w + 1] += entries.firsts[w];
  entries.instances.resize(entries.firsts.back());
  std::vector<u32> next(entries.firsts.begin(), entries.firsts.end() - 1);
  for (std::size_t i = 0; i < scene.instances.size(); ++i)
    if (has_entry(i)) entries.instances[next[world_of(scene, i)]++] = static_cast<u32>(i);
  return entries;
}

SceneData scene_of_world(const SceneData& scene, u32 world) {
  SceneData out = scene;
  out.instances.clear();
  out.worlds.clear();
  out.masks.clear();
  out.named_parts.shifts.clear();
  u32 first_id = 0;
  for (std::size_t i = 0; i < scene.instances.size(); ++i) {
    if (world_of(scene, i) != world) continue;
    out.instances.push_back(scene.instances[i]);
    out.instances.back().first_id = first_id;
    if (!scene.masks.empty()) out.masks.push_back(scene.masks[i]);
    if (!scene.named_parts.shifts.empty())
      out.named_parts.shifts.push_back(scene.named_parts.shifts[i]);
    first_id += scene.parts[scene.instances[i].mesh].count;
  }
  if (out.instances.empty())
    throw UsageError(scene.place() + ": nothing is in world " + std::to_string(world));
  return out;
}

Mesh mesh_of_part(const SceneData& scene, u32 part) {
  const MeshPart& range = scene.parts[part];
  Mesh mesh;
  mesh.positions.resize(range.vertices);
  std::copy_n(scene.mesh.positions.begin() + range.first_vertex, range.vertices,
              mesh.positions.begin());
  mesh.triangles.resize(range.count);
  for (u32 i = 0; i < range.count; ++i)
    mesh.triangles[i] = scene.mesh.triangles[range.first + i] - range.first_vertex;
  return mesh;
}

}  // namespace ballotcast::detail
