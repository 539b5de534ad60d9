// Casts rays with filters on the CPU and the GPU, and compares the hits bit for bit: queries of a
// Renderer with every pipeline, scenes in parts on all GPUs, and arrays in the memory of the GPU.
// Also prints how long casts with filters take.
#include <cstdio>
#include <string>
#include <vector>

#include "ballotcast/device_caster.hpp"
#include "ballotcast/tables.hpp"
#include "checks/gpu/device_memory.hpp"
#include "helpers/filters.hpp"
#include "helpers/instances.hpp"
#include "helpers/tool.hpp"

namespace ballotcast::detail {
namespace {

using testing::Filter;

u32 different = 0, compared = 0;

void expect(bool same, const std::string& what) {
  ++compared;
  if (!same && ++different <= 20) std::printf("DIFFERENT  %s\n", what.c_str());
}

void expect_same(const std::vector<Hit>& a, const std::vector<Hit>& b, const std::string& what) {
  expect(a.size() == b.size() && testing::first_difference(a, b) == a.size(), what);
}

void set_masks(Renderer& renderer, const Filter& filter) {
  if (renderer.scene().instance_count() == 0) return;
  const testing::Words all(renderer.scene().instance_count(), ~0u);
  renderer.set_masks(filter.instance_masks.empty() ? all : filter.instance_masks);
}

/// Compares the results of all queries with rays between two renderers.
void compare_renderers(Renderer& cpu, Renderer& gpu, const std::vector<Ray>& rays,
                       const Filter& filter, const std::string& name) {
  const RayFilter of_rays = filter.of_rays();
  set_masks(cpu, filter);
  set_masks(gpu, filter);
  std::vector<Hit> expected(rays.size()), any(rays.size()), got(rays.size());
  cpu.closest(rays, expected, {}, {}, of_rays);
  cpu.any(rays, any, {}, {}, of_rays);
  for (const Choice& pipeline : pipelines()) {
    const CastOptions options{pipeline.name};
    gpu.closest(rays, got, options, {}, of_rays);
    expect_same(expected, got, name + ", closest hits, " + pipeline.name);
    gpu.any(rays, got, options, {}, of_rays);
    expect_same(any, got, name + ", any hits, " + pipeline.name);
  }
  const AllHits all = cpu.all(rays, {}, of_rays), all_on_gpu = gpu.all(rays, {}, of_rays);
  expect(all.starts == all_on_gpu.starts, name + ", counts");
  expect_same(all.hits, all_on_gpu.hits, name + ", all hits");
  std::vector<std::uint64_t> sums(cpu.scene().triangle_count()), sums_on_gpu(sums);
  cpu.hits_per_triangle(rays, sums, {}, {}, of_rays);
  gpu.hits_per_triangle(rays, sums_on_gpu, {}, {}, of_rays);
  expect(sums == sums_on_gpu, name + ", hits per triangle");
}

/// Compares casts of arrays in GPU memory, by a DeviceCaster, with casts on the CPU.
void compare_casters(Renderer& cpu, DeviceCaster& caster, const std::vector<Ray>& rays,
                     const Filter& filter, const std::string& name) {
  set_masks(cpu, filter);
  const std::size_t instances = cpu.scene().instance_count(), count = rays.size();
  const testing::Words every(instances, ~0u);
  const testing::Words& masks = filter.instance_masks.empty() ? every : filter.instance_masks;
  if (instances > 0) caster.set_masks(masks.data(), instances);
  const Buffer<Ray> its_rays(count);
  const Buffer<Hit> its_hits(count);
  const Buffer<std::uint32_t> its_counts(count), its_masks(count), its_skip(count),
      its_skip_instances(count);
  its_rays.set(rays);
  RayFilter there = filter.of_rays();
  const auto copy = [](const Buffer<std::uint32_t>& to, const testing::Words& from,
                       const std::uint32_t*& words) {
    if (from.empty()) return;
    to.set(from);
    words = to.data();
  };
  copy(its_masks, filter.masks, there.masks);
  copy(its_skip, filter.skip, there.skip);
  copy(its_skip_instances, filter.skip_instances, there.skip_instances);
  std::vector<Hit> expected(count);
  cpu.closest(rays, expected, {}, {}, filter.of_rays());
  caster.closest(its_rays.data(), its_hits.data(), count, nullptr, {}, there);
  expect_same(expected, its_hits.get(), name + ", closest hits of a caster");
  cpu.any(rays, expected, {}, {}, filter.of_rays());
  caster.any(its_rays.data(), its_hits.data(), count, nullptr, {}, there);
  expect_same(expected, its_hits.get(), name + ", any hits of a caster");
  std::vector<std::uint32_t> counts(count);
  cpu.count(rays, counts, {}, filter.of_rays());
  caster.count(its_rays.data(), its_counts.data(), count, nullptr, {}, there);
  expect(counts == its_counts.get(), name + ", counts of a caster");
}

void compare(const char* name, const Scene& scene, u32 count) {
  const Mesh mesh = scene.instance_count() > 0 ? testing::flattened(scene) : scene.data()->mesh;
  std::vector<Ray> rays = testing::rays_at(mesh, count, 5);
  const std::vector<Ray> far = testing::far_rays_at(mesh, count / 4, 6);
  rays.insert(rays.end(), far.begin(), far.end());
  Renderer cpu(scene, {"cpu"});
  for (const Choice& layout : layouts()) {
    RendererOptions whole{"cuda"}, in_parts{"cuda:all"}, moving{"cuda"};
    whole.layout = in_parts.layout = moving.layout = layout.name;
    in_parts.partition = 3;
    moving.moves = true;
    Renderer gpu(scene, whole), parts(scene, in_parts);
    DeviceCaster caster(scene, whole), mover(scene, moving);
    for (const Filter& filter : testing::filters_for(scene, rays)) {
      const std::string what = std::string(name) + ", " + layout.name + ", " + filter.name;
      compare_renderers(cpu, gpu, rays, filter, what);
      compare_renderers(cpu, parts, rays, filter, what + ", in parts");
      compare_casters(cpu, caster, rays, filter, what);
      compare_casters(cpu, mover, rays, filter, what + ", of a scene that moves");
    }
  }
  std::printf("%-16s %u rays: %u comparisons so far, %u different\n", name, count, compared,
              different);
  std::fflush(stdout);
}

/// Compares casts into a scene that gives its instances masks.
void compare_masks_of_scene(const Scene& scene) {
  auto data = std::make_shared<SceneData>(*scene.data());
  for (u32 i = 0; i < scene.instance_count(); ++i) data->masks.push_back(i % 3u);
  const Scene masked(data);
  const std::vector<Ray> rays = testing::rays_at(testing::flattened(scene), 20000, 8);
  RendererOptions still{"cuda"}, moving{"cuda"};
  moving.moves = true;
  RayFilter filter;
  filter.mask = 2u;
  std::vector<Hit> expected(rays.size()), got(rays.size());
  Renderer(masked, {"cpu"}).closest(rays, expected, {}, {}, filter);
  Renderer(masked, still).closest(rays, got, {}, {}, filter);
  expect_same(expected, got, "masks of the scene");
  const Buffer<Ray> its_rays(rays.size());
  const Buffer<Hit> its_hits(rays.size());
  its_rays.set(rays);
  for (const RendererOptions& options : {still, moving}) {
    DeviceCaster caster(masked, options);
    caster.closest(its_rays.data(), its_hits.data(), rays.size(), nullptr, {}, filter);
    expect_same(expected, its_hits.get(), "masks of the scene, of a caster");
  }
}

void print_times(const char* name, const Scene& scene) {
  constexpr u32 kRays = 1u << 22;
  const Mesh mesh = scene.instance_count() > 0 ? testing::flattened(scene) : scene.data()->mesh;
  const std::vector<Ray> rays = testing::rays_at(mesh, kRays, 7);
  DeviceCaster caster(scene);
  const Buffer<Ray> its_rays(kRays);
  const Buffer<Hit> its_hits(kRays);
  its_rays.set(rays);
  const auto ms = [&](const RayFilter& filter) {
    return least_ms(nullptr, 9, [&] {
      caster.closest(its_rays.data(), its_hits.data(), kRays, nullptr, {}, filter);
    });
  };
  const Buffer<std::uint32_t> skip(kRays);
  skip.set(testing::Words(kRays, kNoTriangle));
  RayFilter skipping;
  skipping.skip = skip.data();
  std::printf("%s, 4 Mi rays, closest hits: %.3f ms; fronts %.3f, backs %.3f, skip %.3f\n", name,
              ms({}), ms({Sides::front}), ms({Sides::back}), ms(skipping));
  if (scene.instance_count() == 0) return;
  testing::Words masks(scene.instance_count(), 1u);
  caster.set_masks(masks.data(), masks.size());
  const double shown = ms({});
  for (std::size_t i = 0; i < masks.size(); i += 2) masks[i] = 0u;
  caster.set_masks(masks.data(), masks.size());
  std::printf("%s: masks that hide nothing %.3f ms, half of the instances %.3f\n", name, shown,
              ms({}));
}

int run(const std::vector<std::string>&) {
  const Scene soup(testing::scene_of(testing::soup(20000, 2)));
  const Scene instances = testing::random_instances(300, 4);
  compare("soup", soup, 20000);
  compare("copies", Scene(testing::scene_of(testing::repeated(testing::torus(20), 3))), 20000);
  compare("holes", Scene(std::make_shared<const SceneData>(testing::textured_scene())), 20000);
  compare("instances", instances, 20000);
  compare("drawn", testing::drawn_scene(), 20000);
  compare("shapes", testing::shapes_and_meshes(300, 3), 20000);
  compare_masks_of_scene(instances);
  print_times("soup", soup);
  print_times("instances", instances);
  std::printf("%s: %u comparisons, %u different\n", different == 0 ? "PASS" : "FAIL", compared,
              different);
  return different == 0 ? 0 : 1;
}

}  // namespace
}  // namespace ballotcast::detail

int main(int argc, char** argv) {
  return ballotcast::detail::testing::run_tool("filters_check", ballotcast::detail::run, argc,
                                               argv);
}
