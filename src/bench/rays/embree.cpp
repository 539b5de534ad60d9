#include <embree3/rtcore.h>

#include <cstring>
#include <string>

#include "bench/rays/peers.hpp"
#include "support/error.hpp"
#include "support/parallel.hpp"
#include "support/stopwatch.hpp"

namespace ballotcast::detail {

namespace {

RTCBuildQuality quality_of(PeerQuality quality) {
  return quality == PeerQuality::low      ? RTC_BUILD_QUALITY_LOW
         : quality == PeerQuality::medium ? RTC_BUILD_QUALITY_MEDIUM
                                          : RTC_BUILD_QUALITY_HIGH;
}

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
    const auto count = static_cast<u32>(set.rays.size());
    for_each_range<u32>(count, 1024, [&](u32 begin, u32 end) {
      RTCIntersectContext context;
      rtcInitIntersectContext(&context);
      for (u32 i = begin; i < end; ++i)
        hits[i] = !takes(set.rays[i])        ? miss_of(set.rays[i])
                  : set.kind == RayKind::any ? occluded(context, set.rays[i])
                                             : closest(context, set.rays[i]);
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

  /// True if Embree accepts the ray. Its origin and direction must be finite, t_min not negative,
  /// and t_max above t_min. Other rays hit nothing here. (`bench rays` refuses a negative t_min
  /// before.)
  static bool takes(const Ray& ray) {
    const auto fits = [](vec3 v) {  // false for NaN
      constexpr float kLargest = 1e18f;
      return magnitude_of(v.x) <= kLargest && magnitude_of(v.y) <= kLargest &&
             magnitude_of(v.z) <= kLargest;
    };
    return fits(ray.origin) && fits(ray.direction) && ray.t_min >= 0.0f && ray.asks();
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

  Hit occluded(RTCIntersectContext& context, const Ray& ray) const {
    RTCRay r = embree_ray(ray);
    rtcOccluded1(scene_, &context, &r);
    return r.tfar < 0.0f ? Hit{0.0f, 0u, 0.0f, 0.0f} : miss_of(ray);
  }

  RTCDevice device_;
  RTCScene scene_ = nullptr;
  double build_ms_ = 0.0;
};

}  // namespace

std::unique_ptr<Peer> make_embree(const Mesh& mesh, const PeerMode& mode) {
  return std::make_unique<Embree>(mesh, quality_of(mode.quality), mode.robust);
}

}  // namespace ballotcast::detail
