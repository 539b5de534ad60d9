#include "scene/generated.hpp"

#include <cmath>

#include "math/sampling.hpp"
#include "support/error.hpp"
#include "support/parallel.hpp"

namespace ballotcast::detail {

namespace {

constexpr double kWidth = 100.0;
constexpr u32 kOctaves = 9;

/// A pseudo-random height in [0, 1) at a lattice point.
double lattice(i32 x, i32 z, u32 octave) {
  return unit_float(hash_pair(hash_pair(static_cast<u32>(x), static_cast<u32>(z)), octave));
}

/// Interpolates the heights of the lattice points smoothly: the slope is continuous too.
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
