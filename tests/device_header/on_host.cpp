// This file is compiled with -ffp-contract=fast, as a user's program may be.
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

namespace {

/// Calls cast(count, next, ray_of, take, filter_of) once for all rays. Returns the results, one per
/// ray.
template <class Result, class Cast>
std::vector<Result> each(const std::vector<Ray>& rays, const std::vector<std::uint32_t>& skip,
                         Cast cast) {
  namespace device = ballotcast::device;
  std::vector<Result> results(rays.size());
  std::uint32_t next = 0;
  const auto count = static_cast<std::uint32_t>(rays.size());
  const auto ray_of = [&](std::uint32_t i) { return rays[i]; };
  const auto take = [&](std::uint32_t i, const Result& result) { results[i] = result; };
  if (skip.empty())
    cast(count, &next, ray_of, take, device::EveryFilter{});
  else
    cast(count, &next, ray_of, take, [&](std::uint32_t i) {
      return device::all_of(device::SkipTriangle{skip[i]}, device::Masked{kMask});
    });
  return results;
}

}  // namespace

template <class View>
std::vector<Hit> each_hit(const View& scene, const std::vector<Ray>& rays,
                          const std::vector<std::uint32_t>& skip) {
  return each<Hit>(rays, skip, [&](auto... of) { ballotcast::device::closest_each(scene, of...); });
}
template <class View>
std::vector<bool> any_hit(const View& scene, const std::vector<Ray>& rays,
                          const std::vector<std::uint32_t>& skip) {
  return each<bool>(rays, skip, [&](auto... of) { ballotcast::device::any_each(scene, of...); });
}

using ballotcast::device::PlainView;
using ballotcast::device::SceneView;
using ballotcast::device::ShapesView;
using Words = std::vector<std::uint32_t>;
template std::vector<Hit> each_hit(const SceneView&, const std::vector<Ray>&, const Words&);
template std::vector<Hit> each_hit(const PlainView&, const std::vector<Ray>&, const Words&);
template std::vector<Hit> each_hit(const ShapesView&, const std::vector<Ray>&, const Words&);
template std::vector<bool> any_hit(const SceneView&, const std::vector<Ray>&, const Words&);
template std::vector<bool> any_hit(const PlainView&, const std::vector<Ray>&, const Words&);
template std::vector<bool> any_hit(const ShapesView&, const std::vector<Ray>&, const Words&);
template std::vector<Answer> answers(const SceneView&, const std::vector<Ray>&, const Words&);
template std::vector<Answer> answers(const PlainView&, const std::vector<Ray>&, const Words&);
template std::vector<Answer> answers(const ShapesView&, const std::vector<Ray>&, const Words&);

}  // namespace own
