// Compiled with contraction, as programs may be.
#include "device_header/on_host.hpp"

namespace own {

template <class View>
std::vector<Answer> answers(const View& scene, const std::vector<Ray>& rays,
                            const std::vector<std::uint32_t>& worlds) {
  std::vector<Answer> out;
  for (std::size_t i = 0; i < rays.size(); ++i)
    out.push_back(answer(scene, rays[i], worlds.empty() ? 0u : worlds[i]));
  return out;
}

template <class View>
std::vector<Hit> each_hit(const View& scene, const std::vector<Ray>& rays) {
  std::vector<Hit> hits(rays.size());
  std::uint32_t next = 0;
  ballotcast::device::closest_each(
      scene, static_cast<std::uint32_t>(rays.size()), &next,
      [&](std::uint32_t i) { return rays[i]; },
      [&](std::uint32_t i, const Hit& hit) { hits[i] = hit; });
  return hits;
}

template std::vector<Hit> each_hit(const ballotcast::device::SceneView&, const std::vector<Ray>&);
template std::vector<Hit> each_hit(const ballotcast::device::PlainView&, const std::vector<Ray>&);
template std::vector<Answer> answers(const ballotcast::device::SceneView&, const std::vector<Ray>&,
                                     const std::vector<std::uint32_t>&);
template std::vector<Answer> answers(const ballotcast::device::PlainView&, const std::vector<Ray>&,
                                     const std::vector<std::uint32_t>&);

}  // namespace own
