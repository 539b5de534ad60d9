// How test programs that don't use GoogleTest report errors, and with which exit code they end.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "support/error.hpp"

namespace ballotcast::detail::testing {

/// Sets `value` if `argument` is NAME=NUMBER.
inline bool takes_number(const std::string& argument, const std::string& name,
                         std::uint32_t& value) {
  if (argument.rfind(name + "=", 0) != 0) return false;
  value = static_cast<std::uint32_t>(std::stoul(argument.substr(name.size() + 1)));
  return true;
}

/// Returns the result of work(arguments). If `work` throws an exception, prints its message and
/// returns the same exit code as the main program: 2 for wrong usage, 4 for a device, else 3.
template <class Work>
int run_tool(const char* name, Work work, int argc, char** argv) {
  const auto fail = [name](const std::exception& error, int code) {
    std::fprintf(stderr, "%s: %s\n", name, error.what());
    return code;
  };
  try {
    return work(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const UsageError& error) {
    return fail(error, 2);
  } catch (const DeviceError& error) {
    return fail(error, 4);
  } catch (const std::exception& error) {
    return fail(error, 3);
  }
}

}  // namespace ballotcast::detail::testing
