// A small user of the installed library: casts a ray, draws a picture, catches an error.
#include <ballotcast/ballotcast.hpp>
#include <cstdio>
#include <vector>

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
  } catch (const ballotcast::InputError&) {  // thrown within the library, caught outside
    told = true;
  }
  std::printf("ballotcast %s: ray %s, picture %s, error %s\n", ballotcast::version(),
              hits[0].found() ? "hit" : "miss", ballotcast::hash_of(frame.image).c_str(),
              told ? "caught" : "lost");
  return hits[0].found() && told ? 0 : 1;
}
