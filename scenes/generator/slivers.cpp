// A scene of difficult triangles. Each family below is a case in which ray-casters make errors.
#include <cmath>

#include "generators.hpp"
#include "noise.hpp"

namespace ballotcast::detail {
namespace {

constexpr double kReach = 10.0;     // the scene is within this of the origin on every axis
constexpr double kGrain = 0.00001;  // the smallest step the file's five decimals can hold

class SliverScene {
 public:
  SliverScene(ObjWriter& out, u32 seed) : out_(out), random_(seed) {}

  // Triangles in the planes x = 0, y = 0 and z = 0. A box test that multiplies 0 by infinity misses
  // them.
  void zero_planes(u64 count) {
    start("zero_planes", "stone");
    for (u64 made = 0; made < count; ++made) {
      const u32 axis = static_cast<u32>(made % 3);
      const double u = std::floor(random_.between(-8.0, 8.0)),
                   v = std::floor(random_.between(-8.0, 8.0));
      const auto on_plane = [&](double a, double b) {
        dvec3 p(0.0);
        p[(axis + 1) % 3] = a;
        p[(axis + 2) % 3] = b;
        return p;
      };
      free_triangle(on_plane(u, v), on_plane(u + 1.0, v), on_plane(u, v + 1.0));
    }
  }

  // Triangles 10 m long and from 1 m down to 10 micrometres wide: aspect ratios from 10 to a
  // million.
  void needles(u64 count) {
    start("needles", "red");
    for (u64 made = 0; made < count; ++made) {
      const dvec3 middle = point(4.0);
      const dvec3 half = direction() * 5.0;
      double width = 1.0;
      for (u64 power = made % 6; power > 0; --power) width *= 0.1;
      free_triangle(middle - half, middle + half, middle - half + thinnest(half) * width);
    }
  }

  // Many slivers around one shared vertex: it lies in many boxes and on many edges.
  void fans(u64 count) {
    start("fans", "green");
    while (count > 0) {
      const u64 blades = count < 96 ? count : 96;
      const Corner hub = out_.vertex(point(6.0));
      vec3 t, b;
      frame_around(vec3(direction()), t, b);
      const dvec3 center = last_, tangent(t), bitangent(b);
      const double reach = random_.between(1.0, 3.5), share = random_.between(0.02, 0.9);
      for (u64 i = 0; i < blades; ++i) {
        const SinCos from = sincos_turns(static_cast<double>(i) / blades);
        const SinCos to = sincos_turns((static_cast<double>(i) + share) / blades);
        const Corner first =
            out_.vertex(center + (tangent * from.cos + bitangent * from.sin) * reach);
        const Corner second = out_.vertex(center + (tangent * to.cos + bitangent * to.sin) * reach);
        out_.triangle(hub, first, second);
      }
      count -= blades;
    }
  }

  // Long thin triangles from wall to wall: their boxes cover the scene and overlap.
  void crossings(u64 count) {
    start("crossings", "blue");
    for (u64 made = 0; made < count; ++made) {
      const u32 axis = random_.below(3);
      dvec3 from = point(kReach), to = point(kReach);
      from[axis] = -kReach;
      to[axis] = kReach;
      dvec3 side = from;
      side[(axis + 1) % 3] += random_.between(0.001, 0.05);
      free_triangle(from, to, side);
    }
  }

  // Overlapping triangles, either in one plane or kGrain apart. In one plane they have equal t, so
  // the lowest triangle id must win.
  void stacks(u64 count) {
    start("stacks", "gold");
    while (count > 0) {
      const u64 layers = count < 16 ? count : 16;
      const dvec3 base = point(7.0);
      const double gap = random_.below(2) == 0 ? 0.0 : kGrain;
      const u32 axis = random_.below(3);
      for (u64 i = 0; i < layers; ++i) {
        dvec3 a = base, b, c;
        a[axis] += gap * static_cast<double>(i);
        b = c = a;
        b[(axis + 1) % 3] += random_.between(0.5, 2.0);
        c[(axis + 2) % 3] += random_.between(0.5, 2.0);
        free_triangle(a, b, c);
      }
      count -= layers;
    }
  }

  // Repeated triangles: with the same indices; with new vertices at the same positions, in rotated
  // order; with the same indices in reversed order.
  void duplicates(u64 count) {
    start("duplicates", "violet");
    for (u64 made = 0; made < count; made += 4) {
      const dvec3 a = point(8.0), b = a + direction() * 1.2, c = a + direction() * 1.2;
      const Corner ia = out_.vertex(a), ib = out_.vertex(b), ic = out_.vertex(c);
      out_.triangle(ia, ib, ic);
      if (made + 1 < count) out_.triangle(ia, ib, ic);
      if (made + 2 < count) free_triangle(b, c, a);
      if (made + 3 < count) out_.triangle(ia, ic, ib);
    }
  }

  // Triangles without area: a point, a doubled vertex, three vertices on a line. No ray may hit
  // them, and no NaN may occur.
  void flats(u64 count) {
    start("flats", "black");
    for (u64 made = 0; made < count; ++made) {
      const dvec3 a = point(8.0);
      const dvec3 step(std::floor(random_.between(-4.0, 4.0)) * 0.25, 0.25, 0.5);
      const Corner ia = out_.vertex(a);
      if (made % 3 == 0) {
        out_.triangle(ia, ia, ia);
      } else if (made % 3 == 1) {
        const Corner ib = out_.vertex(a + step);
        out_.triangle(ia, ib, ib);
      } else {
        free_triangle(a, a + step, a + step * 2.0);
      }
    }
  }

  // Triangles of a tenth of a millimetre, just above triangles as large as the scene: the worst
  // ratio of sizes.
  void crumbs(u64 count) {
    start("crumbs", "white");
    if (count > 0)
      free_triangle({-kReach, -9.0, -kReach}, {-kReach, -9.0, kReach}, {kReach, -9.0, -kReach});
    if (count > 1)
      free_triangle({kReach, -9.0, kReach}, {kReach, -9.0, -kReach}, {-kReach, -9.0, kReach});
    for (u64 made = 2; made < count; ++made) {
      const double x = random_.between(-9.0, 9.0), z = random_.between(-9.0, 9.0);
      const dvec3 a(x, -9.0 + 0.0001, z);
      free_triangle(a, a + dvec3(0.0, 0.0, 0.0001), a + dvec3(0.0001, 0.0, 0.0));
    }
  }

 private:
  void start(const char* name, const char* material) {
    out_.group(name);
    out_.use(material);
  }

  void free_triangle(dvec3 a, dvec3 b, dvec3 c) {
    const Corner ia = out_.vertex(a), ib = out_.vertex(b), ic = out_.vertex(c);
    out_.triangle(ia, ib, ic);
  }

  dvec3 point(double reach) {
    last_.x = random_.between(-reach, reach);
    last_.y = random_.between(-reach, reach);
    last_.z = random_.between(-reach, reach);
    return last_;
  }

  dvec3 direction() {
    const double height = random_.between(-1.0, 1.0);
    const SinCos around = sincos_turns(random_.unit());
    const double radius = std::sqrt(1.0 - height * height);
    return {radius * around.cos, height, radius * around.sin};
  }

  // The axis most nearly perpendicular to `v`. Offsets along an axis keep their size when rounded.
  static dvec3 thinnest(dvec3 v) {
    int axis = 0;
    for (int i = 1; i < 3; ++i) {
      if (v[i] * v[i] < v[axis] * v[axis]) axis = i;
    }
    dvec3 unit(0.0);
    unit[axis] = 1.0;
    return unit;
  }

  ObjWriter& out_;
  RandomStream random_;
  dvec3 last_{0.0};
};

}  // namespace

void make_slivers(ObjWriter& out, const SceneRequest& request) {
  out.materials({{"stone", {0.60, 0.58, 0.54}},
                 {"red", {0.70, 0.12, 0.08}},
                 {"green", {0.15, 0.52, 0.16}},
                 {"blue", {0.12, 0.22, 0.62}},
                 {"gold", {0.75, 0.52, 0.13}},
                 {"violet", {0.42, 0.16, 0.50}},
                 {"black", {0.04, 0.04, 0.04}},
                 {"white", {0.80, 0.80, 0.78}}});
  SliverScene scene(out, request.seed);
  const u64 part = request.triangles / 16;
  scene.zero_planes(part);
  scene.fans(3 * part);
  scene.crossings(3 * part);
  scene.stacks(2 * part);
  scene.duplicates(part);
  scene.flats(part);
  scene.crumbs(part);
  scene.needles(request.triangles - 12 * part);
}

}  // namespace ballotcast::detail
