// The types of vectors. This is the only file that includes GLM.
#pragma once

#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

namespace ballotcast::detail {

using vec2 = glm::vec2;
using vec3 = glm::vec3;
using vec4 = glm::vec4;
using dvec3 = glm::dvec3;
using uvec3 = glm::uvec3;

using glm::cross;
using glm::dot;

}  // namespace ballotcast::detail
