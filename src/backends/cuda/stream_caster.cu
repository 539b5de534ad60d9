#include "backends/cuda/resident.cuh"
#include "backends/cuda/stream_caster.hpp"
#include "kernels/pipelines/warp/warp.hpp"

namespace ballotcast::detail {

namespace {

/// The scene's arrays, which casters share.
struct SharedScene {
  CudaMachine machine;
  std::string_view layout;
  DeviceSceneArrays arrays;

  explicit SharedScene(const PreparedScene& scene)
      : layout(scene.encoded.layout), arrays(upload_arrays(machine, scene)) {}
};

class Caster final : public StreamCaster {
 public:
  explicit Caster(std::shared_ptr<SharedScene> scene) : scene_(std::move(scene)) {}

  std::unique_ptr<StreamCaster> another_one() const override {
    return std::make_unique<Caster>(scene_);
  }

  void cast(RayKind kind, const Ray* rays, Hit* hits, u32 count, void* stream) override {
    machine_.launch_into(static_cast<cudaStream_t>(stream));
    cast_on_device(machine_, scene_->layout, scene_->arrays, {kind, rays, hits, nullptr, count},
                   no_walks_, CastOptions{Warp::info.name}, {});
  }

 private:
  std::shared_ptr<SharedScene> scene_;
  CudaMachine machine_;
  DeviceBuffer<uint4> no_walks_;  // no ray rests in this pipeline
};

}  // namespace

std::unique_ptr<StreamCaster> make_stream_caster(const PreparedScene& scene) {
  return std::make_unique<Caster>(std::make_shared<SharedScene>(scene));
}

}  // namespace ballotcast::detail
