// The request of `ballotcast compare` and its reports.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ballotcast/compare.hpp"
#include "compare/ci_report.hpp"
#include "compare/picture_files.hpp"
#include "compare/pictures_page.hpp"
#include "support/json_fwd.hpp"

namespace ballotcast::detail {

/// The values of the options of `compare`.
struct CompareRequest {
  std::string reference, result;
  FileCompareOptions options;
  Limits limits;
  std::vector<LinearLimit> linear_limits;  // limits for linear pictures
  // Factor of the difference picture; if absent, the largest difference is shown at full brightness
  std::optional<double> amplify;
  std::string difference, flip;  // names of picture files to write, or ""
  std::string html, junit;       // names of reports to write, or ""
  bool json = false;
  bool github = false;  // true to print annotations for GitHub
};

/// Compares the two files of a request. Throws UsageError if an option does not work for these
/// files, and InputError if a file is unusable.
FileComparison compared_files(const CompareRequest& request);

/// Throws UsageError if the request has options for linear pictures and `has_linear` is false.
void require_linear(const CompareRequest& request, bool has_linear);

/// Judges a comparison by the limits of a request. Throws UsageError if the limit --max-error is
/// larger than the largest sample of these pictures.
Judgement judged(const CompareRequest& request, const FileComparison& files);

/// A comparison with everything that reports about it need.
struct CompareReport {
  const CompareRequest& request;
  const FileComparison& files;
  Judgement judgement;
  double amplification;  // factor of the picture that --diff writes
};

/// The options with which the comparison would pass. "" if it passes already, or if no options
/// help.
std::string needed_of(const CompareReport& report);

/// The report in a sentence or two.
std::string in_words(const CompareReport& report);

/// The report as text for a terminal of 80 columns. The first line says what differs, the last line
/// is the outcome.
std::string text_of(const CompareReport& report);

/// Reads a picture file and returns it as a PNG, for pages.
std::vector<u8> shown_picture_of(const std::string& path);

/// The content of the report's HTML page, and the part of it about the two pictures.
PagePictures page_of(const CompareReport& report);
PageCase page_case_of(const CompareReport& report);

/// The result of the comparison for CI services.
CiResult ci_result_of(const CompareReport& report);

/// Writes the JUnit file and prints the GitHub annotations that the request asks for. `name` is the
/// name of the JUnit suite. `results` has one result per pair of pictures.
void report_to_ci(const CompareRequest& request, const std::string& name,
                  const std::vector<CiResult>& results, double milliseconds);

/// The report as JSON. Infinite and undefined numbers are strings.
Json json_of(const CompareReport& report);

// `ballotcast compare` of two folders compares pictures that have the same name.

/// Compares the folders of the request, prints and writes the reports, and returns the exit code. A
/// picture that can't be read, or that only one folder has, also has a result.
int compare_folders(const CompareRequest& request);

}  // namespace ballotcast::detail
