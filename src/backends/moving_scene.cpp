#include "backends/moving_scene.hpp"

#include <utility>

#include "support/error.hpp"
#include "support/float_environment.hpp"
#include "support/parallel.hpp"

namespace ballotcast::detail {

MovingScene::MovingScene(const SceneData& scene, std::string_view builder, std::string_view layout,
                         const Progress& progress, BuildTree build)
    : scene_(std::make_shared<SceneData>(scene)),
      prepared_(std::make_shared<PreparedScene>()),
      build_(std::move(build)) {
  const DefaultFloats floats;
  if (!scene.instances.empty())
    throw UsageError("the vertices of a scene with instances can't move");
  scene_->packed = nullptr;  // its tree is of vertices that stay
  prepared_->scene = scene_;
  prepared_->builder = builder_of_moving(builder);
  prepared_->encoded.layout = layout_called(layout);
  require_drawable(*scene_);
  prepared_->lights = light_tables_of(*scene_);
  rebuild(progress);
}

void MovingScene::set_vertices(Span<const Vec3f> vertices) {
  Mesh& mesh = scene_->mesh;
  const std::size_t count = vertices.size();
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

void MovingScene::become(SceneChange change) {
  if (change.pose) {
    take(change.pose->positions);
    scene_->mesh.corner_normals = std::move(change.pose->corner_normals);
    scene_->origin = change.pose->origin;
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
  find_lamps_again(*scene_, out.lights);
  set_arrays(out);
}

void MovingScene::rebuild(const Progress& progress) {
  const DefaultFloats floats;
  PreparedScene& out = *prepared_;
  tree_ = FollowingTree(build_.build(out.builder, scene_->mesh, {}, progress), scene_->mesh);
  out.encoded = encode(out.encoded.layout, tree_.tree(), scene_->mesh);
  out.statistics = statistics_of(tree_.tree());
  out.bounds = scene_->mesh.bounds();
  find_lamps_again(*scene_, out.lights);
  set_arrays(out);
}

void MovingScene::keep_tree() {
  const DefaultFloats floats;
  set_arrays(*prepared_);
}

}  // namespace ballotcast::detail
