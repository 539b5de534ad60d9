// Meshes and rays for tests. They are the same in every run.
#pragma once

#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "math/ray_hit.hpp"
#include "math/trig.hpp"
#include "scene/scene_data.hpp"

namespace ballotcast::detail::testing {

/// A generator of uniform random numbers that are the same on every machine. The C++ standard fixes
/// the output of std::mt19937, but not of its distributions, so these are written here.
class Random {
 public:
  explicit Random(u32 seed) : engine_(seed) {}
  u32 bits() { return static_cast<u32>(engine_()); }
  u32 below(u32 n) { return bits() % n; }
  float unit() { return static_cast<float>(bits() >> 8) * 0x1p-24f; }
  float between(float low, float high) { return low + (high - low) * unit(); }
  vec3 point(float reach = 1.0f) {
    const float x = between(-reach, reach), y = between(-reach, reach);
    return {x, y, between(-reach, reach)};
  }

 private:
  std::mt19937 engine_;
};

/// A closed sphere of about 4 * rings^2 triangles.
inline Mesh sphere(u32 rings, vec3 center = vec3(0.0f), float radius = 1.0f) {
  Mesh mesh;
  const u32 sectors = 2 * rings;
  const auto place = [&](double polar, double around) {
    const SinCos p = sincos_turns(polar), a = sincos_turns(around);
    return center + vec3(dvec3(p.sin * a.cos, p.cos, p.sin * a.sin)) * radius;
  };
  for (u32 r = 1; r < rings; ++r)
    for (u32 s = 0; s < sectors; ++s)
      mesh.positions.push_back(place(0.5 * r / rings, double(s) / sectors));
  const u32 north = static_cast<u32>(mesh.positions.size());
  mesh.positions.push_back(place(0.0, 0.0));
  mesh.positions.push_back(place(0.5, 0.0));
  const auto at = [&](u32 r, u32 s) { return (r - 1) * sectors + s % sectors; };
  for (u32 s = 0; s < sectors; ++s) {
    mesh.triangles.push_back({north, at(1, s + 1), at(1, s)});
    for (u32 r = 1; r + 1 < rings; ++r) {
      mesh.triangles.push_back({at(r, s), at(r, s + 1), at(r + 1, s)});
      mesh.triangles.push_back({at(r, s + 1), at(r + 1, s + 1), at(r + 1, s)});
    }
    mesh.triangles.push_back({at(rings - 1, s), at(rings - 1, s + 1), north + 1});
  }
  return mesh;
}

/// The closed cube from (0, 0, 0) to (1, 1, 1), of twelve triangles.
inline Mesh cube() {
  Mesh mesh;
  for (u32 i = 0; i < 8; ++i)
    mesh.positions.emplace_back(static_cast<float>(i & 1u), static_cast<float>(i >> 1 & 1u),
                                static_cast<float>(i >> 2));
  const u32 faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                           {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (const auto& f : faces) {
    mesh.triangles.emplace_back(f[0], f[1], f[2]);
    mesh.triangles.emplace_back(f[0], f[2], f[3]);
  }
  return mesh;
}

/// A closed torus of 4 * rings^2 triangles around the y axis.
inline Mesh torus(u32 rings) {
  Mesh mesh;
  const u32 around = 2 * rings;
  for (u32 i = 0; i < around; ++i)
    for (u32 k = 0; k < rings; ++k) {
      const SinCos big = sincos_turns(double(i) / around), small = sincos_turns(double(k) / rings);
      const double r = 0.7 + 0.3 * small.cos;
      mesh.positions.push_back(vec3(dvec3(r * big.cos, 0.3 * small.sin, r * big.sin)));
    }
  const auto at = [&](u32 i, u32 k) { return i % around * rings + k % rings; };
  for (u32 i = 0; i < around; ++i)
    for (u32 k = 0; k < rings; ++k) {
      mesh.triangles.push_back({at(i, k), at(i, k + 1), at(i + 1, k)});
      mesh.triangles.push_back({at(i, k + 1), at(i + 1, k + 1), at(i + 1, k)});
    }
  return mesh;
}

/// `count` random triangles: small, large, slivers, duplicates with reversed corners, and triangles
/// that are single points.
inline Mesh soup(u32 count, u32 seed, float reach = 1.0f) {
  Random random(seed);
  Mesh mesh;
  for (u32 i = 0; i < count; ++i) {
    const u32 first = static_cast<u32>(mesh.positions.size());
    if (i % 17 == 16 && i > 0) {  // a duplicate, wound the other way
      const uvec3 other = mesh.triangles[random.below(i)];
      mesh.triangles.push_back({other.x, other.z, other.y});
      continue;
    }
    const vec3 center = random.point(reach);
    const float size = reach * (i % 7 == 0 ? 1.0f : i % 5 == 0 ? 1e-4f : 0.1f);
    vec3 a = center, b = center + random.point(size), c = center + random.point(size);
    if (i % 11 == 0) c = b + (b - a) * 1e-6f;  // a needle
    if (i % 13 == 0) b = c = a;                // the triangle is a point
    if (i % 19 == 0) a.y = b.y = c.y = 0.0f;   // the triangle lies in an axis plane
    for (const vec3 p : {a, b, c}) mesh.positions.push_back(p + vec3(0.0f));
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

/// A row of triangles, each twice as far away as the previous one. Trees built bottom-up over it
/// are deep.
inline Mesh chain() {
  Mesh mesh;
  for (u32 i = 0; i < 110; ++i) {
    const float far = std::ldexp(1.0f, static_cast<int>(i) - 75);
    for (const vec3 p : {vec3(far, 0, 0), vec3(far, far, 0), vec3(far, 0, far)})
      mesh.positions.push_back(p);
    mesh.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  return mesh;
}

/// Rays at a mesh. They start around it or on its surface, and are aimed at points inside, corners
/// and edges; some are parallel to axes. A few rays are invalid.
inline std::vector<Ray> rays_at(const Mesh& mesh, u32 count, u32 seed) {
  Random random(seed);
  const Aabb box = mesh.bounds();
  const vec3 center = box.center();
  const float reach = max_of(largest_magnitude(box.extent()), 1e-3f);
  const float inf = std::numeric_limits<float>::infinity();
  std::vector<Ray> rays;
  for (u32 i = 0; i < count; ++i) {
    vec3 from = center + random.point(reach * 1.5f);
    vec3 to = center + random.point(reach * 0.5f);
    if (!mesh.triangles.empty() && i % 3 != 0) {
      const uvec3 t = mesh.triangles[random.below(static_cast<u32>(mesh.triangles.size()))];
      const vec3 a = mesh.positions[t.x], b = mesh.positions[t.y], c = mesh.positions[t.z];
      const float s = random.unit();
      to = i % 3 == 1 ? (i % 2 ? a : a * (1.0f - s) + b * s) : (a + b + c) * (1.0f / 3.0f);
      if (i % 31 == 0) from = c;
    }
    vec3 direction = to - from;
    if (i % 8 == 0) {  // along an axis, or in an axis plane
      const u32 axis = random.below(3);
      if (i % 16 == 0) direction = vec3(0.0f);
      (axis == 0   ? direction.x
       : axis == 1 ? direction.y
                   : direction.z) =
          i % 16 == 0 ? (random.bits() & 1 ? reach : -reach) : (random.bits() & 1 ? 0.0f : -0.0f);
      if (i % 16 == 0) from = to - direction;
    }
    float t_max = i % 5 == 0 ? 1.0f : inf;
    float t_min = i % 7 == 0 ? 0.5f : 0.0f;
    if (i % 19 == 18) t_min = -0.75f;  // the ray's interval of t begins behind the origin
    if (i % 23 == 22) t_min = -inf;
    if (i % 97 == 96) direction = vec3(0.0f);
    if (i % 101 == 100) from.x = std::numeric_limits<float>::quiet_NaN();
    if (i % 103 == 102) t_max = -1.0f;
    if (i % 107 == 106) direction = direction * 1e-6f;
    rays.push_back({from, t_min, direction, t_max});
  }
  return rays;
}

/// The rays of rays_at with their origins moved back by 100 to 1e9 scene sizes. Every ninth origin
/// is moved forward instead, and the t_min of its ray is negative, so that hits behind the origin
/// count. Rays parallel to axes stay on the same line. Other rays may miss their targets, because
/// their origins are rounded.
inline std::vector<Ray> far_rays_at(const Mesh& mesh, u32 count, u32 seed) {
  const float size = largest_magnitude(mesh.bounds().extent());
  std::vector<Ray> rays = rays_at(mesh, count, seed);
  Random random(seed + 1);
  const auto exponent = [&](i32 most) {
    return 2 + static_cast<i32>(random.below(static_cast<u32>(most - 1)));
  };
  for (std::size_t i = 0; i < rays.size(); ++i) {
    Ray& ray = rays[i];
    const float longest = largest_magnitude(ray.direction);
    if (!(longest > 0.0f)) continue;
    const vec3 d = ray.direction;
    const bool along_axis = dot(d, d) == longest * longest;
    const double sizes = std::pow(10.0, exponent(along_axis ? 9 : i % 4 == 0 ? 7 : 4));
    const double back = (i % 9 == 0 ? -sizes : sizes) * size / longest;
    ray.origin = vec3(dvec3(vec3(ray.origin)) - dvec3(vec3(ray.direction)) * back);
    ray.t_min = i % 9 == 0 ? -unbounded() : static_cast<float>(ray.t_min + back);
    if (i % 4 == 1) ray.t_min = 0.0f;
    if (ray.t_max < unbounded()) ray.t_max = static_cast<float>(ray.t_max + back);
  }
  return rays;
}

/// `mesh` with all its triangles repeated `times` times. The copies of a triangle lie far apart in
/// the list.
inline Mesh repeated(Mesh mesh, u32 times) {
  const Array<uvec3> once = mesh.triangles;
  for (u32 i = 1; i < times; ++i)
    mesh.triangles.insert(mesh.triangles.end(), once.begin(), once.end());
  return mesh;
}

/// A scene with a mesh and one grey material.
inline std::shared_ptr<const SceneData> scene_of(Mesh mesh) {
  auto scene = std::make_shared<SceneData>();
  scene->name = "test mesh";
  scene->mesh = std::move(mesh);
  scene->materials.push_back({});
  scene->material_names.push_back("grey");
  return scene;
}

/// A sphere with texture coordinates, a colour texture, and a texture that cuts holes into it.
inline SceneData textured_scene() {
  SceneData scene;
  scene.name = "textures and cut-outs";
  scene.mesh = sphere(16);
  Random random(11);
  for (const uvec3 t : scene.mesh.triangles)
    for (const u32 corner : {t.x, t.y, t.z}) {
      const vec3 p = scene.mesh.positions[corner];
      scene.mesh.corner_texcoords.push_back({3.0f * p.x + p.z, 2.0f * p.y - 0.5f * p.z});
      scene.mesh.corner_normals.push_back(p);
    }
  for (const u32 side : {7u, 16u}) {
    Image<Rgba8> image{side, side + 1, {}};
    for (u32 i = 0; i < side * (side + 1); ++i) {
      const u32 bits = random.bits();
      image.pixels.push_back({u8(bits), u8(bits >> 8), u8(bits >> 16), u8(bits >> 24)});
    }
    scene.textures.push_back(std::move(image));
    scene.texture_names.push_back("noise");
  }
  Material material;
  material.color_texture = 0;
  material.opacity_texture = 1;
  scene.materials.push_back(material);
  scene.material_names.push_back("holes");
  return scene;
}

using ballotcast::detail::same_bits;

/// The scene that its file would give if it contained these vertices.
inline Scene with_vertices(const Scene& scene, const std::vector<Vec3f>& vertices) {
  auto data = std::make_shared<SceneData>(*scene.data());
  for (std::size_t i = 0; i < vertices.size(); ++i)
    data->mesh.positions[i] = vec3(vertices[i]) + 0.0f;
  return Scene(data);
}

/// The index of the first hit that differs in any bit, or the number of hits if none does.
inline std::size_t first_difference(const std::vector<Hit>& a, const std::vector<Hit>& b) {
  std::size_t i = 0;
  while (i < a.size() && i < b.size() && same_bits(a[i], b[i])) ++i;
  return i;
}

}  // namespace ballotcast::detail::testing
