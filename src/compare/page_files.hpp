// The files of page/ inside the program; tools/cmake/embed.cmake writes their definition.
#pragma once

#include "support/page.hpp"

namespace ballotcast::detail {

/// With places for {{title}}, {{data}}, {{pictures}} and {{plain}}.
extern const PageFiles kPicturesPage;

}  // namespace ballotcast::detail
