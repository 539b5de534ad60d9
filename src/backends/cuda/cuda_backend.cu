#include <dlfcn.h>

#include <algorithm>

#include "backends/cuda/device_scene.cuh"
#include "backends/cuda/machine.cuh"
#include "backends/cuda/peers.hpp"
#include "backends/device/backend.hpp"
#include "backends/device/batches.hpp"
#include "backends/device/resident_scene.hpp"
#include "backends/parts/ray_router.hpp"
#include "kernels/frame/drawn_frame.hpp"
#include "kernels/frame/frame_settings.hpp"

namespace ballotcast::detail {

namespace {

cudaDeviceProp properties() {
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  cudaDeviceProp p;
  check(cudaGetDeviceProperties(&p, device), "cudaGetDeviceProperties");
  return p;
}

std::string capability(const cudaDeviceProp& p) {
  return std::to_string(p.major) + "." + std::to_string(p.minor);
}

/// The reason why no GPU can be used, or "". cuda_unusable calls this function once and stores the
/// result.
std::string find_reason() {
  void* driver = dlopen("libcuda.so.1", RTLD_LAZY);
  if (!driver) return "no NVIDIA driver: libcuda.so.1 was not found";
  dlclose(driver);
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code != cudaSuccess) {
    cudaGetLastError();
    return explained(code);
  }
  if (count == 0) return explained(cudaErrorNoDevice);
  const std::string missing = missing_code();
  if (!missing.empty())
    return "GPU of compute capability " + capability(properties()) + ": " + missing;
  return "";
}

/// Device memory for filters with a value per ray. It is reused for each batch.
class FilterMemory {
 public:
  FilterMemory(CudaMachine& machine, const RayFilter& all, u64 most)
      : machine_(machine),
        masks_(machine.make<u32>(all.masks ? most : 0)),
        skip_(machine.make<u32>(all.skip ? most : 0)),
        skip_instances_(machine.make<u32>(all.skip_instances ? most : 0)) {}

  /// Copies the arrays of a filter to the device, from host or device memory.
  void take(RayFilter& filter, u64 count) {
    take(masks_, filter.masks, count);
    take(skip_, filter.skip, count);
    take(skip_instances_, filter.skip_instances, count);
  }

 private:
  void take(DeviceBuffer<u32>& to, const u32*& words, u64 count) {
    if (!words) return;
    machine_.gather(to.data(), words, count);
    words = to.data();
  }

  CudaMachine& machine_;
  DeviceBuffer<u32> masks_, skip_, skip_instances_;
};

/// Device memory for the arrays of a query. It is reused for each batch.
class BatchMemory {
 public:
  BatchMemory(CudaMachine& machine, const Query& all, u64 most)
      : machine_(machine),
        items_(machine.make<char>(most * bytes_of(all.plain_item()))),
        results_(machine.make<char>(all.starts ? 0 : all.slice(0, most).bytes_of_results())),
        filter_(machine, all.filter.rays, most),
        worlds_(machine.make<u32>(all.worlds.each ? most : 0)),
        visits_(machine.make<u32>(all.visits ? most : 0)),
        starts_(machine.make<u64>(all.starts ? most + 1u : 0)) {}

  /// Copies the arrays of a batch to the device. Returns the batch with pointers to these copies.
  Query take(const Query& batch) {
    Query there = batch;
    machine_.copy_in(items_.data(), batch.items_as<char>(), batch.count * bytes_of(batch.item));
    there.items = items_.data();
    if (batch.worlds.each) {
      machine_.copy_in(worlds_.data(), batch.worlds.each, batch.count);
      there.worlds = {0, worlds_.data()};
    }
    filter_.take(there.filter.rays, batch.count);
    if (batch.visits) there.visits = visits_.data();
    if (batch.starts) {
      std::vector<u64> from(batch.starts, batch.starts + batch.count + 1u);
      for (u64& start : from) start -= batch.starts[0];
      machine_.copy_in(starts_.data(), from.data(), from.size());
      there.starts = starts_.data();
      results_.require(batch.bytes_of_results());
    }
    there.results = results_.data();
    // The kernel adds to the current sums.
    if (batch.has_sums())
      machine_.copy_in(results_.data(), batch.first_result(), batch.bytes_of_results());
    return there;
  }

  /// Copies the results of the last batch back to the caller's arrays in `batch`.
  void give_back(const Query& batch) {
    machine_.download(batch.first_result(), static_cast<const char*>(results_.data()),
                      batch.bytes_of_results());
    if (batch.visits)
      machine_.download(batch.visits, static_cast<const u32*>(visits_.data()), batch.count);
  }

 private:
  CudaMachine& machine_;
  DeviceBuffer<char> items_, results_;
  FilterMemory filter_;
  DeviceBuffer<u32> worlds_, visits_;
  DeviceBuffer<u64> starts_;
};

class CudaScene final : public ResidentScene {
 public:
  explicit CudaScene(const PreparedScene& scene) : prepared_(scene), scene_(scene) {}
  /// Copies the arrays of the scene from another GPU.
  CudaScene(const PreparedScene& scene, const DeviceArrays& there)
      : prepared_(scene), scene_(scene, there) {}

  std::unique_ptr<ResidentScene> copied() const override {
    const DeviceArrays& here = *scene_.arrays;
    for (const DeviceBuffer<std::byte>& array : here.owned)
      if (array.size() > 0u && !can_reach(array.data())) return nullptr;
    return std::make_unique<CudaScene>(prepared_, here);
  }

  void follow(Moved moved) override { scene_.arrays->follow(machine(), prepared_, moved); }

  CastCounts answer(const Query& query) override {
    take_instance_masks(query.filter);
    BatchMemory memory(machine(), query,
                       std::min<u64>(query.count, most_in_batch(query, at_once_)));
    return in_batches(query, at_once_, prepared_.bounds, [&](const Query& batch) {
      Query there = memory.take(batch);
      show_instance_masks(there.filter);
      const CastCounts counts = answer_on_device(
          scene_, there, [&](const Query& cast) { return cast_on_device(scene_, cast); });
      memory.give_back(batch);
      return counts;
    });
  }

  /// Kernels read rays and write hits directly over the link between GPUs, if there is one. So
  /// these copies overlap with the traversal of other rays.
  CastCounts answer_in_place(const Query& cast) override {
    if (device_of(cast.items) < 0) return answer(cast);
    take_instance_masks(cast.filter);
    const bool reached = can_reach(cast.items);
    const std::size_t most = reached ? 0u : std::min<u64>(cast.count, at_once_);
    auto own_rays = machine().make<Ray>(most);
    auto own_hits = machine().make<Hit>(most);
    FilterMemory own_filter(machine(), cast.filter.rays, most);
    const CastCounts counts = in_batches(cast, at_once_, prepared_.bounds, [&](const Query& batch) {
      Query own = batch;
      show_instance_masks(own.filter);
      if (reached) return cast_on_device(scene_, own);
      own_filter.take(own.filter.rays, batch.count);
      own.items = own_rays.data();
      own.results = own_hits.data();
      machine().copy_within(own_rays.data(), batch.items_as<Ray>(), batch.count);
      const CastCounts its = cast_on_device(scene_, own);
      machine().copy_within(batch.results_as<Hit>(), static_cast<const Hit*>(own_hits.data()),
                            batch.count);
      return its;
    });
    machine().wait();
    return counts;
  }

  void begin_work(u32 rays, u64 bytes) override {
    if (rays < at_once_) {
      scene_.walks.release();
      machine().release_scratch();
    }
    at_once_ = rays;
    machine().begin_work(bytes);
  }

  std::unique_ptr<ResidentRays> keep(RayKind kind, const Ray* rays, u32 count) override {
    return std::make_unique<Rays>(scene_, kind, rays, count);
  }

  DrawnFrame draw(const FrameSettings& settings, const CastChoice& choice,
                  const Progress& progress) override {
    take_instance_masks(settings.filter);
    FrameSettings there = settings;
    show_instance_masks(there.filter);
    return draw_frame_on_device(scene_, there, choice, at_once_, progress, nullptr);
  }

  DrawnFrame develop(const FrameSettings& settings, const std::vector<RawFilm>& films) override {
    return draw_frame_on_device(scene_, settings, CastChoice(CastOptions{}), 1u, {}, &films);
  }

  std::optional<MemoryProbe> lend() override {
    const u64 word = random_word();
    probed_word_ = machine().upload(&word, 1);
    machine().wait();
    try {
      return MemoryProbe{machine().lend(probed_word_.data()), word};
    } catch (const LentMemoryLost&) {
      return {};
    }
  }
  bool reads(const MemoryProbe& probe) override { return detail::reads(machine(), probe); }

 private:
  class Rays final : public ResidentRays {
   public:
    Rays(DeviceScene& scene, RayKind kind, const Ray* rays, u32 count)
        : scene_(scene),
          kind_(kind),
          rays_(scene.machine.upload(rays, count)),
          hits_(count),
          visits_(count) {}

    CastCounts cast(const CastChoice& choice, const CastChecks& checks) override {
      const Query all = query(choice, visits_.data());
      if (!checks.atomics) return cast_on_device(scene_, all, checks);
      u64 atomics = 0;
      const DeviceBuffer<u64> counted = scene_.machine.upload(&atomics, 1);
      const CastCounts counts = cast_counting(scene_, all, counted.data());
      scene_.machine.download(checks.atomics, static_cast<const u64*>(counted.data()), 1);
      return counts;
    }

    void replace(const Ray* rays) override {
      scene_.machine.copy_in(rays_.data(), rays, rays_.size());
    }

    void results(Hit* hits, u32* visits) override {
      scene_.machine.download(hits, static_cast<const Hit*>(hits_.data()), hits_.size());
      if (visits)
        scene_.machine.download(visits, static_cast<const u32*>(visits_.data()), visits_.size());
    }

    std::vector<double> time(const CastChoice& choice, u32 runs) override {
      const Query all = query(choice, nullptr);
      return scene_.machine.time(runs, [&] { cast_on_device(scene_, all); });
    }

   private:
    Query query(const CastChoice& choice, u32* visits) const {
      return cast_query(kind_, rays_.data(), hits_.data(), rays_.size(), choice, {}, visits);
    }

    DeviceScene& scene_;
    RayKind kind_;
    DeviceBuffer<Ray> rays_;
    DeviceBuffer<Hit> hits_;
    DeviceBuffer<u32> visits_;
  };

  CudaMachine& machine() { return scene_.machine; }

  /// Copies the masks of instances to the device, if there are any.
  void take_instance_masks(const HitFilter& filter) {
    if (!filter.instance_masks) return;
    const std::size_t count = prepared_.scene->instances.size();
    instance_masks_.require(count);
    machine().copy_in(instance_masks_.data(), filter.instance_masks, count);
  }
  void show_instance_masks(HitFilter& filter) const {
    if (filter.instance_masks) filter.instance_masks = instance_masks_.data();
  }

  const PreparedScene& prepared_;
  DeviceScene scene_;
  u32 at_once_ = kPathsAtOnce;
  DeviceBuffer<u64> probed_word_;
  DeviceBuffer<u32> instance_masks_;
};

}  // namespace

u32 cuda_count() {
  // This is asked once, because a GPU that has failed gives no answer.
  static const u32 all = [] {
    int count = 0;
    check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
    return static_cast<u32>(count);
  }();
  return all;
}

void cuda_use(u32 index) { check(cudaSetDevice(static_cast<int>(index)), "cudaSetDevice"); }

std::string cuda_unusable() {
  static const std::string reason = []() -> std::string {
    try {
      return find_reason();
    } catch (const DeviceError& error) {
      return error.what();
    }
  }();
  return reason;
}

std::string cuda_describe() {
  const cudaDeviceProp p = properties();
  return std::string(p.name) + ", compute capability " + capability(p) + ", " +
         std::to_string(p.multiProcessorCount) + " multiprocessors, " +
         std::to_string(p.totalGlobalMem >> 30) + " GiB, driver for CUDA " +
         version_in_words(driver_version());
}

u64 cuda_free_memory() {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  return free;
}

Loop cuda_auto_loop() {
  // With 64 K and 1 M rays, a graph was faster than a host that reads the counter after every pass.
  // A host that reads it after every 4th or 16th pass was never faster than a graph by more than
  // the noise (docs/results). So a graph is used whenever the driver supports WHILE nodes.
  return {graphs_unusable().empty() ? Loop::Who::graph : Loop::Who::host, 1};
}

std::unique_ptr<ResidentScene> cuda_upload(const PreparedScene& scene) {
  return std::make_unique<CudaScene>(scene);
}

std::unique_ptr<RayRouter> cuda_router(const PartBoxes& parts) {
  return std::make_unique<MachineRouter<CudaMachine>>(parts);
}

}  // namespace ballotcast::detail
