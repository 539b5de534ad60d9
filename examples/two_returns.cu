// A lidar whose beams pass through glass. Computes the first return of each beam, and a second
// return if the first one is from glass. Instances have masks; the mask of the second ray leaves
// out the pane.
#include <cstdio>

#include "box.hpp"
#include "on_each.hpp"

using namespace examples;

namespace {

constexpr unsigned kBeams = 16;
enum : unsigned { kSolid = 1, kGlass = 2 };

struct Returns {
  float first, second;  // distances along z, in world units; 0: no return
};

struct Beam {
  template <class View>
  BALLOTCAST_HD Returns operator()(const View& scene, unsigned i) const {
    // The z component of the direction is 1, so t is the distance ahead.
    const Ray ray{{0, 1, 0}, 0.0f, {(static_cast<float>(i) - 7.5f) / 8.0f, 0, 1}, 100.0f};
    const Hit first = device::closest(scene, ray);
    const Hit solid = device::closest(scene, ray, device::Masked{kSolid});
    return {first.found() ? first.t : 0.0f, solid.found() && solid.t > first.t ? solid.t : 0.0f};
  }
};

}  // namespace

int main() {
  try {
    const std::vector<Scene> meshes = {box(12, 3, 0.5f), box(2, 2, 0.125f), box(0.5f, 1.5f, 0.5f)};
    const std::vector<Instance> instances = {
        {0, moved_by(0, 0, 10)}, {1, moved_by(0, 0, 4)}, {2, moved_by(0.5f, 0, 7)}};
    const Scene scene = make_scene(meshes, instances);  // a wall, a pane, and a post behind it
    std::printf("beam  first  second\n");
    unsigned beam = 0;
    for (const Returns& at : on_each<Returns>(scene, kBeams, Beam{}, {kSolid, kGlass, kSolid})) {
      std::printf("%4u", beam++);
      if (at.first > 0.0f) std::printf("%7.3f", at.first);
      if (at.second > 0.0f) std::printf("%8.3f", at.second);
      std::printf("\n");
    }
  } catch (const Error& error) {
    return std::fprintf(stderr, "two_returns: %s\n", error.what()), 3;
  }
}
