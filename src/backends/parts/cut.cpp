#include "backends/parts/cut.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "support/error.hpp"

namespace ballotcast::detail {

namespace {

/// The lists of triangles of all parts.
class Cut {
 public:
  Cut(const Mesh& mesh, const Copies& copies, u32 count) : mesh_(mesh) {
    ids_ = without_copies(copies, mesh.triangles.size());
    if (copies.ids.empty()) {
      ids_.resize(mesh.triangles.size());
      std::iota(ids_.begin(), ids_.end(), 0u);
    }
    const std::size_t most = std::min<std::size_t>(count, ids_.size());
    if (most > 0) split(0, ids_.size(), static_cast<u32>(most));
  }

  const std::vector<std::vector<u32>>& parts() const { return parts_; }

 private:
  vec3 center(u32 id) const { return mesh_.bounds_of(id).center(); }

  void split(std::size_t begin, std::size_t end, u32 count) {
    if (count == 1) {
      std::vector<u32>& part =
          parts_.emplace_back(ids_.begin() + static_cast<std::ptrdiff_t>(begin),
                              ids_.begin() + static_cast<std::ptrdiff_t>(end));
      std::sort(part.begin(), part.end());
      return;
    }
    Aabb centers;
    for (std::size_t i = begin; i < end; ++i) centers.include(center(ids_[i]));
    const u32 axis = longest_axis(centers.extent());
    const u32 lower = count / 2;
    const std::size_t middle = begin + (end - begin) * lower / count;
    const auto at = [&](std::size_t i) { return ids_.begin() + static_cast<std::ptrdiff_t>(i); };
    std::nth_element(at(begin), at(middle), at(end), [&](u32 a, u32 b) {
      const float its = component(center(a), axis), other = component(center(b), axis);
      return its < other || (its == other && a < b);
    });
    split(begin, middle, lower);
    split(middle, end, count - lower);
  }

  const Mesh& mesh_;
  std::vector<u32> ids_;
  std::vector<std::vector<u32>> parts_;
};

/// A mesh of some triangles, without what only shading needs. `places` has an element per position
/// of `mesh`, all kNoPlace before and after.
constexpr u32 kNoPlace = std::numeric_limits<u32>::max();
Mesh mesh_of(const Mesh& mesh, const std::vector<u32>& ids, std::vector<u32>& places) {
  std::vector<vec3> positions;
  std::vector<uvec3> triangles;
  triangles.reserve(ids.size());
  const auto place_of = [&](u32 corner) {
    u32& place = places[corner];
    if (place == kNoPlace) {
      place = static_cast<u32>(positions.size());
      positions.push_back(mesh.positions[corner]);
    }
    return place;
  };
  for (const u32 id : ids) {
    const uvec3 corners = mesh.triangles[id];
    triangles.push_back({place_of(corners.x), place_of(corners.y), place_of(corners.z)});
  }
  for (const u32 id : ids)
    for (const u32 corner : {mesh.triangles[id].x, mesh.triangles[id].y, mesh.triangles[id].z})
      places[corner] = kNoPlace;
  Mesh out;
  out.positions = std::move(positions);
  out.triangles = std::move(triangles);
  return out;
}

/// The same array, which `owner` keeps alive.
Array<u32> shared(const Array<u32>& array, const std::shared_ptr<const void>& owner) {
  return Array<u32>::view(array.data(), array.size(), owner);
}

}  // namespace

std::vector<ScenePart> cut_into_parts(const std::shared_ptr<const PreparedScene>& whole, u32 count,
                                      const BuildTree& build,
                                      const std::function<bool(std::size_t part)>& is_here) {
  const SceneData& scene = *whole->scene;
  if (!scene.instances.empty())
    throw UsageError(scene.place() + ": a scene with instances can't be cut into parts",
                     "partition");
  const Cut cut(scene.mesh, whole->copies, count);
  std::vector<u32> places(scene.mesh.positions.size(), kNoPlace);
  std::vector<ScenePart> parts;
  for (const std::vector<u32>& ids : cut.parts()) {
    ScenePart& part = parts.emplace_back();
    for (const u32 id : ids) part.box.include(scene.mesh.bounds_of(id));
    if (!is_here(parts.size() - 1)) continue;
    BinaryTree tree = build.build(whole->builder, mesh_of(scene.mesh, ids, places), {}, {});
    for (u32& id : tree.order) id = ids[id];
    const auto prepared = std::make_shared<PreparedScene>();
    prepared->scene = whole->scene;
    prepared->builder = whole->builder;
    prepared->only_casts = true;
    if (!whole->copies.ids.empty())
      prepared->copies = {shared(whole->copies.starts, whole), shared(whole->copies.ids, whole)};
    prepared->bounds = whole->bounds;  // of the whole, because far rays are moved by them
    prepared->encoded = encode(whole->encoded.layout, std::move(tree), scene.mesh);
    set_arrays(*prepared);
    part.prepared = prepared;
  }
  return parts;
}

}  // namespace ballotcast::detail
