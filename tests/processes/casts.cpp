// Calls every function of a scene, shared by several processes and in this process alone. Each rank
// compares the bytes of both results.
// Usage: mpirun -n N processes_casts
#include <cstdio>
#include <cstring>

#include "backends/device/device_choice.hpp"
#include "backends/scene/prepare.hpp"
#include "ballotcast/error.hpp"
#include "helpers/meshes.hpp"
#include "helpers/sanitized.hpp"
#include "kernels/queries/closest_point.hpp"
#include "support/processes/processes.hpp"

namespace ballotcast::detail {
namespace {

u32 failures = 0;

template <class T>
void expect_same(const char* what, const std::vector<T>& one, const std::vector<T>& all) {
  if (one.size() == all.size() &&
      (one.empty() || std::memcmp(one.data(), all.data(), one.size() * sizeof(T)) == 0))
    return;
  std::printf("%s: other results than in one process\n", what);
  ++failures;
}

/// Runs call(scene, out) for both scenes, and compares their outputs.
template <class T, class Call>
void compare(const char* what, ResidentScene& one, ResidentScene& all, std::size_t count,
             const Call& call) {
  std::vector<T> from_one(count), from_all(count);
  call(one, from_one.data());
  call(all, from_all.data());
  expect_same(what, from_one, from_all);
}

void compare_all(const std::shared_ptr<const PreparedScene>& prepared, const Mesh& mesh) {
  const auto one = backend_called("cpu").upload(*prepared);
  const auto all = choose_device("cpu+emulated:0").upload(*prepared, {});
  all->begin_work(1u << 12, 0);  // the chunks are so small that all ranks get some
  const CastChoice choice{CastOptions{}};
  for (const u32 count : {0u, 1u, 300u, testing::kSanitized ? 8000u : 20000u}) {
    const std::vector<Ray> rays = testing::rays_at(mesh, count, 32);
    for (const RayKind kind : {RayKind::closest, RayKind::any}) {
      compare<Hit>("hits", *one, *all, count, [&](ResidentScene& scene, Hit* hits) {
        scene.cast(kind, rays.data(), hits, nullptr, count, choice);
      });
      compare<u32>("visits", *one, *all, count, [&](ResidentScene& scene, u32* visits) {
        std::vector<Hit> hits(count);
        scene.cast(kind, rays.data(), hits.data(), visits, count, choice);
      });
      compare<Hit>("hits of rays that stay", *one, *all, count,
                   [&](ResidentScene& scene, Hit* hits) {
                     const auto kept = scene.keep(kind, rays.data(), count);
                     if (kept->cast(choice, {}).rays != count) ++failures;
                     kept->results(hits, nullptr);
                     if (kept->time(choice, 3).size() != 3) ++failures;
                   });
    }
    compare<Hit>("hits of backs, but for a triangle each", *one, *all, count,
                 [&](ResidentScene& scene, Hit* hits) {
                   std::vector<u32> skip;
                   for (u32 i = 0; i < count; ++i) skip.push_back(i % 500u);
                   Query asked = query<ClosestHits>(rays.data(), count, {}, hits);
                   asked.choice = &choice;
                   asked.filter.rays.sides = Sides::back;
                   asked.filter.rays.skip = skip.data();
                   scene.answer(asked);
                 });
    compare<u32>("crossings", *one, *all, count, [&](ResidentScene& scene, u32* counts) {
      scene.answer(query<CrossingCounts>(rays.data(), count, {}, counts));
    });
    compare<u64>("hits per triangle", *one, *all, mesh.triangles.size(),
                 [&](ResidentScene& scene, u64* sums) {
                   Query asked = query<HitsPerTriangle>(rays.data(), count, {}, sums);
                   asked.result_count = mesh.triangles.size();
                   asked.choice = &choice;
                   scene.answer(asked);
                 });
    const AllHits of_one =
        one->all_crossings(query<CrossingCounts>(rays.data(), count, {}, nullptr));
    const AllHits of_all =
        all->all_crossings(query<CrossingCounts>(rays.data(), count, {}, nullptr));
    expect_same("starts of all hits", of_one.starts, of_all.starts);
    expect_same("all hits", of_one.hits, of_all.hits);

    std::vector<Vec3f> near;
    std::vector<Vec3d> points;
    for (const Ray& ray : rays) {
      near.push_back({ray.origin.x, ray.origin.y, ray.origin.z});
      points.push_back({ray.origin.x, ray.origin.y, ray.origin.z});
    }
    compare<Nearest>("closest points", *one, *all, count,
                     [&](ResidentScene& scene, Nearest* nearest) {
                       Query asked = query<ClosestPoints>(near.data(), count, {}, nearest);
                       asked.max_distance = 10.0f;
                       scene.answer(asked);
                     });
    compare<u8>("points inside", *one, *all, count, [&](ResidentScene& scene, u8* inside) {
      scene.answer(query<PointsInside>(points.data(), count, {}, inside));
    });
    const u32 few = std::min(count, 1000u);
    compare<double>("winding numbers", *one, *all, few, [&](ResidentScene& scene, double* numbers) {
      scene.answer(query<WindingNumbers>(points.data(), few, {}, numbers));
    });
  }
}

}  // namespace
}  // namespace ballotcast::detail

int main() {
  using namespace ballotcast::detail;
  join_processes([](int, const std::string& why) { std::fprintf(stderr, "%s\n", why.c_str()); });
  Processes* const processes = joined_processes();
  try {
    const Mesh mesh = testing::soup(500, 31);
    compare_all(prepare(testing::scene_of(mesh), kDefaultBuilder, "auto"), mesh);
  } catch (const std::exception& error) {
    if (processes) processes->fail(1, error.what());
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  if (processes) processes->leave();
  return failures == 0 ? 0 : 1;
}
