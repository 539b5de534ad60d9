// Writes one HTML page that shows compared pictures: cases, pictures that can be examined pixel by
// pixel, numbers, checks, and the history of acceptances. This file defines the content of the
// page; the files of page/ define its look.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compare/comparison.hpp"
#include "math/portable.hpp"

namespace ballotcast::detail {

/// Names and texts in display order, e.g. {"block_size", "256"}. Names are snake_case and contain
/// the unit.
using PageWords = std::vector<std::pair<std::string, std::string>>;

/// How a case counts in the run. `to_review`: a person must look at the case, because there is no
/// check that could fail.
enum class PageOutcome { ok, failed, skipped, to_review };

/// A measured number and its limit, as the page shows them.
struct PageNumber {
  std::string name;   // name, e.g. "pixels that differ"
  std::string value;  // the number as text
  std::string limit;  // as text, e.g. "at most 0.01"; "" if there is none
  bool kept = true;   // true if the limit holds
};

/// Two values that must be equal.
struct PageCheck {
  std::string name;  // name, e.g. "pixels hash", "counter", "rays"
  std::string expected;
  std::string got;
  bool same = true;
};

/// The pixel that differs most, with its values in both pictures as text.
struct PagePixel {
  u32 x = 0;
  u32 y = 0;
  std::string reference;
  std::string result;
};

/// One acceptance of the history: someone approved a new picture.
struct PageAcceptance {
  std::string date;
  std::string reason;
  std::string version;
  std::string before;  // the old hash; "" for the first acceptance
  std::string after;   // the new hash; "" if the case was removed
  std::string what;    // what the acceptance changed, in sentences; "" if that is not known
};

/// The PNG files of a case. An empty vector means that there is no such picture.
struct PageCasePictures {
  std::vector<u8> reference;
  std::vector<u8> result;
  // True if both are equal byte for byte; then `result` is not needed
  bool result_is_reference = false;
  std::vector<u8> difference;
  std::vector<u8> flip;
};

/// The command that approves a case, in two parts. Between them goes the reason, quoted for a
/// shell.
struct PageApproval {
  std::string of;  // the case as the command names it; results of the same case share their reason
  std::string before;
  std::string after;
  std::string folder;  // folder in which to run the command; "" if it works in every folder
};

/// One compared picture.
struct PageCase {
  std::string name;  // name; no two cases have the same
  // The verdict in a word or two, e.g. "same", "within limits", "different", "new"
  std::string verdict;
  PageOutcome outcome = PageOutcome::ok;
  std::string why;  // the reason for the verdict, in one or more sentences
  // The limits with which the case would pass, as text to paste; "" if there are none
  std::string needed;
  PageWords axes;  // axes and their values, e.g. {"scene", "atrium"}
  PageCasePictures pictures;
  std::vector<PageNumber> numbers;
  std::vector<PageCheck> checks;
  std::optional<PagePixel> worst;
  // The command that approves the case; absent if there is nothing to approve
  std::optional<PageApproval> approval;
  std::vector<PageAcceptance> history;  // acceptances, the newest first
};

/// The whole content of a page.
struct PagePictures {
  std::string title;
  // The first sentence of the page; if "", the page says how many cases failed
  std::string summary;
  PageWords facts;  // conditions of the run, e.g. {"device", "NVIDIA H200"}
  std::vector<std::string> notes;
  std::vector<PageCase> cases;
};

/// The page as HTML. It contains each PNG once, even if it is shown several times, and loads no
/// other files.
std::string pictures_page(const PagePictures& pictures);

/// A number for a page: integers without decimals, others with four decimals.
std::string page_number(double value);

/// Writes the value of `measure` ("max error", "different_percent", "flip") and its limit in the
/// page's row for it, and adds the row if there is none. `kept` is true if the limit holds.
void set_limit(PageCase& page, const std::string& measure, const std::string& value,
               const std::string& limit, bool kept);

/// Adds the numbers of a comparison and its worst pixel. If the pictures differ, also adds pictures
/// of the difference: amplified to the full range, and the FLIP map.
void add_comparison(PageCase& page, const PicturePair& pair, const Comparison& comparison);

}  // namespace ballotcast::detail
