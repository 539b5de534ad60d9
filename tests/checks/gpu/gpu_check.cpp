// Compares results of the GPU with results of the CPU bit for bit: hits, leaf visits, pixels and
// counters, for every pipeline, strategy, block size, shading and kind of ray. tools/gpu_check runs
// this program.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "ballotcast/error.hpp"
#include "ballotcast/frame.hpp"
#include "helpers/cast_options.hpp"
#include "helpers/curvilinear_cameras.hpp"
#include "helpers/instances.hpp"
#include "helpers/ray_groups.hpp"
#include "helpers/tool.hpp"
#include "kernels/queries/hit_fields.hpp"
#include "render/internals.hpp"
#include "render/settings.hpp"
#include "scene/assemble.hpp"

namespace ballotcast::detail {
namespace {

constexpr u32 kBlockSizes[] = {32, 64, 96, 128, 256, 512, 1024};

struct Tally {
  u64 compared = 0;
  u64 different = 0;

  void expect(bool equal, const std::string& what) {
    ++compared;
    if (equal) return;
    if (++different <= 20) std::printf("DIFFERENT  %s\n", what.c_str());
  }
};

std::string text_of(const Hit& h) {
  char text[120];
  std::snprintf(text, sizeof text, "t %08x primitive %u u %08x v %08x", bits_of(h.t), h.triangle,
                bits_of(h.u), bits_of(h.v));
  return text;
}

std::string text_of(const CastCounts& c) {
  return "rays " + std::to_string(c.rays) + " passes " + std::to_string(c.passes) + " counter " +
         std::to_string(c.counter);
}

bool same(const CastCounts& a, const CastCounts& b) {
  return a.rays == b.rays && a.passes == b.passes && a.counter == b.counter;
}

/// How much to compare.
struct Extent {
  bool quick = false;
  std::vector<std::string> loops = {"graph", "host", "host:5"};  // values of CastOptions::loop
};

/// Calls visit(options, name) for every pipeline and strategy with every block size. The calls use
/// the values of extent.loops in turn.
template <class Visit>
void for_every_option(const Extent& extent, Visit visit) {
  std::size_t turn = 0;
  for (CastOptions how : testing::ways_to_cast())
    for (const u32 block : kBlockSizes) {
      if (extent.quick && block != 64 && block != 1024) continue;
      how.block_size = block;
      how.loop = extent.loops[turn++ % extent.loops.size()];
      visit(how, how.pipeline + " " + how.atomics + " block " + std::to_string(block) + " loop " +
                     how.loop + " order " + how.order);
    }
}

/// Rays towards a mesh. Every third ray starts far away.
std::vector<Ray> near_and_far(const Mesh& mesh, u32 count, u32 seed) {
  std::vector<Ray> rays = testing::rays_at(mesh, count, seed);
  const std::vector<Ray> far = testing::far_rays_at(mesh, count, seed);
  for (std::size_t i = 2; i < rays.size(); i += 3) rays[i] = far[i];
  return rays;
}

/// The mesh at which rays are aimed: the scene's mesh; for instances, a mesh of all their
/// triangles.
Mesh target_of(const std::shared_ptr<const SceneData>& scene) {
  return scene->instances.empty() ? scene->mesh : testing::flattened(Scene(scene));
}

/// Casts rays at the scene's triangles, edges and corners on the CPU and the GPU. Compares hits,
/// leaf visits and counts.
void compare_casts(const std::shared_ptr<const SceneData>& scene, std::string_view layout,
                   u32 count, const Extent& extent, Tally& tally) {
  const auto prepared = prepare(scene, kDefaultBuilder, layout);
  const auto cpu = choose_backend("cpu").backend->upload(*prepared);
  const auto gpu = choose_backend("cuda").backend->upload(*prepared);
  const std::vector<Ray> rays = near_and_far(target_of(scene), count, 1);
  for (const RayKind kind : {RayKind::closest, RayKind::any})
    for_every_option(extent, [&](const CastOptions& options, const std::string& option) {
      const std::string name = scene->name + ", " + std::string(layout) + ", " +
                               (kind == RayKind::any ? "any hit, " : "closest hit, ") + option;
      const CastChoice choice(options);
      std::vector<Hit> expected(count), got(count);
      std::vector<u32> expected_visits(count), got_visits(count);
      const CastCounts a =
          cpu->cast(kind, rays.data(), expected.data(), expected_visits.data(), count, choice);
      const CastCounts b =
          gpu->cast(kind, rays.data(), got.data(), got_visits.data(), count, choice);
      const std::size_t i = testing::first_difference(expected, got);
      tally.expect(i == expected.size(),
                   i == expected.size() ? name
                                        : name + ": ray " + std::to_string(i) + ": cpu " +
                                              text_of(expected[i]) + ", cuda " + text_of(got[i]));
      tally.expect(expected_visits == got_visits, name + ": leaf visits");
      tally.expect(same(a, b), name + ": cpu " + text_of(a) + ", cuda " + text_of(b));
    });
}

/// Finds all crossings of rays on the CPU and the GPU, and compares the crossings.
void compare_crossings(const std::shared_ptr<const SceneData>& scene, std::string_view layout,
                       u32 count, Tally& tally) {
  RendererOptions on_cpu{"cpu"}, on_gpu{"cuda"};
  on_cpu.layout = on_gpu.layout = layout;
  Renderer cpu(scene, on_cpu), gpu(scene, on_gpu);
  const std::vector<Ray> rays = near_and_far(target_of(scene), count, 3);
  const AllHits expected = cpu.all(rays), got = gpu.all(rays);
  const std::string name = scene->name + ", " + std::string(layout) + ", crossings";
  tally.expect(expected.starts == got.starts, name + ": counts");
  tally.expect(expected.hits.size() == got.hits.size() &&
                   testing::first_difference(expected.hits, got.hits) == got.hits.size(),
               name + ": hits");
  std::vector<std::uint64_t> of_triangles(cpu.scene().triangle_count()), theirs(of_triangles);
  cpu.hits_per_triangle(rays, of_triangles);
  for (const CastOptions& how : {CastOptions{}, CastOptions{"passes", "naive"}}) {
    gpu.hits_per_triangle(rays, theirs, how);
    tally.expect(of_triangles == theirs, name + ": hits per triangle, pipeline " + how.pipeline);
  }
}

/// Casts rays that lie in strided arrays (here, the members of an array of `Ray`) on the GPU, and
/// compares the hits with the hits of the same rays on the CPU.
void compare_arrays(const std::shared_ptr<const SceneData>& scene, std::string_view layout,
                    u32 count, Tally& tally) {
  RendererOptions on_cpu{"cpu"}, on_gpu{"cuda"};
  on_cpu.layout = on_gpu.layout = layout;
  Renderer cpu(scene, on_cpu), gpu(scene, on_gpu);
  const std::vector<Ray> rays = near_and_far(target_of(scene), count, 4);
  constexpr i64 kStep = sizeof(Ray) / sizeof(float);
  const auto part = [](const float& first) { return StridedNumbers{&first, {kStep}, 1, 0u, {}}; };
  const RayArrays arrays{{1u, {}},
                         part(rays[0].origin.x),
                         part(rays[0].direction.x),
                         part(rays[0].t_min),
                         part(rays[0].t_max),
                         dvec3(0.0),
                         {dvec3(0.0), 1.0},
                         0u,
                         0u};
  std::vector<Hit> expected(count), got(count);
  std::vector<u8> occluded(count), occluded_on_gpu(count);
  cpu.closest(rays, expected);
  ask(cpu, query<Occlusions>(rays.data(), count, {}, occluded.data()));
  ask(gpu, query<ClosestHits>(&arrays, count, {}, got.data()));
  ask(gpu, query<Occlusions>(&arrays, count, {}, occluded_on_gpu.data()));
  const AllHits all = cpu.all(rays), all_on_gpu = ask_for_all_crossings(
                                         gpu, query<CrossingCounts>(&arrays, count, {}, nullptr));
  const std::string name = scene->name + ", " + std::string(layout) + ", arrays";
  tally.expect(testing::first_difference(expected, got) == count, name + ": hits");
  tally.expect(occluded == occluded_on_gpu, name + ": occlusions");
  tally.expect(all.starts == all_on_gpu.starts &&
                   testing::first_difference(all.hits, all_on_gpu.hits) == all.hits.size(),
               name + ": crossings");
}

/// Casts so many rays from one point that the GPU casts them in groups, and compares the hits with
/// the hits that the CPU finds.
void compare_groups(const std::shared_ptr<const SceneData>& scene, Tally& tally) {
  Renderer cpu(scene, {"cpu"}), gpu(scene, {"cuda"});
  const Mesh target = target_of(scene);
  for (const testing::GroupCase& with : testing::kGroupCases) {
    const std::vector<Ray> rays = testing::rays_of(with, target, kPathsAtOnce);
    std::vector<Hit> expected(rays.size()), got(rays.size());
    cpu.closest(rays, expected);
    gpu.closest(rays, got);
    tally.expect(testing::first_difference(expected, got) == rays.size(),
                 scene->name + ", groups " + with.what);
  }
}

/// For points, compares the closest points of the surface, whether the points are inside, and the
/// winding numbers, as the CPU and the GPU find them.
void compare_points(const std::shared_ptr<const SceneData>& scene, std::string_view layout,
                    u32 count, Tally& tally) {
  RendererOptions on_cpu{"cpu"}, on_gpu{"cuda"};
  on_cpu.layout = on_gpu.layout = layout;
  Renderer cpu(scene, on_cpu), gpu(scene, on_gpu);
  std::vector<Vec3f> points;
  for (const Ray& ray : near_and_far(target_of(scene), count, 5)) points.push_back(ray.origin);
  std::vector<Nearest> expected(count), got(count);
  for (const float most : {unbounded(), 0.5f}) {
    cpu.closest_points(points, expected, most);
    gpu.closest_points(points, got, most);
    tally.expect(std::memcmp(expected.data(), got.data(), count * sizeof(Nearest)) == 0,
                 scene->name + ", " + std::string(layout) + ", closest points");
  }
  // Half of the points lie on the surface.
  std::vector<Vec3d> places;
  for (u32 i = 0; i < count; ++i) {
    places.emplace_back(points[i].x, points[i].y, points[i].z);
    if (i % 2 == 0 && expected[i].found())
      places[i] = place_on(prepared_of(cpu).view, dvec3(0.0), expected[i].triangle, expected[i].u,
                           expected[i].v);
  }
  std::vector<u8> inside(count), inside_on_gpu(count);
  for (const InsideRule rule : {InsideRule::parity, InsideRule::nonzero}) {
    cpu.contains(places, inside, rule);
    gpu.contains(places, inside_on_gpu, rule);
    tally.expect(inside == inside_on_gpu, scene->name + ", " + std::string(layout) + ", inside");
  }
  for (const Shape& shape : scene->shapes)
    if (shape.kind == ShapeKind::disc) return;
  places.resize(std::min(count, 300u));
  std::vector<double> numbers(places.size()), numbers_on_gpu(places.size());
  cpu.winding_numbers(places, numbers);
  gpu.winding_numbers(places, numbers_on_gpu);
  tally.expect(
      std::memcmp(numbers.data(), numbers_on_gpu.data(), numbers.size() * sizeof(double)) == 0,
      scene->name + ", " + std::string(layout) + ", winding numbers");
}

/// Compares hits and pixels of a scene that is cut into parts, which lie on all GPUs, with those of
/// the whole scene on the CPU.
void compare_parts(const std::shared_ptr<const SceneData>& scene, std::string_view layout,
                   u32 count, Tally& tally) {
  RendererOptions on_cpu{"cpu", "ploc-reinserted"}, on_gpu{"cuda:all", "ploc-reinserted"};
  on_cpu.layout = on_gpu.layout = layout;
  on_gpu.partition = 3;
  Renderer cpu(scene, on_cpu), gpu(scene, on_gpu);
  const std::vector<Ray> rays = near_and_far(target_of(scene), count, 6);
  const std::string name = scene->name + ", " + std::string(layout) + ", in parts: ";
  std::vector<Hit> expected(count), got(count);
  cpu.closest(rays, expected);
  gpu.closest(rays, got);
  tally.expect(testing::first_difference(expected, got) == count, name + "closest hits");
  cpu.any(rays, expected);
  gpu.any(rays, got);
  tally.expect(testing::first_difference(expected, got) == count, name + "any hits");
  const AllHits a = cpu.all(rays), b = gpu.all(rays);
  tally.expect(a.starts == b.starts && testing::first_difference(a.hits, b.hits) == a.hits.size(),
               name + "all hits");
  RenderSettings settings;
  settings.width = 61;
  settings.height = 43;
  settings.samples = 2;
  tally.expect(hash_of(cpu.render(settings).image) == hash_of(gpu.render(settings).image),
               name + "pixels");
}

/// Draws a picture with each shading on the CPU and the GPU. Compares pixels, hits and counts.
void compare_frames(const std::shared_ptr<const SceneData>& scene, u32 width, u32 height,
                    u32 samples, const Extent& extent, Tally& tally) {
  // Each renderer builds its own tree. The trees must be equal, because leaf visits and passes are
  // compared.
  Renderer cpu(scene, {"cpu", "ploc-reinserted"}), gpu(scene, {"cuda", "ploc-reinserted"});
  for (const ShadingInfo& shading : shadings())
    for_every_option(extent, [&](const CastOptions& options, const std::string& option) {
      RenderSettings settings;
      settings.width = width;
      settings.height = height;
      settings.samples = samples;
      settings.shading = shading.name;
      settings.keep_hits = true;
      settings.keep_linear = true;
      settings.cast = options;
      const Frame a = cpu.render(settings), b = gpu.render(settings);
      const std::string name = scene->name + ", " + std::string(shading.name) + ", " + option;
      std::size_t i = 0;
      while (i < a.image.pixels.size() &&
             std::memcmp(&a.image.pixels[i], &b.image.pixels[i], sizeof(Rgb8)) == 0)
        ++i;
      tally.expect(i == a.image.pixels.size(),
                   name + ": pixel " + std::to_string(i % width) + "," + std::to_string(i / width));
      tally.expect(a.linear.pixels.size() == b.linear.pixels.size() &&
                       std::memcmp(a.linear.pixels.data(), b.linear.pixels.data(),
                                   a.linear.pixels.size() * sizeof(Vec3f)) == 0,
                   name + ": linear numbers");
      tally.expect(hash_of(a.hits) == hash_of(b.hits), name + ": camera hits");
      tally.expect(same(a.counts, b.counts),
                   name + ": cpu " + text_of(a.counts) + ", cuda " + text_of(b.counts));
    });
}

/// Compares casts and frames of more than kPathsAtOnce rays, which are computed part by part.
void compare_beyond_one_part(const std::shared_ptr<const SceneData>& scene, Tally& tally) {
  // Each renderer builds its own tree. The trees must be equal, because leaf visits and passes are
  // compared.
  Renderer cpu(scene, {"cpu", "ploc-reinserted"}), gpu(scene, {"cuda", "ploc-reinserted"});
  const std::vector<Ray> rays = testing::rays_at(scene->mesh, kPathsAtOnce + 12345, 2);
  for (const PipelineInfo& pipeline : pipelines()) {
    const CastOptions options{std::string(pipeline.name)};
    std::vector<Hit> expected(rays.size()), got(rays.size());
    const CastCounts a = cpu.closest(rays, expected, options);
    const CastCounts b = gpu.closest(rays, got, options);
    tally.expect(testing::first_difference(expected, got) == rays.size(), "long cast: hits");
    tally.expect(same(a, b), "long cast: cpu " + text_of(a) + ", cuda " + text_of(b));
    RenderSettings settings;
    settings.width = 2048;
    settings.height = 1100;
    settings.samples = 2;
    settings.bounces = 1;
    settings.cast = options;
    const Frame c = cpu.render(settings), d = gpu.render(settings);
    tally.expect(hash_of(c.image) == hash_of(d.image), "large frame: pixels");
    tally.expect(same(c.counts, d.counts),
                 "large frame: cpu " + text_of(c.counts) + ", cuda " + text_of(d.counts));
  }
}

int run(const std::vector<std::string>& arguments) {
  Extent extent;
  std::vector<std::string> paths;
  for (const std::string& a : arguments) {
    if (a == "--quick") {
      extent.quick = true;
    } else if (a.rfind("--loop=", 0) == 0) {
      extent.loops = {a.substr(7)};
    } else if (a == "--help" || a.rfind("-", 0) == 0) {
      std::printf(
          "usage: gpu_check [--quick] [--loop=NAME] SCENE...\n"
          "Compares device cuda with device cpu, bit for bit, on each scene and on some\n"
          "made in memory. --quick: fewer rays and block sizes, for use under a sanitizer;\n"
          "--loop: always that one.\n");
      return a == "--help" ? 0 : 2;
    } else {
      paths.push_back(a);
    }
  }
  const bool quick = extent.quick;
  const BackendInfo& cuda = *choose_backend("cuda").backend;
  std::printf("device: %s\n", cuda.describe().c_str());

  std::vector<std::shared_ptr<const SceneData>> scenes;
  const auto add = [&](Mesh mesh, const char* name) {
    auto scene = std::make_shared<SceneData>(*testing::scene_of(std::move(mesh)));
    scene->name = name;
    scenes.push_back(scene);
  };
  add({}, "nothing");
  add(testing::soup(1, 1), "one triangle");
  add(testing::soup(quick ? 300u : 20000u, 2), "soup of slivers and duplicates");
  add(testing::repeated(testing::soup(quick ? 20u : 100u, 5), 30), "each triangle 30 times");
  Mesh far = testing::sphere(quick ? 8 : 60);
  for (vec3& p : far.positions) p = p * 100.0f + vec3(1e6f, -3e5f, 2e6f);
  add(far, "sphere far from the origin");
  scenes.push_back(std::make_shared<const SceneData>(testing::textured_scene()));
  scenes.push_back(std::make_shared<const SceneData>(testing::materials_scene()));
  for (const Camera& camera : testing::curvilinear_cameras({{0, 1, 4}, {0, 0, 0}, {0, 1, 0}})) {
    const auto curvilinear = std::make_shared<SceneData>(testing::materials_scene());
    curvilinear->camera = camera;
    curvilinear->name = "curvilinear pictures";
    scenes.push_back(curvilinear);
  }
  scenes.push_back(testing::random_instances(quick ? 10 : 300, 4).data());
  scenes.push_back(testing::drawn_scene().data());
  scenes.push_back(testing::shapes_and_meshes(quick ? 18 : 300, 3).data());
  if (!quick) scenes.push_back(std::make_shared<const SceneData>(builtin_scene_data()));
  for (const std::string& path : paths)
    scenes.push_back(std::make_shared<const SceneData>(assemble({path})));

  Tally all;
  for (const auto& scene : scenes) {
    Tally tally;
    if (scene->name.rfind("soup", 0) == 0) compare_groups(scene, tally);
    if (!scene->mesh.triangles.empty())
      for (const LayoutInfo& layout : layouts()) {
        compare_casts(scene, layout.name, quick ? 1000 : 200000, extent, tally);
        compare_crossings(scene, layout.name, quick ? 1000 : 200000, tally);
        // These counts are larger than the number of rays that the GPU packs at a time.
        compare_arrays(scene, layout.name, quick ? 270000 : 600000, tally);
        compare_points(scene, layout.name, quick ? 1000 : 200000, tally);
        compare_parts(scene, layout.name, quick ? 1000 : 200000, tally);
      }
    if (quick)
      compare_frames(scene, 20, 12, 1, extent, tally);
    else
      compare_frames(scene, 131, 77, 2, extent, tally);
    std::printf("%-34.34s %8llu triangles: %llu comparisons, %llu different\n", scene->name.c_str(),
                static_cast<unsigned long long>(scene->triangle_count()),
                static_cast<unsigned long long>(tally.compared),
                static_cast<unsigned long long>(tally.different));
    std::fflush(stdout);
    all.compared += tally.compared;
    all.different += tally.different;
  }
  if (!quick) {
    const auto builtin = std::make_shared<const SceneData>(builtin_scene_data());
    Tally tally;
    compare_beyond_one_part(builtin, tally);
    std::printf("%-34.34s: %llu comparisons, %llu different\n", "more rays than are cast at once",
                static_cast<unsigned long long>(tally.compared),
                static_cast<unsigned long long>(tally.different));
    all.compared += tally.compared;
    all.different += tally.different;
  }
  std::printf("%s: %llu comparisons of hits, visits, pixels and counters, %llu different\n",
              all.different == 0 ? "PASS" : "FAIL", static_cast<unsigned long long>(all.compared),
              static_cast<unsigned long long>(all.different));
  return all.different == 0 ? 0 : 1;
}

}  // namespace
}  // namespace ballotcast::detail

int main(int argc, char** argv) {
  return ballotcast::detail::testing::run_tool("gpu_check", ballotcast::detail::run, argc, argv);
}
