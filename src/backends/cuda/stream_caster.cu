#include "backends/cuda/resident.cuh"
#include "backends/cuda/stream_caster.hpp"
#include "backends/cuda/view.cuh"
#include "bvh/layouts/table.hpp"
#include "kernels/build/refit.hpp"
#include "kernels/build/steps.hpp"
#include "kernels/pipelines/warp/warp.hpp"

namespace ballotcast::detail {

namespace {

/// The part of a scene on the device that moves there.
class DeviceMotion {
 public:
  DeviceMotion(const PreparedScene& scene, const BinaryTree& tree, DeviceArrays& arrays)
      : arrays_(arrays),
        count_(static_cast<u32>(scene.scene->mesh.positions.size())),
        incoming_(count_),
        frame_(1),
        tree_(machine_, tree) {
    const WalkFrame frame{scene.encoded.shape, scene.view.magnitude};
    machine_.copy_in(frame_.data(), &frame, 1);
  }

  void set_vertices(const vec3* vertices, cudaStream_t stream) {
    machine_.launch_into(stream);
    check(cudaMemcpyAsync(incoming_.data(), vertices, count_ * sizeof(vec3), cudaMemcpyDefault,
                          stream),
          "set vertices");
    machine_.each<TakeVertices>("take vertices", count_, static_cast<const vec3*>(incoming_.data()),
                                positions());
  }

  void refit(cudaStream_t stream) {
    machine_.launch_into(stream);
    const SceneArrays& view = arrays_.view;
    dispatch_row(Layouts{}, view.layout, [&](auto tag) {
      using Layout = typename decltype(tag)::type;
      // The arrays are this scene's own.
      auto* const nodes =
          reinterpret_cast<typename Layout::Node*>(const_cast<NodeBytes*>(view.nodes));
      tree_.template refit<Layout>(machine_, positions(), view.scene.mesh.triangles, nodes,
                                   const_cast<TriangleRows*>(view.leaf_triangles), frame_.data());
    });
  }

  /// In the memory of the device.
  const WalkFrame* frame() const { return frame_.data(); }

 private:
  vec3* positions() { return const_cast<vec3*>(arrays_.view.scene.mesh.positions); }

  using Machine = WithBuildSteps<CudaMachine>;
  Machine machine_;
  DeviceArrays& arrays_;
  const u32 count_;
  DeviceBuffer<vec3> incoming_;
  DeviceBuffer<WalkFrame> frame_;
  DeviceTree<Machine> tree_;
};

class Caster final : public StreamCaster {
 public:
  explicit Caster(const PreparedScene& scene) : scene_(scene) {}
  Caster(const PreparedScene& scene, const BinaryTree& tree)
      : scene_(scene), motion_(std::make_shared<DeviceMotion>(scene, tree, *scene_.arrays)) {}
  Caster(std::shared_ptr<DeviceArrays> arrays, std::shared_ptr<DeviceMotion> motion)
      : scene_(std::move(arrays)), motion_(std::move(motion)) {}

  std::unique_ptr<StreamCaster> another_one() const override {
    return std::make_unique<Caster>(scene_.arrays, motion_);
  }

  void set_vertices(const vec3* vertices, void* stream) override {
    motion_->set_vertices(vertices, static_cast<cudaStream_t>(stream));
  }

  void refit(void* stream) override { motion_->refit(static_cast<cudaStream_t>(stream)); }

  void cast(RayKind kind, const Ray* rays, Hit* hits, u32 count, void* stream) override {
    scene_.machine.launch_into(static_cast<cudaStream_t>(stream));
    if (!motion_) {
      cast_on_device(scene_, {kind, rays, hits, nullptr, count}, choice_);
      return;
    }
    with_view(scene_.arrays->view, [&](const auto& still) {
      using Layout = typename std::decay_t<decltype(still)>::LayoutType;
      const MovingTraceView<Layout> view{still, motion_->frame()};
      const RayBatch<Layout> batch{rays, hits, nullptr, nullptr, count, kind};
      Warp::run<Layout, void>(scene_.machine, view, batch, choice_.plan());
    });
  }

 private:
  DeviceScene scene_;
  std::shared_ptr<DeviceMotion> motion_;  // null if nothing moves
  const CastChoice choice_{CastOptions{std::string(Warp::info.name)}};
};

}  // namespace

std::unique_ptr<StreamCaster> make_stream_caster(const PreparedScene& scene) {
  return std::make_unique<Caster>(scene);
}

std::unique_ptr<StreamCaster> make_moving_caster(const PreparedScene& scene,
                                                 const BinaryTree& tree) {
  return std::make_unique<Caster>(scene, tree);
}

}  // namespace ballotcast::detail
