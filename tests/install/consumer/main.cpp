// A small program that uses the installed library: one ray and one picture.
#include <ballotcast/ballotcast.hpp>
#include <cstdio>
#include <vector>

int main() {
  using namespace ballotcast::detail;
  using namespace ballotcast::detail;
  Renderer renderer(std::make_shared<const SceneData>(builtin_scene()), {.device = "cpu"});
  const std::vector<Ray> rays = {{{0, 50, 0}, 0.0f, {0, -1, 0}, 1e30f}};
  std::vector<Hit> hits(rays.size());
  renderer.closest(rays, hits);
  RenderSettings settings;
  settings.width = 64;
  settings.height = 36;
  settings.shading = "normal";
  const Frame frame = renderer.render(settings);
  std::printf("ballotcast %s: ray %s, picture %s\n", version(), hits[0].found() ? "hit" : "miss",
              hash_of(frame.image).c_str());
  return hits[0].found() ? 0 : 1;
}
