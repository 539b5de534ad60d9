#include "bench/rays/known_scene.hpp"

#include <algorithm>
#include <cmath>

#include "backends/device/device_choice.hpp"
#include "ballotcast/error.hpp"
#include "math/vec.hpp"
#include "render/settings.hpp"
#include "support/numbers.hpp"

namespace ballotcast::detail {

namespace {

std::shared_ptr<const SceneData> solid(SceneData&& loaded) {
  auto scene = std::make_shared<SceneData>(std::move(loaded));
  for (Material& material : scene->materials) {
    material.opacity = 1.0f;
    material.opacity_texture = kNoTexture;
  }
  scene->packed.reset();  // the packed tree is that of the surfaces before they were made opaque
  return scene;
}

}  // namespace

CameraMotion motion_of(const std::string& text) {
  if (text.empty()) return {};
  if (text == "step") return {0.0, 0.001};
  const std::string turn = "turn:";
  if (text.compare(0, turn.size(), turn) == 0) {
    const std::optional<double> degrees = finite_number(text.substr(turn.size()));
    if (degrees && std::abs(*degrees) > 0.0 && std::abs(*degrees) <= 360.0) return {*degrees, 0.0};
  }
  throw UsageError("moving '" + text + "' is no motion of a camera: turn:DEGREES per cast, or step",
                   "moving");
}

Camera moved(const Camera& camera, const CameraMotion& motion, u32 number, double diagonal) {
  const dvec3 sight = dvec3(camera.look_at) - dvec3(camera.eye);
  const dvec3 up = dvec3(camera.up) / std::sqrt(dot(dvec3(camera.up), dvec3(camera.up)));
  // Rotates around `up` by the formula of O. Rodrigues (1840).
  const double angle = motion.degrees * number * 3.14159265358979323846 / 180.0;
  const dvec3 turned = sight * std::cos(angle) + cross(up, sight) * std::sin(angle) +
                       up * (dot(up, sight) * (1.0 - std::cos(angle)));
  const dvec3 ahead = sight * (motion.step * number * diagonal / std::sqrt(dot(sight, sight)));
  const dvec3 eye = dvec3(camera.eye) + ahead, at = eye + turned;
  Camera out = camera;
  out.eye = {eye.x, eye.y, eye.z};
  out.look_at = {at.x, at.y, at.z};
  return out;
}

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
  } catch (const UsageError& error) {  // an error about the camera, but the user did not choose it
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
