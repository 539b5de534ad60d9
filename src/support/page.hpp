// HTML pages that are whole in one file: style, script and data stand inside them, and they load
// nothing.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ballotcast::detail {

/// The files of a page inside the program.
struct PageFiles {
  std::string_view html;    // with places like {{title}}
  std::string_view style;   // of place {{style}}
  std::string_view script;  // of place {{script}}
};

/// What stands in the places of a page, by their names.
using PagePlaces = std::vector<std::pair<std::string_view, std::string>>;

/// The page with all its places filled. What is put in is never looked through: a title may hold
/// "{{script}}".
std::string filled_page(const PageFiles& files, const PagePlaces& places);

/// Text that may stand in an element or an attribute.
std::string escaped_html(std::string_view text);

/// JSON that may stand inside a script element: no "</script>" and no "<!--" can end or change it.
std::string inside_script(std::string_view json);

}  // namespace ballotcast::detail
