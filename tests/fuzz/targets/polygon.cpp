#include <cmath>
#include <cstring>

#include "fuzz/checks.hpp"
#include "fuzz/target.hpp"
#include "scene/mesh/polygon_mesh.hpp"

namespace ballotcast::detail::fuzz {

/// The input is a byte that selects the format of coordinates (bytes or floats), then pairs of
/// coordinates. The corners lie in a plane that is not parallel to any axis.
void run_polygon(std::span<const u8> input) {
  if (input.empty()) return;
  const bool bytes = input[0] % 2 == 0;
  input = input.subspan(1);
  std::vector<dvec3> corners;
  const auto add = [&](double x, double y) {
    const auto usable = [](double c) { return std::abs(c) <= 0x1p40; };
    if (usable(x) && usable(y)) corners.push_back({x + y, y - x, x});
  };
  if (bytes)
    for (; input.size() >= 2; input = input.subspan(2)) add(input[0], input[1]);
  else
    for (; input.size() >= 8; input = input.subspan(8)) {
      float pair[2];
      std::memcpy(pair, input.data(), sizeof pair);
      add(static_cast<double>(pair[0]), static_cast<double>(pair[1]));
    }
  std::vector<uvec3> triangles;
  triangulate(corners, triangles);
  const std::size_t expected = corners.size() < 3 ? 0 : corners.size() - 2;
  require(triangles.size() == expected, "a polygon of another number of triangles");
  for (const uvec3& t : triangles)
    require(t.x < corners.size() && t.y < corners.size() && t.z < corners.size() && t.x != t.y &&
                t.y != t.z && t.z != t.x,
            "a triangle of corners that a polygon does not have");
}

}  // namespace ballotcast::detail::fuzz
