#include <dlfcn.h>

#include <algorithm>

#include "backends/cuda/cuda_backend.hpp"
#include "backends/cuda/peers.hpp"
#include "backends/cuda/resident.cuh"
#include "backends/dispatch.hpp"

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

/// The reason why no GPU can be used, or "". cuda_unusable calls it once and keeps the answer.
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

/// The worlds of rays, for one batch after another.
class WorldsOfBatches {
 public:
  /// Takes memory for the worlds of `most` rays at a time.
  WorldsOfBatches(CudaMachine& machine, const RayWorlds& worlds, std::size_t most)
      : machine_(machine), worlds_(worlds), each_(machine.make<u32>(worlds.each ? most : 0)) {}

  /// Those of rays [first, first + count), in device memory.
  RayWorlds from(u64 first, u32 count) {
    if (!worlds_.each) return worlds_;
    machine_.copy_in(each_.data(), worlds_.each + first, count);
    return {0, each_.data()};
  }

 private:
  CudaMachine& machine_;
  const RayWorlds worlds_;
  DeviceBuffer<u32> each_;
};

class CudaScene final : public ResidentScene {
 public:
  explicit CudaScene(const PreparedScene& scene) : prepared_(scene), scene_(scene) {}
  /// Copies the arrays from another GPU.
  CudaScene(const PreparedScene& scene, const DeviceArrays& there)
      : prepared_(scene), scene_(scene, there) {}

  std::unique_ptr<ResidentScene> copied() const override {
    const DeviceArrays& here = *scene_.arrays;
    for (const DeviceBuffer<std::byte>& array : here.owned)
      if (array.size() > 0u && !can_reach(array.data())) return nullptr;
    return std::make_unique<CudaScene>(prepared_, here);
  }

  void follow(Moved moved) override { scene_.arrays->follow(machine(), prepared_, moved); }

  CastCounts cast(RayKind kind, const WorldRays& rays, Hit* hits, u32* visits, u64 count,
                  const CastChoice& choice) override {
    const std::size_t most = std::min<u64>(count, at_once_);
    WorldsOfBatches worlds(machine(), rays.worlds, most);
    auto device_rays = machine().make<Ray>(most);
    auto device_hits = machine().make<Hit>(most);
    auto device_visits = machine().make<u32>(visits ? most : 0);
    return cast_in_parts(count, at_once_, [&](u64 first, u32 part) {
      machine().copy_in(device_rays.data(), rays.rays + first, part);
      const CastCounts counts =
          cast_on_device(scene_,
                         {kind, device_rays.data(), device_hits.data(),
                          visits ? device_visits.data() : nullptr, part, worlds.from(first, part)},
                         choice);
      machine().download(hits + first, static_cast<const Hit*>(device_hits.data()), part);
      if (visits)
        machine().download(visits + first, static_cast<const u32*>(device_visits.data()), part);
      return counts;
    });
  }

  /// Kernels read rays and write hits over the link between GPUs, if there is one. That hides the
  /// copies behind the walks of other rays.
  CastCounts cast_in_place(RayKind kind, const Ray* rays, Hit* hits, u32 count,
                           const CastChoice& choice) override {
    if (device_of(rays) < 0) return cast(kind, rays, hits, nullptr, count, choice);
    const bool reached = can_reach(rays);
    const std::size_t most = reached ? 0u : std::min(count, at_once_);
    auto own_rays = machine().make<Ray>(most);
    auto own_hits = machine().make<Hit>(most);
    const CastCounts counts = cast_in_parts(count, at_once_, [&](u64 first, u32 part) {
      if (reached)
        return cast_on_device(scene_, {kind, rays + first, hits + first, nullptr, part}, choice);
      machine().copy_within(own_rays.data(), rays + first, part);
      const CastCounts its =
          cast_on_device(scene_, {kind, own_rays.data(), own_hits.data(), nullptr, part}, choice);
      machine().copy_within(hits + first, static_cast<const Hit*>(own_hits.data()), part);
      return its;
    });
    machine().wait();
    return counts;
  }

  void count_crossings(const WorldRays& rays, u32* counts, u64 count) override {
    const std::size_t most = std::min<u64>(count, at_once_);
    WorldsOfBatches worlds(machine(), rays.worlds, most);
    auto device_rays = machine().make<Ray>(most);
    auto device_counts = machine().make<u32>(most);
    in_parts(count, at_once_, [&](u64 first, u32 part) {
      machine().copy_in(device_rays.data(), rays.rays + first, part);
      count_crossings_on_device(scene_, device_rays.data(), worlds.from(first, part),
                                device_counts.data(), part);
      machine().download(counts + first, static_cast<const u32*>(device_counts.data()), part);
    });
  }

  void crossings(const WorldRays& rays, const u64* starts, Hit* hits, u64 count) override {
    const u64 all = count;
    WorldsOfBatches worlds(machine(), rays.worlds, std::min<u64>(count, at_once_));
    for (u64 first = 0; first < all;) {
      // Takes at least one ray, and as many as there is memory for their crossings.
      u32 part = 1;
      while (part < at_once_ && first + part < all &&
             starts[first + part + 1] - starts[first] <= u64{kCrossingsKept} * at_once_)
        ++part;
      const u64 found = starts[first + part] - starts[first];
      std::vector<u64> from(part);
      for (u32 i = 0; i < part; ++i) from[i] = starts[first + i] - starts[first];
      const auto device_rays = machine().make<Ray>(part);
      machine().copy_in(device_rays.data(), rays.rays + first, part);
      const auto device_starts = machine().make<u64>(part);
      machine().copy_in(device_starts.data(), from.data(), part);
      const auto device_hits = machine().make<Hit>(found);
      store_crossings_on_device(scene_, device_rays.data(), worlds.from(first, part),
                                device_starts.data(), device_hits.data(), part);
      machine().download(hits + starts[first], static_cast<const Hit*>(device_hits.data()), found);
      first += part;
    }
  }

  void closest_points(const WorldPoints<Vec3f>& points, float max_distance, Nearest* nearest,
                      u64 count) override {
    answer(points, nearest, count,
           [&](const Vec3f* some, const RayWorlds& worlds, Nearest* out, u32 part) {
             closest_points_on_device(scene_, some, worlds, max_distance, out, part);
           });
  }

  void contains(const WorldPoints<Vec3d>& points, InsideRule rule, u8* inside, u64 count) override {
    answer(points, inside, count,
           [&](const Vec3d* some, const RayWorlds& worlds, u8* out, u32 part) {
             contains_on_device(scene_, plain_points(some, part), worlds, rule, out, part);
           });
  }

  void winding_numbers(const WorldPoints<Vec3d>& points, double* numbers, u64 count) override {
    answer(points, numbers, count,
           [&](const Vec3d* some, const RayWorlds& worlds, double* out, u32 part) {
             winding_numbers_on_device(scene_, plain_points(some, part), worlds, out, part);
           });
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
    return draw_frame_on_device(scene_, settings, choice, at_once_, progress, nullptr);
  }

  DrawnFrame develop(const FrameSettings& settings, const std::vector<RawFilm>& films) override {
    return draw_frame_on_device(scene_, settings, CastChoice(CastOptions{}), 1u, {}, &films);
  }

  std::optional<LentWord> lend() override {
    const u64 word = random_word();
    lent_word_ = machine().upload(&word, 1);
    machine().wait();
    try {
      return LentWord{machine().lend(lent_word_.data()), word};
    } catch (const LentMemoryLost&) {
      return {};
    }
  }
  bool reads(const LentWord& word) override { return detail::reads(machine(), word); }

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
      if (!checks.atomics) return cast_on_device(scene_, all(visits_.data()), choice, checks);
      u64 atomics = 0;
      const DeviceBuffer<u64> counted = scene_.machine.upload(&atomics, 1);
      const CastCounts counts = cast_counting(scene_, all(visits_.data()), choice, counted.data());
      scene_.machine.download(checks.atomics, static_cast<const u64*>(counted.data()), 1);
      return counts;
    }

    void results(Hit* hits, u32* visits) override {
      scene_.machine.download(hits, static_cast<const Hit*>(hits_.data()), hits_.size());
      if (visits)
        scene_.machine.download(visits, static_cast<const u32*>(visits_.data()), visits_.size());
    }

    std::vector<double> time(const CastChoice& choice, u32 runs) override {
      return scene_.machine.time(runs, [&] { cast_on_device(scene_, all(nullptr), choice); });
    }

   private:
    DeviceRays all(u32* visits) const {
      return {kind_, rays_.data(), hits_.data(), visits, static_cast<u32>(rays_.size())};
    }

    DeviceScene& scene_;
    RayKind kind_;
    DeviceBuffer<Ray> rays_;
    DeviceBuffer<Hit> hits_;
    DeviceBuffer<u32> visits_;
  };

  CudaMachine& machine() { return scene_.machine; }

  /// Answers a question about each point, in parts. on_device(points, worlds, answers, count): all
  /// arrays are on the device.
  template <class Point, class Answer, class OnDevice>
  void answer(const WorldPoints<Point>& points, Answer* answers, u64 count, OnDevice on_device) {
    const std::size_t most = std::min<u64>(count, at_once_);
    WorldsOfBatches worlds(machine(), points.worlds, most);
    auto device_points = machine().make<Point>(most);
    auto device_answers = machine().make<Answer>(most);
    in_parts(count, at_once_, [&](u64 first, u32 part) {
      machine().copy_in(device_points.data(), points.points + first, part);
      on_device(static_cast<const Point*>(device_points.data()), worlds.from(first, part),
                device_answers.data(), part);
      machine().download(answers + first, static_cast<const Answer*>(device_answers.data()), part);
    });
  }

  const PreparedScene& prepared_;
  DeviceScene scene_;
  u32 at_once_ = kPathsAtOnce;
  DeviceBuffer<u64> lent_word_;
};

}  // namespace

u32 cuda_count() {
  // Asked once, because a GPU that has failed answers nothing.
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
  // With 64 K and 1 M rays, a graph was faster than a host that reads the counter every pass. A
  // host that reads it every 4th or 16th pass was never faster than a graph by more than the noise
  // (tools/results). So a graph is used whenever the driver supports WHILE nodes.
  return {graphs_unusable().empty() ? Loop::Who::graph : Loop::Who::host, 1};
}

std::unique_ptr<ResidentScene> cuda_upload(const PreparedScene& scene) {
  return std::make_unique<CudaScene>(scene);
}

}  // namespace ballotcast::detail
