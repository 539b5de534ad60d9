#include "compare/suite/review.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "support/error.hpp"
#include "support/files/files.hpp"
#include "support/json.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

/// The JSON document inside the page at `path`.
Json document_of(const std::string& path) {
  const std::vector<u8> bytes = read_file(path);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::string_view begin = "id=\"data\">", end = "</script>";
  const std::size_t from = text.find(begin);
  const Json none;
  if (from == text.npos) return none;
  const std::string_view rest = text.substr(from + begin.size());
  return Json::parse(rest.substr(0, rest.find(end)), nullptr, /*allow_exceptions=*/false);
}

bool is_review(const Json& page) {
  if (!page.is_object() || !page.contains("title") || !page["title"].is_string()) return false;
  const auto title = page["title"].get<std::string>();
  return (title.ends_with(kReviewTitle) || title.ends_with(kApprovedTitle)) &&
         page.contains("cases") && page["cases"].is_array();
}

/// The numbers of `a`, as a page has them.
Json checks_of(const Acceptance& a) {
  Json checks = Json::array();
  for (const SuiteCheck& number : a.numbers)
    checks.push_back({{"name", number.name},
                      {"expected", number.expected},
                      {"got", number.got},
                      {"same", number.same()}});
  return checks;
}

const Json* case_called(const std::string& name, const Json& page) {
  const auto found = std::find_if(page["cases"].begin(), page["cases"].end(), [&](const Json& c) {
    return c.is_object() && c.contains("name") && c["name"] == name;
  });
  return found == page["cases"].end() ? nullptr : &*found;
}

}  // namespace

AcceptCommand accept_command_for(const Suite& suite, const std::string& name) {
  const std::string program = shell_quoted(suite.program) + " accept";
  const std::string operands = " " + shell_quoted(suite.path) + " " + shell_quoted(name);
  // Behind -- nothing is taken for an option.
  if (suite.path.starts_with('-') || name.starts_with('-'))
    return {program + " --reason=", " --" + operands};
  return {program + operands + " --reason=", ""};
}

bool can_be_accepted(CaseVerdict verdict) {
  using enum CaseVerdict;
  return verdict == different || verdict == unapproved || verdict == inputs_changed ||
         verdict == golden_changed;
}

std::string folder_of_commands(const Suite& suite) {
  namespace fs = std::filesystem;
  const bool named_by_path = suite.program.find('/') != suite.program.npos;
  if (fs::path(suite.path).is_absolute() &&
      (!named_by_path || fs::path(suite.program).is_absolute()))
    return "";
  std::error_code gone;
  const fs::path here = fs::current_path(gone);
  return gone ? "" : here.string();
}

std::string fault_of_reason(const std::string& reason) {
  const bool has_words = std::any_of(reason.begin(), reason.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c >= 0x80;
  });
  if (!has_words) return "it has no words";
  try {
    Json(reason).dump();
  } catch (const Json::exception&) {
    return "it is not UTF-8";
  }
  return "";
}

std::size_t fitted_by_patterns(const std::vector<std::string>& names,
                               const std::vector<Acceptance>& acceptances) {
  return static_cast<std::size_t>(std::ranges::count_if(acceptances, [&](const Acceptance& a) {
    return a.changes && std::ranges::find(names, a.suite_case->name) == names.end();
  }));
}

void require_reviewed(const std::string& page, const std::vector<Acceptance>& acceptances) {
  const Json shown = document_of(page);
  if (!is_review(shown))
    throw InputError(page + ": not a page of old and new pictures for acceptance");
  const std::string again = ": write the page again and look at it";
  for (const Acceptance& a : acceptances) {
    if (!a.changes) continue;
    const Json* its = case_called(a.suite_case->name, shown);
    if (!its) throw InputError(page + " doesn't show " + a.suite_case->name + again);
    if (!its->contains("checks") || (*its)["checks"] != checks_of(a))
      throw InputError(page + " shows another picture of " + a.suite_case->name +
                       " than would be accepted now" + again);
  }
}

}  // namespace ballotcast::detail
