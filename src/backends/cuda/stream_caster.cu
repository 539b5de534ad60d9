#include "backends/cuda/resident.cuh"
#include "backends/cuda/stream_caster.hpp"
#include "kernels/pipelines/warp/warp.hpp"

namespace ballotcast::detail {

namespace {

class Caster final : public StreamCaster {
 public:
  explicit Caster(const PreparedScene& scene) : scene_(scene) {}
  explicit Caster(std::shared_ptr<DeviceArrays> arrays) : scene_(std::move(arrays)) {}

  std::unique_ptr<StreamCaster> another_one() const override {
    return std::make_unique<Caster>(scene_.arrays);
  }

  void cast(RayKind kind, const Ray* rays, Hit* hits, u32 count, void* stream) override {
    scene_.machine.launch_into(static_cast<cudaStream_t>(stream));
    cast_on_device(scene_, {kind, rays, hits, nullptr, count}, choice_);
  }

 private:
  DeviceScene scene_;
  const CastChoice choice_{CastOptions{std::string(Warp::info.name)}};
};

}  // namespace

std::unique_ptr<StreamCaster> make_stream_caster(const PreparedScene& scene) {
  return std::make_unique<Caster>(scene);
}

}  // namespace ballotcast::detail
