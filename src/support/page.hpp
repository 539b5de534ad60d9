// HTML pages in a single file: style, script and data are part of the file, and the page loads
// nothing else.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ballotcast::detail {

/// The source files of a page, embedded in the program.
struct PageFiles {
  std::string_view html;    // contains placeholders, e.g. {{title}}
  std::string_view style;   // replaces {{style}}
  std::string_view script;  // replaces {{script}}
};

/// The values of a page's placeholders other than {{style}} and {{script}}, by name.
using PageValues = std::vector<std::pair<std::string_view, std::string>>;

/// The page with all placeholders replaced. Inserted values are not searched for placeholders, so a
/// title may contain "{{script}}".
std::string filled_page(const PageFiles& files, const PageValues& values);

/// `text` escaped for an HTML element or attribute.
std::string escaped_html(std::string_view text);

/// JSON escaped for a script element, so that "</script>" or "<!--" in it can't end or change the
/// element.
std::string inside_script(std::string_view json);

}  // namespace ballotcast::detail
