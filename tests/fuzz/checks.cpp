#include "fuzz/checks.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "bvh/tree_checks.hpp"
#include "helpers/brute_force.hpp"
#include "helpers/meshes.hpp"
#include "render/internals.hpp"

namespace ballotcast::detail::fuzz {

namespace {

constexpr std::size_t kLongestLine = 4096;  // longest line of a message, in bytes
constexpr std::size_t kMostTrianglesDrawn = 2000;
constexpr u32 kRays = 64;

/// Requires that the tree and brute force find the same hits.
void require_same_hits(Renderer& renderer) {
  const PreparedScene& prepared = prepared_of(renderer);
  const std::vector<Ray> rays = testing::rays_at(prepared.scene->mesh, kRays, 1);
  std::vector<Hit> hits(rays.size());
  renderer.closest(rays, hits);
  if (prepared.view.has_cutouts != 0) return;
  for (std::size_t i = 0; i < rays.size(); ++i)
    require(same_bits(hits[i], testing::brute_force(prepared, rays[i])),
            "a hit that brute force does not find");
}

/// A camera that looks at the middle of a scene, from about twice the scene's largest extent away.
Camera view_of(const SceneData& scene) {
  const Aabb box = scene.mesh.bounds();
  const vec3 center = box.center(), size = box.extent();
  const double distance = 2.0 * static_cast<double>(largest_magnitude(size)) + 0x1p-30;
  Camera camera;
  const dvec3 middle = scene.origin + dvec3(center);
  camera.look_at = middle;
  camera.eye = middle + dvec3(0.4, 0.5, 0.7) * distance;
  return camera;
}

}  // namespace

void require(bool holds, std::string_view why) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: %.*s\n", static_cast<int>(why.size()), why.data());
  std::abort();
}

void require_clear_line(const std::string& text) {
  require(!text.empty(), "a message that says nothing");
  require(text.size() <= kLongestLine, "an endless message");
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  require(std::none_of(text.begin(), text.end(), is_control),
          "control characters in the message: " + text);
}

void require_sound(SceneData scene) {
  for (const std::string& warning : scene.warnings) require_clear_line(warning);
  scene.mesh.require_valid();
  if (scene.mesh.triangles.size() > kMostTrianglesDrawn) return;
  Renderer renderer(std::make_shared<const SceneData>(std::move(scene)), {"cpu"});
  const PreparedScene& prepared = prepared_of(renderer);
  if (!prepared.tree_is_packed) {  // boxes of a packed tree may be wrong
    const Mesh& mesh = prepared.scene->mesh;
    const BinaryTree tree = prepared.builder.build(mesh, prepared.copies, {});
    const std::string defect = defect_of(tree, mesh, prepared.copies);
    require(defect.empty(), defect);
    require_same_hits(renderer);
  }
  RenderSettings settings;
  settings.width = 6;
  settings.height = 4;
  settings.samples = 1;
  settings.bounces = 1;
  // Choosing a camera and an exposure takes many rays, so this is done for every eighth scene only.
  if (scene_of(renderer).mesh.triangles.size() % 8 != 0) {
    settings.camera = view_of(scene_of(renderer));
    settings.exposure = 1.0f;
    settings.smooth = Smoothing::off;
  }
  for (const char* shading : {"albedo", "lit"}) {
    settings.shading = shading;
    renderer.render(settings);
  }
}

Folder::Folder() {
  std::string name = (std::filesystem::temp_directory_path() / "ballotcast-fuzz-XXXXXX").string();
  require(::mkdtemp(name.data()) != nullptr, "no temporary folder");
  path_ = name;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string Folder::write(const std::string& name, std::span<const u8> bytes) const {
  const std::string path = path_ + "/" + name;
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  return path;
}

const Folder& folder() {
  static const Folder one;
  return one;
}

std::span<const u8> next_part(std::span<const u8>& input) {
  constexpr std::string_view kLine = "----\n";
  const auto at = std::search(input.begin(), input.end(), kLine.begin(), kLine.end());
  const std::size_t length = static_cast<std::size_t>(at - input.begin());
  const std::span<const u8> part = input.first(length);
  input = input.subspan(at == input.end() ? length : length + kLine.size());
  return part;
}

}  // namespace ballotcast::detail::fuzz
