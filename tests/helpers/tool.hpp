// The exit of checks that are programs of their own.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "support/error.hpp"

namespace ballotcast::detail::testing {

/// Returns the result of work(arguments). If it throws, prints the message and returns the exit
/// code of the main program: 2 for wrong usage, 4 for a device, else 3.
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
