// The noise of measurements. No difference is claimed that lies within the noise.
#pragma once

#include <string>

#include "bench/results.hpp"

namespace ballotcast::detail {

/// Results from earlier versions have a fact with this key, which describes their noise. Tables
/// show noise_in_words instead.
inline constexpr const char* kNoiseFact = "noise";

/// The relative difference of two rows below which no difference is claimed: the sum of both
/// spreads, but at least `least`.
double noise_between(const Row& a, const Row& b, double least);

/// Milliseconds per item of a row, for comparing rows that do the same work. The row must have a
/// time.
double time_per_item(const Row& row);

/// The time per item of `slow` divided by that of `fast`; 1 if `fast` has the time 0.
double times_slower(const Row& slow, const Row& fast);

/// True if a ratio of two times is so close to 1 that no difference is claimed.
bool is_within(double noise, double ratio);

/// True if one of the rows is faster by more than their noise.
bool differ(const Row& a, const Row& b, double least);

/// A relative difference as text: "0.3 %", "128 %".
std::string percent_in_words(double share);

/// Describes the noise of these results: "spread of the samples ±0.1 % to ±3.2 %, median ±0.4 %; no
/// difference below ±6.0 % is claimed". "" if no row has a time.
std::string noise_in_words(const Results& results);

}  // namespace ballotcast::detail
