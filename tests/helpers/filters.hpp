// Filters of rays for tests.
#pragma once

#include <vector>

#include "ballotcast/renderer.hpp"
#include "helpers/meshes.hpp"

namespace ballotcast::detail::testing {

using Words = std::vector<std::uint32_t>;

/// A filter, and the arrays to which it points.
struct Filter {
  const char* name;
  Sides sides = Sides::both;
  std::uint32_t mask = ~0u;
  Words masks = {}, skip = {}, instance_masks = {}, skip_instances = {};
  std::uint32_t skip_instance = kNoInstance;

  RayFilter of_rays() const {
    return {sides,
            mask,
            masks.empty() ? nullptr : masks.data(),
            skip.empty() ? nullptr : skip.data(),
            skip_instance,
            skip_instances.empty() ? nullptr : skip_instances.data()};
  }
  bool lets(std::size_t ray, bool front, u32 triangle, u32 instance) const {
    if (sides != Sides::both && (sides == Sides::front) != front) return false;
    if (!skip.empty() && skip[ray] == triangle) return false;
    if ((skip_instances.empty() ? skip_instance : skip_instances[ray]) == instance) return false;
    const u32 own = masks.empty() ? mask : masks[ray];
    return (own & (instance_masks.empty() ? ~0u : instance_masks[instance])) != 0u;
  }
};

/// Filters for rays at a scene: each kind of filter alone, and all kinds together. Most rays skip
/// the triangle that they would hit.
inline std::vector<Filter> filters_for(const Scene& scene, const std::vector<Ray>& rays,
                                       const Words& worlds = {}) {
  Random random(71);
  Renderer renderer(scene, {"cpu"});
  std::vector<Hit> hits(rays.size());
  renderer.closest(rays, hits, {}, {0, worlds.empty() ? nullptr : worlds.data()});
  Words skip;
  for (const Hit& hit : hits) skip.push_back(random.below(5) == 0 ? kNoTriangle : hit.triangle);
  std::vector<Filter> all = {{"front", Sides::front},
                             {"back", Sides::back},
                             {"skip", Sides::both, ~0u, {}, skip},
                             {"skip at the back", Sides::back, ~0u, {}, skip}};
  if (scene.instance_count() == 0) return all;
  const Words some{0u, 1u, 2u, 3u, 0x80000000u, ~0u};
  const auto random_masks = [&](std::size_t count) {
    Words masks;
    for (std::size_t i = 0; i < count; ++i) masks.push_back(some[random.below(6)]);
    return masks;
  };
  const Words of_instances = random_masks(scene.instance_count());
  all.push_back({"hidden instances", Sides::both, ~0u, {}, {}, of_instances});
  all.push_back({"a mask", Sides::both, 2u, {}, {}, of_instances});
  all.push_back({"masks of rays", Sides::both, ~0u, random_masks(rays.size())});
  Words skip_instances;
  for (const Hit& hit : hits)
    skip_instances.push_back(hit.found() ? scene.locate(hit.triangle).instance : kNoInstance);
  all.push_back({"skip instance 1", Sides::both, ~0u, {}, {}, {}, {}, 1u});
  all.push_back({"skip an instance each", Sides::both, ~0u, {}, {}, {}, skip_instances});
  all.push_back(
      {"all", Sides::front, ~0u, random_masks(rays.size()), skip, of_instances, skip_instances});
  return all;
}

}  // namespace ballotcast::detail::testing
