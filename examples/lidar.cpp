// A lidar with 32 beams and 2,000 azimuths in a street with moving cars. It is simulated in four
// independent worlds at once, each with its own traffic. Writes lidar.png, which shows the measured
// points from above, one tile per world.
#include <cmath>
#include <vector>

#include "ballotcast/ballotcast.hpp"
#include "box.hpp"
using namespace examples;

int main() {
  constexpr unsigned kWorlds = 4, kBeams = 32, kAzimuths = 2000, kHouses = 20, kCars = 12;
  const std::vector<Scene> meshes = {box(150, 0, 150), box(9, 12, 8), box(1.8f, 1.5f, 4.4f)};
  enum : unsigned { ground, house, car };
  std::vector<Instance> instances;
  std::vector<Transform> places;
  const auto add = [&](unsigned mesh, unsigned world, float x, float z) {
    places.push_back(moved_by(x, 0, z));
    instances.push_back({mesh, places.back(), kOwnMaterials, world});
  };
  for (unsigned w = 0; w < kWorlds; ++w) {
    add(ground, w, 0, 0);
    for (unsigned i = 0; i < kHouses; ++i) add(house, w, i % 2 ? 13 : -13, i / 2 * 10.0f - 45);
    for (unsigned i = 0; i < kCars; ++i) add(car, w, i % 2 ? 3 : -3, i / 2 * 7.0f + 2 * w - 20);
  }
  std::vector<Ray> rays;
  std::vector<unsigned> worlds;  // the world of each ray
  for (unsigned i = 0; i < kWorlds * kBeams * kAzimuths; ++i) {
    const float up = -0.45f + 0.02f * (i % kBeams), turn = 6.2831853f * (i / kBeams) / kAzimuths;
    rays.push_back({{0, 1.8f, 0}, 0, {std::sin(turn), std::tan(up), std::cos(turn)}, 100});
    worlds.push_back(i / (kBeams * kAzimuths));
  }
  Renderer renderer(make_scene(meshes, instances), {.moves = true});  // on the GPU or the CPU
  std::vector<Hit> hits(rays.size());
  for (unsigned step = 0; step < 10; ++step) {  // each step is a tenth of a second
    for (std::size_t i = 0; i < places.size(); ++i)
      if (instances[i].mesh == car) places[i].rows[2][3] += 0.4f * places[i].rows[0][3];
    renderer.set_transforms(places);
    renderer.follow();
    renderer.closest(rays, hits, {}, {0, worlds.data()});
  }
  Image<Rgb8> picture{1600, 400, std::vector<Rgb8>(1600 * 400)};  // 10 cm per pixel
  const Rgb8 colors[] = {{70, 80, 95}, {90, 170, 240}, {255, 170, 40}};
  for (unsigned i = 0; i < rays.size(); ++i) {
    const float x = hits[i].t * rays[i].direction.x, z = hits[i].t * rays[i].direction.z;
    if (!hits[i].found() || std::abs(x) >= 20 || std::abs(z) >= 20) continue;
    picture.pixels[unsigned(200 - 10 * z) * 1600 + worlds[i] * 400 + unsigned(200 + 10 * x)] =
        colors[renderer.scene().locate(hits[i].triangle).mesh];
  }
  write_png("lidar.png", picture);
}
