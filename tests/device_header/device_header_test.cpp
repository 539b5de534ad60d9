// Tests the functions of device.hpp on a host: every result has the same bits as the result of
// Renderer.
#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "ballotcast/error.hpp"
#include "ballotcast/lanes.hpp"
#include "ballotcast/renderer.hpp"
#include "device_header/on_host.hpp"
#include "helpers/instances.hpp"
#include "helpers/meshes.hpp"
#include "render/internals.hpp"

namespace ballotcast::detail {
namespace device_header_test {

using Words = std::vector<std::uint32_t>;

template <class T>
bool same_bytes(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

/// The results of Renderer for the same rays.
struct Expected {
  std::vector<Hit> closest, on_fronts, without_first, any, any_on_backs;
  std::vector<Hit> by_all, without_first_masked;
  Words first;  // the triangle of each closest hit
  std::vector<Nearest> nearest;
  std::vector<std::uint8_t> inside;
  AllHits all, all_by_all;

  Expected(Renderer& renderer, const std::vector<Ray>& rays, const Words& worlds)
      : closest(rays.size()),
        on_fronts(closest),
        without_first(closest),
        any(closest),
        any_on_backs(closest),
        by_all(closest),
        without_first_masked(closest),
        nearest(rays.size()),
        inside(rays.size()) {
    const RayWorlds into{0, worlds.empty() ? nullptr : worlds.data()};
    renderer.closest(rays, closest, {}, into);
    renderer.closest(rays, on_fronts, {}, into, {Sides::front});
    for (const Hit& hit : closest) first.push_back(hit.triangle);
    RayFilter skip;
    skip.skip = first.data();
    renderer.closest(rays, without_first, {}, into, skip);
    if (renderer.scene().instance_count() != 0u) skip.mask = own::kMask;
    renderer.closest(rays, without_first_masked, {}, into, skip);
    skip.sides = Sides::back;
    renderer.closest(rays, by_all, {}, into, skip);
    all_by_all = renderer.all(rays, into, skip);
    renderer.any(rays, any, {}, into);
    renderer.any(rays, any_on_backs, {}, into, {Sides::back});
    all = renderer.all(rays, into);
    std::vector<Vec3f> points;
    for (const Ray& ray : rays) points.push_back(ray.origin);
    renderer.closest_points(points, nearest, unbounded(), into);
    renderer.contains(points, inside, InsideRule::parity, into);
  }
};

/// The hit that filter LeftHalf must find: the best of the hits that are offered to a filter and
/// lie in the left half. The filter here refuses all hits, so that every hit is offered.
template <class View>
Hit left_half(const View& view, const Ray& ray, u32 world) {
  Hit best = miss_of(ray);
  device::closest(
      view, ray,
      [&](const Ray&, const device::Candidate& hit) {
        if (hit.u < 0.5f && precedes(hit.t, hit.triangle, best))
          best = {hit.t, hit.triangle, hit.u, hit.v};
        return false;
      },
      world);
  return best;
}

/// The expected value of Answer::sum_by_all for ray i, from the hits of Renderer.
u32 mixed_ids_on_left(const AllHits& all, std::size_t i) {
  u32 sum = 0;
  for (std::size_t k = all.starts[i]; k < all.starts[i + 1]; ++k)
    if (all.hits[k].u < 0.5f) sum = sum * 31u + all.hits[k].triangle;
  return sum;
}

/// Expects that closest_each and any_each find the right hits.
template <class View>
void expect_right_each(const View& view, const Expected& right, const std::vector<Ray>& rays) {
  const auto expect_hits = [&](const std::vector<Hit>& hits, const Words& skip) {
    EXPECT_EQ(testing::first_difference(own::each_hit(view, rays, skip), hits), rays.size());
    const std::vector<bool> found = own::any_hit(view, rays, skip);
    for (std::size_t i = 0; i < rays.size(); ++i) ASSERT_EQ(found[i], hits[i].found()) << i;
  };
  expect_hits(right.closest, {});
  expect_hits(right.without_first_masked, right.first);
}

template <class View>
void expect_right(const View& view, const PreparedScene& prepared, const Expected& right,
                  const std::vector<Ray>& rays, const Words& worlds) {
  if (worlds.empty()) expect_right_each(view, right, rays);
  const std::vector<own::Answer> got = own::answers(view, rays, worlds);
  for (std::size_t i = 0; i < rays.size(); ++i) {
    SCOPED_TRACE("ray " + std::to_string(i));
    const own::Answer& own = got[i];
    ASSERT_TRUE(same_bits(own.closest, right.closest[i]));
    ASSERT_TRUE(same_bits(own.by_warp, right.closest[i]));
    ASSERT_TRUE(same_bits(own.surface.hit, right.closest[i]));
    if (own.closest.found()) {
      const TrianglePlace place = place_of(prepared.view, own.closest.triangle);
      const Surface surface = surface_at(prepared.view, rays[i], own.closest, place);
      ASSERT_TRUE(same_bytes(vec3(own.surface.normal), surface.geometric_normal));
      ASSERT_EQ(own.surface.front, same_bits(right.on_fronts[i], right.closest[i]));
      ASSERT_EQ(own.surface.instance, place.instance);
    }
    ASSERT_TRUE(same_bits(own.on_fronts, right.on_fronts[i]));
    ASSERT_TRUE(same_bits(own.without_first, right.without_first[i]));
    ASSERT_TRUE(same_bits(own.by_all, right.by_all[i]));
    ASSERT_TRUE(same_bits(own.by_all_in_warp, right.by_all[i]));
    ASSERT_EQ(own.any_in_warp, right.by_all[i].found());
    // If a ray starts far away, several hits may have the same t. Then the result is the nearest of
    // them, which left_half() does not find.
    if (largest_magnitude(vec3(rays[i].origin)) < kFarOrigin) {
      ASSERT_TRUE(
          same_bits(own.left_half, left_half(view, rays[i], worlds.empty() ? 0u : worlds[i])));
    }
    ASSERT_EQ(own.any, right.any[i].found());
    ASSERT_EQ(own.any_on_backs, right.any_on_backs[i].found());
    const std::size_t begin = right.all.starts[i], end = right.all.starts[i + 1];
    ASSERT_EQ(own.crossings, end - begin);
    ASSERT_EQ(own.first_crossings, std::min<std::size_t>(end - begin, 2));
    u32 sum = 0;
    for (std::size_t k = begin; k < end; ++k) sum += right.all.hits[k].triangle;
    ASSERT_EQ(own.sum, sum);
    ASSERT_EQ(own.sum_by_all, mixed_ids_on_left(right.all_by_all, i));
    ASSERT_TRUE(same_bytes(own.nearest, right.nearest[i]));
    ASSERT_EQ(own.inside, right.inside[i]);
  }
}

void expect_right(Renderer& renderer, const std::vector<Ray>& rays, const Words& worlds = {}) {
  const Expected right(renderer, rays, worlds);
  expect_right(renderer.host_view<device::ShapesView>(), prepared_of(renderer), right, rays,
               worlds);
  if (!prepared_of(renderer).view.shapes)
    expect_right(renderer.host_view(), prepared_of(renderer), right, rays, worlds);
  if (renderer.scene().instance_count() == 0u)
    expect_right(renderer.host_view<device::PlainView>(), prepared_of(renderer), right, rays,
                 worlds);
}

/// Rays towards a mesh, from near and from far away.
std::vector<Ray> rays_for(const Mesh& mesh) {
  std::vector<Ray> rays = testing::rays_at(mesh, 400, 5);
  const std::vector<Ray> far = testing::far_rays_at(mesh, 60, 6);
  rays.insert(rays.end(), far.begin(), far.end());
  return rays;
}

TEST(DeviceHeader, answers_as_the_library_does_about_meshes) {
  const std::pair<const char*, SceneData> scenes[] = {
      {"soup", *testing::scene_of(testing::soup(600, 3))},
      {"closed", *testing::scene_of(testing::torus(9))},
      {"three times the same", *testing::scene_of(testing::repeated(testing::cube(), 3))},
      {"nothing", *testing::scene_of(Mesh{})},
      {"textures with holes", testing::textured_scene()}};
  for (const auto& [name, data] : scenes) {
    SCOPED_TRACE(name);
    Renderer renderer(Scene(std::make_shared<SceneData>(data)), {"cpu"});
    expect_right(renderer, rays_for(data.mesh.triangles.empty() ? testing::cube() : data.mesh));
  }
}

TEST(DeviceHeader, answers_as_the_library_does_about_instances_and_worlds) {
  for (const Scene& scene : {testing::random_instances(30, 4), testing::drawn_scene()}) {
    Renderer renderer(scene, {"cpu"});
    expect_right(renderer, rays_for(testing::flattened(scene)));
    Words masks(scene.instance_count());
    for (u32 i = 0; i < masks.size(); ++i) masks[i] = i % 4u;
    renderer.set_masks(masks);
    expect_right(renderer, rays_for(testing::flattened(scene)));
    renderer.set_masks(Words(scene.instance_count(), 0u));
    expect_right(renderer, rays_for(testing::flattened(scene)));
  }
  const Scene worlds = testing::many_worlds(40, 7, 8);
  Renderer renderer(worlds, {"cpu"});
  const std::vector<Ray> rays = rays_for(testing::flattened(worlds));
  Words into;
  for (u32 i = 0; i < rays.size(); ++i) into.push_back(i % 7u);
  expect_right(renderer, rays, into);
}

TEST(DeviceHeader, answers_as_the_library_does_about_shapes) {
  const Scene scene = testing::shapes_and_meshes(45, 4);
  const std::vector<Ray> rays = rays_for(testing::flattened(scene));
  Renderer renderer(scene, {"cpu"});
  expect_right(renderer, rays);
  Words masks(scene.instance_count());
  for (u32 i = 0; i < masks.size(); ++i) masks[i] = i % 4u;
  renderer.set_masks(masks);
  expect_right(renderer, rays);
  Renderer one(make_scene(Shape{ShapeKind::cone, {0.5f, 1.0f}}), {"cpu"});
  expect_right(one, rays);
}

TEST(DeviceHeader, takes_what_all_masks_of_a_filter_take) {
  const Scene scene = testing::random_instances(30, 4);
  const std::vector<Ray> rays = rays_for(testing::flattened(scene));
  Words masks(scene.instance_count()), with_both(masks);
  for (u32 i = 0; i < masks.size(); ++i) masks[i] = i % 4u, with_both[i] = i % 4u == 3u ? 1u : 0u;
  Renderer masked(scene, {"cpu"}), renderer(scene, {"cpu"});
  masked.set_masks(masks);
  renderer.set_masks(with_both);
  std::vector<Hit> right(rays.size()), got;
  renderer.closest(rays, right);
  const auto filter = device::all_of(device::Masked{1}, device::Masked{2});
  for (const Ray& ray : rays) got.push_back(device::closest(masked.host_view(), ray, filter));
  EXPECT_EQ(testing::first_difference(got, right), rays.size());
}

/// Casts rays by closest_each() on emulated lanes. Blocks run on several threads and share the
/// counter `next`. `taken`: the number of rays that were cast.
struct FetchRays {
  struct Shared {};
  static void run(lanes::Lane& lane, Shared&, device::PlainView scene, const std::vector<Ray>* rays,
                  u32* next, std::vector<Hit>* hits, u32* taken) {
    device::closest_each(
        scene, static_cast<u32>(rays->size()), next, [=](u32 i) { return (*rays)[i]; },
        [&](u32 i, const Hit& hit) {
          (*hits)[i] = hit;
          lane.fetch_add(taken, 1u);
        });
  }
};

TEST(DeviceHeader, casts_each_ray_once_in_several_threads) {
  const Mesh mesh = testing::torus(9);
  Renderer renderer(Scene(testing::scene_of(mesh)), {"cpu"});
  const std::vector<Ray> rays = rays_for(mesh);
  std::vector<Hit> right(rays.size()), hits(rays.size());
  renderer.closest(rays, right);
  u32 next = 0, taken = 0;
  lanes::emulate<FetchRays>({8, 32}, renderer.host_view<device::PlainView>(), &rays, &next, &hits,
                            &taken);
  EXPECT_EQ(taken, rays.size());
  EXPECT_EQ(testing::first_difference(hits, right), rays.size());
}

template <class Call>
std::string refusal_of(const Call& call) {
  try {
    call();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

/// The view in a program that was compiled with an older version of device.hpp.
struct OldView : device::SceneView {
  static constexpr std::uint32_t kVersion = device::SceneView::kVersion - 1u;
};

TEST(DeviceHeader, is_refused_where_it_has_no_meaning) {
  Renderer instances(testing::random_instances(3, 1), {"cpu"});
  EXPECT_EQ(refusal_of([&] { instances.host_view<device::PlainView>(); }),
            "a PlainView is of a scene without instances; this one has 3: use a SceneView");
  Renderer shapes(make_scene(Shape{ShapeKind::sphere, {1.0f}}), {"cpu"});
  EXPECT_EQ(refusal_of([&] { shapes.host_view(); }),
            "a SceneView is of triangles, and this scene has shapes: use a ShapesView");
  RendererOptions options{"cpu"};
  options.layout = "bvh2";
  Renderer other(Scene(testing::scene_of(testing::cube())), options);
  EXPECT_EQ(refusal_of([&] { other.host_view(); }),
            "views for kernels are of layout grid2; this scene has layout bvh2");
  EXPECT_EQ(refusal_of([&] { instances.host_view<OldView>(); }),
            "the program was compiled with another version of ballotcast/device.hpp than the "
            "library; compile it again");
}

}  // namespace device_header_test
}  // namespace ballotcast::detail
