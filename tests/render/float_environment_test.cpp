// Tests that a program that flushes denormals to zero, or uses another rounding mode, gets the same
// bits from this library, and that its mode is restored afterwards.
#include "support/float_environment.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <sstream>
#include <thread>

#include "scene/assemble.hpp"
#if defined(__SSE__)
#include <immintrin.h>
#endif

#include "ballotcast/error.hpp"
#include "ballotcast/frame.hpp"
#include "ballotcast/renderer.hpp"
#include "helpers/meshes.hpp"
#include "support/temp_dir.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {
namespace float_environment_test {

#if defined(__SSE__)

constexpr unsigned kFlush = 0x8040;  // MXCSR bits: denormals are zero, as operands and as results
constexpr unsigned kDown = 0x2000;   // MXCSR bit: rounds down
constexpr unsigned kControl = 0xffc0;

/// Writes a mesh that is so small that denormals matter. Returns its path.
std::string write_tiny_mesh(const TempDir& folder) {
  const Mesh mesh = testing::sphere(12, vec3(0.0f), 1.0f / 3.0f);
  std::ostringstream out;
  out.precision(9);
  for (const vec3 p : mesh.positions)
    out << "v " << p.x << "e-16 " << p.y << "e-16 " << p.z << "e-16\n";
  for (const uvec3 t : mesh.triangles)
    out << "f " << t.x + 1 << " " << t.y + 1 << " " << t.z + 1 << "\n";
  return folder.write("tiny.obj", out.str());
}

/// The results of loading, building, casting and drawing a scene, as texts.
std::vector<std::string> answers(const std::string& path, const char* device) {
  const auto scene = std::make_shared<const SceneData>(assemble({path}));
  Renderer renderer(scene, {device});
  const std::vector<Ray> rays = [&] {
    std::vector<Ray> out;
    testing::Random random(3);
    for (u32 i = 0; i < 3000; ++i) {
      const u32 t = random.below(static_cast<u32>(scene->mesh.triangles.size()));
      const vec3 to = scene->mesh.positions[scene->mesh.triangles[t].x];
      out.push_back({vec3(0.0f), 0.0f, to * 0x1p50f, unbounded()});
    }
    return out;
  }();
  std::vector<Hit> hits(rays.size());
  renderer.closest(rays, hits);
  EXPECT_GT(std::count_if(hits.begin(), hits.end(), [](const Hit& hit) { return hit.found(); }),
            std::ptrdiff_t(rays.size()) / 4);
  const AllHits all = renderer.all(rays);
  RenderSettings settings;
  settings.width = 40;
  settings.height = 24;
  settings.samples = 2;
  const Frame frame = renderer.render(settings);
  return {hash_of(hits), hash_of(all.hits), hash_of(frame.image),
          std::to_string(all.starts.back())};
}

TEST(FloatEnvironment, of_the_program_around_changes_no_bit_and_is_kept) {
  const TempDir folder;
  const std::string tiny = write_tiny_mesh(folder);
  const unsigned before = _mm_getcsr();
  for (const char* device : {"cpu", "emulated"}) {
    const std::vector<std::string> expected = answers(tiny, device);
    for (const unsigned set : {kFlush, kDown, kFlush | kDown}) {
      std::vector<std::string> got;
      unsigned after = 0;
      // Uses a new thread, because oneTBB remembers the mode of a thread when it first used oneTBB.
      std::thread([&] {
        _mm_setcsr((before & ~0x3fu) | set);
        got = answers(tiny, device);
        after = _mm_getcsr();
      }).join();
      EXPECT_EQ(got, expected) << device << " with " << set;
      EXPECT_EQ(after & kControl, (before & kControl) | set) << "the program's settings";
    }
  }
}

TEST(FloatEnvironment, that_threads_remember_changes_no_bit) {
  const TempDir folder;
  const std::string tiny = write_tiny_mesh(folder);
  const unsigned before = _mm_getcsr();
  const std::vector<std::string> expected = answers(tiny, "cpu");
  std::vector<std::string> got;
  std::thread([&] {
    // The worker threads of oneTBB keep the mode that is set now; only this thread's mode is
    // restored.
    _mm_setcsr((before & ~0x3fu) | kFlush | kDown);
    for_each_index(10000, [](int) {});
    _mm_setcsr(before);
    got = answers(tiny, "cpu");
  }).join();
  EXPECT_EQ(got, expected);
}

TEST(FloatEnvironment, is_that_of_every_part_of_a_sum_and_of_every_join) {
  const unsigned before = _mm_getcsr();
  std::atomic<u32> wrong{0};
  const auto look = [&] { wrong += (_mm_getcsr() & (kFlush | kDown)) != 0; };
  _mm_setcsr((before & ~0x3fu) | kFlush | kDown);
  for (const u32 count : {1u, 1000u})
    reduce_ranges<u32>(
        0, count, 10, 0u,
        [&](u32, u32, u32) {
          look();
          return 0u;
        },
        [&](u32, u32) {
          look();
          return 0u;
        });
  EXPECT_EQ(_mm_getcsr() & (kFlush | kDown), kFlush | kDown);
  _mm_setcsr(before);
  EXPECT_EQ(wrong.load(), 0u);
}

TEST(FloatEnvironment, reaches_every_thread_and_passes_exceptions_on) {
  const unsigned before = _mm_getcsr();
  _mm_setcsr((before & ~0x3fu) | kFlush | kDown);
  std::atomic<u32> wrong{0};
  {
    const DefaultFloats floats;
    wrong += (_mm_getcsr() & (kFlush | kDown)) != 0;
    for_each_index(10000, [&](int) { wrong += (_mm_getcsr() & (kFlush | kDown)) != 0; });
  }
  const auto throws = [] {
    const DefaultFloats floats;
    throw UsageError("thrown");
  };
  EXPECT_THROW(throws(), UsageError);
  EXPECT_EQ(_mm_getcsr() & (kFlush | kDown), kFlush | kDown);
  _mm_setcsr(before);
  EXPECT_EQ(wrong.load(), 0u);
}

#endif

}  // namespace float_environment_test
}  // namespace ballotcast::detail
