#include "ballotcast/device_caster.hpp"

#include "backends/cuda/peers.hpp"
#include "backends/cuda/stream_caster.hpp"
#include "backends/device/device_choice.hpp"
#include "backends/device/memory_plan.hpp"
#include "backends/scene/moving_scene.hpp"
#include "ballotcast/error.hpp"
#include "render/renderer_state.hpp"

namespace ballotcast {

using namespace detail;

void detail::require_on_device(const Query& query, u32 world_count) {
  query.require(true);
  if (world_count == 0 && (query.worlds.each || query.worlds.all != 0))
    throw UsageError("the scene has no instances, so it has only world 0");
  require_use_of_instances(query.filter.rays, world_count);
  constexpr u64 kMost = (u64{1} << 31) - 1;  // bit 31 is LaneWalk::kMoved
  if (query.count > kMost)
    throw UsageError(std::to_string(query.count) + (query.is_about_points() ? " points" : " rays") +
                     "; the limit is 2^31 - 1");
}

struct DeviceCaster::Parts {
  std::shared_ptr<const PreparedScene> scene;
  std::unique_ptr<StreamCaster> caster;
  u64 vertices = 0;   // the number of vertices if they move, else 0
  u64 instances = 0;  // the number of instances if they move, else 0
  int device = 0;

  /// Throws UsageError unless the vertices may move.
  void require_moving_vertices() const {
    if (instances > 0)
      throw UsageError("the vertices of a scene with instances can't move; its instances can");
    if (vertices == 0)
      throw UsageError("this caster's vertices can't move: set RendererOptions::moves");
  }
  /// Throws UsageError unless instances may move.
  void require_moving_instances() const {
    if (scene->arrays.world_count == 0)
      throw UsageError("the scene has no instances that could move");
    if (instances == 0)
      throw UsageError("this caster's instances can't move: set RendererOptions::moves");
  }

  /// Sets the masks that the scene gives its instances, and waits for them.
  void take_masks_of(const SceneData& given) {
    if (given.masks.empty()) return;
    caster->set_masks(given.masks.data(), static_cast<u32>(given.masks.size()), nullptr);
    wait_for_device();
  }

  void answer_about_rays(Query query, const RayFilter& filter, void* stream) {
    query.filter.rays = filter;
    answer(query, stream);
  }

  void answer(const Query& query, void* stream) {
    require_on_device(query, scene->arrays.world_count);
    require_use_of_shapes(query, *scene->scene);
    const OnDevice here(device);
    if (query.count > 0) caster->answer(query, stream);
  }

  template <class Point>
  void contains(const Point* points, std::uint8_t* inside, u64 count, InsideRule rule, void* stream,
                const RayWorlds& worlds) {
    Query asked = query<PointsInside>(points, count, worlds, inside);
    asked.rule = rule;
    answer(asked, stream);
  }
};

DeviceCaster::DeviceCaster(Scene scene, const RendererOptions& options)
    : parts_(std::make_unique<Parts>()) {
  const DeviceChoice cuda = choose_backend("cuda");
  parts_->device = current_device();
  const BuildTree build = build_on(cuda, options.max_memory);
  if (options.moves && scene.triangle_count() > 0) {
    const MovingScene moving(*scene.data(), options.builder, options.layout, options.progress,
                             build);
    parts_->scene = moving.prepared();
    parts_->instances = scene.instance_count();
    if (!moving.has_instances()) parts_->vertices = scene.data()->mesh.positions.size();
    require_room(memory_of(*parts_->scene), budget_on(cuda, options.max_memory));
    parts_->caster =
        make_moving_caster(*parts_->scene, moving.has_instances() ? nullptr : &moving.tree());
    parts_->take_masks_of(*scene.data());
    return;
  }
  parts_->scene =
      prepare_as_packed(scene.data(), options.builder, options.layout, options.progress, build);
  require_room(memory_of(*parts_->scene), budget_on(cuda, options.max_memory));
  parts_->caster = make_stream_caster(*parts_->scene);
  parts_->take_masks_of(*scene.data());
}

DeviceCaster::DeviceCaster(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
DeviceCaster::~DeviceCaster() = default;
DeviceCaster::DeviceCaster(DeviceCaster&&) noexcept = default;
DeviceCaster& DeviceCaster::operator=(DeviceCaster&&) noexcept = default;

DeviceCaster DeviceCaster::another_one() const {
  const OnDevice here(parts_->device);
  auto parts = std::make_unique<Parts>();
  parts->scene = parts_->scene;
  parts->vertices = parts_->vertices;
  parts->instances = parts_->instances;
  parts->device = parts_->device;
  parts->caster = parts_->caster->another_one();
  return DeviceCaster(std::move(parts));
}

DeviceCaster DeviceCaster::another_one(int device) const {
  if (parts_->vertices > 0 || parts_->instances > 0)
    throw UsageError("a scene that moves stays on its GPU: make a caster for each GPU");
  const u32 count = backend_called("cuda").count();
  if (device < 0 || static_cast<u32>(device) >= count)
    throw UsageError("there is no CUDA device " + std::to_string(device) + "; there are " +
                     std::to_string(count) + ", numbered from 0");
  const OnDevice there(device);
  auto parts = std::make_unique<Parts>();
  parts->scene = parts_->scene;
  parts->device = device;
  parts->caster = parts_->caster->copied(*parts_->scene);
  return DeviceCaster(std::move(parts));
}

void DeviceCaster::closest(const Ray* rays, Hit* hits, std::uint64_t count, void* stream,
                           const RayWorlds& worlds, const RayFilter& filter) {
  parts_->answer_about_rays(query<ClosestHits>(rays, count, worlds, hits), filter, stream);
}

void DeviceCaster::any(const Ray* rays, Hit* hits, std::uint64_t count, void* stream,
                       const RayWorlds& worlds, const RayFilter& filter) {
  parts_->answer_about_rays(query<AnyHits>(rays, count, worlds, hits), filter, stream);
}

void DeviceCaster::count(const Ray* rays, std::uint32_t* counts, std::uint64_t count, void* stream,
                         const RayWorlds& worlds, const RayFilter& filter) {
  parts_->answer_about_rays(query<CrossingCounts>(rays, count, worlds, counts), filter, stream);
}

void DeviceCaster::closest_points(const Vec3f* points, Nearest* nearest, std::uint64_t count,
                                  float max_distance, void* stream, const RayWorlds& worlds) {
  Query asked = query<ClosestPoints>(points, count, worlds, nearest);
  asked.max_distance = max_distance;
  parts_->answer(asked, stream);
}

void DeviceCaster::contains(const Vec3d* points, std::uint8_t* inside, std::uint64_t count,
                            InsideRule rule, void* stream, const RayWorlds& worlds) {
  parts_->contains(points, inside, count, rule, stream, worlds);
}
void DeviceCaster::contains(const Vec3f* points, std::uint8_t* inside, std::uint64_t count,
                            InsideRule rule, void* stream, const RayWorlds& worlds) {
  parts_->contains(points, inside, count, rule, stream, worlds);
}

void DeviceCaster::winding_numbers(const Vec3d* points, double* numbers, std::uint64_t count,
                                   void* stream, const RayWorlds& worlds) {
  parts_->answer(query<WindingNumbers>(points, count, worlds, numbers), stream);
}
void DeviceCaster::winding_numbers(const Vec3f* points, double* numbers, std::uint64_t count,
                                   void* stream, const RayWorlds& worlds) {
  parts_->answer(query<WindingNumbers>(points, count, worlds, numbers), stream);
}

void DeviceCaster::answer(const Query& query, void* stream) { parts_->answer(query, stream); }
StreamCaster& DeviceCaster::for_arrays() { return *parts_->caster; }
int DeviceCaster::device() const { return parts_->device; }

void DeviceCaster::fill_view(void* view, std::uint64_t bytes, std::uint32_t kind,
                             std::uint32_t version) const {
  fill_device_view(parts_->caster->for_programs(), view, bytes, kind, version);
}

void DeviceCaster::set_vertices(const float* vertices, std::uint64_t count, void* stream) {
  const OnDevice here(parts_->device);
  parts_->require_moving_vertices();
  if (count != parts_->vertices)
    throw UsageError(std::to_string(count) + " vertices for a scene that has " +
                     std::to_string(parts_->vertices));
  parts_->caster->set_vertices(reinterpret_cast<const vec3*>(vertices), stream);
}

void DeviceCaster::set_transforms(const Transform* transforms, std::uint64_t count, void* stream) {
  const OnDevice here(parts_->device);
  parts_->require_moving_instances();
  if (count != parts_->instances)
    throw UsageError(std::to_string(count) + " transforms for a scene that has " +
                     std::to_string(parts_->instances) + " instances");
  parts_->caster->set_transforms(transforms, stream);
}

void DeviceCaster::set_masks(const std::uint32_t* masks, std::uint64_t count, void* stream) {
  const OnDevice here(parts_->device);
  const u32 instances = parts_->scene->view.instances.count;
  require_mask_of_each(count, instances);
  parts_->caster->set_masks(masks, instances, stream);
}

UnusableTransforms DeviceCaster::unusable_transforms(void* stream) {
  const OnDevice here(parts_->device);
  parts_->require_moving_instances();
  return parts_->caster->unusable_transforms(stream);
}

void DeviceCaster::refit(void* stream) {
  const OnDevice here(parts_->device);
  if (parts_->instances > 0) return parts_->caster->follow_instances(stream);
  parts_->require_moving_vertices();
  parts_->caster->refit(stream);
}

void DeviceCaster::reserve_rebuild(void* stream) {
  const OnDevice here(parts_->device);
  if (parts_->instances > 0) return;
  parts_->require_moving_vertices();
  parts_->caster->reserve_rebuild(stream);
}

void DeviceCaster::rebuild(void* stream) {
  const OnDevice here(parts_->device);
  if (parts_->instances > 0) return parts_->caster->follow_instances(stream);
  parts_->require_moving_vertices();
  if (!parts_->caster->can_rebuild())
    throw UsageError("this caster has no memory for rebuilding: call reserve_rebuild() before");
  parts_->caster->rebuild(stream);
}

std::uint32_t DeviceCaster::refused_rebuilds(void* stream) {
  const OnDevice here(parts_->device);
  if (parts_->instances > 0) return 0;
  parts_->require_moving_vertices();
  return parts_->caster->refused_rebuilds(stream);
}

}  // namespace ballotcast
