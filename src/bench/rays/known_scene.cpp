#include "bench/rays/known_scene.hpp"

#include <algorithm>

#include "render/settings.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {

namespace {

std::shared_ptr<const SceneData> solid(SceneData&& loaded) {
  auto scene = std::make_shared<SceneData>(std::move(loaded));
  for (Material& material : scene->materials) {
    material.opacity = 1.0f;
    material.opacity_texture = kNoTexture;
  }
  scene->packed.reset();  // its tree is that of the surfaces as they were
  return scene;
}

}  // namespace

KnownScene::KnownScene(SceneData&& scene)
    : scene_(solid(std::move(scene))),
      reference_(prepare(scene_, "binned-sah", "bvh2")),
      cpu_(choose_backend("cpu").backend->upload(*reference_)) {}

RaySet KnownScene::rays(const std::string& workload, u32 width, u32 height,
                        const CameraMotion& motion, u32 number) const {
  const Camera still = camera_for(*reference_, {}, width, height);
  const Camera camera =
      motion.moves() ? moved(still, motion, number, double{reference_->view.diagonal}) : still;
  const RayFixture ground{*reference_, *cpu_, camera, width, height};
  try {
    return workload_called(workload).make(ground);
  } catch (const UsageError& error) {  // about the camera, but the user did not choose it
    throw InputError(scene_->name + ": " + error.what());
  }
}

std::vector<Hit> KnownScene::hits(const RaySet& set) const {
  std::vector<Hit> hits(set.rays.size());
  cpu_->cast(set.kind, set.rays.data(), hits.data(), nullptr, set.rays.size(), {});
  return hits;
}

Values scene_axes(const KnownScene& scene, bool sized) {
  Values axes = {{"scene", scene.scene()->name}};
  if (sized) axes.emplace_back("triangles", scene.triangles());
  return axes;
}

double bytes_per_triangle(const EncodedBvh& tree, u64 triangles) {
  const u64 bytes = tree.bytes + u64{tree.triangles.size()} * sizeof(TriangleRows);
  return static_cast<double>(bytes) / static_cast<double>(std::max<u64>(1, triangles));
}

}  // namespace ballotcast::detail
