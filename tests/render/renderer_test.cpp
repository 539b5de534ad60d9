#include "ballotcast/renderer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "backends/scene/prepare.hpp"
#include "ballotcast/error.hpp"
#include "ballotcast/frame.hpp"
#include "helpers/devices.hpp"
#include "helpers/meshes.hpp"
#include "render/framing/framing.hpp"
#include "render/framing/preview.hpp"
#include "scene/assemble.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace renderer_test {

// A Span of rays must not accept an array of larger objects that are derived from Ray.
struct RayWithName : Ray {
  int name;
};
static_assert(std::is_constructible_v<Span<const Ray>, std::vector<Ray>&>);
static_assert(std::is_constructible_v<Span<const Ray>, const std::vector<Ray>&>);
static_assert(!std::is_constructible_v<Span<Ray>, const std::vector<Ray>&>);
static_assert(!std::is_constructible_v<Span<const Ray>, std::vector<RayWithName>&>);

TEST(Renderer, casts_a_span_of_rays) {
  Renderer renderer(testing::scene_of(testing::sphere(20)), {"cpu"});
  const std::vector<Ray> rays = {{{0, 0, 5}, 0, {0, 0, -1}, 1e30f},
                                 {{0, 5, 5}, 0, {0, 0, -1}, 1e30f}};
  std::vector<Hit> hits(2);
  EXPECT_GT(renderer.memory_bytes(), 0u) << "the scene is on the device already";
  const CastCounts counts = renderer.closest(rays, hits);
  EXPECT_TRUE(hits[0].found());
  EXPECT_NEAR(hits[0].t, 4.0f, 0.02f);
  EXPECT_FALSE(hits[1].found());
  EXPECT_EQ(hits[1].t, 1e30f);
  EXPECT_EQ(counts.rays, 2u);
  renderer.any(rays, hits);
  EXPECT_TRUE(hits[0].found());
  EXPECT_FALSE(hits[1].found());
}

TEST(Renderer, draws_from_a_million_sizes_away_alike_everywhere) {
  const auto scene = testing::scene_of(testing::sphere(40));
  RenderSettings settings;
  settings.width = settings.height = 48;
  settings.samples = 2;
  settings.shading = "ao";
  settings.keep_hits = true;
  settings.camera = Camera{{2e6, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, 1.2e-4};
  Renderer cpu(scene, {"cpu"}), emulated(scene, {"emulated"});
  const Frame first = cpu.render(settings);
  const auto found = [](const Hit& hit) { return hit.found(); };
  EXPECT_GT(std::count_if(first.hits.begin(), first.hits.end(), found), 48 * 48 / 4);
  for (const Hit& hit : first.hits) EXPECT_TRUE(!hit.found() || std::abs(hit.t - 2e6f) <= 1.0f);
  for (const PipelineInfo& pipeline : pipelines()) {
    settings.cast.pipeline = pipeline.name;
    const Frame other = emulated.render(settings);
    EXPECT_EQ(hash_of(other.image), hash_of(first.image)) << pipeline.name;
    EXPECT_EQ(hash_of(other.hits), hash_of(first.hits)) << pipeline.name;
  }
}

TEST(Renderer, a_frame_holds_the_settings_that_it_was_made_with) {
  Renderer renderer(testing::scene_of(testing::sphere(4)), {"cpu"});
  RenderSettings settings;
  settings.width = 9;
  settings.height = 5;
  const Frame frame = renderer.render(settings);
  const RenderSettings expected = renderer.resolved(settings);
  EXPECT_EQ(frame.settings.width, 9u);
  EXPECT_EQ(frame.settings.shading, expected.shading);
  EXPECT_FALSE(frame.settings.shading.empty());
  EXPECT_EQ(frame.settings.samples, expected.samples);
  EXPECT_GT(frame.settings.samples, 0u);
  EXPECT_EQ(frame.settings.cast.pipeline, expected.cast.pipeline);
  EXPECT_NE(frame.settings.cast.pipeline, "auto");
  EXPECT_NE(frame.settings.cast.loop, "auto");
  ASSERT_TRUE(frame.settings.camera.eye);
  EXPECT_EQ(frame.settings.camera.eye->x, expected.camera.eye->x);
}

TEST(Renderer, unknown_names_are_told_with_those_that_exist) {
  const auto scene = testing::scene_of(testing::sphere(4));
  EXPECT_EQ(message_of<UsageError>([&] { Renderer r(scene, {"gpu"}); }),
            "unknown device 'gpu'; known: auto, cuda, cpu, emulated");
  EXPECT_EQ(message_of<UsageError>([&] {
              Renderer r(scene, {"cpu", "quick"});
            }),
            "unknown builder 'quick'; known: fast, balanced, best, ploc, ploc-reinserted, "
            "ploc-presplit, binned-sah, sbvh, sbvh-reinserted");
  EXPECT_EQ(message_of<UsageError>([&] {
              Renderer r(scene, {"cpu", "binned-sah", "bvh9"});
            }),
            "unknown layout 'bvh9'; known: bvh2, grid2");
  bool is_tree_begun = false;
  RendererOptions unknown_layout;
  unknown_layout.layout = "bvh9";
  unknown_layout.progress = [&](u64, u64) { is_tree_begun = true; };
  EXPECT_THROW(Renderer(scene, unknown_layout), UsageError);
  EXPECT_FALSE(is_tree_begun) << "names are looked up before the tree is built";
  Renderer renderer(scene, {"cpu"});
  RenderSettings settings;
  settings.width = settings.height = 8;
  settings.shading = "pretty";
  EXPECT_EQ(message_of<UsageError>([&] { renderer.render(settings); }),
            "unknown shading 'pretty'; known: lit, normal, depth, albedo, facing, ao, visits");
  settings.shading = "normal";
  settings.cast.atomics = "magic";
  EXPECT_EQ(
      message_of<UsageError>([&] { renderer.render(settings); }),
      "unknown atomics 'magic'; known: none, flag-store, block-vote, block-flag, "
      "block-count, warp-slots, block-scan, warp-ballot, warp-array, compiler, sharded, naive");
  settings.cast = {.pipeline = "pipe"};
  EXPECT_EQ(message_of<UsageError>([&] { renderer.render(settings); }),
            "unknown pipeline 'pipe'; known: passes, queue, block, warp");
}

TEST(Previews, shrink_where_triangles_overlap_whatever_the_tree) {
  const double rays = 1e9;
  const auto scale = [&](Mesh mesh, const char* builder) {
    return preview_scale(*prepare(testing::scene_of(std::move(mesh)), builder), rays);
  };
  const Mesh soup = testing::soup(400, 3, 0.1f);
  for (const char* builder : {"fast", "balanced", "best"}) {
    EXPECT_LT(scale(soup, builder), 1.0);
    EXPECT_EQ(scale(soup, builder), scale(soup, "fast"));
    EXPECT_EQ(scale(testing::repeated(soup, 3), builder), scale(soup, builder))
        << "copies are free";
  }
  EXPECT_EQ(preview_scale(*prepare(testing::scene_of(soup)), 1e5), 1.0);
  EXPECT_EQ(scale({}, "fast"), 1.0);
}

/// A flat hall of 8 x 3 x 4 with a pillar. The fronts of its walls face inwards. `front`: true if
/// the wall on the side of +z exists.
Mesh hall(bool front) {
  Mesh mesh = testing::cube();  // the fronts of a cube face outwards
  for (vec3& p : mesh.positions) p = p - vec3(0.5f);
  const Mesh pillar = mesh;
  for (vec3& p : mesh.positions) p = {8.0f * p.x, 3.0f * p.y, 4.0f * p.z};
  mesh.triangles = {};
  for (const uvec3& t : pillar.triangles) {
    const auto in_front = [&](u32 corner) { return mesh.positions[corner].z > 0.0f; };
    if (front || !(in_front(t.x) && in_front(t.y) && in_front(t.z)))
      mesh.triangles.emplace_back(t.x, t.z, t.y);
  }
  const u32 first = static_cast<u32>(mesh.positions.size());
  for (const vec3 p : pillar.positions)
    mesh.positions.push_back({1.0f + 0.4f * p.x, 3.0f * p.y, 0.4f * p.z});
  for (const uvec3& t : pillar.triangles) mesh.triangles.push_back(t + first);
  return mesh;
}

Camera frame_scene(const PreparedScene& scene, double aspect, std::optional<double> fov = {}) {
  return Framing(scene).camera(aspect, fov);
}

TEST(Framing, of_an_interior_is_inside_of_it) {
  const auto scene = testing::scene_of(hall(true));
  const Camera camera = frame_scene(*prepare(scene), 1.5);
  EXPECT_LT(std::abs(camera.eye.x), 4.0);
  EXPECT_LT(std::abs(camera.eye.y), 1.5);
  EXPECT_LT(std::abs(camera.eye.z), 2.0);
  EXPECT_GT(std::abs(camera.look_at.x - camera.eye.x), std::abs(camera.look_at.z - camera.eye.z))
      << "it looks along the hall";
  EXPECT_EQ(camera.fov, 60.0);
  for (const char* builder : {"fast", "balanced", "best"})
    EXPECT_EQ(frame_scene(*prepare(scene, builder), 1.5).eye, camera.eye) << builder;
  EXPECT_EQ(frame_scene(*prepare(scene), 1.5, 30.0).fov, 30.0);
}

TEST(Framing, that_was_asked_before_gives_the_cameras_that_it_would_give_alone) {
  for (const Mesh& mesh : {hall(true), hall(false), testing::torus(9)}) {
    const auto scene = prepare(testing::scene_of(mesh));
    Framing framing(*scene);
    for (const double aspect : {16.0 / 9.0, 1.0, 16.0 / 9.0})
      for (const std::optional<double> fov : {std::optional<double>(), std::optional(30.0)}) {
        const Camera again = framing.camera(aspect, fov), alone = frame_scene(*scene, aspect, fov);
        EXPECT_EQ(std::memcmp(&again, &alone, sizeof alone), 0) << aspect;
      }
  }
}

TEST(Framing, of_a_room_that_is_open_in_front_and_of_solid_bodies_is_outside) {
  const Camera camera = frame_scene(*prepare(testing::scene_of(hall(false))), 1.5);
  EXPECT_GT(camera.eye.z, 2.0);
  EXPECT_EQ(camera.fov, 38.0);
  for (const Mesh& mesh : {testing::cube(), testing::sphere(12), testing::torus(9)})
    EXPECT_EQ(frame_scene(*prepare(testing::scene_of(mesh)), 1.5).fov, 38.0);
}

TEST(Framing, of_what_no_camera_can_see_whole_is_refused) {
  Mesh mesh = testing::sphere(8);
  for (vec3& p : mesh.positions) p = p * 1e12f;
  const auto scene = prepare(testing::scene_of(mesh));
  EXPECT_TRUE(contains(message_of<InputError>([&] { frame_scene(*scene, 1.5); }), "give a camera"));
}

TEST(Renderer, a_camera_without_an_up_may_look_straight_down) {
  Renderer renderer(testing::scene_of(testing::sphere(4)), {"cpu"});
  RenderSettings settings;
  settings.width = settings.height = 8;
  settings.camera.eye = {0, 5, 0};
  settings.camera.look_at = {0, 0, 0};
  EXPECT_EQ(*renderer.resolved(settings).camera.up, Vec3d(0, 0, -1));
  settings.camera.up = {0, 1, 0};
  EXPECT_TRUE(contains(message_of<UsageError>([&] { renderer.resolved(settings); }), "up"));
}

TEST(Renderer, settings_that_make_no_sense_are_usage_errors) {
  Renderer renderer(testing::scene_of(testing::sphere(4)), {"cpu"});
  const auto attempt = [&](auto change) {
    RenderSettings settings;
    settings.width = settings.height = 8;
    change(settings);
    EXPECT_THROW(renderer.render(settings), UsageError);
    EXPECT_THROW(renderer.resolved(settings), UsageError);
  };
  attempt([](RenderSettings& s) { s.width = 0; });
  attempt([](RenderSettings& s) { s.width = 1000000000; });
  attempt([](RenderSettings& s) { s.width = s.height = 32768; });
  attempt([](RenderSettings& s) { s.samples = 1u << 20; });
  attempt([](RenderSettings& s) { s.bounces = 1000; });
  for (const u32 block : {0u, 1u, 33u, 31u, 2048u})
    attempt([&](RenderSettings& s) { s.cast.block_size = block; });
  attempt([](RenderSettings& s) { s.camera = Camera{{1, 2, 3}, {1, 2, 3}}; });
  attempt([](RenderSettings& s) { s.camera = Camera{{0, 5, 0}, {0, 0, 0}}; });
  attempt([](RenderSettings& s) { s.camera = Camera{{0, 0, 5}, {0, 0, 0}, {0, 1, 0}, 180.0}; });
  attempt([](RenderSettings& s) { s.camera = Camera{{0, 0, 5}, {0, 0, 0}, {0, 1, 0}, 1e-9}; });
  attempt([](RenderSettings& s) { s.camera = Camera{{0, 0, 1e13}, {0, 0, 0}}; });
  // Wrong even if the rest of the camera is chosen automatically.
  for (const double fov : {0.0, 1e-9, 180.0, std::nan("")})
    attempt([&](RenderSettings& s) { s.camera.fov = fov; });
}

TEST(Renderer, cutting_a_frame_into_ranges_changes_nothing) {
  // A picture of this size with 7,000 samples does not fit into one range.
  Renderer renderer(testing::scene_of(testing::sphere(4)), {"cpu"});
  RenderSettings settings;
  settings.width = 80;
  settings.height = 16;
  settings.shading = "normal";
  settings.samples = 7000;
  settings.keep_hits = true;
  const Frame frame = renderer.render(settings);
  // This shading casts one ray per path.
  EXPECT_EQ(frame.counts.rays, 80u * 16u * 7000u);
  EXPECT_EQ(frame.hits.size(), 80u * 16u * 7000u);
  // With half of the memory, the ranges of paths are different.
  RendererOptions options{"cpu"};
  options.max_memory = renderer.memory_bytes() / 2;
  const Frame other = Renderer(renderer.scene(), options).render(settings);
  EXPECT_EQ(hash_of(other.hits), hash_of(frame.hits));
  EXPECT_EQ(hash_of(other.image), hash_of(frame.image));
}

TEST(Renderer, passes_are_counted_as_on_other_machines) {
  // More paths than device cpu traces at a time, but fewer than other devices do.
  Renderer renderer(testing::scene_of(testing::sphere(4)), {"cpu"});
  RenderSettings settings;
  settings.width = 1024;
  settings.height = 512;
  settings.shading = "lit";
  settings.samples = 1;
  settings.bounces = 1;
  // Each path casts three path rays and two shadow rays; each is one cast for all paths.
  EXPECT_EQ(renderer.render(settings).counts.passes, 5u);
}

TEST(Renderer, progress_grows_to_the_total) {
  Renderer renderer(testing::scene_of(testing::sphere(4)), {"cpu"});
  RenderSettings settings;
  settings.width = settings.height = 16;
  u64 last = 0, total = 0;
  renderer.render(settings, [&](u64 done, u64 all) {
    EXPECT_GT(done, last);
    last = done;
    total = all;
  });
  EXPECT_EQ(last, total);
  EXPECT_GT(total, 0u);
}

/// The extent of a mesh in a picture: the largest |x| and |y| of its corners on each side, where 1
/// is the edge of the picture.
struct Extent {
  double left = 0.0, right = 0.0, top = 0.0, bottom = 0.0;
};

Extent extent_of(const PreparedScene& scene, double aspect) {
  const u32 width = static_cast<u32>(1000 * aspect), height = 1000;
  const CameraView view =
      make_view(frame_scene(scene, double(width) / height), dvec3(0.0), width, height);
  Extent out;
  for (const uvec3& corners : scene.scene->mesh.triangles)
    for (const u32 corner : {corners.x, corners.y, corners.z}) {
      // Solves corner + x * step_x + y * step_y = s * (p - eye) for x and y.
      const dvec3 d(scene.scene->mesh.positions[corner] - view.eye), c(view.corner),
          sx(view.step_x), sy(view.step_y);
      const dvec3 n = glm::cross(sx, sy);
      EXPECT_GT(glm::dot(d, n) / glm::dot(c, n), 0.0) << "behind the camera";
      const dvec3 on_plane = d * (glm::dot(c, n) / glm::dot(d, n)) - c;
      const double x = glm::dot(on_plane, sx) / glm::dot(sx, sx) / width * 2.0 - 1.0,
                   y = glm::dot(on_plane, sy) / glm::dot(sy, sy) / height * 2.0 - 1.0;
      out.left = std::max(out.left, -x);
      out.right = std::max(out.right, x);
      out.top = std::max(out.top, -y);
      out.bottom = std::max(out.bottom, y);
    }
  return out;
}

TEST(Framing, the_scene_fills_most_of_the_height_or_the_width) {
  Mesh board = testing::sphere(12), pole = board;
  for (vec3& p : board.positions) p.x *= 20.0f;
  for (vec3& p : pole.positions) p.y *= 20.0f;
  for (const Mesh& mesh : {testing::sphere(12, vec3(100, -50, 3), 2.0f), testing::torus(9), board,
                           pole, testing::soup(50, 7, 0.5f)}) {
    Mesh with_loose_point = mesh;
    // A vertex of no triangle, so it is not a part of the scene.
    with_loose_point.positions.push_back(vec3(5000.0f));
    const auto scene = prepare(testing::scene_of(with_loose_point));
    for (const double aspect : {0.2, 0.4, 1.0, 16.0 / 9.0, 5.0}) {
      const Extent e = extent_of(*scene, aspect);
      const double most = std::max({e.left, e.right, e.top, e.bottom});
      EXPECT_LT(most, 0.885) << aspect;
      EXPECT_GT(most, 0.875) << aspect;
      // The scene reaches both edges on the side that limits the view.
      EXPECT_GT(std::max(e.left + e.right, e.top + e.bottom), 1.75) << aspect;
    }
  }
}

TEST(Framing, of_a_point_or_a_line_finds_a_place_for_the_camera) {
  for (const vec3 end : {vec3(0.0f), vec3(0, 0, 3), vec3(3, 0, 0), vec3(0.6f, 0.5f, 1.0f)}) {
    Mesh mesh;
    mesh.positions = {vec3(0.0f), end, end};
    mesh.triangles = {{0, 1, 2}};
    const Camera camera = frame_scene(*prepare(testing::scene_of(mesh)), 1.5);
    EXPECT_NO_THROW(make_view(camera, dvec3(0.0), 15, 10)) << end.x << end.y << end.z;
  }
}

TEST(Framing, does_not_depend_on_the_tree) {
  const auto scene = testing::scene_of(testing::soup(200, 5, 0.3f));
  const Camera camera = frame_scene(*prepare(scene), 1.5);
  for (const char* builder : {"fast", "best"})
    for (const std::string& layout : testing::layout_names()) {
      const Camera other = frame_scene(*prepare(scene, builder, layout), 1.5);
      EXPECT_EQ(dvec3(other.eye), dvec3(camera.eye));
      EXPECT_EQ(dvec3(other.look_at), dvec3(camera.look_at));
    }
}

TEST(Framing, a_box_that_lacks_a_wall_is_looked_into) {
  const auto scene = prepare(std::make_shared<const SceneData>(
      assemble({BALLOTCAST_SOURCE_DIR "/scenes/cornell-box.obj"})));
  const Camera camera = frame_scene(*scene, 1.0);
  EXPECT_LT(camera.eye.z, 0.0);  // the eye is on the open side
}

TEST(Hashes, change_with_every_bit) {
  Image<Rgb8> image{2, 1, {{1, 2, 3}, {4, 5, 6}}};
  const std::string before = hash_of(image);
  image.pixels[1].b ^= 1;
  EXPECT_NE(hash_of(image), before);
  EXPECT_EQ(before.size(), 16u);
  std::vector<Hit> hits = {{1.0f, 2, 0.25f, 0.5f}};
  const std::string first = hash_of(hits);
  hits[0].v = -hits[0].v;
  EXPECT_NE(hash_of(hits), first);
}

}  // namespace renderer_test
}  // namespace ballotcast::detail
