// Results in the forms that CI services read: JUnit's XML, and annotations of GitHub.
#pragma once

#include <string>
#include <vector>

namespace ballotcast::detail {

/// What a result counts as.
enum class CiOutcome { passed, failed, skipped };

/// A result.
struct CiResult {
  std::string group;  // e.g. the suite
  std::string name;
  CiOutcome outcome = CiOutcome::passed;
  std::string type;     // of a failure: "different"
  std::string message;  // of a failure or of what was skipped
  std::string file;     // the file that an annotation of a failure is shown at
  double milliseconds = 0.0;
};

/// JUnit XML: one testsuite called `name`, with one testcase per result.
std::string junit_xml(const std::string& name, const std::vector<CiResult>& results,
                      double milliseconds);

/// An annotation of GitHub for each failure, a line each ("Workflow commands for GitHub Actions",
/// docs.github.com): "::error file=FILE,title=NAME::TYPE: MESSAGE". Under GitHub Actions, names of
/// files are made relative to the checkout (GITHUB_WORKSPACE).
std::string github_annotations(const std::vector<CiResult>& results);

}  // namespace ballotcast::detail
