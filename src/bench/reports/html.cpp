// Results as one page: the files of page/ with the JSON report inside them. All else is the
// script's doing.
#include <string>
#include <string_view>

#include "bench/reports/page_files.hpp"
#include "bench/reports/report.hpp"

namespace ballotcast {

namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const char* name = c == '&'   ? "&amp;"
                       : c == '<' ? "&lt;"
                       : c == '>' ? "&gt;"
                       : c == '"' ? "&quot;"
                                  : nullptr;
    if (name != nullptr)
      out += name;
    else
      out += c;
  }
  return out;
}

/// JSON that may stand inside a script element: no "</script>" and no "<!--" can end or change it.
std::string inside_script(std::string_view json) {
  std::string out;
  for (const char c : json)
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  return out;
}

std::string content_of(std::string_view place, const Results& results) {
  if (place == "title") return escaped(results.title);
  if (place == "style") return std::string(kPageStyle);
  if (place == "script") return std::string(kPageScript);
  return inside_script(json_report(results));
}

}  // namespace

std::string html_report(const Results& results) {
  std::string out;
  // What is put in is never looked through: a title may hold "{{script}}".
  std::string_view rest = kPageHtml;
  for (std::size_t at = rest.find("{{"); at != rest.npos; at = rest.find("{{")) {
    const std::size_t end = rest.find("}}", at);
    out.append(rest.substr(0, at)).append(content_of(rest.substr(at + 2, end - at - 2), results));
    rest.remove_prefix(end + 2);
  }
  return out.append(rest);
}

}  // namespace ballotcast
