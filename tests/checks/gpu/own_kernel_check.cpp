// Casts rays with the functions of device.hpp in kernels of a program (own_kernels.cu). Compares,
// bit for bit, all results with the results of the same functions on the host, and the hits of many
// rays with the hits of a DeviceCaster. Also prints the rates of the kernels and of the
// DeviceCaster, in millions of rays per second.
#include <cuda_runtime_api.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "ballotcast/device_caster.hpp"
#include "ballotcast/device_check.hpp"
#include "ballotcast/renderer.hpp"
#include "bench/rays/known_scene.hpp"
#include "checks/gpu/device_memory.hpp"
#include "checks/gpu/own_kernels/own_kernels.hpp"
#include "helpers/instances.hpp"
#include "helpers/tool.hpp"

namespace ballotcast::detail {
namespace {

using own::Answer;
using own::Way;
using testing::Random;

u64 different = 0, compared = 0;

void expect(bool same, const std::string& what) {
  ++compared;
  if (!same && ++different <= 20) std::printf("DIFFERENT  %s\n", what.c_str());
}

RendererOptions on(const char* device) {
  RendererOptions options;
  options.device = device;
  return options;
}

/// Compares all results for rays, in a kernel and on the host. Ray i is cast into world i % worlds.
/// `masks`: the masks of the instances, or empty.
template <class View = device::SceneView>
void compare_answers(const std::string& name, const Scene& scene, const std::vector<Ray>& rays,
                     u32 worlds, const std::vector<u32>& masks) {
  const u32 count = static_cast<u32>(rays.size());
  DeviceCaster caster(scene, on("cuda"));
  Renderer renderer(scene, on("cpu"));
  if (!masks.empty()) {
    caster.set_masks(masks.data(), masks.size());
    renderer.set_masks(masks);
  }
  const Buffer<Ray> on_device(count);
  on_device.set(rays);
  const Buffer<Answer> answers(count);
  own::answer(caster.device_view<View>(), {on_device.data(), nullptr, count}, worlds,
              answers.data());
  check(cudaDeviceSynchronize(), "answers");
  const std::vector<Answer> got = answers.get();
  const View view = renderer.host_view<View>();
  for (u32 i = 0; i < count; ++i)
    expect(own::same(got[i], own::answer(view, rays[i], i % worlds)),
           name + ", ray " + std::to_string(i));
}

std::vector<Ray> rays_for(const Mesh& mesh) {
  std::vector<Ray> rays = testing::rays_at(mesh, 4000, 5);
  const std::vector<Ray> far = testing::far_rays_at(mesh, 500, 6);
  rays.insert(rays.end(), far.begin(), far.end());
  return rays;
}

void compare_small_scenes() {
  const std::pair<const char*, SceneData> meshes[] = {
      {"soup", *testing::scene_of(testing::soup(600, 3))},
      {"closed", *testing::scene_of(testing::torus(9))},
      {"three times the same", *testing::scene_of(testing::repeated(testing::cube(), 3))},
      {"textures with holes", testing::textured_scene()}};
  for (const auto& [name, data] : meshes) {
    const Scene scene(std::make_shared<SceneData>(data));
    compare_answers(name, scene, rays_for(data.mesh), 1, {});
  }
  const Scene instances = testing::random_instances(30, 4);
  const std::vector<Ray> rays = rays_for(testing::flattened(instances));
  std::vector<u32> masks(instances.instance_count());
  for (u32 i = 0; i < masks.size(); ++i) masks[i] = i % 3u;
  compare_answers("instances", instances, rays, 1, {});
  compare_answers("instances with masks", instances, rays, 1, masks);
  const Scene worlds = testing::many_worlds(40, 7, 8);
  compare_answers("worlds", worlds, rays_for(testing::flattened(worlds)), 7, {});
  const Scene shapes = testing::shapes_and_meshes(45, 4);
  const std::vector<Ray> at_shapes = rays_for(testing::flattened(shapes));
  masks.resize(shapes.instance_count());
  for (u32 i = 0; i < masks.size(); ++i) masks[i] = i % 3u;
  compare_answers<device::ShapesView>("shapes", shapes, at_shapes, 1, {});
  compare_answers<device::ShapesView>("shapes with masks", shapes, at_shapes, 1, masks);
  compare_answers<device::ShapesView>("worlds without shapes", worlds,
                                      rays_for(testing::flattened(worlds)), 7, {});
}

/// Compares the results of kernels with votes, barriers and atomics on the GPU with the results of
/// the same kernels on emulated lanes.
void compare_lanes() {
  for (const u32 size : {32u, 96u, 256u, 1024u}) {
    constexpr u32 kBlocks = 64;
    std::vector<u32> emulated(kBlocks * size);
    std::vector<own::Everything::Sums> sums(1, own::Everything::Sums{});
    const Buffer<u32> results(emulated.size());
    const Buffer<own::Everything::Sums> on_device(1);
    on_device.set(sums);
    own::run_everything(kBlocks, size, results.data(), on_device.data());
    check(cudaDeviceSynchronize(), "lanes");
    lanes::emulate<own::Everything>({kBlocks, size}, emulated.data(), sums.data());
    const auto got = on_device.get();
    expect(results.get() == emulated && std::memcmp(got.data(), sums.data(), sizeof sums[0]) == 0,
           "lanes, blocks of " + std::to_string(size));
    expect(own::slots_agree(size), "slots, blocks of " + std::to_string(size));
  }
}

/// The error message of require_usable for a view, or "" if there is no error.
std::string complaint_about(const device::PlainView& view) {
  try {
    device::require_usable(view);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

void check_views() {
  const Scene scene(testing::scene_of(testing::torus(9)));
  auto caster = std::make_unique<DeviceCaster>(scene, on("cuda"));
  const auto view = caster->device_view<device::PlainView>();
  expect(complaint_about(view).empty(), "a view of a caster that lives");
  int gpus = 0;
  check(cudaGetDeviceCount(&gpus), "count");
  if (gpus > 1) {
    check(cudaSetDevice(1), "set");
    expect(complaint_about(view).find("is of GPU 0, and GPU 1") != std::string::npos,
           "a view of another GPU");
    check(cudaSetDevice(0), "set");
  }
  caster.reset();
  expect(complaint_about(view).find("is not there") != std::string::npos,
         "a view of a caster that is gone");
}

bool same_hits(const std::vector<Hit>& a, const std::vector<Hit>& b) {
  return std::memcmp(a.data(), b.data(), a.size() * sizeof(Hit)) == 0;
}

/// Compares the hits that a kernel finds, through a view that was made before the scene moved, with
/// the hits of the caster, before and after the move.
template <class View, class Move>
void compare_moved(const std::string& name, const Scene& scene, Move move) {
  const u32 count = 1u << 16;
  RendererOptions options = on("cuda");
  options.moves = true;
  DeviceCaster caster(scene, options);
  std::vector<Ray> rays;
  Random random(9);
  for (u32 i = 0; i < count; ++i) {
    const vec3 from = random.point(9.0f);
    rays.push_back({from, 0.0f, random.point(4.0f) - from, unbounded()});
  }
  const Buffer<Ray> on_device(count);
  on_device.set(rays);
  const Buffer<Hit> expected(count), got(count);
  const View view = caster.device_view<View>();
  for (const char* when : {", before it moves", ", after it has moved"}) {
    caster.closest(on_device.data(), expected.data(), count);
    own::cast(view, {on_device.data(), got.data(), count}, Way::closest);
    check(cudaDeviceSynchronize(), "moved");
    expect(same_hits(expected.get(), got.get()), name + when);
    move(caster);
    caster.refit();
  }
}

void compare_moving_scenes() {
  const Scene ring(testing::scene_of(testing::torus(20)));
  std::vector<Vec3f> vertices = ring.vertices();
  for (Vec3f& p : vertices) p.y = 1.5f * p.y + 0.3f * p.x;
  compare_moved<device::PlainView>("ring", ring, [&](DeviceCaster& caster) {
    caster.set_vertices(&vertices[0].x, vertices.size());
  });
  const Scene instances = testing::random_instances(30, 4);
  Random random(3);
  std::vector<Transform> transforms;
  for (u32 i = 0; i < instances.instance_count(); ++i)
    transforms.push_back(testing::random_transform(random, 0.5f, 2.0f, 6.0f));
  compare_moved<device::SceneView>("moving instances", instances, [&](DeviceCaster& caster) {
    caster.set_transforms(transforms.data(), transforms.size());
  });
}

/// Casts the same rays, which are in device memory, by the library and by kernels of a program.
struct Compared {
  DeviceCaster caster;
  Buffer<Ray> rays;
  Buffer<Hit> hits;
  u32 count;

  Compared(const Scene& scene, u32 rays_)
      : caster(scene, on("cuda")), rays(rays_), hits(rays_), count(rays_) {}

  std::vector<Hit> cast_by_library(RayKind kind) {
    hits.spoil();
    enqueue_library(kind);
    check(cudaDeviceSynchronize(), "cast");
    return hits.get();
  }
  template <class View>
  std::vector<Hit> cast_by_kernel(Way way) {
    if (way != Way::each_behind) hits.spoil();  // each_behind reads them
    own::cast(caster.device_view<View>(), {rays.data(), hits.data(), count}, way);
    check(cudaDeviceSynchronize(), "own kernel");
    return hits.get();
  }
  void enqueue_library(RayKind kind) {
    if (kind == RayKind::any)
      caster.any(rays.data(), hits.data(), count);
    else
      caster.closest(rays.data(), hits.data(), count);
  }
};

void compare_all(Compared& at, const std::string& name) {
  const std::vector<Hit> closest = at.cast_by_library(RayKind::closest);
  expect(same_hits(closest, at.cast_by_kernel<device::PlainView>(Way::closest)), name);
  expect(same_hits(closest, at.cast_by_kernel<device::PlainView>(Way::by_warp)), name + ", warp");
  expect(same_hits(closest, at.cast_by_kernel<device::PlainView>(Way::each)), name + ", each");
  expect(same_hits(closest, at.cast_by_kernel<device::SceneView>(Way::closest)), name + ", scene");
  expect(same_hits(closest, at.cast_by_kernel<device::SceneView>(Way::each)),
         name + ", each, scene");
  // The hits behind the closest hits: with Way::each_behind, ray i skips the triangle of hits[i].
  const Buffer<u32> first(at.count);
  std::vector<u32> triangles;
  for (const Hit& hit : closest) triangles.push_back(hit.triangle);
  first.set(triangles);
  RayFilter behind;
  behind.skip = first.data();
  at.caster.closest(at.rays.data(), at.hits.data(), at.count, nullptr, {}, behind);
  check(cudaDeviceSynchronize(), "behind");
  const std::vector<Hit> second = at.hits.get();
  at.hits.set(closest);
  expect(same_hits(second, at.cast_by_kernel<device::PlainView>(Way::each_behind)),
         name + ", each, with filters");
  const std::vector<Hit> any = at.cast_by_library(RayKind::any);
  expect(same_hits(any, at.cast_by_kernel<device::PlainView>(Way::any)), name + ", any");
  expect(same_hits(any, at.cast_by_kernel<device::PlainView>(Way::any_by_warp)),
         name + ", any, warp");
  expect(same_hits(any, at.cast_by_kernel<device::PlainView>(Way::any_each)), name + ", any, each");
}

/// Rays from random points of a box towards other random points of the box.
std::vector<Ray> random_rays(const Box& box, u32 count, Random& random) {
  const vec3 low = vec3(dvec3(box.low)), high = vec3(dvec3(box.high));
  const auto point = [&] {
    const float x = random.unit(), y = random.unit(), z = random.unit();
    return low + (high - low) * vec3(x, y, z);
  };
  std::vector<Ray> rays;
  rays.reserve(count);
  for (u32 i = 0; i < count; ++i) {
    const vec3 from = point();
    rays.push_back({from, 0.0f, point() - from, unbounded()});
  }
  return rays;
}

void compare_many(const std::string& file, const Scene& scene, u64 many) {
  constexpr u32 kAtOnce = 1u << 22;
  Compared at(scene, kAtOnce);
  Random random(3);
  u64 cast = 0;
  for (; cast < many; cast += kAtOnce) {
    at.rays.set(random_rays(scene.bounds(), kAtOnce, random));
    compare_all(at, file + ", random rays from " + std::to_string(cast));
  }
  std::printf("%s: %llu random rays compared\n", file.c_str(),
              static_cast<unsigned long long>(cast));
}

void measure(const std::string& file, const Scene& scene) {
  const KnownScene known(SceneData(*scene.data()));
  std::printf(
      "%s, M rays/s at 1920x1080: DeviceCaster; own kernels and their ratio to it\n"
      "  %-10s %10s %16s %16s %16s %16s\n",
      file.c_str(), "", "library", "PlainView", "by warp", "each", "SceneView");
  for (const char* workload : {"primary", "ao", "diff1x8", "random"}) {
    const RaySet set = known.rays(workload, 1920, 1080);
    Compared at(scene, static_cast<u32>(set.rays.size()));
    at.rays.set(set.rays);
    const auto rate = [&](double ms) { return at.count / ms / 1e3; };
    const auto print = [&](double own, double library) {
      std::printf(" %9.0f (%.2f)", rate(own), library / own);
    };
    const double library = least_ms(nullptr, 20, [&] { at.enqueue_library(set.kind); });
    std::printf("  %-10s %10.0f", workload, rate(library));
    const bool any = set.kind == RayKind::any;
    const own::Rays batch{at.rays.data(), at.hits.data(), at.count};
    const auto plain = at.caster.device_view<device::PlainView>();
    print(least_ms(nullptr, 20, [&] { own::cast(plain, batch, any ? Way::any : Way::closest); }),
          library);
    for (const Way way :
         any ? std::array{Way::any_by_warp, Way::any_each} : std::array{Way::by_warp, Way::each})
      print(least_ms(nullptr, 20, [&] { own::cast(plain, batch, way); }), library);
    const auto whole = at.caster.device_view();
    print(least_ms(nullptr, 20, [&] { own::cast(whole, batch, any ? Way::any : Way::closest); }),
          library);
    std::printf("\n");
    compare_all(at, file + ", " + workload);
  }
}

int run(const std::vector<std::string>& arguments) {
  u32 many = 1u << 22;
  std::vector<std::string> files;
  for (const std::string& argument : arguments)
    if (!testing::takes_number(argument, "--rays", many)) files.push_back(argument);
  check_views();
  compare_lanes();
  compare_small_scenes();
  compare_moving_scenes();
  for (const std::string& file : files) {
    const Scene scene = load_scene(file);
    compare_many(file, scene, many);
    measure(file, scene);
  }
  std::printf("%llu comparisons, %llu different\n", static_cast<unsigned long long>(compared),
              static_cast<unsigned long long>(different));
  return different == 0 ? 0 : 1;
}

}  // namespace
}  // namespace ballotcast::detail

int main(int argc, char** argv) {
  return ballotcast::detail::testing::run_tool("own_kernel_check", ballotcast::detail::run, argc,
                                               argv);
}
