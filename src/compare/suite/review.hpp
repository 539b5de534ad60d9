// Keeps pictures from being approved unseen: who accepts many by a pattern has had a page of them.
#pragma once

#include <string>
#include <vector>

#include "compare/suite/accept.hpp"

namespace ballotcast::detail {

/// The most cases that patterns may approve without a page of them.
inline constexpr std::size_t kMostWithoutPage = 5;

/// How the title of a page of old and new pictures ends, before they are approved and after.
inline constexpr const char* kReviewTitle = ": to be approved";
inline constexpr const char* kApprovedTitle = ": approved";

/// How many of `acceptances` change something and are fitted by a pattern of `names` alone: nobody
/// wrote their names out.
std::size_t fitted_by_patterns(const std::vector<std::string>& names,
                               const std::vector<Acceptance>& acceptances);

/// Throws InputError, naming `page`, unless that is a page of old and new pictures that shows each
/// of the `acceptances` that changes something, with the same hashes and counters, old and new.
void require_reviewed(const std::string& page, const std::vector<Acceptance>& acceptances);

}  // namespace ballotcast::detail
