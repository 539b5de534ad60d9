// Tests that hits, pixels and counters have the same bits on every backend and with every option.
// Backends that can't be used on this machine are left out; tools/gpu_check tests cuda.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <memory>

#include "backends/device/backend.hpp"
#include "ballotcast/frame.hpp"
#include "ballotcast/renderer.hpp"
#include "ballotcast/threads.hpp"
#include "helpers/cast_options.hpp"
#include "helpers/materials_scene.hpp"
#include "helpers/meshes.hpp"
#include "helpers/sanitized.hpp"
#include "render/settings.hpp"
#include "scene/assemble.hpp"

namespace ballotcast::detail {
namespace one_answer_test {

struct Answer {
  std::vector<Hit> hits;
  std::vector<u32> visits;
  CastCounts counts;
};

Answer answer_of(ResidentScene& scene, RayKind kind, const std::vector<Ray>& rays,
                 const CastOptions& options) {
  Answer a{std::vector<Hit>(rays.size()), std::vector<u32>(rays.size()), {}};
  a.counts = scene.cast(kind, rays.data(), a.hits.data(), a.visits.data(), rays.size(),
                        CastChoice(options));
  return a;
}

void expect_same(const Answer& ours, const Answer& theirs) {
  EXPECT_EQ(testing::first_difference(ours.hits, theirs.hits), theirs.hits.size());
  EXPECT_EQ(ours.visits, theirs.visits);
  EXPECT_EQ(ours.counts.rays, theirs.counts.rays);
  EXPECT_EQ(ours.counts.passes, theirs.counts.passes);
  EXPECT_EQ(ours.counts.counter, theirs.counts.counter);
}

/// Calls visit(options) for every pipeline and strategy with every block size; the values of `loop`
/// take turns. With sanitizers, only uses the first and the last block size.
template <class Visit>
void for_every_option(std::vector<u32> block_sizes, Visit visit) {
  if (testing::kSanitized) block_sizes = {block_sizes.front(), block_sizes.back()};
  constexpr std::string_view kLoops[] = {"host", "graph", "host:3", "auto", "host:8"};
  std::size_t turn = 0;
  for (CastOptions how : testing::ways_to_cast())
    for (const u32 block_size : block_sizes) {
      how.block_size = block_size;
      how.loop = kLoops[turn++ % std::size(kLoops)];
      SCOPED_TRACE(how.pipeline + ", " + how.atomics + ", block " + std::to_string(block_size) +
                   ", loop " + how.loop + ", order " + how.order);
      visit(how);
    }
}

/// Tests each option with each schedule of lanes. Closest hits and any hits use different
/// schedules.
TEST(OneAnswer, emulated_casts_equal_cpu_casts_for_every_option_and_schedule) {
  const std::vector<u64> seeds = testing::kSanitized ? std::vector<u64>{9} : std::vector<u64>{0, 9};
  for (const Mesh& mesh : {testing::soup(700, 5), testing::sphere(9), Mesh{}})
    for (const LayoutInfo& layout : layouts()) {
      SCOPED_TRACE(layout.name);
      const auto scene = prepare(testing::scene_of(mesh), kDefaultBuilder, layout.name);
      const std::vector<Ray> rays = mesh.triangles.empty() ? std::vector<Ray>(70, idle_ray())
                                                           : testing::rays_at(mesh, 1100, 6);
      const auto cpu = backend_called("cpu").upload(*scene);
      std::vector<std::unique_ptr<ResidentScene>> emulated;
      for (const u64 seed : seeds) emulated.push_back(emulated_upload_seeded(*scene, seed));
      for (const RayKind kind : {RayKind::closest, RayKind::any}) {
        std::size_t turn = kind == RayKind::closest ? 0 : 1;
        for_every_option({32, 64, 160, 256, 1024}, [&](const CastOptions& options) {
          ResidentScene& seeded = *emulated[turn++ % emulated.size()];
          expect_same(answer_of(seeded, kind, rays, options), answer_of(*cpu, kind, rays, options));
        });
      }
    }
}

TEST(OneAnswer, holds_for_rays_from_far_away) {
  const Mesh mesh = testing::soup(700, 5);
  for (const LayoutInfo& layout : layouts()) {
    SCOPED_TRACE(layout.name);
    const auto scene = prepare(testing::scene_of(mesh), kDefaultBuilder, layout.name);
    std::vector<Ray> rays = testing::far_rays_at(mesh, testing::kSanitized ? 700 : 1500, 6);
    const std::vector<Ray> near = testing::rays_at(mesh, 300, 7);
    rays.insert(rays.begin() + 500, near.begin(), near.end());
    const auto cpu = backends()[1].upload(*scene);
    const auto emulated = emulated_upload_seeded(*scene, 9);
    for (const RayKind kind : {RayKind::closest, RayKind::any})
      for_every_option({32, 256}, [&](const CastOptions& options) {
        // This cast has no rays from far away; the casts before and after it have some.
        expect_same(answer_of(*emulated, kind, rays, options),
                    answer_of(*cpu, kind, rays, options));
        expect_same(answer_of(*emulated, kind, near, options),
                    answer_of(*cpu, kind, near, options));
      });
  }
}

/// Pipeline warp casts coherent rays with one kernel, and other rays with a kernel that fetches new
/// rays for lanes that are done.
TEST(OneAnswer, warps_cast_coherent_rays_and_others_alike) {
  const Mesh mesh = testing::sphere(20);
  const auto scene = prepare(testing::scene_of(mesh));
  std::vector<Ray> coherent;
  for (u32 i = 0; i < 3000; ++i)
    coherent.push_back(
        {{0.0f, 0.0f, 5.0f},
         0.0f,
         {0.001f * static_cast<float>(i % 60), 0.001f * static_cast<float>(i / 60), -1},
         unbounded()});
  const auto cpu = backend_called("cpu").upload(*scene);
  const auto emulated = emulated_upload_seeded(*scene, 3);
  // The batches alternate, because data that one cast leaves in memory must not disturb the next
  // cast.
  for (u32 turn = 0; turn < 2; ++turn)
    for (const std::vector<Ray>& rays : {coherent, testing::rays_at(mesh, 3000, 9)})
      for (const RayKind kind : {RayKind::closest, RayKind::any})
        expect_same(answer_of(*emulated, kind, rays, {"warp"}),
                    answer_of(*cpu, kind, rays, {"warp"}));
}

TEST(OneAnswer, closest_hits_depend_on_no_builder_and_no_layout) {
  const Mesh mesh = testing::soup(3000, 11);
  const std::vector<Ray> rays = testing::rays_at(mesh, 5000, 12);
  std::vector<Hit> first;
  for (const BuilderInfo& builder : builders())
    for (const LayoutInfo& layout : layouts()) {
      const auto scene = prepare(testing::scene_of(mesh), builder.name, layout.name);
      const Answer a = answer_of(*backend_called("cpu").upload(*scene), RayKind::closest, rays, {});
      if (first.empty()) first = a.hits;
      EXPECT_EQ(testing::first_difference(a.hits, first), first.size())
          << builder.name << ", " << layout.name;
    }
}

TEST(OneAnswer, hits_do_not_depend_on_options_at_all) {
  const Mesh mesh = testing::soup(700, 7);
  const auto scene = prepare(testing::scene_of(mesh));
  const std::vector<Ray> rays = testing::rays_at(mesh, 3000, 8);
  const auto cpu = backend_called("cpu").upload(*scene);
  const Answer first = answer_of(*cpu, RayKind::closest, rays, {});
  for_every_option({32, 1024}, [&](const CastOptions& options) {
    const Answer other = answer_of(*cpu, RayKind::closest, rays, options);
    EXPECT_EQ(testing::first_difference(other.hits, first.hits), first.hits.size());
    EXPECT_EQ(other.visits, first.visits);
  });
}

TEST(OneAnswer, casting_no_rays_is_no_work) {
  const auto scene = prepare(testing::scene_of(testing::sphere(4)));
  for (const BackendInfo& backend : backends()) {
    if (!backend.unusable().empty()) continue;
    const CastCounts counts =
        backend.upload(*scene)->cast(RayKind::any, nullptr, nullptr, nullptr, 0, {});
    EXPECT_EQ(counts.rays, 0u);
    EXPECT_EQ(counts.passes, 0u);
  }
}

RenderSettings small_picture(std::string_view shading) {
  RenderSettings settings;
  settings.width = 37;  // not a multiple of the tile size
  settings.height = 21;
  settings.shading = shading;
  settings.samples = 2;
  settings.keep_hits = true;
  return settings;
}

/// Tests each shading with each pipeline and strategy, and each shading with each block size. All
/// combinations of pipeline, strategy and block size are tested only with one shading here and with
/// `lit` below, because a shading does not depend on the blocks that cast its rays.
TEST(OneAnswer, pictures_are_equal_for_every_shading_pipeline_strategy_and_block_size) {
  const auto scene = std::make_shared<const SceneData>(
      assemble({BALLOTCAST_SOURCE_DIR "/scenes/cornell-box.obj"}));
  Renderer cpu(scene, {"cpu"}), emulated(scene, {"emulated"});
  for (const ShadingInfo& shading : shadings()) {
    SCOPED_TRACE(shading.name);
    RenderSettings settings = small_picture(shading.name);
    const bool all = shading.name == "visits";
    std::string pixels, hits;
    u32 turn = 0;
    for_every_option({32, 64, 128, 256, 512, 1024}, [&](const CastOptions& options) {
      const u32 block_sizes = testing::kSanitized ? 2 : 6, now = turn++;
      if (!all && now % block_sizes != now / block_sizes % block_sizes) return;
      settings.cast = options;
      const Frame a = cpu.render(settings), b = emulated.render(settings);
      if (pixels.empty()) {
        pixels = hash_of(a.image);
        hits = hash_of(a.hits);
      }
      EXPECT_EQ(hash_of(a.image), pixels);
      EXPECT_EQ(hash_of(b.image), pixels);
      EXPECT_EQ(hash_of(a.hits), hits);
      EXPECT_EQ(hash_of(b.hits), hits);
      EXPECT_EQ(a.counts.counter, b.counts.counter);
      EXPECT_EQ(a.counts.passes, b.counts.passes);
      EXPECT_EQ(a.counts.rays, b.counts.rays);
    });
  }
}

/// Tests each option with each number of threads; the two devices use different numbers. Tests each
/// shading with each pipeline, strategy and block size; all combinations only with one shading.
TEST(OneAnswer, textures_and_cut_outs_are_equal_for_every_option_and_thread_count) {
  const auto scene = std::make_shared<const SceneData>(testing::textured_scene());
  std::vector<std::string_view> shadings = {"lit"};
  std::vector<u32> thread_counts = {3};
  if (!testing::kSanitized) shadings = {"lit", "albedo", "visits"}, thread_counts = {1, 3};
  std::map<std::string_view, std::string> pictures;          // by shading
  std::map<std::pair<std::string_view, u32>, u64> counters;  // by shading and option
  u32 of_device = 0;
  for (const char* device : {"cpu", "emulated"}) {
    for (const u32 threads : thread_counts)
      with_threads(threads, [&] {
        Renderer renderer(scene, {device});
        for (const std::string_view shading : shadings) {
          u32 turn = 0;
          for_every_option({32, 256, 1024}, [&](const CastOptions& options) {
            const u32 block_sizes = testing::kSanitized ? 2 : 3, now = turn++;
            const bool all = shading == "visits" || testing::kSanitized;
            if (!all && now % block_sizes != now / block_sizes % block_sizes) return;
            if (thread_counts[(now + of_device) % thread_counts.size()] != threads) return;
            RenderSettings settings = small_picture(shading);
            settings.cast = options;
            const Frame frame = renderer.render(settings);
            const std::string got = hash_of(frame.image) + hash_of(frame.hits);
            EXPECT_EQ(got, pictures.try_emplace(shading, got).first->second)
                << device << ", " << threads << " threads";
            const u64 count = frame.counts.counter;
            EXPECT_EQ(count, counters.try_emplace({shading, now}, count).first->second)
                << device << ", " << threads << " threads";
          });
        }
      });
    ++of_device;
  }
}

TEST(OneAnswer, every_material_light_and_camera_is_equal_on_every_device) {
  SceneData with_sun = testing::materials_scene(), without = with_sun;
  with_sun.sun.strength = 2.0f;
  without.sky_map = {};
  for (const SceneData& data : {with_sun, without}) {
    const auto scene = std::make_shared<const SceneData>(data);
    Renderer cpu(scene, {"cpu"}), emulated(scene, {"emulated"});
    std::vector<Smoothing> smoothings = {Smoothing::on};
    if (!testing::kSanitized) smoothings = {Smoothing::off, Smoothing::fast, Smoothing::on};
    for (const Smoothing smooth : smoothings)
      for (const double lens : {0.0, 0.5})
        for (const double ortho_height : {0.0, 5.0}) {
          if (testing::kSanitized && (lens > 0.0) == (ortho_height > 0.0)) continue;
          RenderSettings settings = small_picture("lit");
          settings.smooth = smooth;
          settings.keep_linear = true;
          settings.camera = Camera{
              {0, 1, 12}, {0, 1, 0}, {0, 1, 0}, 30, lens, lens > 0 ? 11.0 : 0.0, ortho_height};
          const Frame a = cpu.render(settings), b = emulated.render(settings);
          EXPECT_EQ(hash_of(a.image), hash_of(b.image));
          EXPECT_EQ(hash_of(a.hits), hash_of(b.hits));
          EXPECT_EQ(a.counts.rays, b.counts.rays);
          EXPECT_EQ(a.light_lost, b.light_lost);
          EXPECT_EQ(std::memcmp(a.linear.pixels.data(), b.linear.pixels.data(),
                                a.linear.pixels.size() * sizeof(Vec3f)),
                    0);
        }
  }
}

TEST(OneAnswer, pictures_are_equal_for_every_scene_of_the_project_and_thread_count) {
  for (const char* name : {"atrium", "blob", "terrain", "slivers", "cornell-box"}) {
    SCOPED_TRACE(name);
    const auto scene = std::make_shared<const SceneData>(
        assemble({std::string(BALLOTCAST_SOURCE_DIR "/scenes/") + name + ".obj"}));
    std::string expected;
    for (const char* device : {"cpu", "emulated"})
      for (const u32 threads : {1u, 2u, 5u})
        with_threads(threads, [&] {
          Renderer renderer(scene, {device});
          const Frame frame = renderer.render(small_picture("lit"));
          const std::string got =
              hash_of(frame.image) + hash_of(frame.hits) + std::to_string(frame.counts.counter);
          if (expected.empty()) expected = got;
          EXPECT_EQ(got, expected) << device << ", " << threads << " threads";
        });
  }
}

}  // namespace one_answer_test
}  // namespace ballotcast::detail
