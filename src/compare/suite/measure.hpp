// Measures: the numbers of a comparison that a tolerance may bound.
#pragma once

#include <string>
#include <string_view>

#include "compare/comparison.hpp"

namespace ballotcast::detail {

/// Is there a measure called `name`: max_error, different_percent, or a row of metrics()?
bool is_measure(std::string_view name);

/// "max_error, different_percent, mean, ..."
std::string measure_names();

/// Are lower values better?
bool lower_is_better(std::string_view name);

/// A measure's value; NaN where it isn't defined.
double measure_of(std::string_view name, const Comparison& comparison);

}  // namespace ballotcast::detail
