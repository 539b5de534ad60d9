// The files of page/ inside the program; tools/cmake/embed.cmake writes their definition.
#pragma once

#include "support/page.hpp"

namespace ballotcast::detail {

/// With places for {{title}} and {{data}}.
extern const PageFiles kReportPage;

}  // namespace ballotcast::detail
