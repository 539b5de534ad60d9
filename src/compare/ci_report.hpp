// Writes results in the formats that CI services read: JUnit's XML and annotations of GitHub.
#pragma once

#include <string>
#include <vector>

namespace ballotcast::detail {

/// How a CI service counts a result.
enum class CiOutcome { passed, failed, skipped };

/// A result of a test, as CI services show it.
struct CiResult {
  std::string group;  // the group of tests that the result belongs to, e.g. the suite
  std::string name;
  CiOutcome outcome = CiOutcome::passed;
  std::string type;     // the kind of a failure: "different"
  std::string message;  // the message of a failure, or the reason for skipping
  std::string file;     // the file at which GitHub shows the annotation of a failure
  double milliseconds = 0.0;
};

/// JUnit XML: one testsuite called `name`, with one testcase per result.
std::string junit_xml(const std::string& name, const std::vector<CiResult>& results,
                      double milliseconds);

/// One annotation of GitHub per failure, one per line ("Workflow commands for GitHub Actions",
/// docs.github.com): "::error file=FILE,title=NAME::TYPE: MESSAGE". Under GitHub Actions, file
/// names are made relative to the checkout (GITHUB_WORKSPACE).
std::string github_annotations(const std::vector<CiResult>& results);

}  // namespace ballotcast::detail
