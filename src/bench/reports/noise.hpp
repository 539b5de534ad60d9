// The noise of what was measured: a difference that lies within it is not claimed.
#pragma once

#include <string>

#include "bench/results.hpp"

namespace ballotcast::detail {

/// The fact that results of earlier versions have for it, which noise_in_words stands for now.
inline constexpr const char* kNoiseFact = "noise";

/// The relative difference of two rows below which none is claimed: the spreads of both together,
/// and at least `least`.
double noise_between(const Row& a, const Row& b, double least);

/// Milliseconds for each of a row's items: what can be compared of rows that do the same work. Only
/// of rows with a time.
double time_per_item(const Row& row);

/// How many times the time per item of `fast` is that of `slow`. Where `fast` takes none, 1.
double times_slower(const Row& slow, const Row& fast);

/// Is a ratio of two times so near to 1 that no difference is claimed?
bool is_within(double noise, double ratio);

/// Is either of two rows faster by more than their noise?
bool differ(const Row& a, const Row& b, double least);

/// "0.3 %", "128 %": a relative difference.
std::string percent_in_words(double share);

/// What the noise of these results is, e.g. "spread of the samples ±0.1 % to ±3.2 %, median
/// ±0.4 %; no difference below ±6.0 % is claimed". "" where nothing has a time.
std::string noise_in_words(const Results& results);

}  // namespace ballotcast::detail
