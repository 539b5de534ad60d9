#include "scene/smooth_normals.hpp"

#include "math/trig.hpp"
#include "support/parallel.hpp"

namespace ballotcast::detail {
namespace {

constexpr u32 kMostAround =
    256;  // triangles at a vertex; the work is quadratic, and larger fans are flat caps

constexpr u32 kGrain = 4096;  // triangles that a thread takes at once

struct Facing {
  vec3 unit;
  double area;  // twice the triangle's area
};

Facing facing_of(const Mesh& mesh, u32 triangle) {
  const uvec3 corners = mesh.triangles[triangle];
  const dvec3 a(mesh.positions[corners.x]), b(mesh.positions[corners.y]),
      c(mesh.positions[corners.z]);
  const dvec3 normal = cross(b - a, c - a);
  const double length = sqrt(dot(normal, normal));
  if (!(length > 0.0)) return {vec3(0.0f, 0.0f, 1.0f), 0.0};
  return {vec3(normal / length), length};
}

/// For each vertex v, the triangles that use it, in order: around[first[v] .. first[v + 1]).
struct Neighbours {
  std::vector<u32> first;
  std::vector<u32> around;

  explicit Neighbours(const Mesh& mesh) : first(mesh.positions.size() + 1, 0) {
    for (const uvec3& t : mesh.triangles)
      for (const u32 vertex : {t.x, t.y, t.z}) ++first[vertex + 1];
    for (std::size_t v = 1; v < first.size(); ++v) first[v] += first[v - 1];
    around.resize(mesh.triangles.size() * 3);
    std::vector<u32> next(first.begin(), first.end() - 1);
    for (u32 i = 0; i < mesh.triangles.size(); ++i) {
      const uvec3 t = mesh.triangles[i];
      for (const u32 vertex : {t.x, t.y, t.z}) around[next[vertex]++] = i;
    }
  }
};

}  // namespace

vec3 flat_normal(const Mesh& mesh, u32 triangle) { return facing_of(mesh, triangle).unit; }

void add_smooth_normals(const Mesh& mesh, double crease_angle, std::vector<vec3>& normals) {
  const u32 count = static_cast<u32>(mesh.triangles.size());
  std::vector<Facing> facings(count);
  for_each_range<u32>(count, kGrain, [&](u32 begin, u32 end) {
    for (u32 i = begin; i < end; ++i) facings[i] = facing_of(mesh, i);
  });
  const bool flat = !(crease_angle > 0.0);
  const bool all = crease_angle >= 180.0;
  const float threshold =
      flat || all ? -2.0f : static_cast<float>(sincos_degrees(crease_angle).cos);
  const Neighbours neighbours(mesh);
  const auto normal_of = [&](vec3 own, u32 vertex) {
    const u32 begin = neighbours.first[vertex], end = neighbours.first[vertex + 1];
    if (flat || end - begin > kMostAround) return own;
    dvec3 sum(0.0);
    for (u32 k = begin; k < end; ++k) {
      const Facing& other = facings[neighbours.around[k]];
      if (dot(own, other.unit) >= threshold) sum += dvec3(other.unit) * other.area;
    }
    const double length = sqrt(dot(sum, sum));
    return length > 0.0 ? vec3(sum / length) : own;
  };
  for_each_range<u32>(count, kGrain, [&](u32 begin, u32 end) {
    for (u32 i = begin; i < end; ++i)
      for (u32 corner = 0; corner < 3; ++corner) {
        vec3& normal = normals[u64{i} * 3 + corner];
        if (normal == kMissingNormal)
          normal = normal_of(facings[i].unit, mesh.triangles[i][static_cast<int>(corner)]);
      }
  });
}

}  // namespace ballotcast::detail
