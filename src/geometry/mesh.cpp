#include "geometry/mesh.hpp"

#include <algorithm>

#include "ballotcast/error.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

constexpr u32 kGrain = 1 << 14;  // triangles per task; far more work than starting a task

/// True if all indices and coordinates of the triangle are usable in kernels.
bool is_valid(const Mesh& mesh, u32 triangle) {
  const uvec3 corners = mesh.triangles[triangle];
  const auto valid = [&](u32 corner) {
    return corner < mesh.positions.size() && is_usable(mesh.positions[corner]);
  };
  return valid(corners.x) && valid(corners.y) && valid(corners.z);
}

/// Throws InputError, which names the first corner of the triangle that is not valid.
void refuse(const Mesh& mesh, u32 triangle) {
  const uvec3 corners = mesh.triangles[triangle];
  for (const u32 corner : {corners.x, corners.y, corners.z}) {
    if (corner >= mesh.positions.size())
      throw InputError("mesh triangle " + std::to_string(triangle) + " uses vertex " +
                       std::to_string(corner) + " of " + std::to_string(mesh.positions.size()));
    if (!is_usable(mesh.positions[corner]))
      throw InputError("mesh vertex " + std::to_string(corner) +
                       " is not finite or lies beyond 2^40");
  }
}

}  // namespace

Aabb Mesh::bounds_of(u32 triangle) const {
  Aabb box;
  const uvec3 corners = triangles[triangle];
  box.include(positions[corners.x]);
  box.include(positions[corners.y]);
  box.include(positions[corners.z]);
  return box;
}

Aabb Mesh::bounds() const {
  const auto add = [&](u32 begin, u32 end, Aabb box) {
    for (u32 i = begin; i < end; ++i) box.include(bounds_of(i));
    return box;
  };
  const auto join = [](Aabb a, const Aabb& b) {
    a.include(b);
    return a;
  };
  return reduce_ranges<u32>(0, static_cast<u32>(triangles.size()), kGrain, Aabb{}, add, join);
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
  return detail::rows_of(positions[corners.x], positions[corners.y], positions[corners.z],
                         triangle);
}

float Mesh::magnitude() const { return magnitude_of(bounds()); }

float magnitude_of(const Aabb& box) {
  return box.empty() ? 0.0f : max_of(largest_magnitude(box.low), largest_magnitude(box.high));
}

Mesh loose_mesh(const Mesh& mesh, const std::vector<u32>& ids) {
  Mesh out;
  out.positions = Array<vec3>::unset(3 * ids.size());
  out.triangles = Array<uvec3>::unset(ids.size());
  vec3* const positions = out.positions.data();
  uvec3* const triangles = out.triangles.data();
  for_each_range<std::size_t>(ids.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const uvec3 corners = mesh.triangles[ids[i]];
      const auto first = static_cast<u32>(3 * i);
      positions[3 * i] = mesh.positions[corners.x];
      positions[3 * i + 1] = mesh.positions[corners.y];
      positions[3 * i + 2] = mesh.positions[corners.z];
      triangles[i] = {first, first + 1, first + 2};
    }
  });
  return out;
}

void require_few(u64 triangles, u64 vertices) {
  const auto require = [](u64 have, u64 most, const char* name) {
    if (have > most)
      throw InputError("mesh has " + std::to_string(have) + " " + name + "; the limit is " +
                       std::to_string(most));
  };
  require(triangles, kMostTriangles, "triangles");
  require(vertices, 0xffffffffu, "vertices");  // an index has 32 bits
}

void Mesh::require_valid() const {
  require_few(triangles.size(), positions.size());
  const auto require_size = [&](std::size_t have, std::size_t each, const char* name) {
    if (have != 0 && have != each * triangles.size())
      throw InputError("mesh has " + std::to_string(have) + " " + name + " for " +
                       std::to_string(triangles.size()) + " triangles");
  };
  require_size(corner_normals.size(), 3, "corner normals");
  require_size(corner_texcoords.size(), 3, "corner texture coordinates");
  require_size(material_of.size(), 1, "material indices");
  const auto require_per_vertex = [&](std::size_t have, const char* name) {
    if (have != 0 && have != positions.size())
      throw InputError("mesh has " + std::to_string(have) + " " + name + " for " +
                       std::to_string(positions.size()) + " vertices");
  };
  require_per_vertex(vertex_colors.size(), "vertex colours");
  require_per_vertex(vertex_opacity.size(), "vertex opacities");
  // The message names the first unusable triangle, for any number of threads.
  const u32 count = static_cast<u32>(triangles.size());
  const auto first_bad = [&](u32 begin, u32 end, u32 none) {
    for (u32 i = begin; i < end; ++i)
      if (!is_valid(*this, i)) return i;
    return none;
  };
  const u32 bad = reduce_ranges<u32>(0, count, kGrain, count, first_bad,
                                     [](u32 a, u32 b) { return std::min(a, b); });
  if (bad != count) refuse(*this, bad);
}

}  // namespace ballotcast::detail
