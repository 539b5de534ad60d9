#include <cmath>

#include "ballotcast/error.hpp"
#include "math/sampling.hpp"
#include "math/trig.hpp"
#include "scene/assemble.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

/// Adds shapes to a scene, with a normal and a texture coordinate per corner.
class Builder {
 public:
  explicit Builder(SceneData& scene) : scene_(scene) {}

  u32 material(const char* name, vec3 color) {
    scene_.materials.push_back({});
    scene_.materials.back().color = color;
    scene_.material_names.emplace_back(name);
    return static_cast<u32>(scene_.materials.size() - 1);
  }

  u32 vertex(vec3 position) {
    scene_.mesh.positions.push_back(position + 0.0f);  // adding 0 turns -0 into 0
    return static_cast<u32>(scene_.mesh.positions.size() - 1);
  }

  void triangle(uvec3 corners, const vec3 (&normals)[3], const vec2 (&texcoords)[3], u32 material) {
    Mesh& mesh = scene_.mesh;
    mesh.triangles.push_back(corners);
    for (const vec3& normal : normals) mesh.corner_normals.push_back(normal);
    for (const vec2& texcoord : texcoords) mesh.corner_texcoords.push_back(texcoord);
    mesh.material_of.push_back(material);
  }

  /// A flat parallelogram with corners p, p + u, p + u + v, p + v.
  void parallelogram(vec3 p, vec3 u, vec3 v, u32 material) {
    const vec3 n = unit_or(cross(u, v), vec3(0.0f, 1.0f, 0.0f));
    const u32 a = vertex(p), b = vertex(p + u), c = vertex(p + u + v), d = vertex(p + v);
    triangle({a, b, c}, {n, n, n}, {{0, 0}, {1, 0}, {1, 1}}, material);
    triangle({a, c, d}, {n, n, n}, {{0, 0}, {1, 1}, {0, 1}}, material);
  }

  /// A box that stands on its base, rotated about the y axis.
  void box(vec3 base, vec3 size, double degrees, u32 material) {
    const SinCos turn = sincos_degrees(degrees);
    const float c = static_cast<float>(turn.cos), s = static_cast<float>(turn.sin);
    const vec3 x = vec3(c, 0.0f, -s) * size.x, y(0.0f, size.y, 0.0f), z = vec3(s, 0.0f, c) * size.z;
    const vec3 p = base - x * 0.5f - z * 0.5f;
    parallelogram(p + z, x, y, material);
    parallelogram(p + x + z, -z, y, material);
    parallelogram(p + x, -x, y, material);
    parallelogram(p, z, y, material);
    parallelogram(p + y + z, x, -z, material);
    parallelogram(p, x, z, material);
  }

  /// Adds a grid of columns x rows quads. `surface` maps (u, v) in [0, 1]^2 to a position and a
  /// normal; u = 0 and u = 1 must give the same position.
  template <class Surface>  // (double u, double v) -> {position, normal}
  void sheet(u32 columns, u32 rows, Surface surface, u32 material) {
    struct Node {
      u32 index;
      vec3 position, normal;
    };
    std::vector<Node> nodes;
    for (u32 j = 0; j <= rows; ++j)
      for (u32 i = 0; i <= columns; ++i) {
        // The last column repeats the first column with the same bits, so that there is no seam.
        const auto [position, normal] =
            surface(static_cast<double>(i % columns) / columns, static_cast<double>(j) / rows);
        nodes.push_back({vertex(position), position, normal});
      }
    const auto add = [&](u32 a, u32 b, u32 c, vec2 ta, vec2 tb, vec2 tc) {
      const Node &na = nodes[a], &nb = nodes[b], &nc = nodes[c];
      const vec3 area = cross(nb.position - na.position, nc.position - na.position);
      if (dot(area, area) == 0.0f) return;  // triangles at a pole have no area
      triangle({na.index, nb.index, nc.index}, {na.normal, nb.normal, nc.normal}, {ta, tb, tc},
               material);
    };
    for (u32 j = 0; j < rows; ++j)
      for (u32 i = 0; i < columns; ++i) {
        const u32 a = j * (columns + 1) + i, b = a + 1, c = b + columns + 1, d = c - 1;
        const float u0 = static_cast<float>(i) / static_cast<float>(columns);
        const float u1 = static_cast<float>(i + 1) / static_cast<float>(columns);
        const float v0 = static_cast<float>(j) / static_cast<float>(rows);
        const float v1 = static_cast<float>(j + 1) / static_cast<float>(rows);
        add(a, b, c, {u0, v0}, {u1, v0}, {u1, v1});
        add(a, c, d, {u0, v0}, {u1, v1}, {u0, v1});
      }
  }

  void sphere(vec3 centre, float radius, u32 columns, u32 material) {
    const u32 rows = columns / 2;
    sheet(
        columns, rows,
        [&](double u, double v) {
          const SinCos around = sincos_turns(u), up = sincos_turns(v * 0.5);
          // The radius of the ring at each pole is exactly 0.
          const double ring = v == 0.0 || v == 1.0 ? 0.0 : up.sin;
          const vec3 n(dvec3(around.sin * ring, -up.cos, around.cos * ring));
          return std::pair(centre + n * radius, n);
        },
        material);
  }

  /// A torus around the y axis, tilted about the z axis.
  void torus(vec3 centre, double radius, double tube, double tilt, u32 columns, u32 rows,
             u32 material) {
    const SinCos turn = sincos_degrees(tilt);
    const auto tilted = [&](dvec3 p) {
      return dvec3(turn.cos * p.x - turn.sin * p.y, turn.sin * p.x + turn.cos * p.y, p.z);
    };
    sheet(
        columns, rows,
        [&](double u, double v) {
          const SinCos around = sincos_turns(u), along = sincos_turns(v == 1.0 ? 0.0 : v);
          const dvec3 out(around.sin, 0.0, around.cos);
          const dvec3 normal = out * along.cos + dvec3(0.0, along.sin, 0.0);
          const dvec3 position = out * radius + normal * tube;
          return std::pair(centre + vec3(tilted(position)), vec3(tilted(normal)));
        },
        material);
  }

 private:
  SceneData& scene_;
};

void add_floor(Builder& build, int half_tiles, u32 light, u32 dark) {
  for (int j = -half_tiles; j < half_tiles; ++j)
    for (int i = -half_tiles; i < half_tiles; ++i)
      build.parallelogram(vec3(static_cast<float>(i), 0.0f, static_cast<float>(j + 1)),
                          vec3(1.0f, 0.0f, 0.0f), vec3(0.0f, 0.0f, -1.0f),
                          (i + j) % 2 == 0 ? light : dark);
}

}  // namespace

SceneData builtin_scene_data() {
  SceneData scene;
  scene.name = "builtin";
  Builder build(scene);
  const u32 light = build.material("tile-light", vec3(0.75f, 0.73f, 0.68f));
  const u32 dark = build.material("tile-dark", vec3(0.22f, 0.25f, 0.3f));
  const u32 red = build.material("red", vec3(0.72f, 0.12f, 0.08f));
  const u32 blue = build.material("blue", vec3(0.1f, 0.25f, 0.65f));
  const u32 green = build.material("green", vec3(0.2f, 0.5f, 0.16f));
  const u32 gold = build.material("gold", vec3(0.85f, 0.6f, 0.15f));
  const u32 white = build.material("white", vec3(0.85f));

  add_floor(build, 6, light, dark);
  build.box({-1.9f, 0.0f, -1.3f}, {1.3f, 2.4f, 1.3f}, 24.0, blue);
  build.box({2.3f, 0.0f, -1.0f}, {1.1f, 1.1f, 1.1f}, -32.0, green);
  build.box({2.3f, 1.1f, -1.0f}, {0.7f, 0.7f, 0.7f}, 10.0, white);
  build.torus({0.2f, 1.15f, 0.4f}, 1.0, 0.36, 38.0, 96, 48, red);
  build.sphere({0.2f, 0.42f, 0.5f}, 0.42f, 64, white);
  build.sphere({-2.3f, 0.6f, 1.5f}, 0.6f, 64, gold);
  build.sphere({2.0f, 0.45f, 1.7f}, 0.45f, 48, blue);

  scene.camera = Camera{{4.4, 3.4, 7.2}, {0.0, 0.85, 0.0}, {0.0, 1.0, 0.0}, 36.0};
  return scene;
}

namespace {

constexpr double kWidth = 100.0;
constexpr u32 kOctaves = 9;

/// A pseudo-random height in [0, 1) at a lattice point.
double lattice(i32 x, i32 z, u32 octave) {
  return unit_float(hash_pair(hash_pair(static_cast<u32>(x), static_cast<u32>(z)), octave));
}

/// Smooth interpolation of the heights at the lattice points, with a continuous slope.
double noise(double x, double z, u32 octave) {
  const double fx = std::floor(x), fz = std::floor(z);
  const auto ix = static_cast<i32>(fx), iz = static_cast<i32>(fz);
  const auto smooth = [](double t) { return t * t * (3.0 - 2.0 * t); };
  const double u = smooth(x - fx), v = smooth(z - fz);
  const double near = lattice(ix, iz, octave) * (1.0 - u) + lattice(ix + 1, iz, octave) * u;
  const double far = lattice(ix, iz + 1, octave) * (1.0 - u) + lattice(ix + 1, iz + 1, octave) * u;
  return near * (1.0 - v) + far * v;
}

double height(double x, double z) {
  double sum = 0.0, size = 12.0, step = 25.0;
  for (u32 octave = 0; octave < kOctaves; ++octave, size *= 0.45, step *= 0.5)
    sum += size * noise(x / step, z / step, octave);
  return sum;
}

}  // namespace

SceneData generated_terrain(u64 triangles) {
  const auto side =
      static_cast<u32>(std::fmax(1.0, std::round(std::sqrt(static_cast<double>(triangles) / 2.0))));
  const u64 count = u64{2} * side * side;
  if (count > kMostTriangles)
    throw UsageError(std::to_string(triangles) + " triangles: the limit is " +
                     std::to_string(kMostTriangles));
  SceneData scene;
  scene.name = "terrain";
  scene.materials.push_back({});
  scene.material_names.emplace_back("land");
  Mesh& mesh = scene.mesh;
  const u32 corners = side + 1;
  mesh.positions.resize(u64{corners} * corners);
  mesh.triangles.resize(count);
  for_each_index(corners, [&](u32 row) {
    const double z = kWidth * (double(row) / side - 0.5);
    for (u32 column = 0; column < corners; ++column) {
      const double x = kWidth * (double(column) / side - 0.5);
      const vec3 place(static_cast<float>(x), static_cast<float>(height(x, z)),
                       static_cast<float>(z));
      mesh.positions[u64{row} * corners + column] = place + 0.0f;  // adding 0 turns -0 into 0
    }
  });
  for_each_index(side, [&](u32 row) {
    for (u32 column = 0; column < side; ++column) {
      const u32 a = row * corners + column, b = a + 1, c = a + corners, d = c + 1;
      const u64 first = 2 * (u64{row} * side + column);
      mesh.triangles[first] = {a, c, b};
      mesh.triangles[first + 1] = {b, c, d};
    }
  });
  Camera camera;
  camera.eye = {-38.0, height(-38.0, 38.0) + 14.0, 38.0};
  camera.look_at = {8.0, 8.0, -8.0};
  camera.fov = 50.0;
  scene.camera = camera;
  return scene;
}

}  // namespace ballotcast::detail
