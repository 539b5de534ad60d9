// The devices on which one test runs after another.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace ballotcast::detail::testing {

/// Two machines alone, and three that share the work.
inline const auto kDevices = ::testing::Values("cpu", "emulated", "cpu+emulated:0,1");

/// "cpu_and_emulated_0_1": names of tests have no other characters.
inline std::string name_of_device(const ::testing::TestParamInfo<const char*>& row) {
  std::string name;
  for (const char c : std::string(row.param)) name += c == '+' ? "_and_" : std::string(1, c);
  for (char& c : name)
    if (c == ':' || c == ',') c = '_';
  return name;
}

}  // namespace ballotcast::detail::testing
