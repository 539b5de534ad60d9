// Tests that a scene that is cut into parts gives the same results as the whole scene.
#include "backends/parts/parts.hpp"

#include <gtest/gtest.h>

#include "ballotcast/error.hpp"
#include "ballotcast/renderer.hpp"
#include "helpers/devices.hpp"
#include "helpers/instances.hpp"
#include "helpers/meshes.hpp"
#include "helpers/ray_groups.hpp"
#include "helpers/sanitized.hpp"
#include "kernels/frame/drawn_frame.hpp"
#include "render/internals.hpp"
#include "render/settings.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace parts_test {

struct Case {
  const char* name;
  Scene scene;
};

/// Meshes whose triangles meet at edges, overlap, are copies of each other, or have holes.
std::vector<Case> cases() {
  return {{"soup", Scene(testing::scene_of(testing::soup(400, 31)))},
          {"sphere", Scene(testing::scene_of(testing::sphere(12)))},
          {"copies", Scene(testing::scene_of(testing::repeated(testing::torus(8), 3)))},
          {"cut-outs", Scene(std::make_shared<const SceneData>(testing::textured_scene()))},
          {"instances", testing::random_instances(30, 4)},
          {"drawn instances", testing::drawn_scene()},
          {"one triangle", Scene(testing::scene_of(testing::soup(1, 5)))}};
}

Mesh mesh_in(const Scene& scene) {
  return scene.instance_count() > 0 ? testing::flattened(scene) : scene.data()->mesh;
}

std::vector<Ray> rays_for(const Mesh& mesh) {
  const u32 count = testing::kSanitized ? 2000 : 3000;
  std::vector<Ray> rays = testing::rays_at(mesh, 2 * count, 32);
  const std::vector<Ray> far = testing::far_rays_at(mesh, count, 33);
  rays.insert(rays.end(), far.begin(), far.end());
  for (const testing::GroupCase& with : testing::kGroupCases) {
    const std::vector<Ray> some = testing::rays_of(with, mesh, 192);
    rays.insert(rays.end(), some.begin(), some.end());
  }
  return rays;
}

RendererOptions in_parts(const std::string& device, u32 parts) {
  RendererOptions options;
  options.device = device;
  options.partition = parts;
  return options;
}

class Parts : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(On, Parts, testing::kDevices, testing::name_of_device);
// With machines of the same backend, the machines themselves route the rays.
INSTANTIATE_TEST_SUITE_P(RoutedOn, Parts, ::testing::Values("emulated:0,1,2"),
                         testing::name_of_device);

TEST_P(Parts, find_what_the_whole_finds) {
  for (const Case& c : cases()) {
    const std::vector<Ray> rays = rays_for(mesh_in(c.scene));
    Renderer whole(c.scene, {"cpu"});
    std::vector<Hit> hits(rays.size()), closest(rays.size()), any(rays.size());
    std::vector<std::uint32_t> counts(rays.size()), expected_counts(rays.size());
    whole.closest(rays, closest);
    whole.any(rays, any);
    whole.count(rays, expected_counts);
    const AllHits expected_all = whole.all(rays);
    for (const u32 count : {1u, 2u, 3u, 8u}) {
      Renderer renderer(c.scene, in_parts(GetParam(), count));
      SCOPED_TRACE(std::string(c.name) + ", " + std::to_string(count) + " parts");
      EXPECT_EQ(renderer.closest(rays, hits).rays, rays.size());
      EXPECT_EQ(testing::first_difference(hits, closest), hits.size());
      renderer.any(rays, hits);
      EXPECT_EQ(testing::first_difference(hits, any), hits.size());
      if (testing::kSanitized && count != 3u) continue;
      renderer.count(rays, counts);
      EXPECT_EQ(counts, expected_counts);
      const AllHits all = renderer.all(rays);
      EXPECT_EQ(all.starts, expected_all.starts);
      EXPECT_EQ(testing::first_difference(all.hits, expected_all.hits), all.hits.size());
    }
  }
}

TEST_P(Parts, draw_what_the_whole_draws) {
  const Scene scene = load_scene(std::string(BALLOTCAST_SOURCE_DIR "/scenes/cornell-box.json"));
  Renderer whole(scene, {"cpu"}), renderer(scene, in_parts(GetParam(), 3));
  for (const ShadingInfo& shading : shadings()) {
    RenderSettings settings;
    settings.width = 45;
    settings.height = testing::kSanitized ? 19 : 43;
    settings.samples = 2;
    settings.shading = shading.name;
    settings.keep_hits = true;
    settings.keep_linear = true;
    const Frame one = whole.render(settings), other = renderer.render(settings);
    SCOPED_TRACE(settings.shading);
    EXPECT_EQ(hash_of(other.image), hash_of(one.image));
    EXPECT_EQ(hash_of(other.hits), hash_of(one.hits));
    EXPECT_EQ(other.linear.pixels, one.linear.pixels);
    EXPECT_EQ(other.counts.rays, one.counts.rays);
  }
}

TEST_P(Parts, keep_rays) {
  const Scene scene(testing::scene_of(testing::soup(400, 31)));
  const std::vector<Ray> rays = rays_for(scene.data()->mesh);
  const u32 count = static_cast<u32>(rays.size());
  Renderer whole(scene, {"cpu"}), renderer(scene, in_parts(GetParam(), 4));
  std::vector<Hit> unused(count);  // the first cast uploads the scene
  whole.closest(rays, unused);
  renderer.closest(rays, unused);
  for (const RayKind kind : {RayKind::closest, RayKind::any}) {
    std::vector<Hit> hits(count), expected(count);
    std::vector<u32> visits(count), expected_visits(count);
    const auto cast = [&](Renderer& by, std::vector<Hit>& its, std::vector<u32>& its_visits) {
      const auto kept = resident_of(by).keep(kind, rays.data(), count);
      for (int again = 0; again < 2; ++again)
        EXPECT_EQ(kept->cast(CastChoice(CastOptions{}), {}).rays, count);
      kept->results(its.data(), its_visits.data());
      EXPECT_EQ(kept->time(CastChoice(CastOptions{}), 2).size(), 2u);
    };
    cast(whole, expected, expected_visits);
    cast(renderer, hits, visits);
    EXPECT_EQ(testing::first_difference(hits, expected), count);
    EXPECT_EQ(visits, expected_visits);
  }
}

/// Tests routers on the machines, and a router in host memory.
TEST(PartsRouters, find_what_the_whole_finds) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const std::shared_ptr<const PreparedScene> whole = prepare(c.scene.data());
    const std::vector<Ray> rays = rays_for(mesh_in(c.scene));
    const std::vector<ScenePart> parts = cut_into_parts(whole, 3, {});
    const BackendInfo& emulated = backend_called("emulated");
    for (const bool routed : {true, false}) {
      std::vector<PartsMember> members(parts.size());
      for (std::size_t i = 0; i < parts.size(); ++i) {
        members[i].upload = emulated.upload;
        members[i].parts = {i};
        if (routed) members[i].make_router = emulated.router;
      }
      const auto all = make_parts_scene(*whole, parts, members);
      const auto one = backend_called("cpu").upload(*whole);
      for (const RayKind kind : {RayKind::closest, RayKind::any}) {
        std::vector<Hit> hits(rays.size()), expected(rays.size());
        const CastChoice choice{CastOptions{}};
        one->cast(kind, rays.data(), expected.data(), nullptr, rays.size(), choice);
        EXPECT_EQ(all->cast(kind, rays.data(), hits.data(), nullptr, rays.size(), choice).rays,
                  rays.size());
        EXPECT_EQ(testing::first_difference(hits, expected), hits.size());
      }
    }
  }
}

/// A part of a scene whose machine fails at its second cast only.
class FailsOnce final : public ResidentScene {
 public:
  explicit FailsOnce(std::unique_ptr<ResidentScene> scene) : scene_(std::move(scene)) {}

  CastCounts answer(const Query& query) override {
    if (++casts_ == 2u) throw DeviceError("broken");
    return scene_->answer(query);
  }
  void begin_work(u32, u64) override {}
  void follow(Moved) override {}
  std::unique_ptr<ResidentRays> keep(RayKind, const Ray*, u32) override { return nullptr; }
  DrawnFrame draw(const FrameSettings&, const CastChoice&, const Progress&) override { return {}; }
  DrawnFrame develop(const FrameSettings&, const std::vector<RawFilm>&) override { return {}; }

 private:
  std::unique_ptr<ResidentScene> scene_;
  u32 casts_ = 0;
};

TEST(PartsRouters, end_together_if_a_machine_fails_and_cast_again) {
  const auto whole = prepare(testing::scene_of(testing::soup(400, 31)));
  const std::vector<Ray> rays = rays_for(whole->scene->mesh);
  const auto parts = cut_into_parts(whole, 2, {});
  const BackendInfo& cpu = backend_called("cpu");
  std::vector<PartsMember> members(2);
  for (std::size_t i = 0; i < 2; ++i) {
    members[i].name = "machine " + std::to_string(i);
    members[i].parts = {i};
    members[i].upload = [&cpu, i](const PreparedScene& part) {
      std::unique_ptr<ResidentScene> scene = cpu.upload(part);
      return i == 0 ? std::move(scene) : std::make_unique<FailsOnce>(std::move(scene));
    };
  }
  const auto all = make_parts_scene(*whole, parts, members);
  const auto one = cpu.upload(*whole);
  const CastChoice choice{CastOptions{}};
  std::vector<Hit> hits(rays.size()), expected(rays.size());
  one->cast(RayKind::closest, rays.data(), expected.data(), nullptr, rays.size(), choice);
  EXPECT_EQ(message_of<DeviceError>([&] {
              all->cast(RayKind::closest, rays.data(), hits.data(), nullptr, rays.size(), choice);
            }),
            "machine 1, which holds a part of the scene: broken");
  for (const std::size_t count : {std::size_t{100}, rays.size(), std::size_t{4095}}) {
    std::fill(hits.begin(), hits.end(), Hit{});
    all->cast(RayKind::closest, rays.data(), hits.data(), nullptr, count, choice);
    hits.resize(count);
    const std::vector<Hit> some(expected.begin(), expected.begin() + static_cast<long>(count));
    EXPECT_EQ(testing::first_difference(hits, some), count);
    hits.resize(rays.size());
  }
}

/// Checks that the tests above contain hits with equal t. Otherwise a wrong order of such hits
/// would not be noticed.
TEST(PartsTies, are_met_by_the_rays_of_these_tests) {
  u32 ties = 0, far_ties = 0;
  for (const Case& c : cases()) {
    const std::shared_ptr<const PreparedScene> whole = prepare(c.scene.data());
    const std::vector<Ray> rays = rays_for(mesh_in(c.scene));
    std::vector<std::vector<Hit>> of_parts;
    for (const ScenePart& part : cut_into_parts(whole, 3, {}))
      backend_called("cpu")
          .upload(*part.prepared)
          ->cast(RayKind::closest, rays.data(), of_parts.emplace_back(rays.size()).data(), nullptr,
                 rays.size(), CastChoice(CastOptions{}));
    for (std::size_t i = 0; i < rays.size(); ++i)
      for (std::size_t a = 0; a + 1 < of_parts.size(); ++a) {
        const Hit &one = of_parts[a][i], &other = of_parts[a + 1][i];
        if (!one.found() || !other.found() || one.t != other.t) continue;
        (is_far(rays[i], whole->view.magnitude) ? far_ties : ties) += 1;
      }
  }
  EXPECT_GT(ties, 20u);
  EXPECT_GT(far_ties, 20u);
}

/// Checks that the tests above would notice if the larger id were kept when results are merged.
TEST(PartsTies, show_if_the_larger_id_wins) {
  u32 wrong_ids = 0;
  for (const Case& c : cases()) {
    const std::shared_ptr<const PreparedScene> whole = prepare(c.scene.data());
    const std::vector<Ray> rays = rays_for(mesh_in(c.scene));
    SCOPED_TRACE(c.name);
    const auto closest = [&](const PreparedScene& scene) {
      std::vector<Hit> hits(rays.size());
      backend_called("cpu").upload(scene)->cast(RayKind::closest, rays.data(), hits.data(), nullptr,
                                                rays.size(), CastChoice(CastOptions{}));
      return hits;
    };
    const std::vector<Hit> of_whole = closest(*whole);
    Hit miss;
    miss.triangle = kNoTriangle;
    std::vector<Hit> right(rays.size(), miss), wrong(rays.size(), miss);
    for (const ScenePart& part : cut_into_parts(whole, 3, {})) {
      const std::vector<Hit> hits = closest(*part.prepared);
      for (std::size_t i = 0; i < rays.size(); ++i) {
        const auto join = [&](Hit& best, bool larger_wins) {
          if (!hits[i].found() || (best.found() && hits[i].t > best.t)) return;
          if (best.found() && hits[i].t == best.t &&
              (hits[i].triangle > best.triangle) != larger_wins)
            return;
          best = hits[i];
        };
        join(right[i], false);
        join(wrong[i], true);
      }
    }
    for (std::size_t i = 0; i < rays.size(); ++i) {
      if (!of_whole[i].found() || is_far(rays[i], whole->view.magnitude)) continue;
      EXPECT_EQ(right[i].triangle, of_whole[i].triangle);
      wrong_ids += wrong[i].triangle != of_whole[i].triangle;
    }
  }
  EXPECT_GT(wrong_ids, 20u);
}

TEST(PartsMemory, is_less_than_that_of_the_whole) {
  const Scene scene(testing::scene_of(testing::sphere(testing::kSanitized ? 60 : 120)));
  Renderer whole(scene, {"emulated:0"});
  const u64 bytes = bytes_of(scene_memory_of(whole));
  Renderer renderer(scene, in_parts("emulated:0,1,2,3", 4));
  EXPECT_LT(bytes_of(scene_memory_of(renderer)), bytes / 4);
  EXPECT_NE(renderer.note().find("4 parts"), std::string::npos) << renderer.note();

  // With partition 0, a scene that does not fit as a whole is cut.
  RenderSettings settings;
  settings.width = settings.height = 32;
  RendererOptions options{"emulated:0,1,2,3"};
  options.max_memory = bytes;
  Renderer too_large(scene, options);
  EXPECT_THROW(too_large.render(settings), OutOfDeviceMemory);
  options.partition = 0;
  Renderer cut(scene, options);
  EXPECT_EQ(parts_of(cut).size(), 4u);
  EXPECT_EQ(hash_of(cut.render(settings).image), hash_of(whole.render(settings).image));
  options.max_memory = {};
  EXPECT_TRUE(parts_of(Renderer(scene, options)).empty());
}

TEST(PartsErrors, are_told) {
  const Scene scene(testing::scene_of(testing::soup(10, 5)));
  EXPECT_THROW(Renderer(scene, in_parts("cpu", 65)), UsageError);
  RendererOptions moving = in_parts("cpu", 2);
  moving.moves = true;
  EXPECT_THROW(Renderer(scene, moving), UsageError);
  EXPECT_THROW(Renderer(testing::many_worlds(4, 2, 1), in_parts("cpu", 2)), UsageError);
}

}  // namespace parts_test
}  // namespace ballotcast::detail
