// The files of page/, embedded in the program. tools/cmake/embed.cmake writes the definition.
#pragma once

#include "support/page.hpp"

namespace ballotcast::detail {

/// Contains the placeholders {{title}} and {{token}}.
extern const PageFiles kViewPage;

}  // namespace ballotcast::detail
