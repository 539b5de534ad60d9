// Results of device.hpp in a user's program, which is compiled with other compiler options than the
// library.
#pragma once

#include <vector>

#include "device_header/own_answer.hpp"

namespace own {

/// The results of answer() for each ray. Ray i is cast into worlds[i], or into world 0 if `worlds`
/// is empty.
template <class View>
std::vector<Answer> answers(const View& scene, const std::vector<Ray>& rays,
                            const std::vector<std::uint32_t>& worlds);

/// The closest hits of rays in world 0, found by closest_each(). If `skip` is not empty, ray i does
/// not hit triangle skip[i], and has the mask kMask.
template <class View>
std::vector<Hit> each_hit(const View& scene, const std::vector<Ray>& rays,
                          const std::vector<std::uint32_t>& skip);
/// For each ray, true if any_each() finds a hit. For the arguments, see each_hit().
template <class View>
std::vector<bool> any_hit(const View& scene, const std::vector<Ray>& rays,
                          const std::vector<std::uint32_t>& skip);

}  // namespace own
