// The table of shadings, from which --shade chooses.
#pragma once

#include "kernels/shadings/albedo.hpp"
#include "kernels/shadings/ao.hpp"
#include "kernels/shadings/depth.hpp"
#include "kernels/shadings/facing.hpp"
#include "kernels/shadings/lit.hpp"
#include "kernels/shadings/normal.hpp"
#include "kernels/shadings/visits.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

using Shadings = TypeList<LitShading, NormalShading, DepthShading, AlbedoShading, FacingShading,
                          AoShading, VisitsShading>;

inline constexpr std::string_view kDefaultShading = LitShading::info.name;

}  // namespace ballotcast::detail
