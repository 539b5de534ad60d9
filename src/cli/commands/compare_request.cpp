// Handles the request of `ballotcast compare`: reads, compares and judges its files.
#include "cli/commands/compare_report.hpp"
#include "compare/needed.hpp"
#include "compare/picture_files.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {

FileComparison compared_files(const CompareRequest& r) {
  try {
    return compared_files(r.reference, r.result, r.how);
  } catch (const UsageError& error) {
    throw UsageError(std::string("--ignore: ") + error.what());
  }
}

void require_linear(const CompareRequest& r, bool has_linear) {
  if (has_linear) return;
  for (const auto& [is_given, option] : {std::pair(!r.linear_limits.empty(), "--fail-linear"),
                                         {r.how.block.has_value(), "--block"},
                                         {r.how.exposure.has_value(), "--exposure"}})
    if (is_given)
      throw UsageError(std::string(option) + " is for linear pictures: PFM, HDR, OpenEXR");
}

Judgement judged(const CompareRequest& r, const FileComparison& files) {
  Judgement judgement;
  try {
    judgement = judge(files.comparison, r.limits);
  } catch (const UsageError& error) {
    throw UsageError(std::string("--max-error: ") + error.what());
  }
  if (!files.linear) return judgement;
  for (JudgedLimit& limit : judged(files.linear->comparison, r.linear_limits))
    judgement.limits.push_back(std::move(limit));
  judgement.outcome = outcome_of(files.comparison, judgement.limits);
  return judgement;
}

std::string needed_of(const CompareReport& report) {
  if (report.judgement.outcome.exit_code == 0) return "";
  const FileComparison& files = report.files;
  return needed_options(files.comparison, report.judgement.limits,
                        files.linear ? &files.linear->comparison : nullptr);
}

}  // namespace ballotcast::detail
