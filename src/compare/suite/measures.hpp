// Measures of how much two pictures differ: exact counts, and the metrics.
#pragma once

#include <string>
#include <string_view>

#include "compare/comparison.hpp"

namespace ballotcast::detail {

/// True if there is a measure called `name`: max_error, different_percent, or a row of metrics().
bool is_measure(std::string_view name);

/// The names of all measures: "max_error, different_percent, mean, ..."
std::string measure_names();

/// True if lower values are better.
bool lower_is_better(std::string_view name);

/// The value of a measure; NaN if it is not defined.
double measure_of(std::string_view name, const Comparison& comparison);

}  // namespace ballotcast::detail
