#include "backends/synthetic_runner.hpp"

namespace ballotcast::detail {

SyntheticView view_of(const SyntheticCase& c) {
  constexpr double kAll = 4294967296.0;
  const double threshold = c.probability * kAll - 1.0;
  return {c.rays,  c.pattern, threshold > 0.0 ? static_cast<u32>(threshold) : 0u,
          c.steps, nullptr,   nullptr};
}

}  // namespace ballotcast::detail
