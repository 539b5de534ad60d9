// The table of pipelines: the rows of --pipeline, and what `auto` means.
#pragma once

#include "kernels/pipelines/passes.hpp"
#include "kernels/pipelines/queue.hpp"
#include "support/type_list.hpp"

namespace ballotcast {

using Pipelines = TypeList<Passes, Queue>;

/// The pipeline that `auto` takes: the fastest on every scene measured.
inline constexpr std::string_view kAutoPipeline = Queue::info.name;

}  // namespace ballotcast
