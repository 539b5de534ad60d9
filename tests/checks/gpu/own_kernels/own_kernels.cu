#include <stdexcept>

#include "checks/gpu/own_kernels/own_kernels.hpp"

namespace own {

namespace {

namespace device = ballotcast::device;
constexpr unsigned kBlock = 128;

/// The Hit that the library writes for a ray that it casts for any hit: it only tells whether there
/// is a hit.
__device__ Hit answer_of(const Ray& ray, bool found) {
  return {ray.t_max, found ? 0u : ballotcast::kNoTriangle, 0, 0};
}

template <class View, Way kWay>
__global__ void __launch_bounds__(kBlock, 9) cast_rays(View scene, Rays batch) {
  const unsigned i = blockIdx.x * kBlock + threadIdx.x;
  const bool has_ray = i < batch.count;
  const Ray ray = has_ray ? batch.rays[i] : Ray{};
  Hit hit{};
  if constexpr (kWay == Way::by_warp)
    hit = device::closest_warp(scene, ray, has_ray);
  else if constexpr (kWay == Way::any_by_warp)
    hit = answer_of(ray, device::any_warp(scene, ray, has_ray));
  else if constexpr (kWay == Way::closest)
    hit = has_ray ? device::closest(scene, ray) : hit;
  else
    hit = answer_of(ray, has_ray && device::any(scene, ray));
  if (has_ray) batch.hits[i] = hit;
}

template <class View, Way kWay>
__global__ void __launch_bounds__(kBlock, 9) fetch_rays(View scene, Rays batch, unsigned* next) {
  const auto ray_of = [=](unsigned i) { return batch.rays[i]; };
  const auto take = [=](unsigned i, const Hit& hit) { batch.hits[i] = hit; };
  const auto take_any = [=](unsigned i, bool found) {
    batch.hits[i] = answer_of(batch.rays[i], found);
  };
  const auto skip = [=](unsigned i) { return device::SkipTriangle{batch.hits[i].triangle}; };
  if constexpr (kWay == Way::each)
    device::closest_each(scene, batch.count, next, ray_of, take);
  else if constexpr (kWay == Way::each_behind)
    device::closest_each(scene, batch.count, next, ray_of, take, skip);
  else
    device::any_each(scene, batch.count, next, ray_of, take_any);
}

/// Casts with as many blocks as the GPU holds at once. Only one launch may run at a time, because
/// launches share `next`.
template <Way kWay, class View>
void fetch(const View& scene, const Rays& rays) {
  static unsigned* next = nullptr;
  int blocks = 0, multiprocessors = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fetch_rays<View, kWay>, kBlock, 0);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  if (!next) cudaMalloc(&next, sizeof *next);
  cudaMemsetAsync(next, 0, sizeof *next);
  fetch_rays<View, kWay><<<blocks * multiprocessors, kBlock>>>(scene, rays, next);
}

template <class View>
__global__ void answer_rays(View scene, Rays batch, unsigned worlds, Answer* answers) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // All lanes of a warp must call answer(), because it calls closest_warp().
  const Answer all = answer(scene, batch.rays[i < batch.count ? i : 0u], i % worlds);
  if (i < batch.count) answers[i] = all;
}

unsigned blocks(unsigned count) { return (count + kBlock - 1u) / kBlock; }

template <Way kWay, class View>
void cast_by(const View& scene, const Rays& rays) {
  if constexpr (kWay == Way::each || kWay == Way::any_each || kWay == Way::each_behind)
    fetch<kWay>(scene, rays);
  else
    cast_rays<View, kWay><<<blocks(rays.count), kBlock>>>(scene, rays);
}

/// Casts by `way`, which must be one of kWays.
template <Way... kWays, class View>
void cast_by_one_of(const View& scene, const Rays& rays, Way way) {
  const bool known = ((way == kWays && (cast_by<kWays>(scene, rays), true)) || ...);
  if (!known) throw std::invalid_argument("own_kernels.cu: no kernel casts so with this view");
}

}  // namespace

void cast(const device::PlainView& scene, const Rays& rays, Way way) {
  cast_by_one_of<Way::closest, Way::by_warp, Way::each, Way::any, Way::any_by_warp, Way::any_each,
                 Way::each_behind>(scene, rays, way);
}
void cast(const device::SceneView& scene, const Rays& rays, Way way) {
  cast_by_one_of<Way::closest, Way::each, Way::any>(scene, rays, way);
}

void answer(const device::SceneView& scene, const Rays& rays, unsigned worlds, Answer* answers) {
  answer_rays<<<blocks(rays.count), kBlock>>>(scene, rays, worlds, answers);
}

void answer(const device::ShapesView& scene, const Rays& rays, unsigned worlds, Answer* answers) {
  answer_rays<<<blocks(rays.count), kBlock>>>(scene, rays, worlds, answers);
}

void run_everything(unsigned blocks, unsigned block_size, std::uint32_t* results,
                    Everything::Sums* sums) {
  lanes::kernel<Everything><<<blocks, block_size>>>(results, sums);
}

void use_slots(unsigned blocks, unsigned block_size, const std::uint32_t* bins,
               const std::uint8_t* wants, std::uint32_t count, const SlotMemory& memory) {
  lanes::kernel<FindBins<kBins>><<<blocks, block_size>>>(bins, count, memory.noted);
  slots::Bins<kBins>(count).make_queues(memory.noted, memory.queues, memory.begins, memory.scratch);
  using Counts = Count<slots::WarpSlots>;
  lanes::kernel<Counts><<<blocks, block_size>>>(wants, count, memory.counted);
  using Reserves = Reserve<slots::BlockScan>;
  lanes::kernel<Reserves><<<blocks, block_size>>>(wants, count, memory.reserved, memory.queue);
}

}  // namespace own
