// The files of page/, embedded in the program. tools/cmake/embed.cmake writes the definition.
#pragma once

#include "support/page.hpp"

namespace ballotcast::detail {

/// Contains the placeholders {{title}}, {{data}}, {{pictures}} and {{plain}}.
extern const PageFiles kPicturesPage;

}  // namespace ballotcast::detail
