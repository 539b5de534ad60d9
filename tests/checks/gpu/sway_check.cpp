// Moves the vertices of some materials of a scene, such as curtains, draws each frame, and prints
// the time of each stage. Some frames are also drawn by a new renderer, which must give the same
// pixels.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "ballotcast/frame.hpp"
#include "ballotcast/renderer.hpp"
#include "helpers/meshes.hpp"
#include "helpers/tool.hpp"
#include "support/stopwatch.hpp"

namespace ballotcast::detail {
namespace {

struct Settings {
  std::string scene, device = "auto", material = "fabric";
  u32 frames = 300, alone = 30;  // every `alone`-th frame is also drawn by a new renderer
  u32 width = 1920, height = 1080, samples = 16;
};

/// True for each vertex of a triangle whose material's name contains `part`.
std::vector<bool> vertices_of(const SceneData& scene, const std::string& part) {
  std::vector<bool> sways(scene.mesh.positions.size());
  for (std::size_t i = 0; i < scene.mesh.triangles.size(); ++i) {
    const u32 material = scene.mesh.material_index(static_cast<u32>(i));
    if (scene.material_names[material].find(part) == std::string::npos) continue;
    for (const u32 corner : {0u, 1u, 2u})
      sways[scene.mesh.triangles[i][static_cast<int>(corner)]] = true;
  }
  return sways;
}

/// The vertices of a frame: those for which `sways` is true move in circles, as a wave.
std::vector<Vec3f> frame_of(const Scene& scene, const std::vector<bool>& sways, u32 frame) {
  std::vector<Vec3f> vertices = scene.vertices();
  const Aabb box = scene.data()->mesh.bounds();
  const float size = largest_magnitude(box.extent());
  const float turn = 6.2831853f * static_cast<float>(frame) / 60.0f;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    if (!sways[i]) continue;
    Vec3f& p = vertices[i];
    const float phase = 40.0f / size * (p.x + p.z) + turn;
    p = {p.x + 0.004f * size * std::sin(phase), p.y, p.z + 0.004f * size * std::cos(phase)};
  }
  return vertices;
}

int sway(const Settings& s) {
  const Scene scene = load_scene(s.scene);
  const std::vector<bool> sways = vertices_of(*scene.data(), s.material);
  const auto count = std::count(sways.begin(), sways.end(), true);
  RendererOptions options{s.device};
  options.moves = true;
  Renderer renderer(scene, options);
  RenderSettings picture;
  picture.width = s.width;
  picture.height = s.height;
  picture.samples = s.samples;
  picture.exposure = 1.0f;
  std::map<std::string, double> phases;
  u32 different = 0, compared = 0;
  for (u32 frame = 0; frame < s.frames; ++frame) {
    const std::vector<Vec3f> vertices = frame_of(scene, sways, frame);
    Stopwatch watch;
    renderer.set_vertices(vertices);
    phases["vertices"] += watch.milliseconds();
    watch = Stopwatch();
    renderer.follow();
    phases["tree and upload"] += watch.milliseconds();
    watch = Stopwatch();
    const Frame drawn = renderer.render(picture);
    phases["draw"] += watch.milliseconds();
    for (const StageTime& stage : drawn.stages) phases["  " + stage.name] += stage.milliseconds;
    if (frame % s.alone != 0) continue;
    Renderer alone(testing::with_vertices(scene, vertices), {s.device});
    ++compared;
    if (hash_of(alone.render(picture).image) != hash_of(drawn.image))
      ++different, std::printf("DIFFERENT  frame %u\n", frame);
  }
  std::printf("%s on %s, %ux%u, %u samples: %u frames, %td of %zu vertices sway; wear %.3f\n",
              scene.name().c_str(), renderer.device().c_str(), s.width, s.height, s.samples,
              s.frames, count, sways.size(), renderer.wear());
  for (const auto& [name, ms] : phases)
    std::printf("%-24s %8.2f ms\n", name.c_str(), ms / s.frames);
  std::printf("%s: %u frames drawn alone, %u different\n", different ? "FAIL" : "PASS", compared,
              different);
  return different ? 1 : 0;
}

int run(const std::vector<std::string>& arguments) {
  Settings s;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& a = arguments[i];
    const auto number = [&] { return static_cast<u32>(std::stoul(arguments[++i])); };
    const bool has_value = i + 1 < arguments.size();
    if (a == "--frames" && has_value) {
      s.frames = number();
    } else if (a == "--alone" && has_value) {
      s.alone = std::max(1u, number());
    } else if (a == "--samples" && has_value) {
      s.samples = number();
    } else if (a == "--width" && has_value) {
      s.width = number();
      s.height = std::max(1u, s.width * 9 / 16);
    } else if (a == "--device" && has_value) {
      s.device = arguments[++i];
    } else if (a == "--material" && has_value) {
      s.material = arguments[++i];
    } else if (a.rfind("-", 0) != 0 && s.scene.empty()) {
      s.scene = a;
    } else {
      s.scene.clear();
      break;
    }
  }
  if (s.scene.empty()) {
    std::printf(
        "usage: sway_check SCENE [--material PART] [--frames N] [--alone N] [--samples N]\n"
        "                  [--width N] [--device NAME]\n"
        "Moves the vertices of all materials whose names contain PART (default: fabric) through "
        "N\n"
        "frames (default 300), draws each, and prints the time of a frame by phase. One\n"
        "frame in 30 (or --alone) is drawn alone, too, and must have the same pixels.\n");
    return 2;
  }
  return sway(s);
}

}  // namespace
}  // namespace ballotcast::detail

int main(int argc, char** argv) {
  return ballotcast::detail::testing::run_tool("sway_check", ballotcast::detail::run, argc, argv);
}
