// The table of pipelines: the rows of --pipeline, and what `auto` means.
#pragma once

#include "kernels/pipelines/block.hpp"
#include "kernels/pipelines/passes.hpp"
#include "kernels/pipelines/queue.hpp"
#include "kernels/pipelines/warp/warp.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

/// A ladder: each with less traffic through global memory than the one before.
using Pipelines = TypeList<Passes, Queue, Block, Warp>;

/// The pipeline that `auto` takes: the fastest on every scene measured, for coherent and incoherent
/// rays, between which it chooses itself.
inline constexpr std::string_view kAutoPipeline = Warp::info.name;

}  // namespace ballotcast::detail
