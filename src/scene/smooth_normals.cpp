#include "scene/smooth_normals.hpp"

#include <memory>
#include <numeric>
#include <span>

#include "math/trig.hpp"
#include "support/parallel.hpp"

namespace ballotcast::detail {
namespace {

constexpr u32 kMostAround =
    256;  // triangles at a vertex; the work is quadratic, and larger fans are flat caps

constexpr u32 kGrain = 4096;  // triangles or vertices that a thread takes at once

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

/// For each vertex v, the corners that are there, in order: around[first[v] .. first[v + 1]).
/// Corner k of triangle i is 3 * i + k.
struct CornersOfVertices {
  std::vector<u32> first;
  std::unique_ptr<u32[]> around;

  explicit CornersOfVertices(const Mesh& mesh)
      : first(mesh.positions.size() + 1, 0),
        around(std::make_unique_for_overwrite<u32[]>(mesh.triangles.size() * 3)) {
    for (const uvec3& t : mesh.triangles)
      for (const u32 vertex : {t.x, t.y, t.z}) ++first[vertex];
    std::partial_sum(first.begin(), first.end(), first.begin());
    // Filled from behind, which moves each `first` from the end of its corners to their begin.
    for (u32 i = static_cast<u32>(mesh.triangles.size()); i-- > 0;)
      for (int k = 2; k >= 0; --k)
        around[--first[mesh.triangles[i][k]]] = 3 * i + static_cast<u32>(k);
  }

  std::span<const u32> at(u32 vertex) const {
    return {around.get() + first[vertex], around.get() + first[vertex + 1]};
  }
};

/// Computes the normals at one vertex after another.
class VertexSmoother {
 public:
  VertexSmoother(const Facing* facings, double crease_angle)
      : facings_(facings),
        is_flat_(!(crease_angle > 0.0)),
        threshold_(is_flat_ || crease_angle >= 180.0
                       ? -2.0f
                       : static_cast<float>(sincos_degrees(crease_angle).cos)) {}

  /// Fills in the missing normals of the corners at a vertex.
  void smooth(std::span<const u32> corners, std::vector<vec3>& normals) {
    const bool is_flat = is_flat_ || corners.size() > kMostAround;
    here_.clear();
    if (!is_flat)
      for (const u32 corner : corners) here_.push_back(facings_[corner / 3]);
    counted_.clear();
    has_mean_ = false;
    for (const u32 corner : corners) {
      if (normals[corner] != kMissingNormal) continue;
      const vec3 own = facings_[corner / 3].unit;
      normals[corner] = is_flat ? own : normal_of(own);
    }
  }

 private:
  vec3 normal_of(vec3 own) {
    counting_.clear();
    for (u32 i = 0; i < here_.size(); ++i)
      if (dot(own, here_[i].unit) >= threshold_) counting_.push_back(i);
    // Most often the same triangles count as for the corner before.
    if (counting_ != counted_) {
      counted_.swap(counting_);
      dvec3 sum(0.0);
      for (const u32 i : counted_) sum += dvec3(here_[i].unit) * here_[i].area;
      const double length = sqrt(dot(sum, sum));
      has_mean_ = length > 0.0;
      if (has_mean_) mean_ = vec3(sum / length);
    }
    return has_mean_ ? mean_ : own;
  }

  const Facing* facings_;
  bool is_flat_;
  float threshold_;
  std::vector<Facing> here_;             // of the triangles at the vertex
  std::vector<u32> counting_, counted_;  // which of them count for this corner, and for mean_
  bool has_mean_ = false;
  vec3 mean_{0.0f};
};

}  // namespace

vec3 flat_normal(const Mesh& mesh, u32 triangle) { return facing_of(mesh, triangle).unit; }

void add_smooth_normals(const Mesh& mesh, double crease_angle, std::vector<vec3>& normals) {
  const u32 count = static_cast<u32>(mesh.triangles.size());
  const auto facings = std::make_unique_for_overwrite<Facing[]>(count);
  for_each_range<u32>(count, kGrain, [&](u32 begin, u32 end) {
    for (u32 i = begin; i < end; ++i) facings[i] = facing_of(mesh, i);
  });
  const CornersOfVertices corners(mesh);
  const u32 vertices = static_cast<u32>(mesh.positions.size());
  for_each_range<u32>(vertices, kGrain, [&](u32 begin, u32 end) {
    VertexSmoother smoother(facings.get(), crease_angle);
    for (u32 v = begin; v < end; ++v) smoother.smooth(corners.at(v), normals);
  });
}

}  // namespace ballotcast::detail
