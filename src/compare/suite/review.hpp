// Prevents approval of unseen pictures: a pattern that approves many cases requires a page that was
// reviewed.
#pragma once

#include <string>
#include <vector>

#include "compare/suite/accept.hpp"

namespace ballotcast::detail {

/// The largest number of cases that patterns may approve without a reviewed page.
inline constexpr std::size_t kMostWithoutPage = 5;

/// The end of the title of a page with old and new pictures, before and after approval.
inline constexpr const char* kReviewTitle = ": to be approved";
inline constexpr const char* kApprovedTitle = ": approved";

/// The number of `acceptances` that change something and were chosen by a pattern: their own name
/// is not in `names`.
std::size_t fitted_by_patterns(const std::vector<std::string>& names,
                               const std::vector<Acceptance>& acceptances);

/// Throws InputError, which names `page`, unless `page` shows old and new pictures of all
/// `acceptances` that change something, with the same old and new hashes and counters.
void require_reviewed(const std::string& page, const std::vector<Acceptance>& acceptances);

}  // namespace ballotcast::detail
