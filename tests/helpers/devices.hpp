// The devices and layouts with which tests are repeated.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ballotcast/tables.hpp"

namespace ballotcast::detail::testing {

/// Two single machines, and three machines that share the work.
inline const auto kDevices = ::testing::Values("cpu", "emulated", "cpu+emulated:0,1");

/// The names of all layouts of trees.
inline std::vector<std::string> layout_names() {
  std::vector<std::string> names;
  for (const Choice& layout : ballotcast::layouts()) names.push_back(layout.name);
  return names;
}

/// The name of a device as a part of a test's name, which may contain only letters, digits and "_":
/// "cpu_and_emulated_0_1".
inline std::string name_of_device(const ::testing::TestParamInfo<const char*>& row) {
  std::string name;
  for (const char c : std::string(row.param)) name += c == '+' ? "_and_" : std::string(1, c);
  for (char& c : name)
    if (c == ':' || c == ',') c = '_';
  return name;
}

}  // namespace ballotcast::detail::testing
