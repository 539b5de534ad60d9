// For each setting, a value other than its default. A new row in a table of settings needs a value
// here, for the tests that try all rows.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "ballotcast/error.hpp"
#include "render/setting_tables.hpp"

namespace ballotcast::detail::testing {

/// The value for a row. Throws Error if this file has no value for it.
template <class Row>
const std::string& other_value(const Row& row) {
  static const std::map<std::string_view, std::string> values = {
      {"shading", "normal"},     {"samples", "7"},
      {"bounces", "3"},          {"exposure", "0.1"},
      {"smooth", "fast"},        {"fireflies", "keep"},
      {"white_balance", "2700"}, {"light", "camera"},
      {"background", "#0080ff"}, {"sides", "front"},
      {"device", "cpu:0"},       {"strict_devices", "on"},
      {"max_memory", "4096"},    {"partition", "4"},
      {"pipeline", "queue"},     {"atomics", "naive"},
      {"loop", "host:3"},        {"layout", "bvh2"},
      {"block_size", "64"},      {"builder", "ploc-reinserted/12"},
      {"threads", "7"},          {"order", "lanes"}};
  const auto found = values.find(row.key);
  if (found == values.end()) throw Error("no value for the setting " + std::string(row.key));
  return found->second;
}

}  // namespace ballotcast::detail::testing
