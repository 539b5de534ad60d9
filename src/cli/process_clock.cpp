#include "cli/process_clock.hpp"

#include <time.h>

#include "support/stopwatch.hpp"

namespace ballotcast::detail {
namespace {

struct Start {
  double before = 0.0;
  Stopwatch since;
};

Start& start() {
  static Start start;
  return start;
}

}  // namespace

void start_process_clock() {
  timespec used{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  start() = {static_cast<double>(used.tv_sec) * 1e3 + static_cast<double>(used.tv_nsec) * 1e-6, {}};
}

double milliseconds_before_main() { return start().before; }
double process_milliseconds() { return start().before + start().since.milliseconds(); }

}  // namespace ballotcast::detail
