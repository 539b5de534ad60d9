#include <gtest/gtest.h>

#include <algorithm>

#include "image/color.hpp"

namespace ballotcast::detail {
namespace white_balance_test {

TEST(WhiteBalance, reads_what_people_write) {
  using Kind = WhiteBalance::Kind;
  EXPECT_EQ(white_balance_in("auto")->kind, Kind::from_lights);
  EXPECT_EQ(white_balance_in("none")->kind, Kind::none);
  EXPECT_EQ(white_balance_in("3200")->kind, Kind::kelvin);
  EXPECT_EQ(white_balance_in("3200.5")->kelvin, 3200.5);
  EXPECT_TRUE(white_balance_in("1000") && white_balance_in("40000"));
  for (const char* text :
       {"", "Auto", "999", "40001", "-3200", "nan", "inf", "3200K", " 3200", "1e"})
    EXPECT_FALSE(white_balance_in(text)) << text;
}

/// The CIE chromaticity x and y of a linear sRGB colour.
std::pair<double, double> chromaticity(dvec3 c) {
  const double x = 0.4124 * c.x + 0.3576 * c.y + 0.1805 * c.z;
  const double y = 0.2126 * c.x + 0.7152 * c.y + 0.0722 * c.z;
  const double z = 0.0193 * c.x + 0.1192 * c.y + 0.9505 * c.z;
  return {x / (x + y + z), y / (x + y + z)};
}

TEST(WhiteBalance, temperatures_have_the_published_colours) {
  const auto near = [](double kelvin, double x, double y, double error) {
    const auto [cx, cy] = chromaticity(color_of_kelvin(kelvin));
    EXPECT_NEAR(cx, x, error) << kelvin;
    EXPECT_NEAR(cy, y, error) << kelvin;
  };
  near(2856, 0.4476, 0.4074, 0.0005);  // CIE illuminant A
  near(1000, 0.6528, 0.3444, 0.002);   // black bodies: Wyszecki and Stiles, Color Science, 1982
  near(2000, 0.5267, 0.4133, 0.001);
  near(5003, 0.3457, 0.3585, 0.0005);  // CIE illuminants D50, D65, D75
  near(6504, 0.3127, 0.3290, 0.0005);
  near(7504, 0.2990, 0.3149, 0.0005);
}

TEST(WhiteBalance, colder_light_is_bluer_without_a_step) {
  double last = 0.0;
  for (double kelvin = kLeastKelvin; kelvin <= kMostKelvin; kelvin += 50.0) {
    const auto [x, y] = chromaticity(color_of_kelvin(kelvin));
    const double blue = (1.0 - x - y) / x;
    EXPECT_GT(blue, last) << kelvin;
    EXPECT_LT(blue - last, 0.05) << kelvin;
    last = blue;
    EXPECT_NEAR(luminance_of(color_of_kelvin(kelvin)), 1.0, 1e-9);
  }
}

TEST(WhiteBalance, makes_its_white_neutral_and_keeps_its_luminance) {
  for (const dvec3 white : {dvec3(1.6, 0.9, 0.3), color_of_kelvin(2700), color_of_kelvin(12000)}) {
    const dvec3 unit = white / luminance_of(white);
    const vec3 balanced = balance_for(white).of(vec3(unit));
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(balanced[i], 1.0f, 1e-5f) << i;
  }
}

TEST(WhiteBalance, of_white_changes_no_bit) {
  const vec3 color(0.123f, 4.5e-9f, 7.7e20f);
  EXPECT_EQ(balance_for(dvec3(1.0)).of(color), color);
}

TEST(WhiteBalance, takes_a_share_of_the_lights_colour) {
  const dvec3 lamp = color_of_kelvin(3000);
  const dvec3 whole = toward_light(lamp * 7.0, 1.0), half = toward_light(lamp, 0.5);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(whole[i], lamp[i], 1e-9);
    EXPECT_NEAR(half[i], 0.5 + 0.5 * lamp[i], 1e-9);
  }
  EXPECT_EQ(toward_light(dvec3(0.0), 1.0), dvec3(1.0));
}

TEST(WhiteBalance, leaves_coloured_light_its_colour) {
  for (const dvec3 light :
       {dvec3(1, 0, 0), dvec3(0, 1, 0), dvec3(0, 0, 1), dvec3(0, 1, 1), dvec3(1, 0, 1)}) {
    const vec3 seen = balance_for(toward_light(light, 1.0)).of(vec3(light));
    for (int on = 0; on < 3; ++on)
      for (int off = 0; off < 3; ++off)
        EXPECT_TRUE(light[on] == 0.0 || light[off] > 0.0 || seen[on] > 3.0f * seen[off])
            << light.x << light.y << light.z;
  }
}

}  // namespace white_balance_test
}  // namespace ballotcast::detail
