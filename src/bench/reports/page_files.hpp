// The files of page/ inside the program; tools/cmake/embed.cmake writes their definitions.
#pragma once

#include <string_view>

namespace ballotcast {

extern const std::string_view
    kPageHtml;  // with places for {{title}}, {{style}}, {{data}}, {{script}}
extern const std::string_view kPageStyle;   // page.css
extern const std::string_view kPageScript;  // the .js files, one after the other

}  // namespace ballotcast
