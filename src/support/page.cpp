#include "support/page.hpp"

namespace ballotcast::detail {

namespace {

std::string_view content_of(std::string_view placeholder, const PageFiles& files,
                            const PageValues& values) {
  if (placeholder == "style") return files.style;
  if (placeholder == "script") return files.script;
  for (const auto& [name, content] : values)
    if (name == placeholder) return content;
  return "";
}

}  // namespace

std::string filled_page(const PageFiles& files, const PageValues& values) {
  std::string out;
  std::string_view rest = files.html;
  for (std::size_t at = rest.find("{{"); at != rest.npos; at = rest.find("{{")) {
    const std::size_t end = rest.find("}}", at);
    out.append(rest.substr(0, at));
    out.append(content_of(rest.substr(at + 2, end - at - 2), files, values));
    rest.remove_prefix(end + 2);
  }
  return out.append(rest);
}

std::string escaped_html(std::string_view text) {
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

std::string inside_script(std::string_view json) {
  std::string out;
  for (const char c : json)
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  return out;
}

}  // namespace ballotcast::detail
