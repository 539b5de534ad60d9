#include "furniture.hpp"

namespace ballotcast::detail {
namespace {

void ball(Mason& mason, dvec3 center, double radius, u64 around) {
  mason.turned(center, around, around / 2, [&](double t) {
    const SinCos a = sincos_turns(0.49 * (t - 0.5));
    return ProfilePoint{radius * a.cos, radius * a.sin};
  });
  mason.disc(center + dvec3(0.0, radius * sincos_turns(0.245).sin, 0.0), around,
             radius * sincos_turns(0.245).cos);
}

}  // namespace

void column(Mason& mason, double x, double foot, double top, double r) {
  mason.next_element();
  const u64 around = mason.steps(10.0, 4);
  const dvec3 base(x, foot, 0.0);
  const double height = top - foot, shaft = height - 1.75 * r;
  mason.use("stone_light");
  mason.block(x, 0.0, 1.36 * r, foot, foot + 0.5 * r, Mason::kNoBottom);
  if (mason.ornate()) {
    mason.torus(base, around, mason.steps(2.0, 1), 0.99 * r, 0.33 * r, 0.22 * r, 0.72 * r);
    mason.torus(base, around, mason.steps(1.0, 1), 0.82 * r, 0.14 * r, 0.1 * r, shaft);
  }
  mason.turned(base, around, mason.steps(1.0, 1), [&](double t) {
    return ProfilePoint{r * (1.0 - 0.15 * t * (0.4 + 0.6 * t)), 0.5 * r + (shaft - 0.5 * r) * t};
  });
  mason.turned(base, around, mason.steps(2.0, 1), [&](double t) {
    return ProfilePoint{r * (0.85 + 0.5 * t * t), shaft + 1.25 * r * t};
  });
  mason.block(x, 0.0, 1.45 * r, top - 0.5 * r, top);
}

void door(Mason& mason, double x, double wall, double sill) {
  mason.next_element();
  if (mason.bare()) return;
  mason.use("stone_dark");
  mason.box({x - 0.8, sill, wall}, {x - 0.6, sill + 2.5, wall + 0.1},
            Mason::kNoBack | Mason::kNoBottom);
  mason.box({x + 0.6, sill, wall}, {x + 0.8, sill + 2.5, wall + 0.1},
            Mason::kNoBack | Mason::kNoBottom);
  mason.box({x - 0.95, sill + 2.5, wall}, {x + 0.95, sill + 2.75, wall + 0.16}, Mason::kNoBack);
  mason.use("wood");
  mason.box({x - 0.6, sill, wall}, {x + 0.6, sill + 2.5, wall + 0.04},
            Mason::kNoBack | Mason::kNoBottom);
}

void banner(Mason& mason, double x, const char* cloth, double shift) {
  mason.next_element();
  mason.use("wood");
  mason.box({x - 0.85, 6.02, 0.5}, {x + 0.85, 6.08, 0.56});
  mason.box({x - 0.03, 6.03, 0.17}, {x + 0.03, 6.07, 0.5});
  const u64 across = 2 * mason.steps(4.5, 2), down = mason.steps(2.0, 1), hem = mason.steps(0.4, 1);
  const double width = 1.5, top = 6.06, bottom = 3.25;
  const auto point = [=](double s, double t, double side) {
    const double from_edge = s < 0.5 ? s : 1.0 - s, swing = 0.03 + 0.07 * t;
    const SinCos fold = sincos_turns(2.25 * s + shift + 0.22 * t);
    const double drop = top - bottom + 0.7 * from_edge - 0.35;
    const double slope = swing * fold.cos * 6.283185307179586;  // dz per turn of the fold
    return SurfacePoint{
        {x + width * (s - 0.5), top - drop * t, 0.53 + swing * fold.sin + 0.01 * side},
        dvec3(-slope * 2.25 / width, (0.07 * fold.sin + slope * 0.22) / drop, 1.0) * side};
  };
  // The cloth has a front and a back, two centimetres apart, so that both sides face outwards. The
  // back swaps the two parameters of the front. Reversing one of them would turn it over as well,
  // but then the diagonals of front and back would differ.
  const auto strip = [&](const char* material, double from, double to, u64 rows) {
    const auto along = [=](double v) { return to + (from - to) * v; };
    mason.use(material);
    mason.smooth_sheet(across, rows, [&](double u, double v) { return point(u, along(v), 1.0); });
    mason.smooth_sheet(rows, across, [&](double u, double v) { return point(v, along(u), -1.0); });
    for (const double edge : {0.0, 1.0}) {
      mason.flat_sheet(1, rows, [&](double u, double v) {
        return point(edge, along(v), (2.0 * edge - 1.0) * (1.0 - 2.0 * u)).position;
      });
    }
  };
  strip(cloth, 0.0, 0.86, down);
  strip("gold", 0.86, 0.93, hem);
  strip(cloth, 0.93, 1.0, hem);
  mason.flat_sheet(across, 1,
                   [&](double u, double v) { return point(u, 1.0, 2.0 * v - 1.0).position; });
}

void fountain(Mason& mason) {
  const dvec3 at(0.0);
  mason.next_element();
  const u64 around = mason.steps(16.0, 6), few = mason.steps(10.0, 5), curve = mason.steps(3.0, 2);
  const u64 one = mason.steps(1.0, 1);
  const auto line = [](double r0, double y0, double r1, double y1) {
    return [=](double t) { return ProfilePoint{r0 + (r1 - r0) * t, y0 + (y1 - y0) * t}; };
  };
  mason.use("stone_dark");
  mason.turned(at, around, one, line(1.75, 0.0, 1.75, 0.14));
  mason.turned(at, around, one, line(1.75, 0.14, 1.35, 0.14));
  mason.use("stone_light");
  mason.turned(at, around, one, line(1.32, 0.14, 1.38, 0.55));
  mason.turned(at, around, one, line(1.45, 0.55, 1.45, 0.66));
  mason.turned(at, around, one, line(1.45, 0.66, 1.2, 0.66));
  mason.turned(at, around, one, line(1.2, 0.66, 1.2, 0.4));
  mason.torus(at, few, one, 0.13, 0.15, 0.08, 0.56);
  mason.turned(at, few, curve, [](double t) {
    const double waist = 2.0 * t - 0.9;
    return ProfilePoint{0.11 + 0.1 * waist * waist, 0.5 + 0.85 * t};
  });
  mason.turned(at, around, curve, [](double t) {
    const SinCos a = sincos_turns(0.02 + 0.23 * t);
    return ProfilePoint{0.72 * a.sin, 1.62 - 0.32 * a.cos};
  });
  mason.turned(at, around, one, line(0.72, 1.62, 0.64, 1.62));
  mason.turned(at, around, one, line(0.64, 1.62, 0.64, 1.54));
  mason.turned(at, few, curve, [](double t) {
    return ProfilePoint{0.1 - 0.06 * t, 1.5 + 0.5 * t};
  });
  ball(mason, {0.0, 2.06, 0.0}, 0.12, few);
  mason.use("water");
  mason.disc({0.0, 0.52, 0.0}, around, 1.22);
  mason.disc({0.0, 1.57, 0.0}, around, 0.64);
}

void urn(Mason& mason, dvec3 foot) {
  mason.next_element();
  const u64 around = mason.steps(8.0, 5);
  mason.use("stone_light");
  mason.block(foot.x, foot.z, 0.34, 0.0, 0.3, Mason::kNoBottom);
  mason.use("clay");
  mason.turned(foot, around, mason.steps(3.0, 2), [](double t) {
    const double flare = 1.0 - t;
    return ProfilePoint{0.34 - 0.16 * flare * flare - 0.04 * t * t, 0.3 + 0.55 * t};
  });
  mason.torus(foot, around, mason.steps(1.0, 1), 0.29, 0.06, 0.05, 0.86);
  mason.use("wood");
  mason.disc(foot + dvec3(0.0, 0.91, 0.0), around, 0.3);
  mason.use("leaf");
  ball(mason, foot + dvec3(0.0, 1.28, 0.0), 0.48, mason.steps(9.0, 6));
}

}  // namespace ballotcast::detail
