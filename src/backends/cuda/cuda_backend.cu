#include <dlfcn.h>

#include <algorithm>

#include "backends/cuda/cuda_backend.hpp"
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

/// See cuda_unusable.
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

class CudaScene final : public ResidentScene {
 public:
  explicit CudaScene(const PreparedScene& scene)
      : layout_(scene.encoded.layout), arrays_(upload_arrays(machine_, scene)) {}

  CastCounts cast(RayKind kind, const Ray* rays, Hit* hits, u32* visits, u64 count,
                  const CastOptions& options) override {
    require_valid(options);
    const std::size_t most = std::min<u64>(count, at_once_);
    DeviceBuffer<Ray> device_rays(most);
    DeviceBuffer<Hit> device_hits(most);
    DeviceBuffer<u32> device_visits(visits ? most : 0);
    return cast_in_parts(count, at_once_, [&](u64 first, u32 part) {
      machine_.copy_in(device_rays.data(), rays + first, part);
      const CastCounts counts = cast_part({kind, device_rays.data(), device_hits.data(),
                                           visits ? device_visits.data() : nullptr, part},
                                          options);
      machine_.download(hits + first, static_cast<const Hit*>(device_hits.data()), part);
      if (visits)
        machine_.download(visits + first, static_cast<const u32*>(device_visits.data()), part);
      return counts;
    });
  }

  void count_crossings(const Ray* rays, u32* counts, u64 count) override {
    const std::size_t most = std::min<u64>(count, at_once_);
    DeviceBuffer<Ray> device_rays(most);
    DeviceBuffer<u32> device_counts(most);
    in_parts(count, at_once_, [&](u64 first, u32 part) {
      machine_.copy_in(device_rays.data(), rays + first, part);
      count_crossings_on_device(machine_, layout_, arrays_, device_rays.data(),
                                device_counts.data(), part);
      machine_.download(counts + first, static_cast<const u32*>(device_counts.data()), part);
    });
  }

  void crossings(const Ray* rays, const u64* starts, Hit* hits, u64 count) override {
    const u64 all = count;
    for (u64 first = 0; first < all;) {
      // As many rays as fit by their crossings, at least one.
      u32 part = 1;
      while (part < at_once_ && first + part < all &&
             starts[first + part + 1] - starts[first] <= u64{kCrossingsKept} * at_once_)
        ++part;
      const u64 found = starts[first + part] - starts[first];
      std::vector<u64> from(part);
      for (u32 i = 0; i < part; ++i) from[i] = starts[first + i] - starts[first];
      const DeviceBuffer<Ray> device_rays = machine_.upload(rays + first, part);
      const DeviceBuffer<u64> device_starts = machine_.upload(from.data(), part);
      DeviceBuffer<Hit> device_hits(found);
      store_crossings_on_device(machine_, layout_, arrays_, device_rays.data(),
                                device_starts.data(), device_hits.data(), part);
      machine_.download(hits + starts[first], static_cast<const Hit*>(device_hits.data()), found);
      first += part;
    }
  }

  void set_batch(u32 rays) override {
    if (rays < at_once_) {
      walks_ = {};
      machine_.release_scratch();
    }
    at_once_ = rays;
  }

  std::unique_ptr<ResidentRays> keep(RayKind kind, const Ray* rays, u32 count) override {
    return std::make_unique<Rays>(*this, kind, rays, count);
  }

  Frame draw(const FrameSettings& settings, const CastOptions& options,
             const ProgressReport& report) override {
    require_valid(options);
    return draw_frame_on_device(
        machine_, arrays_, settings, at_once_,
        [&](const DeviceRays& rays) { return cast_part(rays, options); }, report);
  }

 private:
  class Rays final : public ResidentRays {
   public:
    Rays(CudaScene& scene, RayKind kind, const Ray* rays, u32 count)
        : scene_(scene),
          kind_(kind),
          rays_(scene.machine_.upload(rays, count)),
          hits_(count),
          visits_(count) {}

    CastCounts cast(const CastOptions& options, const CastChecks& checks) override {
      require_valid(options);
      if (!checks.atomics) return scene_.cast_part(all(visits_.data()), options, checks);
      u64 atomics = 0;
      const DeviceBuffer<u64> counted = scene_.machine_.upload(&atomics, 1);
      const CastCounts counts =
          cast_counting(scene_.machine_, scene_.layout_, scene_.arrays_, all(visits_.data()),
                        scene_.walks_, options, counted.data());
      scene_.machine_.download(checks.atomics, static_cast<const u64*>(counted.data()), 1);
      return counts;
    }

    void results(Hit* hits, u32* visits) override {
      scene_.machine_.download(hits, static_cast<const Hit*>(hits_.data()), hits_.size());
      if (visits)
        scene_.machine_.download(visits, static_cast<const u32*>(visits_.data()), visits_.size());
    }

    std::vector<double> time(const CastOptions& options, u32 runs) override {
      require_valid(options);
      return scene_.machine_.time(runs, [&] { scene_.cast_part(all(nullptr), options); });
    }

   private:
    DeviceRays all(u32* visits) const {
      return {kind_, rays_.data(), hits_.data(), visits, static_cast<u32>(rays_.size())};
    }

    CudaScene& scene_;
    RayKind kind_;
    DeviceBuffer<Ray> rays_;
    DeviceBuffer<Hit> hits_;
    DeviceBuffer<u32> visits_;
  };

  CastCounts cast_part(const DeviceRays& rays, const CastOptions& options,
                       const CastChecks& checks = {}) {
    return cast_on_device(machine_, layout_, arrays_, rays, walks_, options, checks);
  }

  std::string_view layout_;
  CudaMachine machine_;
  DeviceSceneArrays arrays_;
  DeviceBuffer<uint4> walks_;
  u32 at_once_ = kPathsAtOnce;
};

}  // namespace

DeviceSceneArrays upload_arrays(CudaMachine& machine, const PreparedScene& scene) {
  const auto copy = [&](const auto& v) { return machine.upload(v.data(), v.size()); };
  const SceneData& s = *scene.scene;
  DeviceSceneArrays d;
  d.nodes = copy(scene.encoded.nodes);
  d.shape = scene.encoded.shape;
  d.triangles = copy(scene.encoded.triangles);
  d.copies_starts = copy(scene.copies.starts);
  d.copies_ids = copy(scene.copies.ids);
  d.positions = copy(s.mesh.positions);
  d.corners = copy(s.mesh.triangles);
  d.corner_normals = copy(s.mesh.corner_normals);
  d.corner_texcoords = copy(s.mesh.corner_texcoords);
  d.material_of = copy(s.mesh.material_of);
  d.materials = copy(s.materials);
  d.emitters = copy(scene.emitters);
  d.emitters_cumulative = copy(scene.emitters_cumulative);

  std::vector<Rgba8> texels;
  std::vector<std::size_t> starts;
  for (const auto& image : s.textures) {
    starts.push_back(texels.size());
    texels.insert(texels.end(), image.pixels.begin(), image.pixels.end());
  }
  d.texels = copy(texels);
  std::vector<TextureView> textures = scene.textures;
  for (std::size_t i = 0; i < textures.size(); ++i)
    textures[i].texels = d.texels.data() + starts[i];
  d.textures = copy(textures);

  std::vector<float> srgb(scene.view.srgb_to_linear, scene.view.srgb_to_linear + 256);
  srgb.insert(srgb.end(), scene.view.srgb_thresholds, scene.view.srgb_thresholds + 256);
  d.srgb = copy(srgb);

  d.view = scene.view;
  d.view.mesh = {d.positions.data(), d.corners.data(), d.corner_normals.data(),
                 d.corner_texcoords.data(), d.material_of.data()};
  d.view.copies = {d.copies_starts.data(), d.copies_ids.data()};
  d.view.materials = d.materials.data();
  d.view.textures = d.textures.data();
  d.view.srgb_to_linear = d.srgb.data();
  d.view.srgb_thresholds = d.srgb.data() + 256;
  d.view.emitters.triangles = d.emitters.data();
  d.view.emitters.cumulative = d.emitters_cumulative.data();
  return d;
}

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
  int driver = 0;
  check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  return std::string(p.name) + ", compute capability " + capability(p) + ", " +
         std::to_string(p.multiProcessorCount) + " multiprocessors, " +
         std::to_string(p.totalGlobalMem >> 30) + " GiB, driver for CUDA " +
         std::to_string(driver / 1000) + "." + std::to_string(driver % 1000 / 10);
}

u64 cuda_free_memory() {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  return free;
}

std::unique_ptr<ResidentScene> cuda_upload(const PreparedScene& scene) {
  return std::make_unique<CudaScene>(scene);
}

}  // namespace ballotcast::detail
