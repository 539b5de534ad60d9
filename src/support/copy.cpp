#include "support/copy.hpp"

#include <cstring>

#include "support/parallel.hpp"

namespace ballotcast::detail {

void copy_bytes(void* to, const void* from, std::size_t bytes) {
  constexpr std::size_t kGrain = std::size_t{1} << 18;
  for_each_range<std::size_t>(bytes, kGrain, [&](std::size_t begin, std::size_t end) {
    std::memcpy(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin,
                end - begin);
  });
}

}  // namespace ballotcast::detail
