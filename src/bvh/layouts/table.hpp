// The table of layouts.
#pragma once

#include "bvh/layouts/bvh2/layout.hpp"
#include "support/type_list.hpp"

namespace ballotcast {

using Layouts = TypeList<bvh2::Layout>;

}  // namespace ballotcast
