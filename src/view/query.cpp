#include "view/query.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "support/error.hpp"
#include "support/numbers.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& form, std::string_view text) {
  throw UsageError("parameter " + name + " needs " + form + ", not " + quoted_name(text));
}

}  // namespace

void UrlQuery::require_only(std::initializer_list<std::string_view> known) const {
  for (const auto& [name, value] : values_)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw UsageError("unknown parameter " + quoted_name(name));
}

std::string UrlQuery::text(const std::string& name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? "" : found->second;
}

std::optional<double> UrlQuery::number(const std::string& name, double low, double high) const {
  if (!has(name)) return {};
  const auto value = finite_number(text(name));
  if (!value || *value < low || *value > high) {
    char range[80];
    std::snprintf(range, sizeof range, "a number from %g to %g", low, high);
    refuse(name, range, text(name));
  }
  return *value + 0.0;  // 0 for -0
}

std::optional<u32> UrlQuery::count(const std::string& name, u32 low, u32 high) const {
  if (!has(name)) return {};
  const auto value = parsed<u32>(text(name));
  if (!value || *value < low || *value > high)
    refuse(name, "an integer from " + std::to_string(low) + " to " + std::to_string(high),
           text(name));
  return value;
}

std::optional<Vec3d> UrlQuery::vector(const std::string& name) const {
  if (!has(name)) return {};
  const auto three = three_numbers(text(name));
  if (!three || std::any_of(three->begin(), three->end(),
                            [](double n) { return std::abs(n) > kLargestComponent; }))
    refuse(name, "three numbers x,y,z of at most 1e30", text(name));
  return Vec3d{(*three)[0], (*three)[1], (*three)[2]};
}

std::optional<std::pair<u32, u32>> UrlQuery::pair(const std::string& name, char between, u32 low,
                                                  u32 high) const {
  if (!has(name)) return {};
  const std::string all = text(name);
  const std::size_t middle = all.find(between);
  const auto first = parsed<u32>(std::string_view(all).substr(0, middle));
  const auto second =
      middle == all.npos ? std::nullopt : parsed<u32>(std::string_view(all).substr(middle + 1));
  if (!first || !second || std::min(*first, *second) < low || std::max(*first, *second) > high)
    refuse(name,
           std::string("two integers like 640") + between + "360, from " + std::to_string(low) +
               " to " + std::to_string(high),
           all);
  return std::pair{*first, *second};
}

}  // namespace ballotcast::detail
