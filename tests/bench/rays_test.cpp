// Tests `bench rays`: its workloads, its files, and that no rate is shown for wrong hits.
#include "bench/rays/rays.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "backends/device/device_choice.hpp"
#include "backends/device/memory_plan.hpp"
#include "ballotcast/device_caster.hpp"
#include "bench/rays/known_scene.hpp"
#include "bench/rays/peer_casters.hpp"
#include "bench/rays/workloads.hpp"
#include "bench/reports/view.hpp"
#include "helpers/devices.hpp"
#include "helpers/meshes.hpp"
#include "helpers/scene_around.hpp"
#include "render/framing/framing.hpp"
#include "scene/assemble.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace rays_test {

constexpr const char* kScene = BALLOTCAST_SOURCE_DIR "/scenes/atrium.obj";

DeviceChoice device(const char* name) { return choose_device(name); }

RaysRequest small_request() {
  RaysRequest request;
  request.scenes = {kScene};
  request.width = 32;
  request.height = 18;
  return request;
}

/// Makes the workloads of `bench rays` for the project's scene of an atrium.
struct Ground {
  std::shared_ptr<const PreparedScene> scene =
      prepare(std::make_shared<const SceneData>(assemble({kScene})));
  std::unique_ptr<ResidentScene> cpu = device("cpu").upload(*scene, {});
  RayFixture ground{*scene, *cpu, Framing(*scene).camera(16.0 / 9.0), 64, 36};

  RaySet make(std::string_view name) const {
    for (const WorkloadInfo& row : workloads())
      if (row.name == name) return row.make(ground);
    throw UsageError("no such workload");
  }
};

TEST(Workloads, are_as_many_rays_as_they_say_and_of_their_kind) {
  const Ground g;
  const std::size_t pixels = 64 * 36;
  const RaySet primary = g.make("primary");
  EXPECT_EQ(primary.rays.size(), pixels);
  EXPECT_EQ(g.make("primary16").rays.size(), 16 * pixels);
  std::vector<Hit> hits(pixels);
  g.cpu->cast(RayKind::closest, primary.rays.data(), hits.data(), nullptr, pixels, {});
  const auto found = static_cast<std::size_t>(
      std::count_if(hits.begin(), hits.end(), [](const Hit& hit) { return hit.found(); }));
  ASSERT_GT(found, 100u);
  EXPECT_EQ(g.make("diff1").rays.size(), found);
  EXPECT_EQ(g.make("diff1x8").rays.size(), 8 * found);
  const RaySet ao = g.make("ao");
  EXPECT_EQ(ao.rays.size(), 8 * found);
  EXPECT_EQ(ao.kind, RayKind::any);
  for (const Ray& ray : ao.rays) ASSERT_FLOAT_EQ(ray.t_max, 0.1f * g.scene->view.diagonal);
  EXPECT_LE(g.make("diff2x8").rays.size(), 8 * found);
  const Aabb box = g.scene->bounds;
  for (const Ray& ray : g.make("random").rays) {
    ASSERT_EQ(ray.t_max, 1.0f);
    ASSERT_TRUE(box.contains({ray.origin, ray.origin}));
  }
}

TEST(RaysFile, comes_back_as_it_was_and_damage_is_told) {
  const TempDir dir;
  const std::string path = dir / "some.rays";
  const RaySet set{RayKind::any, testing::rays_at(testing::sphere(4), 100, 1)};
  const auto write = [&](const std::vector<u8>& bytes) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  };
  const std::vector<u8> whole = encode_rays(set);
  write(whole);
  const RaySet back = read_rays(path);
  EXPECT_EQ(back.kind, set.kind);
  ASSERT_EQ(back.rays.size(), set.rays.size());
  EXPECT_EQ(std::memcmp(back.rays.data(), set.rays.data(), set.rays.size() * sizeof(Ray)), 0);
  // Offsets of magic, version, kind, count, zeros.
  for (const std::size_t at : {0u, 8u, 12u, 16u, 24u}) {
    std::vector<u8> damaged = whole;
    damaged[at] ^= 0x10;
    write(damaged);
    EXPECT_THROW(read_rays(path), InputError) << "byte " << at;
  }
  for (const std::size_t size : {std::size_t{0}, std::size_t{31}, whole.size() - 1}) {
    write({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)});
    EXPECT_THROW(read_rays(path), InputError) << size << " bytes";
  }
}

TEST(BenchRays, holds_every_workload_on_every_rung_and_layout_to_the_reference) {
  RaysRequest request = small_request();
  request.pipelines = {"ladder"};
  request.layouts = testing::layout_names();
  request.width = 16;
  request.height = 9;
  u64 done = 0, total = 0;
  request.progress = [&](u64 d, u64 t) {
    done = d;
    total = t;
  };
  const Results results = bench_rays(request, device("emulated"));
  EXPECT_EQ(results.rows.size(), workloads().size() * request.layouts.size() * 5);
  EXPECT_EQ(done, total);
  for (const Row& row : results.rows) {
    EXPECT_EQ(row.verdict, Verdict::right) << row.why;
    EXPECT_FALSE(row.timing.has_value());
    ASSERT_NE(find(row.found, "disagree_ppm"), nullptr);
    EXPECT_EQ(std::get<double>(*find(row.found, "disagree_ppm")), 0.0);
    EXPECT_GT(std::get<double>(*find(row.found, "nodes_per_ray")), 1.0);
  }
}

TEST(BenchRays, counts_without_times) {
  RaysRequest request = small_request();
  request.workloads = {"ao"};
  request.counts = true;
  const Results results = bench_rays(request, device("cpu"));
  ASSERT_EQ(results.rows.size(), 1u);
  EXPECT_EQ(results.rows[0].verdict, Verdict::right);
  EXPECT_FALSE(results.rows[0].timing.has_value());
  EXPECT_GT(std::get<double>(*find(results.rows[0].found, "largest_of_32")), 1.0);
  EXPECT_FALSE(emulated(results));  // otherwise the report would say that times have no meaning
  request.moving = "step";
  EXPECT_THROW(bench_rays(request, device("cpu")), UsageError);
}

TEST(MovingCameras, turn_around_up_and_step_ahead) {
  const Camera camera{{1.0, 2.0, 3.0}, {1.0, 2.0, 1.0}, {0.0, 2.0, 0.0}};
  const Camera quarter = moved(camera, motion_of("turn:0.5"), 180, 10.0);
  EXPECT_EQ(quarter.eye.x, 1.0);
  EXPECT_NEAR(quarter.look_at.x, -1.0, 1e-12);  // it looks to the left
  EXPECT_NEAR(quarter.look_at.y, 2.0, 1e-12);
  EXPECT_NEAR(quarter.look_at.z, 3.0, 1e-12);
  const Camera ahead = moved(camera, motion_of("step"), 100, 10.0);
  EXPECT_NEAR(ahead.eye.z, 2.0, 1e-12);  // it has moved by a tenth of the diagonal
  EXPECT_NEAR(ahead.look_at.z, 0.0, 1e-12);
  EXPECT_EQ(ahead.eye.x, 1.0);
  for (const char* wrong : {"turn", "turn:", "turn:0", "turn:nan", "turn:361", "steps", "turn:1x"})
    EXPECT_THROW(motion_of(wrong), UsageError) << wrong;
}

TEST(BenchRays, casts_the_rays_of_a_camera_that_moves) {
  RaysRequest request = small_request();
  request.moving = "turn:0.5";
  request.width = 16;
  request.height = 9;
  const Results results = bench_rays(request, device("cpu"));
  ASSERT_FALSE(results.rows.empty());
  for (const Row& row : results.rows) {
    EXPECT_EQ(std::get<std::string>(*find(row.axes, "workload")), "primary");
    EXPECT_EQ(row.verdict, Verdict::right) << row.why;
    ASSERT_TRUE(row.timing.has_value());
    EXPECT_EQ(row.timing->runs, kMovingCasts);
    EXPECT_GT(row.timing->median_ms, 0.0);
  }
  for (const char* other : {"ao", "random"}) {
    request.workloads = {other};
    EXPECT_THROW(bench_rays(request, device("cpu")), UsageError) << other;
  }
  request.workloads = {"scanline"};
  EXPECT_THROW(bench_rays(request, device("cpu+emulated:0")), UsageError);
  request.partition = 2;
  EXPECT_THROW(bench_rays(request, device("cpu")), UsageError);
}

TEST(BenchRays, times_rays_of_a_file_and_generated_scenes_on_the_cpu) {
  const TempDir dir;
  const std::string path = dir / "some.rays";
  const SceneData land = generated_terrain(2000);
  const std::vector<u8> bytes =
      encode_rays({RayKind::closest, testing::rays_at(land.mesh, 500, 1)});
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  RaysRequest request;
  request.triangles = {2000, 8000};
  request.rays = path;
  request.builders = {"fast", "balanced", "best"};
  const Results results = bench_rays(request, device("cpu"));
  ASSERT_EQ(results.rows.size(), 2u * 3u);
  for (const Row& row : results.rows) {
    EXPECT_EQ(row.verdict, Verdict::right) << row.why;
    ASSERT_TRUE(row.timing.has_value());
    EXPECT_EQ(row.items, 487u);  // the other 13 rays can't hit anything
  }
}

/// Writes a rays file. Returns its path.
std::string file_of(const TempDir& dir, const RaySet& set) {
  const std::string path = dir / "given.rays";
  const std::vector<u8> bytes = encode_rays(set);
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  return path;
}

std::vector<Ray> rays_that_hit_nothing() {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = unbounded();
  return {{{nan, 0, 0}, 0.0f, {0, 0, 1}, 9.0f}, {{inf, 0, 0}, 0.0f, {0, 0, 1}, 9.0f},
          {{0, 0, 0}, nan, {0, 0, 1}, 9.0f},    {{0, 0, 0}, 0.0f, {0, nan, 1}, 9.0f},
          {{0, 0, 0}, 2.0f, {0, 0, 1}, 2.0f},   {{0, 0, 0}, 0.0f, {0, 0, 1e-20f}, 9.0f},
          {{0, 0, 0}, 0.0f, {0, 0, 0}, 9.0f}};
}

TEST(BenchRays, counts_no_ray_of_a_file_that_can_hit_nothing) {
  const TempDir dir;
  RaySet set{RayKind::closest,
             std::vector<Ray>(500, Ray{{0, 9, 0}, 0.0f, {0, -1, 0}, unbounded()})};
  const std::vector<Ray> idle = rays_that_hit_nothing();
  set.rays.insert(set.rays.begin() + 100, idle.begin(), idle.end());
  RaysRequest request;
  request.triangles = {2000};
  request.rays = file_of(dir, set);
  const Results results = bench_rays(request, device("cpu"));
  ASSERT_EQ(results.rows.size(), 1u);
  EXPECT_EQ(results.rows[0].verdict, Verdict::right) << results.rows[0].why;
  EXPECT_EQ(results.rows[0].items, 500u);
  ASSERT_EQ(results.notes.size(), 1u);
  EXPECT_NE(results.notes[0].find(": 7 of 507 rays can't hit anything"), std::string::npos)
      << results.notes[0];
}

TEST(BenchRays, refuses_a_file_whose_rays_all_hit_nothing) {
  const TempDir dir;
  RaysRequest request;
  request.triangles = {2000};
  request.rays = file_of(dir, {RayKind::closest, rays_that_hit_nothing()});
  EXPECT_THROW(bench_rays(request, device("cpu")), InputError);
}

TEST(BenchRays, measures_once_what_is_asked_for_twice) {
  RaysRequest request = small_request();
  request.triangles = {2048, 4096, 2048, 2048};
  request.scenes = {kScene, kScene};
  request.workloads = {"ao", "ao"};
  request.pipelines = {"ladder", "auto"};
  request.layouts = {"bvh2", "bvh2"};
  request.builders = {"ploc", "fast"};
  u64 total = 0;
  request.progress = [&](u64, u64 all) { total = all; };
  const Results results = bench_rays(request, device("emulated"));
  EXPECT_EQ(results.rows.size(), 3u * 5u);
  EXPECT_EQ(total, results.rows.size());
  EXPECT_EQ(results.notes.size(), 6u);
  const auto noted = [&](const std::string& note) {
    return std::find(results.notes.begin(), results.notes.end(), note) != results.notes.end();
  };
  EXPECT_TRUE(noted("triangles 2048 is listed more than once; it is measured once"));
  EXPECT_TRUE(noted("builder ploc is listed more than once; it is measured once"));
}

TEST(BenchRays, gives_no_rate_to_workloads_without_rays) {
  const TempDir dir;
  const std::string path = dir / "away.json";
  std::ofstream(dir / "one.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  std::ofstream(path) << R"({"meshes": ["one.obj"],
    "camera": {"eye": [0, 0, 5], "look_at": [0, 0, 9]}})";
  RaysRequest request = small_request();
  request.scenes = {path};
  request.workloads = {"diff1"};
  const Results results = bench_rays(request, device("cpu"));
  ASSERT_EQ(results.rows.size(), 1u);
  EXPECT_EQ(results.rows[0].verdict, Verdict::skipped);
  EXPECT_FALSE(results.rows[0].timing.has_value());
}

/// Resident rays that return a wrong value for the last hit.
class SpoiltRays final : public ResidentRays {
 public:
  SpoiltRays(std::unique_ptr<ResidentRays> rays, u32 count)
      : rays_(std::move(rays)), count_(count) {}
  CastCounts cast(const CastChoice& choice, const CastChecks& checks) override {
    return rays_->cast(choice, checks);
  }
  void results(Hit* hits, u32* visits) override {
    rays_->results(hits, visits);
    hits[count_ - 1].u += 1.0f;
  }
  std::vector<double> time(const CastChoice&, u32 runs) override {
    return std::vector<double>(runs, 1.0);
  }

 private:
  std::unique_ptr<ResidentRays> rays_;
  u32 count_;
};

class SpoiltScene final : public testing::SceneAround {
 public:
  explicit SpoiltScene(const PreparedScene& scene) : SceneAround(device("cpu").upload(scene, {})) {}
  std::unique_ptr<ResidentRays> keep(RayKind kind, const Ray* rays, u32 count) override {
    return std::make_unique<SpoiltRays>(SceneAround::keep(kind, rays, count), count);
  }
};

TEST(BenchRays, gives_no_rate_to_a_wrong_hit) {
  BackendInfo spoilt = *device("cpu").backend;
  spoilt.upload = [](const PreparedScene& scene) -> std::unique_ptr<ResidentScene> {
    return std::make_unique<SpoiltScene>(scene);
  };
  RaysRequest request = small_request();
  request.workloads = {"primary"};
  const Results results = bench_rays(request, {&spoilt, "", {}});
  ASSERT_EQ(results.rows.size(), 1u);
  EXPECT_EQ(results.rows[0].verdict, Verdict::wrong);
  EXPECT_EQ(results.rows[0].why, "rays that disagree with the reference: expected 0, got 1");
  EXPECT_FALSE(results.rows[0].timing.has_value());
}

TEST(BenchRays, refuses_pictures_of_too_many_rays_before_it_makes_any) {
  RaysRequest request = small_request();
  request.workloads = {"primary16"};
  request.width = request.height = 16384;
  try {
    bench_rays(request, device("cpu"));
    FAIL() << "took 2^32 rays";
  } catch (const UsageError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("size 16384x16384"), text.npos) << text;
    EXPECT_NE(text.find("primary16"), text.npos) << text;
  }
}

TEST(BenchRays, cuts_scenes_that_take_more_memory_than_a_machine_may_give) {
  RaysRequest request = small_request();
  request.workloads = {"diff1x8"};
  const u64 whole = bytes_of(memory_of(*Ground().scene));
  request.max_memory = whole / 3;
  const auto bench = [&] { return bench_rays(request, choose_device("emulated:0,1,2,3")); };
  EXPECT_THROW(bench(), OutOfDeviceMemory);
  request.partition = 0;
  const Results results = bench();
  ASSERT_EQ(results.rows.size(), 1u);
  EXPECT_EQ(results.rows[0].verdict, Verdict::right) << results.rows[0].why;
}

TEST(BenchRays, gives_peers_no_ray_that_they_assert_against) {
  if (!peers()[0].absent().empty()) GTEST_SKIP() << peers()[0].absent();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto scene = testing::scene_of(testing::sphere(6));
  RaySet set{RayKind::closest,
             {{{nan, 0, 0}, 0.0f, {0, 0, 1}, 1.0f},
              {{0, 0, -3}, 0.0f, {0, nan, 1}, 9.0f},
              {{3e38f, 0, 0}, 0.0f, {0, 0, 1}, 9.0f},
              {{0, 0, -3}, nan, {0, 0, 1}, 9.0f},
              {{0, 0, -3}, 0.0f, {0, 0, 1}, 9.0f}}};
  const std::vector<Hit> hits = hits_of(*peers()[0].modes().back().make(scene->mesh), set);
  for (std::size_t i = 0; i + 1 < hits.size(); ++i) EXPECT_FALSE(hits[i].found()) << i;
  EXPECT_TRUE(hits.back().found());
}

TEST(BenchRays, measures_peers_and_tells_which_are_absent) {
  RaysRequest request = small_request();
  request.workloads = {"primary", "ao"};
  request.peers = {"embree"};
  if (!peers()[0].absent().empty()) {
    EXPECT_THROW(bench_rays(request, device("cpu")), UsageError);
    return;
  }
  const Results results = bench_rays(request, device("cpu"));
  EXPECT_NE(find(results.facts, "embree"), nullptr);
  ASSERT_EQ(results.rows.size(), 2u * (1u + peers()[0].modes().size()));
  EXPECT_EQ(std::get<std::string>(*find(results.rows[3].axes, "builder")), "embree/high");
  for (const Row& row : results.rows) {
    EXPECT_EQ(row.verdict, Verdict::right) << row.why;
    EXPECT_TRUE(row.timing.has_value());
    EXPECT_LT(std::get<double>(*find(row.found, "disagree_ppm")), 5000.0);
    EXPECT_GT(std::get<double>(*find(row.found, "over_first")), 0.0);
  }
}

TEST(BenchRays, refuses_what_does_not_exist_or_go_together) {
  const auto refused = [](auto change) {
    RaysRequest request = small_request();
    change(request);
    EXPECT_THROW(bench_rays(request, device("cpu")), UsageError);
  };
  refused([](RaysRequest& r) { r.scenes.clear(); });
  refused([](RaysRequest& r) { r.workloads = {"sideways"}; });
  refused([](RaysRequest& r) { r.pipelines = {"warp/naive"}; });
  refused([](RaysRequest& r) { r.layouts = {"bvh9"}; });
  refused([](RaysRequest& r) { r.builders = {"quick"}; });
  refused([](RaysRequest& r) { r.peers = {"nobody"}; });
  refused([](RaysRequest& r) {
    r.rays = "some.rays";
    r.workloads = {"ao"};
  });
}

TEST(DeviceCaster, says_why_there_is_no_gpu) {
  if (backends().front().unusable().empty()) GTEST_SKIP() << "there is one";
  EXPECT_THROW(DeviceCaster(testing::scene_of(testing::sphere(4))), DeviceError);
}

}  // namespace rays_test
}  // namespace ballotcast::detail
