#include "checks/edges/closed_meshes.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "helpers/exact.hpp"
#include "scene/assemble.hpp"

namespace ballotcast::detail::edges {

namespace {

Mesh centered(Mesh mesh) {
  const Aabb box = mesh.bounds();
  const vec3 center = box.center();
  const float scale = 2.0f / largest_magnitude(box.extent());
  for (vec3& p : mesh.positions) p = (p - center) * scale;
  return mesh;
}

Mesh stretched(Mesh mesh, vec3 factors) {
  for (vec3& p : mesh.positions) p = p * factors;
  return mesh;
}

Mesh moved(Mesh mesh, float scale, float distance) {
  for (vec3& p : mesh.positions) p = p * scale + vec3(1.0f, -0.7f, 0.3f) * distance;
  return mesh;
}

/// Returns the mesh stretched along a direction that is not an axis.
Mesh slanted(Mesh mesh, float factor) {
  const vec3 along = unit_or(vec3(0.9f, 0.3f, -0.5f), vec3(0.0f));
  for (vec3& p : mesh.positions) p = p + along * (factor * dot(p, along));
  return mesh;
}

}  // namespace

bool is_closed(const Mesh& mesh) {
  const auto key = [](vec3 p) { return std::tuple{p.x, p.y, p.z}; };
  using Position = std::tuple<float, float, float>;
  std::map<std::pair<Position, Position>, int> edges;
  for (const uvec3 t : mesh.triangles) {
    const Position corner[] = {key(mesh.positions[t.x]), key(mesh.positions[t.y]),
                               key(mesh.positions[t.z])};
    for (u32 i = 0; i < 3; ++i) {
      const Position &a = corner[i], &b = corner[(i + 1) % 3];
      if (a == b) continue;
      a < b ? ++edges[{a, b}] : --edges[{b, a}];
    }
  }
  return std::all_of(edges.begin(), edges.end(), [](const auto& e) { return e.second == 0; });
}

std::vector<ClosedMesh> own_meshes(const Fineness& rings) {
  return {{"sphere", testing::sphere(rings.round), false},
          {"torus", testing::torus(rings.round), false},
          {"flat torus", stretched(testing::torus(rings.round), vec3(1.0f, 1e-4f, 1.0f)), true},
          {"slivers", stretched(testing::sphere(rings.slivers), vec3(1.0f, 0.01f, 1e-3f)), true},
          // Meshes a million times longer than wide, along an axis and along another direction.
          {"needles", centered(stretched(testing::sphere(rings.needles), vec3(1e6f, 1.0f, 1.0f))),
           true},
          {"slanted", centered(slanted(testing::torus(rings.needles), 1e6f)), true}};
}

std::vector<ClosedMesh> closed_meshes(const std::vector<std::string>& files,
                                      void (*warn)(const std::string& file)) {
  std::vector<ClosedMesh> meshes = own_meshes({40, 300, 12});
  for (const std::string& file : files) {
    Mesh mesh = assemble({file}).mesh;
    const std::size_t slash = file.rfind('/');
    const std::string name = slash == std::string::npos ? file : file.substr(slash + 1);
    if (is_closed(mesh))
      meshes.push_back({name, centered(std::move(mesh)), false});
    else
      warn(file);
  }
  return meshes;
}

const std::vector<Placement>& placements() {
  static const std::vector<Placement> table = {
      // Directions between points with integer coordinates are exact, so rays hit exactly the
      // corners at which they are aimed.
      {"whole numbers", false,
       [](Mesh mesh) { return testing::rounded(std::move(mesh), vec3(1040000.0f)); }},
      {"x 1e-6", false, [](Mesh mesh) { return stretched(std::move(mesh), vec3(1e-6f)); }},
      {"x 1e6", false, [](Mesh mesh) { return stretched(std::move(mesh), vec3(1e6f)); }},
      {"+ 1e3", true, [](Mesh mesh) { return moved(std::move(mesh), 1.0f, 1e3f); }},
      {"x 20, + 1e5", true, [](Mesh mesh) { return moved(std::move(mesh), 20.0f, 1e5f); }},
      {"x 1000, + 1e7", true, [](Mesh mesh) { return moved(std::move(mesh), 1000.0f, 1e7f); }}};
  return table;
}

}  // namespace ballotcast::detail::edges
