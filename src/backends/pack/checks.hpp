// Checks what a packed file says about a tree and about lights.
#pragma once

#include "backends/scene/prepare.hpp"
#include "support/packed_file.hpp"

namespace ballotcast::detail {

/// Throws InputError, which names `file`, unless walks through the tree of `out` and the lists of
/// copies stay within their arrays, and the statistics may be those of the tree. Sets out.bounds.
void require_usable_tree(PreparedScene& out, const PackedFile& file);

/// Throws InputError, which names `file`, unless kernels can choose lights from the tables.
void require_usable_lights(const PreparedScene& out, const PackedFile& file);

}  // namespace ballotcast::detail
