// The table of pipelines for --pipeline, and what --pipeline=auto selects.
#pragma once

#include "kernels/pipelines/block.hpp"
#include "kernels/pipelines/passes.hpp"
#include "kernels/pipelines/queue.hpp"
#include "kernels/pipelines/warp/warp.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

/// Each pipeline moves less data through global memory than the one before it.
using Pipelines = TypeList<Passes, Queue, Block, Warp>;

/// The pipeline that `auto` selects: it was the fastest on every scene measured. This pipeline
/// chooses between its kernels for coherent and for incoherent rays by itself.
inline constexpr std::string_view kAutoPipeline = Warp::info.name;

}  // namespace ballotcast::detail
