// Helpers for test programs without GoogleTest: arguments, error messages and exit codes.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "ballotcast/error.hpp"
#include "ballotcast/options.hpp"

namespace ballotcast::detail::testing {

/// Returns true, and sets `value`, if `argument` is NAME=NUMBER.
inline bool takes_number(const std::string& argument, const std::string& name,
                         std::uint32_t& value) {
  if (argument.rfind(name + "=", 0) != 0) return false;
  value = static_cast<std::uint32_t>(std::stoul(argument.substr(name.size() + 1)));
  return true;
}

/// The value of an option, which must be a whole number above 0. Throws UsageError otherwise.
inline std::uint64_t whole_number(const std::string& option, const std::string& value) {
  char* end = nullptr;
  const std::uint64_t number = std::strtoull(value.c_str(), &end, 10);
  if (*end || number == 0) throw UsageError(option + " " + value + ": not a whole number above 0");
  return number;
}

/// If arguments[i] is `--device` or `--build`, stores its value in `where`, sets `i` to the index
/// of the value, and returns true.
inline bool takes_where(const std::vector<std::string>& arguments, std::size_t& i,
                        RendererOptions& where) {
  const std::string& option = arguments[i];
  if (i + 1 == arguments.size() || (option != "--device" && option != "--build")) return false;
  (option == "--device" ? where.device : where.builder) = arguments[++i];
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
