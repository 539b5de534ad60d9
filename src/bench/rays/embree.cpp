#include <cstring>
#include <string>

#include "ballotcast/error.hpp"
#include "bench/rays/embree_library.hpp"
#include "bench/rays/peer_casters.hpp"
#include "support/stopwatch.hpp"

namespace ballotcast::detail {

namespace {

using embree::library;
using embree::Quality;

/// A mesh that Embree has loaded.
class EmbreeScene {
 public:
  EmbreeScene(const Mesh& mesh, Quality quality, bool robust)
      : device_(library().new_device(nullptr)) {
    require(device_ != nullptr);
    scene_ = library().new_scene(device_);
    require(scene_ != nullptr);
    constexpr i32 kRobust = 4, kTriangles = 0;
    const Stopwatch watch;
    library().set_scene_flags(scene_, robust ? kRobust : 0);
    library().set_scene_quality(scene_, quality);
    void* const geometry = library().new_geometry(device_, kTriangles);
    fill(geometry, 1, 0x9003, mesh.positions);  // the vertices: three floats
    fill(geometry, 0, 0x5003, mesh.triangles);  // the indices: three unsigned integers
    library().set_geometry_quality(geometry, quality);
    library().commit_geometry(geometry);
    library().attach(scene_, geometry);
    library().release_geometry(geometry);
    library().commit_scene(scene_);
    require(true);
    build_ms_ = watch.milliseconds();
  }
  ~EmbreeScene() {
    library().release_scene(scene_);
    library().release_device(device_);
  }
  EmbreeScene(const EmbreeScene&) = delete;
  EmbreeScene& operator=(const EmbreeScene&) = delete;

  void* scene() const { return scene_; }
  double build_ms() const { return build_ms_; }

 private:
  template <class Items>
  void fill(void* geometry, i32 buffer, i32 format, const Items& items) {
    constexpr std::size_t kBytes = sizeof(items[0]);
    void* const to = library().new_buffer(geometry, buffer, 0, format, kBytes, items.size());
    require(to != nullptr);
    std::memcpy(to, items.data(), items.size() * kBytes);
  }

  /// Throws DeviceError if Embree has reported an error, or if `fine` is false, i.e. an object that
  /// should have been created is null.
  void require(bool fine) const {
    const i32 error = library().error(device_);
    constexpr i32 kOutOfMemory = 4;
    if (!fine || error != 0)
      throw DeviceError("embree: it failed with error " + std::to_string(error) +
                        (error == kOutOfMemory ? ", out of memory" : ""));
  }

  void* const device_;
  void* scene_ = nullptr;
  double build_ms_ = 0.0;
};

/// Casts packets of kRays rays with Embree.
template <u32 kRays>
class Embree final : public Peer {
 public:
  Embree(const Mesh& mesh, Quality quality, bool robust) : scene_(mesh, quality, robust) {}

  double build_ms() const override { return scene_.build_ms(); }

  void take(const RaySet& set) override {
    set_ = set;
    packets_.assign((set.rays.size() + kRays - 1u) / kRays, Packet());
    for (std::size_t i = 0; i < packets_.size() * kRays; ++i) {
      const Ray ray = i < set.rays.size() ? set.rays[i] : idle_ray();
      Packet& packet = packets_[i / kRays];
      const std::size_t k = i % kRays;
      const float row[] = {ray.origin.x,    ray.origin.y,    ray.origin.z,   ray.t_min,
                           ray.direction.x, ray.direction.y, ray.direction.z};
      for (u32 r = 0; r < kBeforeTime; ++r) packet.row[r][k] = row[r];
      packet.t[k] = ray.t_max;
      packet.valid[k] = peers_take(ray) ? -1 : 0;
    }
  }

  void cast() override {
    if (set_.kind == RayKind::any)
      cast_all<true>();
    else
      cast_all<false>();
  }

  std::vector<Hit> hits() const override {
    std::vector<Hit> out(set_.rays.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      const Packet& packet = packets_[i / kRays];
      const std::size_t k = i % kRays;
      const Ray& ray = set_.rays[i];
      if (packet.valid[k] == 0)
        out[i] = miss_of(ray);
      else if (set_.kind == RayKind::any)
        out[i] = answer_of(ray, packet.found_t[k] < 0.0f);
      else if (packet.triangle[k] == kNoTriangle)
        out[i] = miss_of(ray);
      else
        out[i] = {packet.found_t[k], packet.triangle[k], packet.u[k], packet.v[k]};
    }
    return out;
  }

 private:
  // Number of rows of a packet of rays before the row with the time
  static constexpr u32 kBeforeTime = 7;

  /// Rays in Embree's format, with their hits.
  struct alignas(std::max(16u, 4u * kRays)) Packet {
    float row[kBeforeTime][kRays];
    float t[kRays];
    i32 valid[kRays];
    float found_t[kRays], u[kRays], v[kRays];
    u32 triangle[kRays];
  };

  template <bool kAny>
  void cast_all() {
    for_each_range<u32>(static_cast<u32>(packets_.size()), 1024u / kRays, [&](u32 begin, u32 end) {
      embree::RayHits<kRays> rays{};
      std::fill_n(rays.mask, kRays, 0xffffffffu);
      for (u32 i = begin; i < end; ++i) cast_packet<kAny>(packets_[i], rays);
    });
  }

  template <bool kAny>
  void cast_packet(Packet& packet, embree::RayHits<kRays>& rays) const {
    if constexpr (kRays == 1u)
      if (packet.valid[0] == 0) return;
    std::memcpy(rays.origin, packet.row, sizeof packet.row);
    std::memcpy(rays.t, packet.t, sizeof packet.t);
    if (!kAny) {
      std::fill_n(rays.triangle, kRays, kNoTriangle);
      std::fill_n(rays.geometry, kRays, kNoTriangle);
    }
    library().template cast<kRays>(scene_.scene(), kAny, set_.coherent, packet.valid, rays);
    std::memcpy(packet.found_t, rays.t, sizeof packet.found_t);
    if (kAny) return;
    std::memcpy(packet.u, rays.u, sizeof packet.u);
    std::memcpy(packet.v, rays.v, sizeof packet.v);
    std::memcpy(packet.triangle, rays.triangle, sizeof packet.triangle);
  }

  const EmbreeScene scene_;
  RaySet set_;
  std::vector<Packet> packets_;
};

template <u32 kRays>
PeerMode mode(std::string_view name, Quality quality, bool robust = false) {
  return {name, [quality, robust](const Mesh& mesh) {
            return std::make_unique<Embree<kRays>>(mesh, quality, robust);
          }};
}

}  // namespace

std::string embree_absent() { return library().absent; }

std::string embree_version() { return library().version + " (" + library().path + ")"; }

std::vector<PeerMode> embree_modes() {
  // All modes are robust, which loses fewer hits at edges, and split no triangles.
  return {mode<1>("low", Quality::low),
          mode<1>("medium", Quality::medium),
          mode<1>("high", Quality::high),
          mode<8>("high-8", Quality::high),
          mode<16>("high-16", Quality::high),
          mode<1>("robust", Quality::high, true),
          mode<8>("robust-8", Quality::high, true),
          mode<16>("robust-16", Quality::high, true)};
}

}  // namespace ballotcast::detail
