#include <algorithm>

#include "bench/rays/workloads.hpp"
#include "fuzz/checks.hpp"
#include "fuzz/target.hpp"
#include "helpers/brute_force.hpp"
#include "helpers/meshes.hpp"
#include "render/internals.hpp"

namespace ballotcast::detail::fuzz {

/// The input is a rays file. If it can be read, writing it again must give the same bytes, and its
/// rays must hit what brute force hits.
void run_rays(std::span<const u8> input) {
  static Renderer renderer(testing::scene_of(testing::soup(64, 3)), {"cpu"});
  const std::string path = folder().write("a.rays", input);
  read_or_refused([&] {
    const RaySet set = read_rays(path);
    require(std::ranges::equal(encode_rays(set), input), "rays that change when they are written");
    std::vector<Hit> hits(set.rays.size());
    renderer.closest(set.rays, hits);
    for (std::size_t i = 0; i < hits.size(); ++i)
      require(same_bits(hits[i], testing::brute_force(prepared_of(renderer), set.rays[i])),
              "a hit that brute force does not find");
  });
}

}  // namespace ballotcast::detail::fuzz
