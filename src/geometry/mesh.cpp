#include "geometry/mesh.hpp"

#include <algorithm>

#include "support/error.hpp"

namespace ballotcast::detail {

Aabb Mesh::bounds_of(u32 triangle) const {
  Aabb box;
  const uvec3 corners = triangles[triangle];
  box.include(positions[corners.x]);
  box.include(positions[corners.y]);
  box.include(positions[corners.z]);
  return box;
}

Aabb Mesh::bounds() const {
  Aabb box;
  for (u32 i = 0; i < triangles.size(); ++i) box.include(bounds_of(i));
  return box;
}

dvec3 Mesh::normal_of(u32 triangle) const {
  const uvec3 corners = triangles[triangle];
  const dvec3 a(positions[corners.x]), b(positions[corners.y]), c(positions[corners.z]);
  return glm::cross(b - a, c - a);
}

bool Mesh::has_area(u32 triangle) const {
  const dvec3 n = glm::abs(normal_of(triangle));
  return std::max({n.x, n.y, n.z}) > double{kSmallestDeterminant};
}

TriangleRows Mesh::rows_of(u32 triangle) const {
  const uvec3 corners = triangles[triangle];
  const vec3 a = positions[corners.x], b = positions[corners.y], c = positions[corners.z];
  return {{{a.x, b.x, c.x, triangle}, {a.y, b.y, c.y, triangle}, {a.z, b.z, c.z, triangle}}};
}

float Mesh::magnitude() const { return magnitude_of(bounds()); }

float magnitude_of(const Aabb& box) {
  return box.empty() ? 0.0f : max_of(largest_magnitude(box.low), largest_magnitude(box.high));
}

void Mesh::require_valid() const {
  if (triangles.size() > kMostTriangles)
    throw InputError("mesh has " + std::to_string(triangles.size()) + " triangles; the limit is " +
                     std::to_string(kMostTriangles));
  const auto require_size = [&](std::size_t have, std::size_t each, const char* name) {
    if (have != 0 && have != each * triangles.size())
      throw InputError("mesh has " + std::to_string(have) + " " + name + " for " +
                       std::to_string(triangles.size()) + " triangles");
  };
  require_size(corner_normals.size(), 3, "corner normals");
  require_size(corner_texcoords.size(), 3, "corner texture coordinates");
  require_size(material_of.size(), 1, "material indices");
  if (!vertex_colors.empty() && vertex_colors.size() != positions.size())
    throw InputError("mesh has " + std::to_string(vertex_colors.size()) + " vertex colours for " +
                     std::to_string(positions.size()) + " vertices");
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    for (const u32 corner : {triangles[i].x, triangles[i].y, triangles[i].z}) {
      if (corner >= positions.size())
        throw InputError("mesh triangle " + std::to_string(i) + " uses vertex " +
                         std::to_string(corner) + " of " + std::to_string(positions.size()));
      const vec3 p = positions[corner];
      // A NaN fails every comparison, so each component is tested with `<=`.
      const auto usable = [](float c) { return magnitude_of(c) <= kLargestCoordinate; };
      if (!usable(p.x) || !usable(p.y) || !usable(p.z))
        throw InputError("mesh vertex " + std::to_string(corner) +
                         " is not finite or lies beyond 2^40");
    }
  }
}

}  // namespace ballotcast::detail
