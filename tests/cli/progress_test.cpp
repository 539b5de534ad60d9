// Tests the line of the progress bar: units are spelled out, and at the end no remaining time is
// shown.
#include <gtest/gtest.h>

#include "cli/output.hpp"

namespace ballotcast::detail {
namespace progress_test {

TEST(ProgressLine, tells_rates_of_what_there_are_many) {
  EXPECT_EQ(progress_line(7000000, 28000000, 2.0, 60, "rays"),
            " 25% [#######.....................]  3.5 M rays/s, 6 s left");
  EXPECT_EQ(progress_line(500, 20000, 1.0, 48, "triangles"),
            "  2% [............]  500 triangles/s, 39 s left");
}

TEST(ProgressLine, counts_what_there_are_few) {
  EXPECT_EQ(progress_line(1, 36, 4.0, 56, "measurements"),
            "  2% [.........]  1 of 36 measurements, 2 min 20 s left");
  EXPECT_EQ(progress_line(3, 4, 90.0, 43, "cases"), " 75% [#######...]  3 of 4 cases, 30 s left");
}

TEST(ProgressLine, says_nothing_of_time_when_all_is_done) {
  EXPECT_EQ(progress_line(4, 4, 90.0, 40, "cases"), "100% [##################]  4 of 4 cases");
  EXPECT_EQ(progress_line(4u << 20, 4u << 20, 2.0, 40, "rays"),
            "100% [##################]  2.1 M rays/s");
}

TEST(ProgressLine, keeps_to_the_width_and_never_divides_by_nothing) {
  for (std::size_t columns = 8; columns < 100; ++columns)
    for (const double seconds : {0.0, 1e-9, 1.0, 1e6})
      EXPECT_LT(progress_line(1, 3, seconds, columns, "measurements").size(), columns);
  EXPECT_EQ(progress_line(0, 0, 1.0, 80, "cases"), "");
  EXPECT_EQ(progress_line(0, 9, 1.0, 80, "cases").substr(0, 4), "  0%");
}

}  // namespace progress_test
}  // namespace ballotcast::detail
