#include "backends/lent_word.hpp"

#include <random>

namespace ballotcast::detail {

u64 random_word() {
  std::random_device entropy;
  return u64{entropy()} << 32 | entropy();
}

}  // namespace ballotcast::detail
