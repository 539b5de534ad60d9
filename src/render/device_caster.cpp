#include "ballotcast/device_caster.hpp"

#include "backends/cuda/stream_caster.hpp"
#include "backends/memory_plan.hpp"
#include "backends/moving_scene.hpp"
#include "support/error.hpp"

namespace ballotcast {

using namespace detail;

struct DeviceCaster::Parts {
  std::shared_ptr<const PreparedScene> scene;
  std::unique_ptr<StreamCaster> caster;
  u64 vertices = 0;  // of a scene that moves; 0: it does not

  /// Throws UsageError unless the vertices may move.
  void require_moves() const {
    if (vertices == 0)
      throw UsageError("this caster's vertices can't move: set RendererOptions::moves");
  }

  void cast(RayKind kind, const Ray* rays, Hit* hits, u64 count, void* stream) {
    constexpr u64 kMost = (u64{1} << 31) - 1;  // see CastByWarp::kMoved
    if (count > kMost)
      throw UsageError("cast: " + std::to_string(count) + " rays; the limit is 2^31 - 1");
    if (count > 0) caster->cast(kind, rays, hits, static_cast<u32>(count), stream);
  }
};

DeviceCaster::DeviceCaster(Scene scene, const RendererOptions& options)
    : parts_(std::make_unique<Parts>()) {
  const BackendInfo& cuda = *choose_backend("cuda").backend;
  const BuildTree build = build_on(cuda, options.max_memory);
  const auto require_room = [&] {
    plan_memory(
        memory_of(*parts_->scene), [](u32) { return MemoryTable{}; },
        budget_on(cuda, options.max_memory));
  };
  if (options.moves && scene.instance_count() > 0)
    throw UsageError("a DeviceCaster can't move a scene with instances; a Renderer can");
  if (options.moves && scene.triangle_count() > 0) {
    const MovingScene moving(*scene.data(), options.builder, options.layout, options.progress,
                             build);
    parts_->scene = moving.prepared();
    parts_->vertices = parts_->scene->scene->mesh.positions.size();
    require_room();
    parts_->caster = make_moving_caster(*parts_->scene, moving.tree());
    return;
  }
  parts_->scene =
      prepare_as_packed(scene.data(), options.builder, options.layout, options.progress, build);
  require_room();
  parts_->caster = make_stream_caster(*parts_->scene);
}

DeviceCaster::DeviceCaster(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
DeviceCaster::~DeviceCaster() = default;
DeviceCaster::DeviceCaster(DeviceCaster&&) noexcept = default;
DeviceCaster& DeviceCaster::operator=(DeviceCaster&&) noexcept = default;

DeviceCaster DeviceCaster::another_one() const {
  auto parts = std::make_unique<Parts>();
  parts->scene = parts_->scene;
  parts->vertices = parts_->vertices;
  parts->caster = parts_->caster->another_one();
  return DeviceCaster(std::move(parts));
}

void DeviceCaster::closest(const Ray* rays, Hit* hits, std::uint64_t count, void* stream) {
  parts_->cast(RayKind::closest, rays, hits, count, stream);
}

void DeviceCaster::set_vertices(const float* vertices, std::uint64_t count, void* stream) {
  parts_->require_moves();
  if (count != parts_->vertices)
    throw UsageError(std::to_string(count) + " vertices for a scene that has " +
                     std::to_string(parts_->vertices));
  parts_->caster->set_vertices(reinterpret_cast<const vec3*>(vertices), stream);
}

void DeviceCaster::refit(void* stream) {
  parts_->require_moves();
  parts_->caster->refit(stream);
}

void DeviceCaster::reserve_rebuild(void* stream) {
  parts_->require_moves();
  parts_->caster->reserve_rebuild(stream);
}

void DeviceCaster::rebuild(void* stream) {
  parts_->require_moves();
  if (!parts_->caster->can_rebuild())
    throw UsageError("this caster has no memory for rebuilding: call reserve_rebuild() before");
  parts_->caster->rebuild(stream);
}

std::uint32_t DeviceCaster::refused_rebuilds(void* stream) {
  parts_->require_moves();
  return parts_->caster->refused_rebuilds(stream);
}

void DeviceCaster::any(const Ray* rays, Hit* hits, std::uint64_t count, void* stream) {
  parts_->cast(RayKind::any, rays, hits, count, stream);
}

}  // namespace ballotcast
