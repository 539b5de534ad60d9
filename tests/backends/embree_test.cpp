// Against Embree (robust mode), which shares no code with this project: the same hits but for
// rounding.
#include <embree3/rtcore.h>
#include <gtest/gtest.h>

#include "helpers/meshes.hpp"
#include "render/renderer.hpp"

namespace ballotcast {
namespace {

class Embree {
 public:
  explicit Embree(const Mesh& mesh) : device_(rtcNewDevice(nullptr)), scene_(rtcNewScene(device_)) {
    rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_ROBUST);
    RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* positions = static_cast<vec3*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX,
                                                                 0, RTC_FORMAT_FLOAT3, sizeof(vec3),
                                                                 mesh.positions.size()));
    std::copy(mesh.positions.begin(), mesh.positions.end(), positions);
    auto* triangles = static_cast<uvec3*>(
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, sizeof(uvec3),
                                mesh.triangles.size()));
    std::copy(mesh.triangles.begin(), mesh.triangles.end(), triangles);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene_, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene_);
  }
  ~Embree() {
    rtcReleaseScene(scene_);
    rtcReleaseDevice(device_);
  }

  Hit closest(const Ray& ray) const {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRayHit r{};
    r.ray = {ray.origin.x,
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
    r.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(scene_, &context, &r);
    if (r.hit.geomID == RTC_INVALID_GEOMETRY_ID) return miss_of(ray);
    return {r.ray.tfar, r.hit.primID, r.hit.u, r.hit.v};
  }

 private:
  RTCDevice device_;
  RTCScene scene_;
};

void compare(std::shared_ptr<const Scene> scene, u32 count, u32 seed) {
  const Mesh& mesh = scene->mesh;
  const Embree embree(mesh);
  Renderer renderer(scene, {"cpu"});
  Aabb box = mesh.bounds();
  testing::Random random(seed);
  std::vector<Ray> rays;
  const float reach = largest_magnitude(box.extent());
  for (u32 i = 0; i < count; ++i) {
    const vec3 from = box.center() + random.point(reach),
               to = box.center() + random.point(0.4f * reach);
    rays.push_back({from, 0.0f, to - from, 1e30f});
  }
  std::vector<Hit> ours(rays.size());
  renderer.closest(rays, ours);
  u32 found = 0, other_side = 0;
  for (u32 i = 0; i < count; ++i) {
    const Hit theirs = embree.closest(rays[i]);
    found += ours[i].found() ? 1 : 0;
    // Rounding decides at silhouettes, and between surfaces that (nearly) coincide.
    if (ours[i].found() != theirs.found() || std::abs(ours[i].t - theirs.t) > 1e-4f * theirs.t)
      ++other_side;
    else if (ours[i].primitive == theirs.primitive && ours[i].found()) {
      EXPECT_NEAR(ours[i].u, theirs.u, 1e-2f);
      EXPECT_NEAR(ours[i].v, theirs.v, 1e-2f);
    }
  }
  EXPECT_GT(found, count / 20);
  EXPECT_LE(other_side, count / 20000) << "of " << count;
}

std::shared_ptr<const Scene> scene_at(const std::string& path) {
  return std::make_shared<const Scene>(load_scene(path));
}

TEST(Embree, finds_the_same_closest_hits_in_a_sphere) {
  compare(testing::scene_of(testing::sphere(60)), 100000, 1);
}

TEST(Embree, finds_the_same_closest_hits_in_a_scene_of_the_project) {
  for (const char* name : {"/scenes/atrium.obj", "/scenes/blob.obj", "/scenes/terrain.obj"})
    compare(scene_at(std::string(BALLOTCAST_SOURCE_DIR) + name), 100000, 2);
}

TEST(Embree, finds_the_same_closest_hits_in_a_scan) {
  const std::string path = std::string(BALLOTCAST_SHARED_SCENES) + "/small/stanford-bunny.obj";
  if (FILE* file = std::fopen(path.c_str(), "rb"))
    std::fclose(file);
  else
    GTEST_SKIP() << path << " is not here";
  compare(scene_at(path), 100000, 3);
}

}  // namespace
}  // namespace ballotcast
