// Answers of a program that is compiled with options of its own.
#pragma once

#include <vector>

#include "device_header/own_answer.hpp"

namespace own {

/// The answers about each ray; it is cast into worlds[i], or into world 0 if there are none.
template <class View>
std::vector<Answer> answers(const View& scene, const std::vector<Ray>& rays,
                            const std::vector<std::uint32_t>& worlds);

/// The closest hits of rays in world 0, which closest_each casts. If `skip` is not empty, ray i
/// does not hit triangle skip[i], and has the mask kMask.
template <class View>
std::vector<Hit> each_hit(const View& scene, const std::vector<Ray>& rays,
                          const std::vector<std::uint32_t>& skip);
/// Whether such rays hit anything, found by any_each.
template <class View>
std::vector<bool> any_hit(const View& scene, const std::vector<Ray>& rays,
                          const std::vector<std::uint32_t>& skip);

}  // namespace own
