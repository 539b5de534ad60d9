#include <embree3/rtcore.h>

#include <cstring>
#include <string>

#include "bench/rays/peers.hpp"
#include "support/error.hpp"
#include "support/stopwatch.hpp"

namespace ballotcast::detail {

namespace {

class Embree final : public Peer {
 public:
  Embree(const Mesh& mesh, RTCBuildQuality quality, bool robust) : device_(rtcNewDevice(nullptr)) {
    require(device_ != nullptr);
    scene_ = rtcNewScene(device_);
    require(scene_ != nullptr);
    const Stopwatch watch;
    rtcSetSceneFlags(scene_, robust ? RTC_SCENE_FLAG_ROBUST : RTC_SCENE_FLAG_NONE);
    rtcSetSceneBuildQuality(scene_, quality);
    RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
    void* positions =
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                sizeof(vec3), mesh.positions.size());
    require(positions != nullptr);
    std::memcpy(positions, mesh.positions.data(), mesh.positions.size() * sizeof(vec3));
    void* triangles = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                              sizeof(uvec3), mesh.triangles.size());
    require(triangles != nullptr);
    std::memcpy(triangles, mesh.triangles.data(), mesh.triangles.size() * sizeof(uvec3));
    rtcSetGeometryBuildQuality(geometry, quality);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene_, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene_);
    require(true);
    build_ms_ = watch.milliseconds();
  }
  ~Embree() override {
    rtcReleaseScene(scene_);
    rtcReleaseDevice(device_);
  }

  void cast(const RaySet& set, Hit* hits) override {
    cast_by_peer(set, hits, [&](const Ray& ray) {
      RTCIntersectContext context;
      rtcInitIntersectContext(&context);
      return set.kind == RayKind::any ? any(context, ray) : closest(context, ray);
    });
  }

  double build_ms() const override { return build_ms_; }

 private:
  /// Throws DeviceError if `fine` is false or Embree reports an error.
  void require(bool fine) const {
    const RTCError error = rtcGetDeviceError(device_);
    if (!fine || error != RTC_ERROR_NONE)
      throw DeviceError("embree: it failed with error " + std::to_string(error) +
                        (error == RTC_ERROR_OUT_OF_MEMORY ? ", out of memory" : ""));
  }

  static RTCRay embree_ray(const Ray& ray) {
    return {ray.origin.x,
            ray.origin.y,
            ray.origin.z,
            ray.t_min,
            ray.direction.x,
            ray.direction.y,
            ray.direction.z,
            0.0f,
            ray.t_max,
            0xffffffffu,
            0,
            0};
  }

  Hit closest(RTCIntersectContext& context, const Ray& ray) const {
    RTCRayHit r;
    r.ray = embree_ray(ray);
    r.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    r.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(scene_, &context, &r);
    if (r.hit.geomID == RTC_INVALID_GEOMETRY_ID) return miss_of(ray);
    return {r.ray.tfar, r.hit.primID, r.hit.u, r.hit.v};
  }

  Hit any(RTCIntersectContext& context, const Ray& ray) const {
    RTCRay r = embree_ray(ray);
    rtcOccluded1(scene_, &context, &r);
    return answer_of(ray, r.tfar < 0.0f);
  }

  RTCDevice device_;
  RTCScene scene_ = nullptr;
  double build_ms_ = 0.0;
};

}  // namespace

std::vector<PeerMode> embree_modes() {
  const auto mode = [](std::string_view name, RTCBuildQuality quality, bool robust) -> PeerMode {
    return {name, [quality, robust](const Mesh& mesh) {
              return std::make_unique<Embree>(mesh, quality, robust);
            }};
  };
  // Robust: it loses fewer hits at edges, and is slower. With both `high` and `robust`, Embree
  // splits no triangles, so that neither is at its best.
  return {
      mode("low", RTC_BUILD_QUALITY_LOW, false), mode("medium", RTC_BUILD_QUALITY_MEDIUM, false),
      mode("high", RTC_BUILD_QUALITY_HIGH, false), mode("robust", RTC_BUILD_QUALITY_MEDIUM, true),
      mode("high-robust", RTC_BUILD_QUALITY_HIGH, true)};
}

}  // namespace ballotcast::detail
