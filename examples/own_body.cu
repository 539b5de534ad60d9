// A sensor on a robot that must not see the robot itself. The robot's body and arm are instances 1
// and 2. The program's own filter leaves them out, combined with a filter of the library.
#include <cstdio>

#include "box.hpp"
#include "on_each.hpp"

using namespace examples;

namespace {

constexpr unsigned kSide = 64;  // rays go through a grid of kSide x kSide directions
constexpr const char* kNames[] = {"ground", "body", "arm", "house"};
constexpr unsigned kSky = 4;

/// The filter that accepts hits on all instances except first, first + 1 .. last.
struct NotOwn {
  unsigned first, last;
  BALLOTCAST_HD bool operator()(const Ray&, const device::Candidate& hit) const {
    return hit.instance < first || hit.instance > last;
  }
};

/// The instances that are seen in a direction: of all instances, and of all except the robot.
struct Seen {
  unsigned all, others;
};

struct Look {
  template <class View>
  BALLOTCAST_HD Seen operator()(const View& scene, unsigned i) const {
    // The directions are an octahedral map: the corners of a square fold onto the lower half of an
    // octahedron (E. Praun, H. Hoppe, Spherical parametrization and remeshing, 2003).
    float x = (static_cast<float>(i % kSide) + 0.5f) / (kSide / 2) - 1.0f;
    float z = (static_cast<float>(i / kSide) + 0.5f) / (kSide / 2) - 1.0f;
    const float y = 1.0f - fabsf(x) - fabsf(z), folded = 1.0f - fabsf(x);
    if (y < 0.0f) {
      x = copysignf(1.0f - fabsf(z), x);
      z = copysignf(folded, z);
    }
    const Ray ray{{0, 2.5f, 0}, 0.0f, {x, y, z}, 1e4f};
    const auto fronts = device::OneSide{Sides::front};
    return {at(device::closest_surface(scene, ray)),
            at(device::closest_surface(scene, ray, device::all_of(NotOwn{1, 2}, fronts)))};
  }

 private:
  BALLOTCAST_HD static unsigned at(const device::Surface& surface) {
    return surface.hit.found() ? surface.instance : kSky;
  }
};

}  // namespace

int main() {
  try {
    const std::vector<Scene> meshes = {box(100, 0.125f, 100), box(1, 2, 1), box(0.25f, 0.25f, 3),
                                       box(6, 6, 6)};
    const std::vector<Instance> instances = {{0, moved_by(0, -0.125f, 0)},
                                             {1, moved_by(0, 0.25f, 0)},
                                             {2, moved_by(0, 2.375f, 2)},
                                             {3, moved_by(5, 0, 8)}};
    unsigned all[5] = {}, others[5] = {};
    for (const Seen& seen : on_each<Seen>(make_scene(meshes, instances), kSide * kSide, Look{})) {
      ++all[seen.all];
      ++others[seen.others];
    }
    std::printf("%-7s %6s %8s\n", "rays at", "", "no robot");
    for (unsigned i = 0; i <= kSky; ++i)
      std::printf("%-7s %6u %8u\n", i < kSky ? kNames[i] : "sky", all[i], others[i]);
  } catch (const Error& error) {
    return std::fprintf(stderr, "own_body: %s\n", error.what()), 3;
  }
}
