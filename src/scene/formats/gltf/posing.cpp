#include "scene/formats/gltf/posing.hpp"

#include <algorithm>

#include "support/json.hpp"

namespace ballotcast::detail {

namespace {

constexpr u32 kJointsPerSet = 4;

bool has_joints(const Section& mesh) {
  const std::vector<Section> all = mesh.objects("primitives");
  return std::any_of(all.begin(), all.end(), [](const Section& primitive) {
    return primitive.object("attributes").has("JOINTS_0");
  });
}

/// The default weights of morph targets: the node's, else the mesh's.
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

/// The joint that a vertex names.
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
    // Weights that were rounded to bytes or floats may miss 1.
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
