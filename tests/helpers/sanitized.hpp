// Says whether a test runs under a sanitizer. Tests that would then take an hour do less work.
#pragma once

namespace ballotcast::detail::testing {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace ballotcast::detail::testing
