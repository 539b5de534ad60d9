#include "backends/scene/moving_scene.hpp"

#include <utility>

#include "ballotcast/error.hpp"
#include "support/float_environment.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

MovingScene::MovingScene(const SceneData& scene, std::string_view builder, std::string_view layout,
                         const Progress& progress, BuildTree build)
    : scene_(std::make_shared<SceneData>(scene)),
      prepared_(std::make_shared<PreparedScene>()),
      build_(std::move(build)) {
  const DefaultFloats floats;
  scene_->packed = nullptr;  // packed trees are valid only for vertices that do not move
  prepared_->scene = scene_;
  // With instances, the trees of meshes do not change, so any builder can be used.
  prepared_->builder =
      has_instances() ? builder_called(builder, build_.on) : builder_of_moving(builder);
  prepared_->encoded.layout = layout_called(layout);
  require_drawable(*scene_);
  prepared_->lights = light_tables_of(*scene_);
  if (has_instances()) {
    build_levels(*prepared_, prepared_->encoded.layout, build_mesh(progress));
    set_arrays(*prepared_);
  } else {
    rebuild(progress);
  }
}

void MovingScene::set_vertices(Span<const Vec3f> vertices) {
  Mesh& mesh = scene_->mesh;
  const std::size_t count = vertices.size();
  if (has_instances())
    throw UsageError("the vertices of a scene with instances can't move; its instances can");
  if (count != mesh.positions.size())
    throw UsageError(std::to_string(count) + " vertices for a scene that has " +
                     std::to_string(mesh.positions.size()));
  spare_.resize(count);
  vec3* const to = spare_.data();
  for_each_range<std::size_t>(count, 1 << 14, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) to[i] = vec3(vertices[i]) + 0.0f;  // turns -0 into 0
  });
  take(spare_);
}

void MovingScene::take(Array<vec3>& positions) {
  Mesh& mesh = scene_->mesh;
  std::swap(mesh.positions, positions);
  try {
    mesh.require_valid();
  } catch (...) {
    std::swap(mesh.positions, positions);
    throw;
  }
}

void MovingScene::set_transforms(Span<const Transform> transforms) {
  const DefaultFloats floats;
  require_count(*scene_, transforms.size());
  detail::set_transforms(*scene_, {transforms.begin(), transforms.end()}, prepared_->levels.boxes);
}

void MovingScene::rebuild_upper() {
  const DefaultFloats floats;
  PreparedScene& out = *prepared_;
  rebuild_upper_trees(*scene_, out.builder, build_mesh({}), out.encoded, out.levels);
  out.bounds = box_of_instances(*scene_, out.levels.boxes);
  recompute_lamps(*scene_, out.lights);
  set_arrays(out);
}

BuildMesh MovingScene::build_mesh(const Progress& progress) const {
  return [this, progress](const Builder& builder, const Mesh& mesh) {
    return build_.build(builder, mesh, {}, progress);
  };
}

void MovingScene::change_scene(SceneChange change) {
  if (change.pose) {
    take(change.pose->positions);
    scene_->mesh.corner_normals = std::move(change.pose->corner_normals);
    scene_->origin = change.pose->origin;
  }
  if (change.transforms) {
    detail::set_transforms(*scene_, change.transforms->transforms, prepared_->levels.boxes);
    scene_->origin = change.transforms->origin;
  }
  scene_->camera = change.camera;
  scene_->sun = change.sun;
}

void MovingScene::refit() {
  const DefaultFloats floats;
  PreparedScene& out = *prepared_;
  out.bounds = scene_->mesh.bounds();
  store_triangles_again(out.encoded, tree_.tree(), scene_->mesh);
  tree_.refit(out.encoded.triangles.data());
  encode_nodes_again(out.encoded, tree_.tree(), magnitude_of(out.bounds));
  recompute_lamps(*scene_, out.lights);
  set_arrays(out);
}

void MovingScene::rebuild(const Progress& progress) {
  const DefaultFloats floats;
  PreparedScene& out = *prepared_;
  tree_ = FollowingTree(build_.of_any_size(out.builder, scene_->mesh, {}, progress), scene_->mesh);
  out.encoded = encode(out.encoded.layout, tree_.tree(), scene_->mesh);
  out.statistics = statistics_of(tree_.tree());
  out.bounds = scene_->mesh.bounds();
  recompute_lamps(*scene_, out.lights);
  set_arrays(out);
}

void MovingScene::keep_tree() {
  const DefaultFloats floats;
  set_arrays(*prepared_);
}

}  // namespace ballotcast::detail
