#include "backends/cuda/device_motion.cuh"
#include "backends/cuda/stream_caster.hpp"
#include "backends/cuda/view.cuh"
#include "kernels/closest_point.hpp"
#include "kernels/crossings.hpp"
#include "kernels/pipelines/warp/warp.hpp"
#include "kernels/winding_number.hpp"

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
  }
  Caster(std::shared_ptr<DeviceArrays> arrays, std::shared_ptr<Motion> motion)
      : scene_(std::move(arrays)), motion_(std::move(motion)) {}

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

  void cast(RayKind kind, const Ray* rays, const RayWorlds& worlds, Hit* hits, u32 count,
            void* stream) override {
    scene_on(stream);
    if (!vertices_move()) {
      cast_on_device(scene_, {kind, rays, hits, nullptr, count, worlds}, choice_);
      return;
    }
    with_moving_view(worlds, [&](const auto& view) {
      using Layout = typename std::decay_t<decltype(view)>::LayoutType;
      const RayBatch<Layout> batch{rays, hits, nullptr, nullptr, count, kind};
      Warp::run<Layout, void>(scene_.machine, view, batch, choice_.plan());
    });
  }

  void count(const Ray* rays, const RayWorlds& worlds, u32* counts, u32 count,
             void* stream) override {
    scene_on(stream);
    if (!vertices_move()) return count_crossings_on_device(scene_, rays, worlds, counts, count);
    with_moving_view(worlds, [&](const auto& view) {
      scene_.machine.each<CountCrossings>("count crossings", count, view, rays, counts);
    });
  }

  void crossings(const Ray* rays, const RayWorlds& worlds, const u64* starts, Hit* hits, u32 count,
                 void* stream) override {
    scene_on(stream);
    if (!vertices_move())
      return store_crossings_on_device(scene_, rays, worlds, starts, hits, count);
    with_moving_view(worlds, [&](const auto& view) {
      scene_.machine.each<StoreCrossings>("store crossings", count, view, rays, starts, hits);
    });
  }

  void closest_points(const Vec3f* points, const RayWorlds& worlds, float max_distance,
                      Nearest* nearest, u32 count, void* stream) override {
    scene_on(stream);
    if (!vertices_move())
      return closest_points_on_device(scene_, points, worlds, max_distance, nearest, count);
    with_moving_view(worlds, [&](const auto& view) {
      scene_.machine.each<FindClosestPoint>("closest points", count, view, points, max_distance,
                                            nearest);
    });
  }

  void contains(const PointArray& points, const RayWorlds& worlds, InsideRule rule, u8* inside,
                u32 count, void* stream) override {
    scene_on(stream);
    if (!vertices_move()) return contains_on_device(scene_, points, worlds, rule, inside, count);
    with_moving_view(worlds, [&](const auto& view) {
      test_inside(scene_.machine, view, points, rule, scene_.arrays->view.triangle_count, inside,
                  count);
    });
  }

  void winding_numbers(const PointArray& points, const RayWorlds& worlds, double* numbers,
                       u32 count, void* stream) override {
    scene_on(stream);
    winding_numbers_on_device(scene_, points, worlds, numbers, count);
  }

  DeviceScene& scene_on(void* stream) override {
    scene_.machine.launch_into(static_cast<cudaStream_t>(stream));
    return scene_;
  }

 private:
  bool vertices_move() const { return motion_ && motion_->vertices; }

  /// Calls visit(view) with the view of a scene whose vertices move.
  template <class Visit>
  void with_moving_view(const RayWorlds& worlds, Visit visit) {
    with_view(scene_.arrays->view, worlds, [&](const auto& still) {
      using Layout = typename std::decay_t<decltype(still)>::LayoutType;
      visit(MovingTraceView<Layout>{still, motion_->vertices->frame()});
    });
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
