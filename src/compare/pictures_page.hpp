// Compared pictures as one HTML page: cases, pictures that can be examined pixel by pixel, numbers,
// checks, and the history of acceptances. This file defines the content of the page; page/ defines
// its look.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compare/comparison.hpp"
#include "math/portable.hpp"

namespace ballotcast::detail {

/// Named texts in display order, e.g. {"block_size", "256"}. Keys are snake_case and contain the
/// unit.
using PageWords = std::vector<std::pair<std::string, std::string>>;

/// What a verdict means for the run. `to_review`: a person must look at the case, because there is
/// no check that could fail.
enum class PageOutcome { ok, failed, skipped, to_review };

/// A measured number and its limit.
struct PageNumber {
  std::string name;   // e.g. "pixels that differ"
  std::string value;  // as text
  std::string limit;  // as text, e.g. "at most 0.01"; "" if there is none
  bool kept = true;   // true if the limit holds
};

/// Something that must be equal, with both values.
struct PageCheck {
  std::string name;  // e.g. "pixels hash", "counter", "rays"
  std::string expected;
  std::string got;
  bool same = true;
};

/// The pixel that differs most, with its values as text.
struct PagePixel {
  u32 x = 0;
  u32 y = 0;
  std::string reference;
  std::string result;
};

/// One acceptance: someone approved a new picture.
struct PageAcceptance {
  std::string date;
  std::string reason;
  std::string version;
  std::string before;  // the old hash; "" for the first
  std::string after;   // the new hash; "" if the case was removed
  std::string what;    // what it changed, in sentences; "" if that is not known
};

/// The PNG files of a case. An empty one means that there is no such picture.
struct PageCasePictures {
  std::vector<u8> reference;
  std::vector<u8> result;
  bool result_is_reference = false;  // equal byte for byte; then `result` is not needed
  std::vector<u8> difference;
  std::vector<u8> flip;
};

/// The command that approves a case. The reason, quoted for a shell, stands between the two parts.
struct PageApproval {
  std::string of;  // the case as the command names it; results of one case share their reason
  std::string before;
  std::string after;
  std::string folder;  // where to run it; "" if it works everywhere
};

/// One compared picture.
struct PageCase {
  std::string name;     // different for each case
  std::string verdict;  // a word or two, e.g. "same", "within limits", "different", "new"
  PageOutcome outcome = PageOutcome::ok;
  std::string why;     // one or more sentences
  std::string needed;  // the limits with which it would not fail, to paste; "" if there are none
  PageWords axes;      // e.g. {"scene", "atrium"}
  PageCasePictures pictures;
  std::vector<PageNumber> numbers;
  std::vector<PageCheck> checks;
  std::optional<PagePixel> worst;
  std::optional<PageApproval> approval;  // absent if there is nothing to approve
  std::vector<PageAcceptance> history;   // the newest first
};

/// The whole content of a page.
struct PagePictures {
  std::string title;
  std::string summary;  // the first sentence; if "", the page says how many cases failed
  PageWords facts;      // e.g. {"device", "NVIDIA H200"}
  std::vector<std::string> notes;
  std::vector<PageCase> cases;
};

/// The page as HTML. It contains every PNG once, however often it is shown, and loads nothing else.
std::string pictures_page(const PagePictures& pictures);

/// A number for a page: integers without decimals, others with four decimals.
std::string page_number(double value);

/// Adds a limit, and the value that it limits, to the page's row for `measure` ("max error",
/// "different_percent", "flip"). Adds the row if there is none. `kept` is true if the limit holds.
void set_limit(PageCase& page, const std::string& measure, const std::string& value,
               const std::string& limit, bool kept);

/// Adds the numbers of a comparison and its worst pixel. If the pictures differ, also adds pictures
/// of the difference: amplified to the full range, and the FLIP map.
void add_comparison(PageCase& page, const PicturePair& pair, const Comparison& comparison);

}  // namespace ballotcast::detail
