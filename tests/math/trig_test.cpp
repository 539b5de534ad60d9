#include "math/trig.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ballotcast::detail {
namespace trig_test {

TEST(Trig, agrees_with_the_c_library_to_1e_15) {
  for (int i = -5000; i <= 5000; ++i) {
    const double turns = i / 997.0;
    const SinCos ours = sincos_turns(turns);
    const long double angle = 2.0L * 3.14159265358979323846264338327950288L * turns;
    EXPECT_NEAR(ours.sin, static_cast<double>(std::sin(angle)), 4e-15) << turns;
    EXPECT_NEAR(ours.cos, static_cast<double>(std::cos(angle)), 4e-15) << turns;
  }
}

TEST(Trig, is_exact_at_quarter_turns) {
  EXPECT_EQ(sincos_degrees(0.0).sin, 0.0);
  EXPECT_EQ(sincos_degrees(90.0).sin, 1.0);
  EXPECT_EQ(sincos_degrees(90.0).cos, 0.0);
  EXPECT_EQ(sincos_degrees(180.0).cos, -1.0);
  EXPECT_EQ(sincos_degrees(-90.0).sin, -1.0);
}

TEST(Trig, angles_of_vectors_agree_with_the_c_library) {
  for (int i = -4999; i <= 4999; ++i) {
    const double turns = i / 10000.0;
    const SinCos at = sincos_turns(turns);
    EXPECT_NEAR(turns_of(3.0 * at.cos, 3.0 * at.sin), turns, 1e-11) << turns;
  }
  EXPECT_EQ(turns_of(0.0, 0.0), 0.0);
  EXPECT_EQ(turns_of(1.0, 0.0), 0.0);
  EXPECT_EQ(turns_of(0.0, -2.0), -0.25);
  EXPECT_EQ(turns_of(-1.0, 0.0), 0.5);
}

}  // namespace trig_test
}  // namespace ballotcast::detail
