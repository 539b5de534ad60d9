#include "compare/ci_report.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "support/json.hpp"

namespace ballotcast::detail {

namespace {

/// Returns `words` as text for an XML attribute or element. Control characters become "?", and
/// invalid UTF-8 becomes U+FFFD.
std::string in_xml(const std::string& words) {
  const std::string text =
      Json::parse(Json(words).dump(-1, ' ', false, Json::error_handler_t::replace));
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\n':
        out += "&#10;";
        break;
      case '\t':
        out += "&#9;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    }
  }
  return out;
}

std::string seconds(double milliseconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", milliseconds * 1e-3);
  return text;
}

/// The XML inside the testcase element of a result. The message is both an attribute and the text,
/// because some services show the one and some the other.
std::string inside_of(const CiResult& result) {
  if (result.outcome == CiOutcome::passed) return "";
  const std::string message = in_xml(result.message);
  if (result.outcome == CiOutcome::skipped) return "<skipped message=\"" + message + "\"/>";
  return "<failure type=\"" + in_xml(result.type) + "\" message=\"" + message + "\">" + message +
         "</failure>";
}

/// Returns `text` escaped for a workflow command. In a property, commas and colons are escaped too,
/// because they would end it.
std::string in_command(const std::string& text, bool is_property) {
  std::string out;
  for (const char c : text) {
    if (c == '%')
      out += "%25";
    else if (c == '\r')
      out += "%0D";
    else if (c == '\n')
      out += "%0A";
    else if (is_property && c == ':')
      out += "%3A";
    else if (is_property && c == ',')
      out += "%2C";
    else
      out += c;
  }
  return out;
}

/// The path of `file` relative to the checkout (GITHUB_WORKSPACE), as GitHub expects it. Other
/// paths are returned unchanged.
std::string seen_from_checkout(const std::string& file) {
  namespace fs = std::filesystem;
  const char* const checkout = std::getenv("GITHUB_WORKSPACE");
  if (!checkout || *checkout == '\0' || file.empty()) return file;
  std::error_code failure;
  const fs::path whole = fs::weakly_canonical(fs::absolute(file), failure);
  const fs::path top = fs::weakly_canonical(checkout, failure);
  const fs::path seen = whole.lexically_relative(top);
  return seen.empty() || *seen.begin() == ".." ? file : seen.generic_string();
}

}  // namespace

std::string junit_xml(const std::string& name, const std::vector<CiResult>& results,
                      double milliseconds) {
  const auto count = [&](CiOutcome outcome) {
    return std::to_string(std::ranges::count(results, outcome, &CiResult::outcome));
  };
  std::string cases;
  for (const CiResult& result : results) {
    const std::string inside = inside_of(result);
    cases += "    <testcase classname=\"" + in_xml(result.group) + "\" name=\"" +
             in_xml(result.name) + "\" time=\"" + seconds(result.milliseconds) + "\"" +
             (inside.empty() ? "/>\n" : ">" + inside + "</testcase>\n");
  }
  const std::string counts = " tests=\"" + std::to_string(results.size()) + "\" failures=\"" +
                             count(CiOutcome::failed) + "\" errors=\"0\" skipped=\"" +
                             count(CiOutcome::skipped) + "\" time=\"" + seconds(milliseconds) +
                             "\"";
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + counts +
         ">\n  <testsuite name=\"" + in_xml(name) + "\"" + counts + ">\n" + cases +
         "  </testsuite>\n</testsuites>\n";
}

std::string github_annotations(const std::vector<CiResult>& results) {
  std::string lines;
  for (const CiResult& result : results)
    if (result.outcome == CiOutcome::failed)
      lines += "::error file=" + in_command(seen_from_checkout(result.file), true) +
               ",title=" + in_command(result.name, true) +
               "::" + in_command(result.type + ": " + result.message, false) + "\n";
  return lines;
}

}  // namespace ballotcast::detail
