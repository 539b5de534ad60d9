// Tests that long work ends early when its caller asks for that, and that the same renderer then
// works as before.
#include "support/threads/stop.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "ballotcast/ballotcast.hpp"
#include "helpers/meshes.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {
namespace stop_test {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// A condition that becomes true when `pause` has passed since its creation.
struct After {
  steady_clock::time_point end;
  explicit After(milliseconds pause) : end(steady_clock::now() + pause) {}
  bool operator()() const { return steady_clock::now() >= end; }
};

TEST(Stop, ends_loops_in_all_threads) {
  std::atomic<u64> done{0};
  const auto count = [&] { for_each_index<u64>(u64{1} << 40, [&](u64) { ++done; }); };
  EXPECT_THROW(stoppable(After(milliseconds(100)), count), Stopped);
  EXPECT_GT(done.load(), 0u);
  EXPECT_EQ(stop_token(), nullptr);
}

TEST(Stop, ends_reductions_and_nested_work) {
  const auto sum = [] {
    return reduce_ranges<u64>(
        0, u64{1} << 40, 64, u64{0}, [](u64 begin, u64 end, u64 s) { return s + end - begin; },
        [](u64 a, u64 b) { return a + b; });
  };
  EXPECT_THROW(stoppable(After(milliseconds(100)), [&] { sum(); }), Stopped);
  EXPECT_THROW(stoppable(After(milliseconds(100)), [&] { in_parallel(sum, sum); }), Stopped);
}

TEST(Stop, asks_in_the_callers_thread_and_not_too_often) {
  const auto here = std::this_thread::get_id();
  u32 asked = 0;
  const auto start = steady_clock::now();
  stoppable(
      [&] {
        EXPECT_EQ(std::this_thread::get_id(), here);
        ++asked;
        return false;
      },
      [&] {
        while (steady_clock::now() < start + milliseconds(300))
          for_each_index<u32>(1000, [](u32) {});
      });
  EXPECT_GE(asked, 1u);
  EXPECT_LE(asked, 7u);
}

TEST(Stop, leaves_other_work_alone) {
  stoppable([] { return true; },
            [] {
              const StopScope unstoppable(nullptr);
              const After end(milliseconds(120));
              while (!end()) for_each_index<u32>(1000, [](u32) {});
            });
}

/// Calls work() until it is ended early, each time after a longer pause. Returns the number of
/// calls that were ended early.
template <class Work>
u32 stopped_often(const Work& work) {
  u32 stopped = 0;
  for (const u32 pause : {50u, 90u, 160u}) try {
      stoppable(After(milliseconds(pause)), work);
    } catch (const Stopped&) {
      ++stopped;
    }
  return stopped;
}

/// Ends casts and pictures early, and compares what the renderer computes before and afterwards.
void stop_work_on(const std::string& device) {
  const Mesh mesh = testing::soup(3000, 4);
  const Scene scene(testing::scene_of(mesh));
  const std::vector<Ray> many = testing::rays_at(mesh, 60000, 6);
  const Span<const Ray> few(many.data(), 3000);
  RendererOptions where;
  where.device = device;
  Renderer renderer(scene, where);
  RenderSettings small, large;
  small.width = small.height = 32;
  small.samples = 2;
  large.samples = 4096;
  const auto image = [&] { return renderer.render(small).image.pixels; };
  const auto before = image();
  EXPECT_GT(stopped_often([&] { renderer.render(large); }), 0u) << device;
  EXPECT_TRUE(std::equal(before.begin(), before.end(), image().begin(),
                         [](Rgb8 a, Rgb8 b) { return a.r == b.r && a.g == b.g && a.b == b.b; }));
  for (const auto& pipeline : pipelines()) {
    SCOPED_TRACE(device + ", " + std::string(pipeline.name));
    CastOptions how;
    how.pipeline = pipeline.name;
    std::vector<Hit> hits(few.size()), again(few.size()), all(many.size());
    const CastCounts counts = renderer.closest(few, hits, how);
    const auto cast = [&] {
      for (int i = 0; i < 100; ++i) renderer.closest(many, all, how);
    };
    EXPECT_GT(stopped_often(cast), 0u);
    const CastCounts counts_again = renderer.closest(few, again, how);
    EXPECT_EQ(hash_of(hits), hash_of(again));
    EXPECT_EQ(counts.counter, counts_again.counter);
  }
}

TEST(Stop, on_the_cpu_leaves_the_bits_of_casts_and_pictures_alone) { stop_work_on("cpu"); }

// AddressSanitizer gives false reports when unfinished fibers are unwound.
#if !defined(__SANITIZE_ADDRESS__)
TEST(Stop, on_the_emulated_device_leaves_the_bits_of_casts_and_pictures_alone) {
  stop_work_on("emulated");
}
#endif

TEST(Stop, never_ends_a_move) {
  RendererOptions where;
  where.device = "cpu";
  where.moves = true;
  const Mesh mesh = testing::sphere(300);
  Renderer renderer(Scene(testing::scene_of(mesh)), where);
  std::vector<Vec3f> moved = renderer.scene().vertices();
  for (Vec3f& p : moved) p.y += 3.0f;
  const Ray ray{{0, 9, 0}, 0.0f, {0, -1, 0}, 1e9f};
  Hit hit;
  stoppable([] { return true; },
            [&] {
              const After end(milliseconds(60));
              while (!end()) {
              }
              renderer.set_vertices(moved);
              renderer.follow();
            });
  renderer.closest({&ray, 1}, {&hit, 1});
  EXPECT_NEAR(hit.t, 5.0f, 1e-3);
}

}  // namespace stop_test
}  // namespace ballotcast::detail
