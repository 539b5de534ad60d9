// ballotcast compare: whether two pictures are equal, and how much they differ.
#include <filesystem>
#include <memory>

#include "cli/command.hpp"
#include "cli/compare_options.hpp"
#include "cli/compare_report.hpp"
#include "cli/output.hpp"
#include "compare/difference.hpp"
#include "compare/metrics/flip.hpp"
#include "image/codec.hpp"
#include "support/error.hpp"
#include "support/files.hpp"

namespace ballotcast::detail {

namespace {

/// Refuses invalid requests before any long work.
void check(const CompareRequest& r) {
  if (r.reference.empty() || r.result.empty())
    throw UsageError("compare needs two files, a reference and a result");
  for (const auto& [option, path] : {std::pair("--diff", r.difference), {"--flip", r.flip}}) {
    if (path.empty()) continue;
    require_name(kPicture, option, path);
    for (const std::string& input : {r.reference, r.result})
      if (same_file(path, input))
        throw UsageError(std::string(option) + " '" + path +
                         "' is a picture to compare; writing to it would destroy it");
    require_report_place(option, path, "the numbers", kPicture);
  }
  for (const std::string& other : {r.reference, r.result, r.difference, r.flip})
    if (!r.html.empty() && !other.empty() && same_file(r.html, other))
      throw UsageError("--html '" + r.html + "' is one of the pictures");
  require_report_place("--html", r.html, "the numbers", kPage);
  if (!r.difference.empty() && !r.flip.empty() && same_file(r.difference, r.flip))
    throw UsageError("--diff and --flip name the same file '" + r.flip + "'");
  if (r.amplify && r.difference.empty()) throw UsageError("--amplify needs --diff FILE");
}

/// The result of work(). If work throws UsageError, `option` is put before the message.
template <class Work>
auto as_of(const std::string& option, Work work) {
  try {
    return work();
  } catch (const UsageError& error) {
    throw UsageError(option + ": " + error.what());
  }
}

/// Writes the requested pictures: either all or none.
void write_pictures(const CompareRequest& r, const PicturePair& pair, double amplification) {
  std::vector<u8> difference, flip;
  if (!r.difference.empty()) difference = encode_png(difference_picture(pair, amplification));
  if (!r.flip.empty()) flip = encode_png(heat_picture(flip_map(pair)));
  if (!r.difference.empty()) write_file_atomically(r.difference, difference);
  try {
    if (!r.flip.empty()) write_file_atomically(r.flip, flip);
  } catch (...) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(r.difference, ignored))
      std::filesystem::remove(r.difference, ignored);
    throw;
  }
}

int compare_files(const CompareRequest& r) {
  check(r);
  const SampledImage reference = read_png(r.reference), result = read_png(r.result);
  const PicturePair pair = as_of("--allow", [&] {
    return paired(reference, result, {r.allow, r.reference, r.result});
  });
  const Comparison comparison = compare_pair(pair);
  const Judgement judgement = as_of("--max-error", [&] { return judge(comparison, r.limits); });
  const double amplification = r.amplify ? *r.amplify : full_amplification(pair);
  write_pictures(r, pair, amplification);
  const CompareReport report{r, reference, result, pair, comparison, judgement, amplification};
  if (!r.html.empty()) write_text_atomically(r.html, pictures_page(page_of(report)));
  print(r.json ? json_of(report) : text_of(report));
  return judgement.outcome.exit_code;
}

}  // namespace

Command compare_command() {
  const auto request = std::make_shared<CompareRequest>();
  return {"compare", "compares two PNG pictures, exactly and as an eye sees them",
          compare_options(*request), [request] { return compare_files(*request); }};
}

}  // namespace ballotcast::detail
