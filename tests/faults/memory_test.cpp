// Tests that the program knows in advance how much device memory its work takes, and that a limit
// on it changes no result.
#include <gtest/gtest.h>

#include "backends/device/backend.hpp"
#include "backends/device/memory_plan.hpp"
#include "ballotcast/error.hpp"
#include "ballotcast/frame.hpp"
#include "helpers/meshes.hpp"
#include "render/internals.hpp"
#include "render/settings.hpp"
#include "scene/assemble.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace memory_test {

std::shared_ptr<const SceneData> scene() {
  return std::make_shared<const SceneData>(builtin_scene_data());
}

/// Settings of a picture with so many paths that they do not fit into a small batch.
RenderSettings picture(std::string_view shading, std::string_view pipeline) {
  RenderSettings settings;
  settings.width = 96;
  settings.height = 72;
  settings.shading = shading;
  settings.samples = 3;
  settings.keep_hits = true;
  settings.cast.pipeline = pipeline;
  return settings;
}

/// The smallest amount of memory in which a renderer can draw a picture with these settings.
u64 least_for(const RenderSettings& settings) {
  const auto prepared = prepare(scene());
  const ResolvedPicture picture =
      resolved_without_camera(*prepared->scene, settings, backend_called("cpu"));
  const MemoryPlans plans = plans_of(memory_of(*prepared), [&](u32 at_once) {
    return memory_of_frame(picture.frame, picture.choice, at_once);
  });
  return least_plan(plans).bytes();
}

TEST(MemoryPlan, takes_the_largest_batch_that_fits_and_none_larger) {
  const MemoryTable fixed = {{"scene", 1000}};
  const MemoryPlans plans = plans_of(fixed, [](u32 at_once) {
    return MemoryTable{{"rays", u64{at_once} * 10}};
  });
  EXPECT_EQ(plan_memory(plans, {}).at_once, kPathsAtOnce);
  EXPECT_EQ(plan_memory(plans, {1000 + u64{kPathsAtOnce} * 10, ""}).at_once, kPathsAtOnce);
  EXPECT_EQ(plan_memory(plans, {999 + u64{kPathsAtOnce} * 10, ""}).at_once, kPathsAtOnce / 2);
  EXPECT_EQ(plan_memory(plans, {1000 + 10240, ""}).at_once, 1024u);
  EXPECT_EQ(least_plan(plans).bytes(), 1000u + 10240u);
}

TEST(MemoryPlan, is_listed_once_where_more_rays_at_a_time_would_change_nothing) {
  const CastChoice choice{CastOptions{}};
  const auto sizes_for = [&](u64 count) {
    std::vector<u32> sizes;
    const Query cast = cast_query(RayKind::closest, nullptr, nullptr, count, choice);
    for (const MemoryPlan& plan : plans_of_query({}, cast)) sizes.push_back(plan.at_once);
    return sizes;
  };
  EXPECT_EQ(sizes_for(1), (std::vector<u32>{kPathsAtOnce}));
  EXPECT_EQ(sizes_for(1024), (std::vector<u32>{kPathsAtOnce}));
  EXPECT_EQ(sizes_for(2049), (std::vector<u32>{kPathsAtOnce, 2048, 1024}));
}

TEST(MemoryPlan, what_does_not_fit_is_told_row_by_row_with_the_least_that_would_do) {
  const MemoryTable fixed = {{"tree nodes", 3u << 20}, {"textures", 0}};
  const MemoryBudget budget{2u << 20, "the memory allowed is"};
  const auto message_for = [&](MemoryFor use) {
    const auto table_of = [](u32 at_once) { return MemoryTable{{"hits", u64{at_once} * 16}}; };
    const MemoryPlans plans = plans_of(fixed, table_of, ~u64{0}, use);
    return message_of<OutOfDeviceMemory>([&] { plan_memory(plans, budget); });
  };
  const std::string batches =
      "not enough memory: the memory allowed is 2.0 MiB, and the smallest batches take 3.0 MiB:\n"
      "  tree nodes  3.0 MiB\n"
      "  hits        16.0 KiB\n"
      "  in all      3.0 MiB\n"
      "the smallest sufficient budget is 3088K; ";
  EXPECT_EQ(message_for(MemoryFor::picture),
            batches + "a smaller picture or scene needs less, and so does a scene in parts");
  EXPECT_EQ(message_for(MemoryFor::query),
            batches + "a smaller scene needs less, and so does a scene in parts");
  EXPECT_EQ(message_of<OutOfDeviceMemory>([&] { require_room(fixed, budget); }),
            "not enough memory: the memory allowed is 2.0 MiB, and the scene takes 3.0 MiB:\n"
            "  tree nodes  3.0 MiB\n"
            "  in all      3.0 MiB\n"
            "the smallest sufficient budget is 3072K; a smaller scene needs less");
}

TEST(MemoryPlan, counts_every_array_of_a_scene) {
  const auto prepared = prepare(scene());
  u64 nodes = 0;
  for (const MemoryItem& item : memory_of(*prepared))
    if (item.name == "tree nodes") nodes = item.bytes;
  EXPECT_EQ(nodes, prepared->encoded.nodes.size() * sizeof(NodeBytes));
}

TEST(MemoryPlan, rays_between_kernels_take_memory_only_where_they_rest_there) {
  const auto bytes = [](const char* pipeline, const char* order = "any") {
    u64 walks = 0, queues = 0;
    const CastChoice choice(CastOptions{pipeline, "auto", 256, "auto", order});
    const Query cast = cast_query(RayKind::closest, nullptr, nullptr, 1000, choice);
    for (const MemoryItem& item : memory_of_query(cast, kPathsAtOnce)) {
      if (item.name == "walks") walks = item.bytes;
      if (item.name == "queues") queues = item.bytes;
    }
    return std::pair(walks, queues);
  };
  EXPECT_EQ(bytes("warp"), std::pair(u64{0}, u64{0}));
  EXPECT_EQ(bytes("passes"), std::pair(u64{16000}, u64{0}));
  EXPECT_EQ(bytes("queue"), std::pair(u64{16000}, u64{8000}));
  // 63 ballots, rounded up for blocks of any size, and the sum of one tile of ballots.
  EXPECT_EQ(bytes("queue", "lanes"), std::pair(u64{16000}, u64{8000 + 64 * 4}));
  EXPECT_EQ(bytes("warp", "lanes"), std::pair(u64{0}, u64{0}));
}

TEST(MemoryBudget, changes_no_pixel_and_no_hit) {
  for (const auto& [device, shading, pipeline] : {std::array{"cpu", "lit", "auto"},
                                                  {"cpu", "ao", "auto"},
                                                  {"cpu", "visits", "passes"},
                                                  {"emulated", "lit", "warp"},
                                                  {"emulated", "visits", "queue"}}) {
    SCOPED_TRACE(std::string(device) + " " + shading + " " + pipeline);
    const RenderSettings settings = picture(shading, pipeline);
    Renderer free(scene(), {device});
    const Frame expected = free.render(settings);
    EXPECT_EQ(plan_of(free).at_once, kPathsAtOnce);
    const u64 least = least_for(settings);
    for (const u64 allowed : {least, least + least / 4}) {
      RendererOptions options{device};
      options.max_memory = allowed;
      Renderer bounded(scene(), options);
      const Frame frame = bounded.render(settings);
      EXPECT_LE(plan_of(bounded).bytes(), allowed);
      EXPECT_LT(plan_of(bounded).at_once, u64{settings.width} * settings.height * 3);
      EXPECT_EQ(hash_of(frame.image), hash_of(expected.image));
      EXPECT_EQ(hash_of(frame.hits), hash_of(expected.hits));
      EXPECT_EQ(frame.counts.rays, expected.counts.rays);
    }
    RendererOptions options{device};
    options.max_memory = least - 1;
    Renderer bounded(scene(), options);
    EXPECT_THROW(bounded.render(settings), OutOfDeviceMemory);
  }
}

TEST(MemoryBudget, changes_no_ray_that_is_cast_counted_or_followed) {
  const auto mesh = testing::sphere(30);
  const auto sphere = testing::scene_of(mesh);
  const std::vector<Ray> rays = testing::rays_at(mesh, 5000, 3);
  for (const char* device : {"cpu", "emulated"}) {
    Renderer free(sphere, {device});
    RendererOptions options{device};
    options.max_memory =
        least_plan(plans_of_query(memory_of(prepared_of(free)),
                                  query<Crossings>(rays.data(), rays.size(), {}, nullptr)))
            .bytes();
    Renderer bounded(sphere, options);
    std::vector<Hit> expected(rays.size()), got(rays.size());
    free.closest(rays, expected);
    bounded.closest(rays, got);
    EXPECT_EQ(hash_of(got), hash_of(expected));
    const AllHits all = free.all(rays), bounded_all = bounded.all(rays);
    EXPECT_EQ(plan_of(bounded).at_once, 1024u);
    EXPECT_EQ(all.starts, bounded_all.starts);
    EXPECT_EQ(hash_of(bounded_all.hits), hash_of(all.hits));
  }
}

TEST(MemoryBudget, a_scene_that_is_too_large_by_itself_is_told_with_the_work_it_is_for) {
  RendererOptions options{"cpu"};
  options.max_memory = 1000;
  Renderer bounded(scene(), options);
  const std::string message =
      message_of<OutOfDeviceMemory>([&] { bounded.render(picture("lit", "auto")); });
  for (const char* part : {"the memory allowed is 1000 B", "tree nodes", "film", "paths under way",
                           "the smallest sufficient budget is ", "a smaller picture or scene "})
    EXPECT_TRUE(contains(message, part)) << message;
  const Vec3f point{};
  Nearest nearest;
  const std::string of_query = message_of<OutOfDeviceMemory>([&] {
    bounded.closest_points({&point, 1}, {&nearest, 1});
  });
  EXPECT_FALSE(contains(of_query, "picture")) << of_query;
}

}  // namespace memory_test
}  // namespace ballotcast::detail
