#include "scene/formats/gltf/meshes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "geometry/mesh.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {

namespace {

dvec3 vector_or(const Section& in, const char* key, double otherwise) {
  return in.has(key) ? in.vector(key) : dvec3(otherwise);
}

/// The map of a node from its own coordinates to those of its parent.
Affine local_map(const Section& node) {
  Affine map;
  if (node.has("matrix")) {
    const std::vector<double> m = node.numbers("matrix", 16);
    // Some writers round.
    if (!(std::max({std::abs(m[3]), std::abs(m[7]), std::abs(m[11]), std::abs(m[15] - 1.0)}) <
          1e-5))
      node.fail("matrix", "must have the last row 0 0 0 1");
    map.x = {m[0], m[1], m[2]};
    map.y = {m[4], m[5], m[6]};
    map.z = {m[8], m[9], m[10]};
    map.at = {m[12], m[13], m[14]};
    return map;
  }
  if (node.has("rotation")) {
    const std::vector<double> q = node.numbers("rotation", 4);
    const double squared = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (!(squared > 1e-30 && squared < 1e30)) node.fail("rotation", "must have length 1");
    const double length = std::sqrt(squared);
    const double x = q[0] / length, y = q[1] / length, z = q[2] / length, w = q[3] / length;
    map.x = {1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)};
    map.y = {2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)};
    map.z = {2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)};
  }
  const dvec3 scale = vector_or(node, "scale", 1.0);
  map.x *= scale.x;
  map.y *= scale.y;
  map.z *= scale.z;
  map.at = vector_or(node, "translation", 0.0);
  return map;
}

/// The nodes at the top of the scene that is drawn.
std::vector<u32> roots(GltfFile& file, const std::vector<u32>& parents) {
  const u32 scenes = file.size_of("scenes");
  if (scenes == 0) {
    std::vector<u32> all;
    for (u32 i = 0; i < parents.size(); ++i)
      if (parents[i] == 0) all.push_back(i);
    return all;
  }
  const u32 chosen = file.index_if(file.root(), "scene", "scenes").value_or(0);
  if (scenes > 1)
    file.warn(file.item("scenes", chosen),
              "only this one of " + std::to_string(scenes) + " scenes is drawn");
  const Section in = file.item("scenes", chosen);
  std::vector<u32> all = file.indices(in, "nodes", "nodes");
  std::vector<bool> seen(parents.size());
  for (const u32 node : all) {
    if (parents[node] != 0)
      file.item("nodes", node).fail("is a root of the scene and has a parent");
    if (seen[node]) in.fail("nodes", "names node " + std::to_string(node) + " twice");
    seen[node] = true;
  }
  return all;
}

}  // namespace

std::vector<PlacedNode> placed_nodes(GltfFile& file) {
  const u32 count = file.size_of("nodes");
  std::vector<std::vector<u32>> children(count);
  std::vector<u32> parents(count, 0);
  for (u32 i = 0; i < count; ++i) {
    children[i] = file.indices(file.item("nodes", i), "children", "nodes");
    for (const u32 child : children[i])
      if (++parents[child] > 1) file.item("nodes", child).fail("has two parents");
  }
  // With at most one parent each, and none at the roots, nothing below a root is below itself.
  std::vector<PlacedNode> placed, open;
  const std::vector<u32> top = roots(file, parents);
  for (auto node = top.rbegin(); node != top.rend(); ++node) open.push_back({*node, {}});
  if (top.empty() && count != 0) file.root().fail("has no node that is drawn");
  while (!open.empty()) {
    PlacedNode next = open.back();
    open.pop_back();
    next.to_world = composed(next.to_world, local_map(file.item("nodes", next.node)));
    const std::vector<u32>& below = children[next.node];
    for (auto child = below.rbegin(); child != below.rend(); ++child)
      open.push_back({*child, next.to_world});
    placed.push_back(next);
  }
  return placed;
}

namespace {

enum Mode : u32 { kTriangles = 4, kStrip = 5, kFan = 6 };

/// The triangles of `count` corners; corner_of(i) is the vertex of corner i. (glTF 2.0
/// Specification, section 3.7.2.1.)
template <class CornerOf>
std::vector<uvec3> triangles_of(u32 mode, u64 count, CornerOf corner_of) {
  std::vector<uvec3> triangles;
  if (count < 3) return triangles;
  const u64 faces = mode == kTriangles ? count / 3 : count - 2;
  triangles.reserve(faces);
  for (u64 i = 0; i < faces; ++i) {
    if (mode == kTriangles) {
      triangles.emplace_back(corner_of(3 * i), corner_of(3 * i + 1), corner_of(3 * i + 2));
      continue;
    }
    const uvec3 t = mode == kFan
                        ? uvec3(corner_of(i + 1), corner_of(i + 2), corner_of(0))
                        : uvec3(corner_of(i), corner_of(i + 1 + i % 2), corner_of(i + 2 - i % 2));
    // Repeated corners join strips; their triangles are not meant to be seen.
    if (t.x != t.y && t.y != t.z && t.z != t.x) triangles.push_back(t);
  }
  return triangles;
}

/// Numbers the vertices that the triangles use from 0 on, and drops the others. Many primitives may
/// share one large accessor, of which each uses a part.
void drop_unused_vertices(GltfPrimitive& primitive) {
  std::vector<u32> used;
  const u32 count = primitive.positions.count();
  for (const uvec3& t : primitive.triangles)
    for (const u32 corner : {t.x, t.y, t.z})
      if (corner < count) used.push_back(corner);
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  for (GltfNumbers* numbers :
       {&primitive.positions, &primitive.normals, &primitive.texcoords, &primitive.colors}) {
    if (numbers->width == 0) continue;
    GltfNumbers kept{numbers->width, {}};
    for (const u32 vertex : used)
      kept.values.insert(kept.values.end(), numbers->at(vertex),
                         numbers->at(vertex) + numbers->width);
    *numbers = std::move(kept);
  }
  for (uvec3& t : primitive.triangles)
    for (int i = 0; i < 3; ++i)
      // An index that the file does not have stays one.
      t[i] = t[i] < count
                 ? static_cast<u32>(std::lower_bound(used.begin(), used.end(), t[i]) - used.begin())
                 : 0xffffffffu;
}

class Reader {
 public:
  Reader(GltfFile& file, const std::vector<GltfTexcoords>& texcoords)
      : file_(file), texcoords_(texcoords) {}

  GltfMeshes read(const std::vector<PlacedNode>& nodes) {
    for (const PlacedNode& placed : nodes) {
      const Section node = file_.item("nodes", placed.node);
      const auto mesh = file_.index_if(node, "mesh", "meshes");
      if (!mesh) continue;
      if (node.has("skin")) ++skinned_;
      out_.shown.push_back({read_once(*mesh), placed.node, placed.to_world});
    }
    out_.has_lines_or_points = others_ != 0;
    report(others_, "primitives of lines and points left out");
    report(leftovers_, "primitives with corners left over, which are no triangle");
    report(skinned_, "meshes with a skin, drawn without it");
    report(morphed_, "meshes with morph targets, drawn without them");
    return std::move(out_);
  }

 private:
  void report(u64 count, const std::string& what) const {
    if (count != 0)
      file_.scene().warnings.push_back(file_.path() + ": " + what + ": " + std::to_string(count));
  }

  /// The index of a mesh of the file in GltfMeshes::meshes.
  u32 read_once(u32 mesh) {
    const auto [entry, is_new] = read_.try_emplace(mesh, static_cast<u32>(out_.meshes.size()));
    if (!is_new) return entry->second;
    out_.meshes.emplace_back();
    const Section in = file_.item("meshes", mesh);
    for (const Section& part : in.parts("primitives")) read(part, out_.meshes.back());
    return entry->second;
  }

  /// The attribute `name` of vertices: vectors of `low` to `high` numbers. Each accessor is read
  /// once.
  const GltfNumbers& numbers(const Section& attributes, const std::string& name, u32 low,
                             u32 high) {
    const u32 accessor = file_.index(attributes, name.c_str(), "accessors");
    std::unique_ptr<GltfNumbers>& kept = accessors_[accessor];
    if (!kept) kept = std::make_unique<GltfNumbers>(read_numbers(file_, accessor));
    if (kept->width < low || kept->width > high)
      attributes.fail(name, "is an accessor of the wrong type: it must be VEC" +
                                std::to_string(low) +
                                (low == high ? "" : " or VEC" + std::to_string(high)));
    return *kept;
  }

  /// Reads an attribute that a primitive may have, with as many elements as there are positions.
  void read_attribute(const Section& attributes, const std::string& name, u32 low, u32 high,
                      const GltfPrimitive& primitive, GltfNumbers& to) {
    if (!attributes.has(name.c_str())) return;
    to = numbers(attributes, name, low, high);
    if (to.count() != primitive.positions.count())
      attributes.fail(name, "has " + std::to_string(to.count()) + " elements for " +
                                std::to_string(primitive.positions.count()) + " positions");
  }

  void read(const Section& in, GltfMesh& to) {
    const u32 mode = in.has("mode") ? in.count("mode", 0, kFan) : kTriangles;
    if (mode < kTriangles) {
      ++others_;
      return;
    }
    const Section attributes = in.part("attributes");
    if (in.has("targets")) ++morphed_;
    GltfPrimitive primitive;
    primitive.positions = numbers(attributes, "POSITION", 3, 3);
    const u32 count = primitive.positions.count();
    primitive.material =
        file_.index_if(in, "material", "materials").value_or(file_.size_of("materials"));
    const std::string texcoords = "TEXCOORD_" + std::to_string(texcoords_[primitive.material].set);
    read_attribute(attributes, "NORMAL", 3, 3, primitive, primitive.normals);
    read_attribute(attributes, texcoords, 2, 2, primitive, primitive.texcoords);
    read_attribute(attributes, "COLOR_0", 3, 4, primitive, primitive.colors);
    if (const auto accessor = file_.index_if(in, "indices", "accessors")) {
      const std::vector<u32> indices = read_indices(file_, *accessor);
      primitive.triangles = triangles_of(mode, indices.size(), [&](u64 i) { return indices[i]; });
      if (mode == kTriangles && indices.size() % 3 != 0) ++leftovers_;
    } else {
      primitive.triangles = triangles_of(mode, count, [](u64 i) { return static_cast<u32>(i); });
      if (mode == kTriangles && count % 3 != 0) ++leftovers_;
    }
    drop_unused_vertices(primitive);
    triangles_ += primitive.triangles.size();
    if (triangles_ > kMostTriangles)
      throw InputError(file_.path() + ": more than " + std::to_string(kMostTriangles) +
                       " triangles");
    primitive.place = out_.place_names.size();
    out_.place_names.push_back(in.name());
    to.triangles += primitive.triangles.size();
    to.primitives.push_back(std::move(primitive));
  }

  GltfFile& file_;
  const std::vector<GltfTexcoords>& texcoords_;
  GltfMeshes out_;
  std::map<u32, u32> read_;  // from the index in the file to that in out_
  std::map<u32, std::unique_ptr<GltfNumbers>> accessors_;
  u64 triangles_ = 0;  // of all primitives that were read
  u64 others_ = 0, leftovers_ = 0, skinned_ = 0, morphed_ = 0;
};

}  // namespace

u64 GltfMeshes::triangle_count() const {
  u64 count = 0;
  for (const GltfMesh& mesh : meshes) count += mesh.triangles;
  return count;
}

u64 GltfMeshes::shown_count() const {
  u64 count = 0;
  for (const ShownMesh& at : shown) count += meshes[at.mesh].triangles;
  return count;
}

GltfMeshes meshes_of_nodes(GltfFile& file, const std::vector<PlacedNode>& nodes,
                           const std::vector<GltfTexcoords>& texcoords) {
  return Reader(file, texcoords).read(nodes);
}

}  // namespace ballotcast::detail
