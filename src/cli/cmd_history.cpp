// ballotcast history: who approved the pictures of a suite, when, why, and what that changed.
#include <memory>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "compare/suite/reports/reports.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {

namespace {

struct HistoryRequest {
  std::string suite;
  std::vector<std::string> cases;
};

int history(const HistoryRequest& r) {
  if (r.suite.empty()) throw UsageError("history needs a suite, a .json file");
  const Suite suite = load_suite(r.suite);
  print(history_report(suite, names_in_history(suite, r.cases)));
  return 0;
}

}  // namespace

Command history_command() {
  const auto r = std::make_shared<HistoryRequest>();
  std::vector<Option> table = {
      {"What", "SUITE", "FILE", "", "the suite", set_text(r->suite), false, true},
      {"What", "CASE", "NAME", "all cases", "names of cases, or patterns with * and ?",
       set_texts(r->cases), true, false}};
  return {"history", "shows when and why pictures of a suite were approved, the newest first",
          table, [r] { return history(*r); }};
}

}  // namespace ballotcast::detail
