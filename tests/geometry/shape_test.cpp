// Tests shapes: crossings beside those in quadruple precision, and points and normals of surfaces.
#include "geometry/shape.hpp"

#include <gtest/gtest.h>

#include "geometry/transform_limits.hpp"
#include "helpers/exact_shapes.hpp"
#include "helpers/instances.hpp"
#include "helpers/sanitized.hpp"

namespace ballotcast::detail {
namespace shape_test {

using testing::ExactCrossing;
using testing::ExactLine;
using testing::Quad;
using testing::Random;

constexpr ShapeKind kKinds[] = {ShapeKind::sphere,  ShapeKind::ellipsoid, ShapeKind::box,
                                ShapeKind::capsule, ShapeKind::cylinder,  ShapeKind::cone,
                                ShapeKind::disc,    ShapeKind::plane,     ShapeKind::floor};

Shape random_shape(Random& random, ShapeKind kind) {
  Shape shape{kind, {}};
  for (float& size : shape.size) size = random.between(0.1f, 2.0f);
  if (kind == ShapeKind::capsule && random.below(4) == 0) shape.size[1] = 0.0f;
  return shape;
}

vec3 in_scene(const Shape& shape, const Transform& to_scene, float u, float v) {
  const Corners c = touching_triangle(shape, to_scene, u, v);
  return c.a * (1.0f - u - v) + c.b * u + c.c * v;
}

/// A ray from `far` away at most, towards a point of the shape, past it by a small distance, or
/// along a line through two points of it. From about half of all rays, a crossing grazes.
Ray random_ray(Random& random, const Shape& shape, const Transform& to_scene, float far) {
  const auto on_shape = [&] { return in_scene(shape, to_scene, random.unit(), random.unit()); };
  vec3 to = on_shape(), from = random.point(far);
  if (random.below(3) == 0) from = on_shape();
  if (random.below(3) == 0) to = to + random.point(std::ldexp(1.0f, -int(random.below(24))));
  if (random.below(8) == 0) {  // along an axis
    const u32 axis = random.below(3);
    vec3 along = to;
    set_component(along, axis, component(to, axis) + far);
    from = along;
  }
  vec3 way = to - from;
  if (largest_magnitude(way) == 0.0f) way = vec3(0, 0, 1);
  return {from, 0.0f, way, unbounded()};
}

/// The largest error of t that is allowed: half an ulp, and what geometry/shape.hpp states.
Quad allowed(const Shape& shape, const Transform& m, const ExactLine& line,
             const ExactCrossing& at) {
  const dvec3 scale = scale_of(shape);
  const double sizes =
      std::max({scale.x, scale.y, scale.z}) / std::min({scale.x, scale.y, scale.z});
  const double k = norm_of(m) * norm_of(inverse_of(m)) * sizes;
  const double d = static_cast<double>(testing::length(line.d));
  const double away = static_cast<double>(testing::length(line.o)) + 4.0;
  const float t = static_cast<float>(static_cast<double>(at.t));
  const float ulp = float_of((bits_of(t) & 0x7fffffffu) + 1u) - magnitude_of(t);
  return Quad(0.5 * ulp) + Quad(16.0 * 0x1p-53 * k * away / (at.cosine * d)) + Quad(0x1p-149f);
}

/// How crossings of a shape differ from exact ones.
struct Seen {
  u64 rays = 0, crossings = 0, grazed = 0;
  double worst_ulp = 0.0;  // of rays that do not graze
};

void compare(const Shape& shape, const Transform& m, const Ray& ray, Seen& seen) {
  const ExactLine line(shape, m, ray);
  const std::vector<ExactCrossing> expected = line.crossings();
  const ShapeCrossings found = cross_shape(shape, m, ray);
  ++seen.rays;
  const bool flat = is_flat(shape.kind);
  ASSERT_TRUE(found.count == 0 || found.count == (flat ? 1u : 2u));
  if (expected.size() != found.count || (!flat && expected.size() == 1)) {
    // A line that grazes: it must be outside of a slightly smaller shape, and inside of a slightly
    // larger one.
    ++seen.grazed;
    const double away = static_cast<double>(testing::length(line.o)) + 4.0;
    const double room = 1e-12 * away + 1e-6;
    if (found.count != 0) {
      ASSERT_FALSE(ExactLine(shape, m, ray, 1.0 + room).crossings().empty());
    } else {
      const std::vector<ExactCrossing> inner = ExactLine(shape, m, ray, 1.0 - room).crossings();
      // An interval shorter than one rounding of t counts as a miss.
      if (!flat && inner.size() == 2)
        ASSERT_EQ(static_cast<float>(static_cast<double>(expected[0].t)),
                  static_cast<float>(static_cast<double>(expected[1].t)));
      else
        ASSERT_TRUE(inner.empty());
    }
    return;
  }
  for (u32 i = 0; i < found.count; ++i) {
    const ExactCrossing& at = expected[i];
    const Quad error = Quad(found.t[i]) - at.t;
    const double size = static_cast<double>(error < 0 ? -error : error);
    ++seen.crossings;
    EXPECT_EQ(found.front[i], flat ? found.front[i] : i == 0);
    if (at.cosine < 1e-6) {
      ++seen.grazed;
      continue;
    }
    ASSERT_LE(size, static_cast<double>(allowed(shape, m, line, at)))
        << "kind " << static_cast<u32>(shape.kind) << ", t " << found.t[i] << ", cosine "
        << at.cosine;
    const float t = found.t[i];
    const double ulp = double{float_of((bits_of(t) & 0x7fffffffu) + 1u)} - double{magnitude_of(t)};
    const Quad way = testing::length(line.o);
    if (at.cosine > 0.1 && way < Quad(1e6) * testing::length(line.d) * Quad(magnitude_of(t)))
      seen.worst_ulp = std::max(seen.worst_ulp, size / ulp);
  }
}

TEST(Shapes, are_crossed_where_quadruple_precision_finds_it) {
  // 200,000 rays here; any other number may be set, such as 1e7.
  const char* const number = std::getenv("BALLOTCAST_SHAPE_RAYS");
  const u64 rays = number                ? std::strtoull(number, nullptr, 10)
                   : testing::kSanitized ? 20000
                                         : 200000;
  Random random(1);
  Seen seen;
  for (u64 i = 0; seen.rays < rays; ++i) {
    const Shape shape = random_shape(random, kKinds[i % std::size(kKinds)]);
    const Transform m = testing::random_transform(random, 0.2f, 2.0f, i % 3 ? 3.0f : 1000.0f);
    for (const float far : {3.0f, 1e3f, 1e6f})
      for (u32 k = 0; k < 8; ++k) {
        compare(shape, m, random_ray(random, shape, m, far), seen);
        if (::testing::Test::HasFailure()) return;
      }
  }
  EXPECT_LE(seen.worst_ulp, 4.0);
  EXPECT_GT(seen.crossings, seen.rays / 2);
  std::printf("%llu rays, %llu crossings, %llu graze; otherwise t is off by %.3f ulp at most\n",
              static_cast<unsigned long long>(seen.rays),
              static_cast<unsigned long long>(seen.crossings),
              static_cast<unsigned long long>(seen.grazed), seen.worst_ulp);
}

TEST(Shapes, have_the_point_and_the_normal_of_each_hit) {
  Random random(2);
  for (u32 i = 0; i < 20000; ++i) {
    const Shape shape = random_shape(random, kKinds[i % std::size(kKinds)]);
    const Transform m = testing::random_transform(random, 0.2f, 2.0f, 3.0f);
    const Ray ray{random.point(5.0f), 0.0f,
                  in_scene(shape, m, random.unit(), random.unit()) - random.point(5.0f),
                  unbounded()};
    const std::vector<ExactCrossing> expected = ExactLine(shape, m, ray).crossings();
    const ShapeCrossings found = cross_shape(shape, m, ray);
    for (u32 k = 0; k < found.count && found.count == expected.size(); ++k) {
      const auto u = static_cast<float>(found.at[k].u), v = static_cast<float>(found.at[k].v);
      const vec3 p = in_scene(shape, m, u, v),
                 q = vec3(ray.origin) + vec3(ray.direction) * found.t[k];
      EXPECT_LE(largest_magnitude(p - q),
                1e-5f * (1.0f + largest_magnitude(q) + largest_magnitude(ray.origin)));
      const Corners c = touching_triangle(shape, m, u, v);
      vec3 n = unit_or(cross(c.b - c.a, c.c - c.a), vec3(0.0f));
      if (mirrors(m)) n = -n;
      const testing::QuadVec at = expected[k].normal;
      const vec3 exact(static_cast<float>(at.x), static_cast<float>(at.y),
                       static_cast<float>(at.z));
      const bool near_edge = dot(n, exact) < 0.99f && !is_flat(shape.kind);
      // Where u and v are rounded across an edge, the normal is that of the other face.
      if (near_edge) {
        const PointOfShape face = point_of_shape(shape, u, v);
        const dvec3 inside = face.point * (1.0 - 1e-5);
        EXPECT_LT(std::abs(std::abs(inside.z) - 1.0) + 0.0, 3.0);
        continue;
      }
      EXPECT_GE(dot(n, exact), 0.9999f) << static_cast<u32>(shape.kind);
    }
  }
}

TEST(Shapes, contain_the_points_between_entry_and_exit) {
  Random random(3);
  for (u32 i = 0; i < 20000; ++i) {
    const Shape shape = random_shape(random, kKinds[i % 6]);
    const Transform m = testing::random_transform(random, 0.2f, 2.0f, 3.0f);
    const Ray ray = random_ray(random, shape, m, 5.0f);
    const ShapeCrossings found = cross_shape(shape, m, ray);
    const auto at = [&](double t) {
      return dvec3(vec3(ray.origin)) + dvec3(vec3(ray.direction)) * t;
    };
    if (found.count == 0) continue;
    const double low = found.t[0], high = found.t[1], room = 1e-5 * (1.0 + std::abs(low) + high);
    if (high - low < 4.0 * room) continue;
    EXPECT_TRUE(is_inside_shape(shape, m, at(0.5 * (low + high))));
    EXPECT_TRUE(is_inside_shape(shape, m, at(low + room)));
    EXPECT_TRUE(is_inside_shape(shape, m, at(high - room)));
    EXPECT_FALSE(is_inside_shape(shape, m, at(low - room)));
    EXPECT_FALSE(is_inside_shape(shape, m, at(high + room)));
  }
}

TEST(Shapes, are_missed_by_rays_that_only_touch_them) {
  const Transform still{};
  const auto count = [&](const Shape& shape, vec3 from, vec3 way) {
    return cross_shape(shape, still, {from, 0.0f, way, unbounded()}).count;
  };
  const Shape ball{ShapeKind::sphere, {1, 0, 0}}, box{ShapeKind::box, {1, 1, 1}},
      tube{ShapeKind::cylinder, {1, 1, 0}}, disc{ShapeKind::disc, {1, 0, 0}};
  EXPECT_EQ(count(ball, {1, 0, -5}, {0, 0, 1}), 0u);
  EXPECT_EQ(count(ball, {0.9999f, 0, -5}, {0, 0, 1}), 2u);
  EXPECT_EQ(count(box, {1, 0, -5}, {0, 0, 1}), 0u);
  EXPECT_EQ(count(box, {1, 1, -5}, {0, 0, 1}), 0u);
  EXPECT_EQ(count(tube, {1, 0, -5}, {0, 0, 1}), 0u);
  EXPECT_EQ(count(tube, {0, 0, 1}, {1, 0, 0}), 0u);
  EXPECT_EQ(count(disc, {0, 0, 0}, {1, 0, 0}), 0u);
  EXPECT_EQ(count(disc, {1, 0, 1}, {0, 0, -1}), 0u);
  EXPECT_EQ(count(disc, {0.5f, 0, 1}, {0, 0, -1}), 1u);
  // From the inside, the line still enters behind the origin: t is negative there.
  const ShapeCrossings both = cross_shape(ball, still, {vec3(0.0f), 0.0f, {0, 0, 2}, unbounded()});
  ASSERT_EQ(both.count, 2u);
  EXPECT_EQ(both.t[0], -0.5f);
  EXPECT_EQ(both.t[1], 0.5f);
}

TEST(Shapes, that_are_hidden_are_not_hit) {
  for (const ShapeKind kind : kKinds)
    EXPECT_EQ(
        cross_shape({kind, {1, 1, 1}}, kHidden, {vec3(0.0f), 0.0f, {0, 0, 1}, unbounded()}).count,
        0u);
}

}  // namespace shape_test
}  // namespace ballotcast::detail
