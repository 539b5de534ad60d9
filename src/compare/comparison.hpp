// Compares a PicturePair, judges the comparison by limits, and makes pictures that show how the two
// pictures differ. The types are public.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ballotcast/compare.hpp"
#include "compare/picture_pair.hpp"
#include "compare/plane.hpp"

namespace ballotcast::detail {

/// Compares the two pictures of a pair. The public compare() makes the pair and calls this.
Comparison compare_pair(const PicturePair& pair);

/// The outcome of a comparison with these limits.
OutcomeInfo outcome_of(const Comparison& comparison, const std::vector<JudgedLimit>& limits);

/// The factor that scales the largest difference of a pair to 255; 1 if there is no difference.
double full_amplification(const PicturePair& pair);

/// A picture that shows the differences of the pair. Each channel is the difference of the pair's
/// channels in 255ths, times `factor`, rounded up (so that no difference vanishes) and clipped at
/// 255. Differences of alpha are added to red and blue, so pixels that differ only in alpha are
/// magenta. Parts that only one picture has are striped, and left-out pixels have grey stripes.
Image<Rgb8> difference_picture(const PicturePair& pair, double factor);

/// Shows a map of values from 0 to 1 in colours from black to white, whose brightness rises evenly
/// with the value.
Image<Rgb8> heat_picture(const Plane<float>& map);

/// The FLIP map of the pair in the colours of heat_picture, with the stripes of difference_picture.
Image<Rgb8> flip_picture(const PicturePair& pair);

// Measures: the exact counts of a comparison, and its metrics.

/// True if there is a measure called `name`: max_error, different_percent, or a row of metrics().
bool is_measure(std::string_view name);

/// The names of all measures: "max_error, different_percent, mean, ..."
std::string measure_names();

/// True if lower values are better.
bool lower_is_better(std::string_view name);

/// The value of the measure called `name`; NaN if it is not defined.
double measure_of(std::string_view name, const Comparison& comparison);

}  // namespace ballotcast::detail
