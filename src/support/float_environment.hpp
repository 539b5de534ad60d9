// Floats as this library wants them, whatever the program around it has set.
#pragma once

#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

namespace ballotcast {

/// See with_default_floats.
void run_with_default_floats(const std::function<void()>& work);

/// Runs `work` with floats that round to nearest and keep denormals, on this thread and on those
/// that oneTBB lends it, and returns what it returns. Afterwards everything is as the caller had
/// it: a program may have asked its processor to flush denormals to zero, or to round otherwise,
/// and keeps that. Where nothing was changed this costs nothing.
template <class Work>
auto with_default_floats(Work work) {
  using Result = decltype(work());
  if constexpr (std::is_void_v<Result>) {
    run_with_default_floats(work);
  } else {
    std::optional<Result> result;
    run_with_default_floats([&] { result.emplace(work()); });
    return std::move(*result);
  }
}

}  // namespace ballotcast
