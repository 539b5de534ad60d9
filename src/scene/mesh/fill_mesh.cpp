#include "scene/mesh/fill_mesh.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <numeric>
#include <span>

#include "ballotcast/error.hpp"
#include "math/trig.hpp"
#include "scene/mesh/polygon_mesh.hpp"
#include "support/profile.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

/// The largest number of triangles at a vertex for which normals are smoothed. The work is
/// quadratic, and larger fans are flat caps.
constexpr u32 kMostAround = 256;

constexpr u32 kTogether = 4096;  // triangles or vertices per task; far more work than starting it

struct Facing {
  vec3 unit;
  double area;  // twice the area of the triangle
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

/// The corners at each vertex v, in order: around[first[v] .. first[v + 1]). Corner k of triangle i
/// has the number 3 * i + k.
struct CornersOfVertices {
  std::vector<u32> first;
  std::unique_ptr<u32[]> around;

  explicit CornersOfVertices(const Mesh& mesh)
      : first(mesh.positions.size() + 1, 0),
        around(std::make_unique_for_overwrite<u32[]>(mesh.triangles.size() * 3)) {
    for (const uvec3& t : mesh.triangles)
      for (const u32 vertex : {t.x, t.y, t.z}) ++first[vertex];
    std::partial_sum(first.begin(), first.end(), first.begin());
    // The lists are filled backwards, which moves first[v] from the end of the list of v to its
    // begin.
    for (u32 i = static_cast<u32>(mesh.triangles.size()); i-- > 0;)
      for (int k = 2; k >= 0; --k)
        around[--first[mesh.triangles[i][k]]] = 3 * i + static_cast<u32>(k);
  }

  std::span<const u32> at(u32 vertex) const {
    return {around.get() + first[vertex], around.get() + first[vertex + 1]};
  }
};

/// Computes the normals at one vertex at a time.
class VertexSmoother {
 public:
  VertexSmoother(const Facing* facings, double crease_angle)
      : facings_(facings),
        is_flat_(!(crease_angle > 0.0)),
        threshold_(is_flat_ || crease_angle >= 180.0
                       ? -2.0f
                       : static_cast<float>(sincos_degrees(crease_angle).cos)) {}

  /// Computes the missing normals of the corners at a vertex.
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
    // In most cases the same triangles contribute as for the corner before.
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
  std::vector<Facing> here_;  // the normals and areas of the triangles at the vertex
  // The triangles that contribute to this corner, and those that contributed to mean_
  std::vector<u32> counting_, counted_;
  bool has_mean_ = false;
  vec3 mean_{0.0f};
};

}  // namespace

vec3 flat_normal(const Mesh& mesh, u32 triangle) { return facing_of(mesh, triangle).unit; }

void add_smooth_normals(const Mesh& mesh, double crease_angle, std::vector<vec3>& normals) {
  const u32 count = static_cast<u32>(mesh.triangles.size());
  const auto facings = std::make_unique_for_overwrite<Facing[]>(count);
  for_each_range<u32>(count, kTogether, [&](u32 begin, u32 end) {
    for (u32 i = begin; i < end; ++i) facings[i] = facing_of(mesh, i);
  });
  const CornersOfVertices corners(mesh);
  const u32 vertices = static_cast<u32>(mesh.positions.size());
  for_each_range<u32>(vertices, kTogether, [&](u32 begin, u32 end) {
    VertexSmoother smoother(facings.get(), crease_angle);
    for (u32 v = begin; v < end; ++v) smoother.smooth(corners.at(v), normals);
  });
}

namespace {

// If the distance of a mesh from 0 is more than this multiple of its size, the mesh gets a new
// origin, which saves at least 4 bits of precision.
constexpr double kFarFromZero = 16.0;

// Triangles, positions or normals per task: so many that starting a task costs little.
constexpr std::size_t kGrain = 1 << 14;

u32 position_of(const PolygonMesh& mesh, u32 corner) {
  return static_cast<u32>(mesh.corners.position(corner));
}

/// Sets a flag that all threads share. Writes only if the value changes.
void set(std::atomic<bool>& flag, bool value) {
  if (flag.load(std::memory_order_relaxed) != value) flag.store(value, std::memory_order_relaxed);
}

struct Extent {
  dvec3 low{INFINITY}, high{-INFINITY};
};

/// Returns the box around the triangles. Sets the elements of new_index for all positions that they
/// use to 0.
Extent mark_used(const PolygonMesh& mesh, const std::vector<PolygonTriangle>& pieces,
                 std::vector<u32>& new_index) {
  const auto add = [&](std::size_t begin, std::size_t end, Extent box) {
    for (std::size_t i = begin; i < end; ++i)
      for (const u32 corner : pieces[i].corner) {
        const u32 old = position_of(mesh, corner);
        // Several threads may store 0 for the same position.
        std::atomic_ref<u32>(new_index[old]).store(0, std::memory_order_relaxed);
        box.low = glm::min(box.low, mesh.positions[old]);
        box.high = glm::max(box.high, mesh.positions[old]);
      }
    return box;
  };
  const auto join = [](const Extent& a, const Extent& b) {
    return Extent{glm::min(a.low, b.low), glm::max(a.high, b.high)};
  };
  return reduce_ranges<std::size_t>(0, pieces.size(), kGrain, Extent{}, add, join);
}

/// Copies the positions that are marked in `new_index`, and stores their new indices there.
void fill_positions(const PolygonMesh& mesh, std::vector<u32>& new_index, SceneData& scene) {
  const std::size_t count = new_index.size(), ranges = (count + kGrain - 1) / kGrain;
  const auto end_of = [&](std::size_t range) { return std::min(count, (range + 1) * kGrain); };
  std::vector<u32> first(ranges + 1, 0);  // the first new index of each range
  for_each_index(ranges, [&](std::size_t range) {
    first[range + 1] = static_cast<u32>(
        std::count(&new_index[range * kGrain], new_index.data() + end_of(range), 0u));
  });
  std::partial_sum(first.begin(), first.end(), first.begin());
  Mesh& out = scene.mesh;
  out.positions.resize(first.back());
  if (!mesh.colors.empty()) out.vertex_colors.resize(first.back());
  if (!mesh.opacities.empty()) out.vertex_opacity.resize(first.back());
  for_each_index(ranges, [&](std::size_t range) {
    u32 next = first[range];
    for (std::size_t i = range * kGrain; i < end_of(range); ++i) {
      if (new_index[i] == kNoTriangle) continue;
      out.positions[next] = vec3(mesh.positions[i] - scene.origin) + 0.0f;  // + 0 turns -0 to 0
      if (!mesh.colors.empty()) out.vertex_colors[next] = mesh.colors[i];
      if (!mesh.opacities.empty()) out.vertex_opacity[next] = mesh.opacities[i];
      new_index[i] = next++;
    }
  });
}

/// Sets the origin, the triangles, and the vertices that they use, in the order of the file.
void fill_geometry(const PolygonMesh& mesh, const std::vector<PolygonTriangle>& pieces,
                   SceneData& scene) {
  std::vector<u32> new_index(mesh.positions.size(), kNoTriangle);
  const Extent box = mark_used(mesh, pieces, new_index);
  scene.origin = origin_for(box.low, box.high);
  fill_positions(mesh, new_index, scene);
  scene.mesh.triangles.resize(pieces.size());
  for_each_range<std::size_t>(pieces.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      for (int k = 0; k < 3; ++k)
        scene.mesh.triangles[i][k] = new_index[position_of(mesh, pieces[i].corner[k])];
  });
}

/// Adds a warning about triangles that become lines or points when rounded to single precision.
void report_rounding(const std::string& path, const PolygonMesh& mesh,
                     const std::vector<PolygonTriangle>& pieces, SceneData& scene) {
  tally_all(kRoundedAway, pieces.size(), [&](std::size_t i, FaceTally& flat) {
    if (!scene.mesh.has_area(static_cast<u32>(i))) flat.note(pieces[i].face);
  }).report(path, mesh, scene);
}

void fill_texcoords(const std::string& path, const PolygonMesh& mesh,
                    const std::vector<PolygonTriangle>& pieces, SceneData& scene) {
  if (!mesh.corners.any_texcoord()) return;
  std::vector<vec2> coordinates(pieces.size() * 3, vec2(0.0f));
  std::atomic<bool> any = false;
  tally_all("corners with unusable texture coordinates, set to (0, 0)", coordinates.size(),
            [&](std::size_t i, FaceTally& bad) {
              const PolygonTriangle& piece = pieces[i / 3];
              const i32 index = mesh.corners.texcoord(piece.corner[i % 3]);
              if (index == kAbsent) return;
              if (in_range(index, mesh.texcoords.size())) {
                const vec2 uv = mesh.texcoords[static_cast<u32>(index)];
                if (is_finite(uv)) {
                  coordinates[i] = uv;
                  set(any, true);
                  return;
                }
              }
              bad.note(piece.face);
            })
      .report(path, mesh, scene);
  if (any) scene.mesh.corner_texcoords = std::move(coordinates);
}

/// The normals of a file, scaled to length 1, or kMissingNormal in place of unusable normals.
std::vector<vec3> usable_normals(const std::vector<dvec3>& normals) {
  std::vector<vec3> usable(normals.size());
  for_each_range<std::size_t>(normals.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const vec3 normal(normals[i]);
      // Much larger or smaller normals can't be used, because rounding would make their length
      // infinite or 0.
      const bool good = usable_place(normals[i]) && largest_magnitude(normal) > 1e-20f;
      usable[i] = good ? unit_or(normal, normal) : kMissingNormal;
    }
  });
  return usable;
}

void fill_normals(const std::string& path, const PolygonMesh& mesh,
                  const std::vector<PolygonTriangle>& pieces, double crease_angle,
                  SceneData& scene) {
  if (!mesh.corners.any_normal() && !(crease_angle > 0.0)) return;
  const ProfileSpan span("normals");
  std::vector<vec3> normals(pieces.size() * 3, kMissingNormal);
  std::atomic<bool> any = false, all = mesh.corners.any_normal();
  if (mesh.corners.any_normal()) {
    const std::vector<vec3> file_normals = usable_normals(mesh.normals);
    tally_all("corners with unusable normals, replaced by computed ones", normals.size(),
              [&](std::size_t i, FaceTally& bad) {
                const PolygonTriangle& piece = pieces[i / 3];
                const i32 index = mesh.corners.normal(piece.corner[i % 3]);
                if (in_range(index, file_normals.size()))
                  normals[i] = file_normals[static_cast<u32>(index)];
                const bool missing = normals[i] == kMissingNormal;
                if (missing && index != kAbsent) bad.note(piece.face);
                if (missing)
                  set(all, false);
                else
                  set(any, true);
              })
        .report(path, mesh, scene);
  }
  if (!any && !(crease_angle > 0.0) && !mesh.moves) return;
  if (!all) add_smooth_normals(scene.mesh, crease_angle, normals);
  scene.mesh.corner_normals = std::move(normals);
}

/// Throws InputError: the file has no triangle that can be drawn.
[[noreturn]] void refuse_empty(const std::string& path, const PolygonMesh& mesh,
                               const SceneData& scene) {
  std::string why = path + ": no triangles";
  if (mesh.faces.empty() && mesh.has_lines_or_points) why += ", only lines and points";
  if (!mesh.faces.empty())
    why += ": none of its " + std::to_string(mesh.faces.size()) + " faces can be drawn";
  // Leaves out the path of each warning, because the message already begins with it.
  for (const std::string& warning : scene.warnings)
    why += "; " + warning.substr(std::min(warning.size(), path.size() + 2));
  throw InputError(why);
}

}  // namespace

dvec3 origin_for(dvec3 low, dvec3 high) {
  const dvec3 extent = high - low, centre = low * 0.5 + high * 0.5;
  const double size = std::max({extent.x, extent.y, extent.z});
  const double distance = std::max({std::abs(centre.x), std::abs(centre.y), std::abs(centre.z)});
  if (!(distance > kFarFromZero * size)) return dvec3(0.0);
  return glm::floor(centre + 0.5);
}

std::vector<PolygonTriangle> fill_mesh(const std::string& path, PolygonMesh& mesh,
                                       double crease_angle, SceneData& scene) {
  const ProfileSpan span("fill the mesh");
  std::vector<PolygonTriangle> pieces = drawable_triangles(path, mesh, scene);
  if (pieces.empty()) refuse_empty(path, mesh, scene);
  fill_geometry(mesh, pieces, scene);
  // Assigning {} would keep the memory.
  std::vector<dvec3>().swap(mesh.positions);
  std::vector<vec3>().swap(mesh.colors);
  std::vector<float>().swap(mesh.opacities);
  if (!mesh.moves) {
    mesh.corners.free_positions();
    report_rounding(path, mesh, pieces, scene);
  }
  fill_texcoords(path, mesh, pieces, scene);
  fill_normals(path, mesh, pieces, crease_angle, scene);
  scene.named_parts = parts_of_faces(mesh.named, scene.name, static_cast<u32>(pieces.size()),
                                     [&](u32 i) { return u64{pieces[i].face}; });
  return pieces;
}

std::optional<Pose> pose_of(const PolygonMesh& mesh, const std::vector<PolygonTriangle>& pieces,
                            double crease_angle) {
  const auto is_usable = [&](std::size_t i) {
    return std::all_of(std::begin(pieces[i].corner), std::end(pieces[i].corner), [&](u32 corner) {
      return usable_place(mesh.positions[position_of(mesh, corner)]);
    });
  };
  if (!all_below(pieces.size(), is_usable)) return std::nullopt;
  SceneData posed;
  fill_geometry(mesh, pieces, posed);
  fill_normals("", mesh, pieces, crease_angle, posed);
  return Pose{std::move(posed.mesh.positions), std::move(posed.mesh.corner_normals), posed.origin};
}

}  // namespace ballotcast::detail
