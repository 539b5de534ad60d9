// A small program that uses the installed library: casts a ray, draws a picture, catches an error,
// runs a vote on emulated lanes.
#include <ballotcast/ballotcast.hpp>
#include <ballotcast/lanes.hpp>
#include <cstdio>
#include <vector>

struct CountEven {
  struct Shared {};
  static void run(ballotcast::lanes::Lane& lane, Shared&, std::uint32_t* count) {
    const std::uint32_t even = lane.block_count(lane.id() % 2 == 0);
    if (lane.thread() == 0) lane.fetch_add(count, even);
  }
};

int main() {
  const ballotcast::Scene scene = ballotcast::builtin_scene();
  ballotcast::RendererOptions options;
  options.device = "cpu";
  ballotcast::Renderer renderer(scene, options);
  const std::vector<ballotcast::Ray> rays = {{{0, 50, 0}, 0.0f, {0, -1, 0}, 1e30f}};
  std::vector<ballotcast::Hit> hits(rays.size());
  renderer.closest(rays, hits);
  ballotcast::RenderSettings settings;
  settings.width = 64;
  settings.height = 36;
  settings.shading = "normal";
  const ballotcast::Frame frame = renderer.render(settings);
  bool told = false;
  try {
    ballotcast::load_scene("absent.obj");
  } catch (const ballotcast::InputError&) {  // thrown in the library
    told = true;
  }
  std::uint32_t even = 0;
  ballotcast::lanes::emulate<CountEven>({3, 64}, &even);
  std::printf("ballotcast %s: ray %s, picture %s, error %s\n", ballotcast::version(),
              hits[0].found() ? "hit" : "miss", ballotcast::hash_of(frame.image).c_str(),
              told ? "caught" : "lost");
  return hits[0].found() && told && even == 96 ? 0 : 1;
}
