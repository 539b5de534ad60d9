// Compared pictures as one HTML page: cases, their pictures to look at pixel by pixel, numbers,
// checks, and what was accepted when. This says what the page shows; how is for page/ to say.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "math/portable.hpp"

namespace ballotcast::detail {

/// Named words in the order in which they are shown, e.g. {"block_size", "256"}. Keys are
/// snake_case and carry units.
using PageWords = std::vector<std::pair<std::string, std::string>>;

/// What a verdict means for the run. `to_review`: a person is to look; nothing was asked that could
/// have failed.
enum class PageOutcome { ok, failed, skipped, to_review };

/// A measured number and what it must keep to.
struct PageNumber {
  std::string name;   // e.g. "pixels that differ"
  std::string value;  // in words
  std::string limit;  // in words, e.g. "at most 0.01"; "" where there is none
  bool kept = true;   // is the limit?
};

/// Something that must be the same, and what it was.
struct PageCheck {
  std::string name;  // e.g. "pixels hash", "counter", "rays"
  std::string expected;
  std::string got;
  bool same = true;
};

/// The pixel that differs most, values in words.
struct PagePixel {
  u32 x = 0;
  u32 y = 0;
  std::string reference;
  std::string result;
};

/// A time at which someone took a new picture for the right one.
struct PageAcceptance {
  std::string date;
  std::string reason;
  std::string version;
  std::string before;  // the old hash; "" for the first
  std::string after;   // the new hash
};

/// The PNG files of a case; one without bytes is absent.
struct PageCasePictures {
  std::vector<u8> reference;
  std::vector<u8> result;
  bool result_is_reference = false;  // byte for byte: `result` is not needed then
  std::vector<u8> difference;
  std::vector<u8> flip;
};

/// One compared picture.
struct PageCase {
  std::string name;     // no two cases have the same
  std::string verdict;  // a word or two, e.g. "same", "within limits", "different", "new"
  PageOutcome outcome = PageOutcome::ok;
  std::string why;  // in sentences
  PageWords axes;   // e.g. {"scene", "atrium"}
  PageCasePictures pictures;
  std::vector<PageNumber> numbers;
  std::vector<PageCheck> checks;
  std::optional<PagePixel> worst;
  std::vector<PageAcceptance> history;  // the newest first
};

/// All that a page shows.
struct PagePictures {
  std::string title;
  std::string summary;  // the first sentence; "": how many cases failed
  PageWords facts;      // e.g. {"device", "NVIDIA H200"}
  std::vector<std::string> notes;
  std::vector<PageCase> cases;
};

/// The page. It holds every PNG once, however often it is shown, and loads nothing.
std::string pictures_page(const PagePictures& pictures);

}  // namespace ballotcast::detail
