// Tests that polygons are divided into triangles that cover each part once, however large or
// unusual the polygon is.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>

#include "helpers/meshes.hpp"
#include "helpers/sanitized.hpp"
#include "scene/mesh/polygon_mesh.hpp"

namespace ballotcast::detail {
namespace polygon_test {

using Corners = std::vector<dvec3>;

/// A point in a plane that is not parallel to any axis.
dvec3 place(double x, double y) { return {x + y + 3.0, y - x, x - 20.0}; }

Corners polygon(const std::vector<std::pair<double, double>>& points) {
  Corners corners;
  for (const auto& [x, y] : points) corners.push_back(place(x, y));
  return corners;
}

/// A vector perpendicular to the polygon. Its length is twice the polygon's area.
dvec3 area_of(const Corners& p) {
  dvec3 sum(0.0);
  for (std::size_t i = 0; i < p.size(); ++i) sum += cross(p[i], p[(i + 1) % p.size()]);
  return sum;
}

struct Result {
  PolygonCut outcome;
  std::vector<uvec3> triangles;
};

Result cut(const Corners& corners) {
  Result result;
  result.outcome = triangulate(corners, result.triangles);
  EXPECT_EQ(result.triangles.size(), corners.size() - 2);
  return result;
}

/// The smallest signed area of a triangle, divided by the polygon's area. It is negative if the
/// corners of a triangle run the other way than those of the polygon. Then triangles overlap, or
/// the polygon crosses itself.
double least_share(const Corners& corners, const Result& result) {
  const dvec3 whole = area_of(corners);
  const double size = dot(whole, whole);
  double least = 1.0;
  for (const uvec3& t : result.triangles)
    least = std::min(least, dot(area_of({corners[t.x], corners[t.y], corners[t.z]}), whole) / size);
  return least;
}

void expect_covered_once(const Corners& corners) {
  const Result result = cut(corners);
  EXPECT_EQ(result.outcome, PolygonCut::whole);
  EXPECT_GE(least_share(corners, result), -1e-9);
  std::vector<bool> used(corners.size());
  for (const uvec3& t : result.triangles) used[t.x] = used[t.y] = used[t.z] = true;
  EXPECT_EQ(std::count(used.begin(), used.end(), false), 0) << "corners of no triangle";
}

TEST(Polygon, covers_concave_ones_with_straight_edges_bridges_and_pinches_from_every_corner) {
  const std::vector<std::vector<std::pair<double, double>>> shapes = {
      {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}},
      {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {3, 2}, {3, 3}, {1, 3}, {0, 3}, {0, 1}},
      {{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}, {1, 1}, {1, 3}, {3, 3}, {3, 1}, {1, 1}},
      // A polygon with two holes, joined by bridges to two corners.
      {{0, 0},
       {9, 0},
       {8, 2},
       {6, 1},
       {6, 3},
       {8, 3},
       {8, 2},
       {9, 0},
       {9, 4},
       {0, 4},
       {0, 0},
       {1, 1},
       {1, 3},
       {3, 3},
       {3, 1},
       {1, 1}},
      // Two squares that share a corner.
      {{0, 0}, {2, 0}, {2, 2}, {4, 2}, {4, 4}, {2, 4}, {2, 2}, {0, 2}},
      // A dent that touches the opposite edge.
      {{0, 0}, {2, 0}, {4, 0}, {4, 4}, {2, 0}, {0, 4}},
      // A spiral.
      {{0, 0},
       {9, 0},
       {9, 9},
       {0, 9},
       {0, 3},
       {6, 3},
       {6, 6},
       {3, 6},
       {3, 5},
       {5, 5},
       {5, 4},
       {1, 4},
       {1, 8},
       {8, 8},
       {8, 1},
       {0, 1}}};
  for (const auto& shape : shapes)
    for (std::size_t turn = 0; turn < shape.size(); ++turn) {
      auto turned = shape;
      std::rotate(turned.begin(), turned.begin() + static_cast<std::ptrdiff_t>(turn), turned.end());
      SCOPED_TRACE(std::to_string(shape.size()) + " corners from " + std::to_string(turn));
      expect_covered_once(polygon(turned));
      std::reverse(turned.begin(), turned.end());
      expect_covered_once(polygon(turned));
    }
}

/// A polygon with corners in all directions around a centre point, at random distances from it.
Corners star_shaped(u32 count, u32 seed) {
  testing::Random random(seed);
  Corners corners;
  for (u32 i = 0; i < count; ++i) {
    const SinCos turn = sincos_turns(double(i) / count);
    const double far = 1.0 + 9.0 * static_cast<double>(random.unit());
    corners.push_back(place(turn.cos * far, turn.sin * far));
  }
  return corners;
}

TEST(Polygon, covers_random_ones) {
  for (u32 seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    expect_covered_once(star_shaped(5 + seed * 7 % 90, seed));
  }
}

TEST(Polygon, says_which_cross_themselves) {
  const auto outcome = [](const std::vector<std::pair<double, double>>& points) {
    return cut(polygon(points)).outcome;
  };
  EXPECT_EQ(outcome({{0, 0}, {1, 1}, {1, 0}, {0, 1}}), PolygonCut::crossing) << "a bow tie";
  EXPECT_EQ(outcome({{0, 3}, {2, -3}, {-3, 1}, {3, 1}, {-2, -3}}), PolygonCut::crossing)
      << "a star";
  EXPECT_EQ(outcome({{0, 0}, {4, 0}, {4, 4}, {2, -1}, {0, 4}}), PolygonCut::crossing) << "a spike";
  EXPECT_EQ(outcome({{0, 0}, {4, 0}, {1, 1}, {0, 4}}), PolygonCut::whole) << "a dart";
  EXPECT_EQ(outcome({{0, 0}, {4, 0}, {4, 4}, {2, 1}, {0, 4}}), PolygonCut::whole);
}

TEST(Polygon, cuts_up_what_has_no_area) {
  cut(Corners(7, dvec3(1.0)));
  cut(polygon({{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}, {2, 0}}));
  std::vector<uvec3> none;
  triangulate(Corners{dvec3(0.0), dvec3(1.0)}, none);
  EXPECT_TRUE(none.empty());
}

constexpr u32 kMany = testing::kSanitized ? 50000 : 1000000;

/// A zigzag between two lines; a third line closes it.
Corners comb(u32 count, bool slanted) {
  Corners corners;
  for (u32 i = 0; i + 2 < count; ++i) {
    const double x = i, y = i % 2 ? 1e6 : 0.0;
    corners.push_back(place(slanted ? x + y : x, y));
  }
  corners.push_back(place(3e6, 1e6 + 9.0));
  corners.push_back(place(-9.0, 1e6 + 9.0));
  return corners;
}

Corners spiral(u32 count) {
  std::vector<std::pair<double, double>> there;
  for (u32 i = 0; i < count / 2; ++i) {
    const SinCos turn = sincos_turns(double(i) / 1000.0);
    there.emplace_back(turn.cos * (1000.0 + i), turn.sin * (1000.0 + i));
  }
  auto back = there;
  for (auto& [x, y] : back) x *= 0.9995, y *= 0.9995;
  there.insert(there.end(), back.rbegin(), back.rend());
  return polygon(there);
}

class LargePolygon : public ::testing::TestWithParam<std::pair<const char*, Corners (*)()>> {};

TEST_P(LargePolygon, of_very_many_corners_is_cut_up_in_seconds) {
  const Corners corners = GetParam().second();
  const std::clock_t start = std::clock();
  const Result result = cut(corners);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  std::cout << GetParam().first << ": " << seconds << " s of one core\n";
  EXPECT_LT(seconds, 10.0);
  if (result.outcome == PolygonCut::whole) {
    EXPECT_GE(least_share(corners, result), -1e-15);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, LargePolygon,
    ::testing::Values(std::pair{"round",
                                +[] {
                                  Corners corners;
                                  for (u32 i = 0; i < kMany; ++i) {
                                    const SinCos turn = sincos_turns(double(i) / kMany);
                                    corners.push_back(place(turn.cos, turn.sin));
                                  }
                                  return corners;
                                }},
                      std::pair{"star", +[] { return star_shaped(kMany, 1); }},
                      std::pair{"comb", +[] { return comb(kMany, false); }},
                      std::pair{"slanted_comb", +[] { return comb(kMany, true); }},
                      std::pair{"spiral", +[] { return spiral(kMany); }},
                      std::pair{"noise",
                                +[] {
                                  testing::Random random(5);
                                  Corners corners;
                                  for (u32 i = 0; i < kMany; ++i)
                                    corners.push_back(place(random.unit(), random.unit()));
                                  return corners;
                                }}),
    [](const auto& row) { return std::string(row.param.first); });

}  // namespace polygon_test
}  // namespace ballotcast::detail
