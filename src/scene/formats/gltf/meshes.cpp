#include "scene/formats/gltf/meshes.hpp"

#include <algorithm>
#include <map>

#include "ballotcast/error.hpp"
#include "geometry/mesh.hpp"
#include "scene/formats/gltf/accessors.hpp"
#include "support/json.hpp"

namespace ballotcast::detail {

namespace {

enum Mode : u32 { kTriangles = 4, kStrip = 5, kFan = 6 };

/// The triangles of a primitive with `count` corners; corner_of(i) returns the vertex of corner i.
/// (glTF 2.0 Specification, section 3.7.2.1.)
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
    // Repeated corners only join strips; such triangles have no area and are skipped.
    if (t.x != t.y && t.y != t.z && t.z != t.x) triangles.push_back(t);
  }
  return triangles;
}

/// Renumbers the vertices that the triangles use, starting from 0, and removes the others. Many
/// primitives may share one large accessor, of which each uses a part.
void drop_unused_vertices(GltfPrimitive& primitive) {
  std::vector<u32> used;
  const u32 count = primitive.positions.count();
  for (const uvec3& t : primitive.triangles)
    for (const u32 corner : {t.x, t.y, t.z})
      if (corner < count) used.push_back(corner);
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  std::vector<GltfNumbers*> all = {&primitive.positions, &primitive.normals, &primitive.texcoords,
                                   &primitive.colors};
  for (GltfNumbers& numbers : primitive.joints) all.push_back(&numbers);
  for (GltfNumbers& numbers : primitive.weights) all.push_back(&numbers);
  for (GltfNumbers* numbers : all) {
    if (numbers->width == 0) continue;
    GltfNumbers kept{numbers->width, {}};
    for (const u32 vertex : used)
      kept.values.insert(kept.values.end(), numbers->at(vertex),
                         numbers->at(vertex) + numbers->width);
    *numbers = std::move(kept);
  }
  for (uvec3& t : primitive.triangles)
    for (int i = 0; i < 3; ++i)
      // An invalid index stays invalid.
      t[i] = t[i] < count
                 ? static_cast<u32>(std::lower_bound(used.begin(), used.end(), t[i]) - used.begin())
                 : 0xffffffffu;
}

// The most meshes at nodes, instances included. Without this limit a small file could fill the
// memory, because many nodes may share an accessor of instances.
constexpr u64 kMostShown = u64{1} << 24;

class Reader {
 public:
  Reader(GltfFile& file, GltfNodes& nodes, const std::vector<GltfTexcoords>& texcoords,
         GltfAttributes& attributes)
      : file_(file), nodes_(nodes), texcoords_(texcoords), attributes_(attributes) {}

  GltfMeshes read() {
    for (const PlacedNode& placed : nodes_.placed()) {
      const Section node = file_.item("nodes", placed.node);
      if (const auto mesh = file_.index_if(node, "mesh", "meshes")) show(*mesh, node, placed);
    }
    out_.has_lines_or_points = others_ != 0;
    out_.place(nodes_);
    report(others_, "primitives of lines and points left out");
    report(leftovers_, "primitives with corners left over, which are no triangle");
    report(without_positions_, "primitives without positions left out");
    report(surplus_, "primitives with fewer morph targets than weights");
    report(unweighted_, "vertices without weights, put where their first joint is");
    return std::move(out_);
  }

 private:
  void report(u64 count, const std::string& what) const {
    if (count != 0)
      file_.scene().warnings.push_back(file_.path() + ": " + what + ": " + std::to_string(count));
  }

  void show(u32 mesh, const Section& node, const PlacedNode& placed) {
    const GltfShape shape =
        shape_of(file_, node, file_.item("meshes", mesh), nodes_.pose(placed.node).weights);
    const u32 index = read_once(mesh, shape), name = static_cast<u32>(out_.names.size());
    out_.names.push_back(name_in(node, out_.meshes[index].name));
    const bool numbered = lists_instances(node);
    u32 number = 0;
    for (const Affine& at : instances_of_node(file_, node)) {
      if (out_.shown.size() == kMostShown)
        throw InputError(file_.path() + ": nodes show meshes more than " +
                         std::to_string(kMostShown) + " times");
      out_.shown.push_back({index, placed.node, at, shape.skin.has_value(), {}, name, {}});
      if (numbered) out_.shown.back().number = number++;
    }
  }

  /// Reads a mesh of the file in a given shape, unless this was done before. Returns its index in
  /// GltfMeshes::meshes.
  u32 read_once(u32 mesh, const GltfShape& shape) {
    const auto [entry, is_new] =
        read_.try_emplace({mesh, shape}, static_cast<u32>(out_.meshes.size()));
    if (!is_new) return entry->second;
    out_.meshes.emplace_back();
    const Section in = file_.item("meshes", mesh);
    out_.meshes.back().name = name_in(in, in.name());
    for (const Section& primitive : in.objects("primitives"))
      read(primitive, shape, out_.meshes.back());
    return entry->second;
  }

  const std::vector<Affine>& joints_of(u32 skin) {
    const auto [entry, is_new] = joints_.try_emplace(skin);
    if (is_new) entry->second = joints_of_skin(file_, nodes_, skin);
    return entry->second;
  }

  void read(const Section& in, const GltfShape& shape, GltfMesh& to) {
    const u32 mode = in.has("mode") ? in.count("mode", 0, kFan) : kTriangles;
    if (mode < kTriangles) {
      ++others_;
      return;
    }
    const Section attributes = in.object("attributes");
    if (!attributes.has("POSITION")) {
      ++without_positions_;
      return;
    }
    const std::optional<Section> draco = extension(in, "KHR_draco_mesh_compression");
    std::vector<u32> corners;
    if (draco && has_draco()) corners = decode_draco(file_, *draco, attributes, attributes_);
    GltfPrimitive primitive;
    primitive.positions = attributes_.get(attributes, "POSITION", 3, 3);
    const u32 count = primitive.positions.count();
    primitive.material =
        file_.index_if(in, "material", "materials").value_or(file_.size_of("materials"));
    const std::string texcoords = "TEXCOORD_" + std::to_string(texcoords_[primitive.material].set);
    primitive.normals = attributes_.get_if(attributes, "NORMAL", 3, 3, count);
    primitive.texcoords = attributes_.get_if(attributes, texcoords, 2, 2, count);
    primitive.colors = attributes_.colors_if(attributes, "COLOR_0", count);
    primitive.alpha = primitive.colors.width == 4 && in.has("material") &&
                      threshold_of_alpha(file_.item("materials", primitive.material)) > 0.0;
    if (!add_targets(attributes_, in, texcoords, shape.weights, primitive)) ++surplus_;
    if (shape.skin) read_joints(attributes_, attributes, primitive);
    if (!corners.empty()) {
      primitive.triangles =
          triangles_of(kTriangles, corners.size(), [&](u64 i) { return corners[i]; });
    } else if (const auto accessor = file_.index_if(in, "indices", "accessors")) {
      const std::vector<u32> indices = read_indices(file_, *accessor);
      primitive.triangles = triangles_of(mode, indices.size(), [&](u64 i) { return indices[i]; });
      if (mode == kTriangles && indices.size() % 3 != 0) ++leftovers_;
    } else {
      primitive.triangles = triangles_of(mode, count, [](u64 i) { return static_cast<u32>(i); });
      if (mode == kTriangles && count % 3 != 0) ++leftovers_;
    }
    drop_unused_vertices(primitive);
    if (!primitive.joints.empty())
      unweighted_ += put_by_joints(attributes, joints_of(*shape.skin), primitive);
    triangles_ += primitive.triangles.size();
    if (triangles_ > kMostInGltf)
      throw InputError(file_.path() + ": more than " + std::to_string(kMostInGltf) + " triangles");
    primitive.place = out_.place_names.size();
    out_.place_names.push_back(in.name());
    to.triangles += primitive.triangles.size();
    to.primitives.push_back(std::move(primitive));
  }

  GltfFile& file_;
  GltfNodes& nodes_;
  const std::vector<GltfTexcoords>& texcoords_;
  GltfAttributes& attributes_;
  GltfMeshes out_;
  // Maps a mesh of the file, in a shape, to its index in out_
  std::map<std::pair<u32, GltfShape>, u32> read_;
  std::map<u32, std::vector<Affine>> joints_;  // by the index of the skin
  u64 triangles_ = 0;  // number of triangles of all primitives that were read
  u64 others_ = 0, leftovers_ = 0, without_positions_ = 0, surplus_ = 0, unweighted_ = 0;
};

}  // namespace

bool GltfMeshes::has_skins() const {
  return std::any_of(shown.begin(), shown.end(), [](const ShownMesh& at) { return at.is_skinned; });
}

std::string GltfMeshes::name_of(const ShownMesh& at) const {
  return names[at.name] + (at.number ? "[" + std::to_string(*at.number) + "]" : "");
}

void GltfMeshes::place(GltfNodes& nodes) {
  for (ShownMesh& at : shown)
    at.to_world = at.is_skinned ? at.to_node : composed(nodes.to_world(at.node), at.to_node);
}

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

GltfMeshes meshes_of_nodes(GltfFile& file, GltfNodes& nodes,
                           const std::vector<GltfTexcoords>& texcoords,
                           GltfAttributes& attributes) {
  return Reader(file, nodes, texcoords, attributes).read();
}

namespace {

constexpr u32 kJointsPerSet = 4;

bool has_joints(const Section& mesh) {
  const std::vector<Section> all = mesh.objects("primitives");
  return std::any_of(all.begin(), all.end(), [](const Section& primitive) {
    return primitive.object("attributes").has("JOINTS_0");
  });
}

/// The default weights of morph targets: those of the node or, if it has none, of the mesh.
std::vector<double> weights_of(const Section& node, const Section& mesh) {
  const Section& in = node.has("weights") ? node : mesh;
  if (!in.has("weights")) return {};
  return in.numbers("weights", in.at("weights").size());
}

std::vector<double> without_zeros_at_end(std::vector<double> weights) {
  while (!weights.empty() && weights.back() == 0.0) weights.pop_back();
  return weights;
}

}  // namespace

GltfShape shape_of(GltfFile& file, const Section& node, const Section& mesh,
                   const std::optional<std::vector<double>>& moved_weights) {
  GltfShape shape{file.index_if(node, "skin", "skins"),
                  without_zeros_at_end(moved_weights ? *moved_weights : weights_of(node, mesh))};
  if (shape.skin && !has_joints(mesh)) {
    file.warn(node, "its skin is left out, because its mesh has no JOINTS_0");
    shape.skin.reset();
  }
  return shape;
}

bool add_targets(GltfAttributes& all, const Section& primitive, const std::string& texcoords,
                 const std::vector<double>& weights, GltfPrimitive& to) {
  const std::vector<Section> targets = primitive.objects("targets");
  const u32 count = to.positions.count();
  for (std::size_t i = 0; i < std::min(weights.size(), targets.size()); ++i) {
    if (weights[i] == 0.0) continue;
    const auto add = [&](const std::string& name, GltfNumbers& numbers) {
      if (numbers.width == 0) return;
      const GltfNumbers more = all.get_if(targets[i], name, numbers.width, numbers.width, count);
      for (std::size_t k = 0; k < more.values.size(); ++k)
        numbers.values[k] =
            static_cast<float>(double{numbers.values[k]} + weights[i] * double{more.values[k]});
    };
    add("POSITION", to.positions);
    add("NORMAL", to.normals);
    add(texcoords, to.texcoords);
    add("COLOR_0", to.colors);
  }
  return weights.size() <= targets.size();
}

std::vector<Affine> joints_of_skin(GltfFile& file, GltfNodes& nodes, u32 skin) {
  const Section in = file.item("skins", skin);
  const std::vector<u32> joints = file.indices(in, "joints", "nodes");
  if (joints.empty()) in.fail("needs joints");
  GltfNumbers binds;
  if (const auto accessor = file.index_if(in, "inverseBindMatrices", "accessors")) {
    binds = read_numbers(file, *accessor);
    if (binds.width != 16 || binds.count() < joints.size())
      in.fail("inverseBindMatrices",
              "must be a MAT4 for each of " + std::to_string(joints.size()) + " joints");
  }
  std::vector<Affine> maps;
  for (u32 i = 0; i < joints.size(); ++i) {
    Affine bind;
    if (binds.width != 0) {
      const float* m = binds.at(i);
      const auto column = [m](int k) { return dvec3(vec3(m[k], m[k + 1], m[k + 2])); };
      bind = {column(0), column(4), column(8), column(12)};
    }
    maps.push_back(composed(nodes.to_world(joints[i]), bind));
  }
  return maps;
}

void read_joints(GltfAttributes& all, const Section& attributes, GltfPrimitive& to) {
  for (u32 set = 0;; ++set) {
    const std::string joints = "JOINTS_" + std::to_string(set);
    const std::string weights = "WEIGHTS_" + std::to_string(set);
    if (!attributes.has(joints.c_str())) return;
    if (!attributes.has(weights.c_str())) attributes.fail("has " + joints + " but no " + weights);
    const auto read = [&](const std::string& name) {
      return all.get_if(attributes, name, kJointsPerSet, kJointsPerSet, to.positions.count());
    };
    to.joints.push_back(read(joints));
    to.weights.push_back(read(weights));
  }
}

namespace {

/// The transform of the joint with this index.
const Affine& joint_at(const Section& attributes, const std::vector<Affine>& joints, float index) {
  if (!(index >= 0.0f && index < static_cast<float>(joints.size())))
    attributes.fail("names joints that its skin does not have; it has " +
                    std::to_string(joints.size()));
  return joints[static_cast<std::size_t>(index)];
}

void add_weighted(const Affine& map, double weight, Affine& to) {
  to.x += map.x * weight;
  to.y += map.y * weight;
  to.z += map.z * weight;
  to.at += map.at * weight;
}

}  // namespace

u64 put_by_joints(const Section& attributes, const std::vector<Affine>& joints, GltfPrimitive& to) {
  const u32 count = to.positions.count();
  const Affine nothing{dvec3(0.0), dvec3(0.0), dvec3(0.0), dvec3(0.0)};
  std::vector<bool> mirrored(count);
  u64 without = 0;
  to.posed.reserve(count);
  for (u32 i = 0; i < count; ++i) {
    Affine sum = nothing;
    double total = 0.0;
    for (std::size_t set = 0; set < to.joints.size(); ++set)
      for (u32 k = 0; k < kJointsPerSet; ++k) {
        const double weight = double{to.weights[set].at(i)[k]};
        if (weight == 0.0) continue;
        add_weighted(joint_at(attributes, joints, to.joints[set].at(i)[k]), weight, sum);
        total += weight;
      }
    // The sum of the weights may differ from 1, because they were rounded to bytes or floats.
    Affine map = nothing;
    if (total > 0.0) {
      add_weighted(sum, 1.0 / total, map);
    } else {
      ++without;
      map = joint_at(attributes, joints, to.joints[0].at(i)[0]);
    }
    const auto vector = [i](const GltfNumbers& numbers) {
      return dvec3(vec3(numbers.at(i)[0], numbers.at(i)[1], numbers.at(i)[2]));
    };
    to.posed.push_back(map.point(vector(to.positions)));
    mirrored[i] = map.mirrors();
    if (to.normals.width == 0) continue;
    const vec3 normal(map.normal(vector(to.normals)));
    std::copy_n(&normal.x, 3, to.normals.values.begin() + std::ptrdiff_t{3} * i);
  }
  for (uvec3& t : to.triangles)
    if (t.x < count && mirrored[t.x]) std::swap(t.y, t.z);
  to.joints.clear();
  to.weights.clear();
  return without;
}

}  // namespace ballotcast::detail
