#include "backends/cuda/device_motion.cuh"
#include "backends/cuda/stream_caster.hpp"
#include "backends/cuda/view.cuh"
#include "kernels/pipelines/warp/warp.hpp"

namespace ballotcast::detail {

namespace {

/// What moves in a scene; shared by all of its casters.
struct Motion {
  std::unique_ptr<VertexMotion> vertices;     // null if no vertex moves
  std::unique_ptr<InstanceMotion> instances;  // null if no instance moves
};

class Caster final : public StreamCaster {
 public:
  explicit Caster(const PreparedScene& scene) : scene_(scene) {}
  Caster(const PreparedScene& scene, const BinaryTree* tree)
      : scene_(scene), motion_(std::make_shared<Motion>()) {
    if (tree)
      motion_->vertices = std::make_unique<VertexMotion>(scene, *tree, *scene_.arrays);
    else
      motion_->instances = std::make_unique<InstanceMotion>(scene, *scene_.arrays);
    find_moving();
  }
  Caster(std::shared_ptr<DeviceArrays> arrays, std::shared_ptr<Motion> motion)
      : scene_(std::move(arrays)), motion_(std::move(motion)) {
    find_moving();
  }

  Caster(const PreparedScene& scene, const DeviceArrays& there) : scene_(scene, there) {}

  std::unique_ptr<StreamCaster> copied(const PreparedScene& scene) const override {
    return std::make_unique<Caster>(scene, *scene_.arrays);
  }

  std::unique_ptr<StreamCaster> another_one() const override {
    return std::make_unique<Caster>(scene_.arrays, motion_);
  }

  void set_vertices(const vec3* vertices, void* stream) override {
    motion_->vertices->set_vertices(vertices, static_cast<cudaStream_t>(stream));
  }
  void refit(void* stream) override { motion_->vertices->refit(static_cast<cudaStream_t>(stream)); }
  void reserve_rebuild(void* stream) override {
    motion_->vertices->reserve_rebuild(static_cast<cudaStream_t>(stream));
  }
  bool can_rebuild() const override { return motion_->vertices->can_rebuild(); }
  void rebuild(void* stream) override {
    motion_->vertices->rebuild(static_cast<cudaStream_t>(stream));
  }
  u32 refused_rebuilds(void* stream) override {
    return motion_->vertices->refused_rebuilds(static_cast<cudaStream_t>(stream));
  }

  void set_transforms(const Transform* transforms, void* stream) override {
    motion_->instances->set_transforms(transforms, static_cast<cudaStream_t>(stream));
  }
  void follow_instances(void* stream) override {
    motion_->instances->follow(static_cast<cudaStream_t>(stream));
  }
  UnusableTransforms unusable_transforms(void* stream) override {
    const UnusableInstances found = motion_->instances->unusable(static_cast<cudaStream_t>(stream));
    return {found.count, ~found.first_inverted};
  }

  void answer(const Query& query, void* stream) override {
    scene_on(stream);
    Query asked = query;
    asked.choice = &choice_;
    answer_on_device(scene_, asked, [&](const Query& cast) {
      return scene_.moving ? cast_moving(cast) : cast_on_device(scene_, cast);
    });
  }

  DeviceScene& scene_on(void* stream) override {
    scene_.machine.launch_into(static_cast<cudaStream_t>(stream));
    return scene_;
  }

 private:
  void find_moving() {
    if (motion_ && motion_->vertices) scene_.moving = motion_->vertices->frame();
  }

  CastCounts cast_moving(const Query& cast) {
    CastCounts counts;
    with_moving_view(scene_, [&](const auto& view) {
      using Layout = typename std::decay_t<decltype(view)>::LayoutType;
      const RayBatch<Layout> batch{
          cast.items_as<Ray>(),         cast.results_as<Hit>(), nullptr, nullptr,
          static_cast<u32>(cast.count), kind_of(cast)};
      counts = Warp::run<Layout, void>(scene_.machine, view, batch, choice_.plan());
    });
    return counts;
  }

  DeviceScene scene_;
  std::shared_ptr<Motion> motion_;  // null if nothing moves
  const CastChoice choice_{CastOptions{std::string(Warp::info.name)}};
};

}  // namespace

std::unique_ptr<StreamCaster> make_stream_caster(const PreparedScene& scene) {
  return std::make_unique<Caster>(scene);
}

std::unique_ptr<StreamCaster> make_moving_caster(const PreparedScene& scene,
                                                 const BinaryTree* tree) {
  return std::make_unique<Caster>(scene, tree);
}

}  // namespace ballotcast::detail
