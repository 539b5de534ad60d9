// Computes the view factors between the walls of a room by casting rays: which share of the light
// of each wall arrives at each other wall. Rays are counted in integers, so each row adds up to the
// number of rays, and a GPU and a host give the same numbers. In an empty cube, the exact values
// are 0.1998 for the opposite wall and 0.2 for each of the others.
#include <cstdio>

#include "on_each.hpp"

using namespace examples;

namespace {

constexpr unsigned kWalls = 6, kTriangles = 2 * kWalls, kRays = 4096;  // kRays: rays per triangle
constexpr const char* kNames[kWalls] = {"back", "front", "floor", "ceiling", "left", "right"};

/// The number of rays from a triangle that end on each wall, or leave the room.
struct Row {
  unsigned on[kWalls + 1];
};

/// A triangle's corner, the two edges from that corner, and the normal, which points into the room.
struct Patch {
  Vec3f corner, u, v, normal;
};

struct Room {
  Patch patches[kTriangles];

  template <class View>
  BALLOTCAST_HD Row operator()(const View& scene, unsigned triangle) const {
    const Patch& from = patches[triangle];
    Random random{triangle * 9781u + 1u};
    Row row{};
    for (unsigned i = 0; i < kRays; ++i) {
      float u = random.next(), v = random.next();
      if (u + v > 1.0f) u = 1.0f - u, v = 1.0f - v;
      const Vec3f origin = sum(sum(from.corner, from.u, u), from.v, v);
      const Ray ray{origin, 0.0f, scattered(from.normal, random), INFINITY};
      const Hit hit = device::closest(scene, ray, device::SkipTriangle{triangle});
      ++row.on[hit.found() ? hit.triangle / 2 : kWalls];
    }
    return row;
  }
};

Vec3f difference(Vec3f a, Vec3f b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }

}  // namespace

int main() {
  try {
    std::vector<Vec3f> corners;
    for (int i = 0; i < 8; ++i)
      corners.push_back({i & 1 ? 1.0f : 0.0f, i & 2 ? 1.0f : 0.0f, i & 4 ? 1.0f : 0.0f});
    const std::vector<Triangle> triangles = {{0, 1, 3}, {0, 3, 2}, {4, 6, 7}, {4, 7, 5},
                                             {0, 4, 5}, {0, 5, 1}, {2, 3, 7}, {2, 7, 6},
                                             {0, 2, 6}, {0, 6, 4}, {1, 5, 7}, {1, 7, 3}};
    Room room{};
    for (unsigned i = 0; i < kTriangles; ++i) {
      const Vec3f a = corners[triangles[i].a], u = difference(corners[triangles[i].b], a),
                  v = difference(corners[triangles[i].c], a);
      room.patches[i] = {
          a, u, v, {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x}};
    }
    Row walls[kWalls] = {};
    const std::vector<Row> rows = on_each<Row>(make_scene(corners, triangles), kTriangles, room);
    for (unsigned i = 0; i < kTriangles; ++i)
      for (unsigned to = 0; to <= kWalls; ++to) walls[i / 2].on[to] += rows[i].on[to];
    std::printf("%-8s", "");
    for (const char* name : kNames) std::printf("%8s", name);
    std::printf("%8s%8s\n", "out", "all");
    for (unsigned from = 0; from < kWalls; ++from) {
      unsigned all = 0;
      std::printf("%-8s", kNames[from]);
      for (const unsigned count : walls[from].on) std::printf("%8u", count), all += count;
      std::printf("%8u\n", all);
    }
  } catch (const Error& error) {
    return std::fprintf(stderr, "view_factors: %s\n", error.what()), 3;
  }
}
