// The table of pipelines: the rows of --pipeline, and the meaning of `auto`.
#pragma once

#include "kernels/pipelines/block.hpp"
#include "kernels/pipelines/passes.hpp"
#include "kernels/pipelines/queue.hpp"
#include "kernels/pipelines/warp/warp.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

/// A ladder: each pipeline moves less data through global memory than the one before.
using Pipelines = TypeList<Passes, Queue, Block, Warp>;

/// The pipeline that `auto` selects: the fastest on every scene measured. It chooses between a
/// kernel for coherent rays and one for incoherent rays by itself.
inline constexpr std::string_view kAutoPipeline = Warp::info.name;

}  // namespace ballotcast::detail
