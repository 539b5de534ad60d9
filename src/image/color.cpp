// Only + - * / in double precision, so that the bits are the same everywhere.
#include "image/color.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "support/numbers.hpp"

namespace ballotcast::detail {

namespace {

/// x^(1/5) for x in (0, 1], of which srgb_to_linear makes x^2.4. By Newton's method in double
/// precision, with + - * / only, so the bits are the same on every machine.
double fifth_root(double x) {
  double y = 1.0;
  for (int i = 0; i < 200; ++i) {
    const double y4 = y * y * y * y;
    const double next = y - (y * y4 - x) / (5.0 * y4);
    if (!(next < y)) break;
    y = next;
  }
  return y;
}

/// A 3x3 matrix, row by row.
using Matrix = std::array<dvec3, 3>;

dvec3 product(const Matrix& m, dvec3 v) {
  return {glm::dot(m[0], v), glm::dot(m[1], v), glm::dot(m[2], v)};
}

Matrix transposed(const Matrix& m) {
  return {dvec3(m[0].x, m[1].x, m[2].x), dvec3(m[0].y, m[1].y, m[2].y),
          dvec3(m[0].z, m[1].z, m[2].z)};
}

/// a * b
Matrix product(const Matrix& a, const Matrix& b) {
  const Matrix columns = transposed(b);
  return transposed({product(a, columns[0]), product(a, columns[1]), product(a, columns[2])});
}

Matrix inverse(const Matrix& m) {
  const dvec3 a = glm::cross(m[1], m[2]), b = glm::cross(m[2], m[0]), c = glm::cross(m[0], m[1]);
  const double determinant = glm::dot(m[0], a);
  return transposed({a / determinant, b / determinant, c / determinant});
}

/// From linear sRGB to CIE XYZ (IEC 61966-2-1).
constexpr Matrix kXyzOfRgb = {dvec3(0.4124, 0.3576, 0.1805), dvec3(0.2126, 0.7152, 0.0722),
                              dvec3(0.0193, 0.1192, 0.9505)};

/// From CIE XYZ to cone responses: the Bradford transform.
constexpr Matrix kConesOfXyz = {dvec3(0.8951, 0.2664, -0.1614), dvec3(-0.7502, 1.7135, 0.0367),
                                dvec3(0.0389, -0.0685, 1.0296)};

Matrix cones_of_rgb() { return product(kConesOfXyz, kXyzOfRgb); }

/// The cone responses to `color`, divided by the responses to white.
dvec3 cones_of(dvec3 color) {
  const Matrix cones = cones_of_rgb();
  return product(cones, color) / product(cones, dvec3(1.0));
}

/// A CIE 1931 chromaticity.
struct Chromaticity {
  double x, y;
};

/// The chromaticity of a black body at `t` kelvin (M. Krystek, An algorithm to calculate correlated
/// colour temperature, Color Research and Application, 1985).
Chromaticity black_body(double t) {
  const double u = (0.860117757 + 1.54118254e-4 * t + 1.28641212e-7 * t * t) /
                   (1.0 + 8.42420235e-4 * t + 7.08145163e-7 * t * t);
  const double v = (0.317398726 + 4.22806245e-5 * t + 4.20481691e-8 * t * t) /
                   (1.0 - 2.89741816e-5 * t + 1.61456053e-7 * t * t);
  const double scale = 2.0 * u - 8.0 * v + 4.0;
  return {3.0 * u / scale, 2.0 * v / scale};
}

/// The chromaticity of daylight at `t` kelvin (CIE 15, Colorimetry: illuminants D). CIE 15 defines
/// it up to 25000 K; the formula is continuous above.
Chromaticity daylight(double t) {
  const double r = 1000.0 / t;
  const double x = t <= 7000.0 ? ((-4.6070 * r + 2.9678) * r + 0.09911) * r + 0.244063
                               : ((-2.0064 * r + 1.9018) * r + 0.24748) * r + 0.237040;
  return {x, (-3.000 * x + 2.870) * x - 0.275};
}

// Limits for the colours of natural light. The largest ratio of the responses of two kinds of cones
// is about that of a candle. The largest ratio of green to red is somewhat above that of a blue
// sky.
constexpr double kMostConeRatio = 4.0, kMostGreen = 1.3;

/// How much of a coloured light, with responses a and b relative to white, may be mixed with white:
/// the largest `share` up to 1 for which 1 + share * (a - 1) is at most `ratio` times 1 + share *
/// (b - 1).
double share_within(double a, double b, double ratio) {
  const double excess = (a - 1.0) - ratio * (b - 1.0);
  return excess > ratio - 1.0 ? (ratio - 1.0) / excess : 1.0;
}

}  // namespace

double srgb_to_linear(double encoded) {
  if (encoded <= 0.04045) return encoded / 12.92;
  const double base = (encoded + 0.055) / 1.055;
  const double root = fifth_root(base);
  return base * base * root * root;  // base^2.4
}

const std::array<float, 256>& srgb_to_linear_table() {
  static const std::array<float, 256> table = [] {
    std::array<float, 256> t{};
    for (int i = 0; i < 256; ++i) t[i] = static_cast<float>(srgb_to_linear(i / 255.0));
    return t;
  }();
  return table;
}

const std::array<float, 256>& srgb_threshold_table() {
  static const std::array<float, 256> table = [] {
    std::array<float, 256> t{};
    for (int i = 1; i < 256; ++i) t[i] = static_cast<float>(srgb_to_linear((i - 0.5) / 255.0));
    return t;
  }();
  return table;
}

float exposure_for(std::vector<float> luminances) {
  constexpr float kTarget = 0.5f;
  const auto bright = luminances.begin() + static_cast<std::ptrdiff_t>(luminances.size() * 3 / 4);
  std::nth_element(luminances.begin(), bright, luminances.end());
  return kTarget / *bright;
}

std::optional<WhiteBalance> white_balance_in(std::string_view text) {
  if (text == "auto") return WhiteBalance{};
  if (text == "none") return WhiteBalance{WhiteBalance::Kind::none};
  const std::optional<double> kelvin = parsed<double>(text);
  if (!kelvin || !(*kelvin >= kLeastKelvin && *kelvin <= kMostKelvin)) return std::nullopt;
  return WhiteBalance{WhiteBalance::Kind::kelvin, *kelvin};
}

double luminance_of(dvec3 color) { return glm::dot(kXyzOfRgb[1], color); }

dvec3 color_of_kelvin(double kelvin) {
  constexpr double kBlackBody = 4000.0, kDaylight = 5000.0;
  const double share = std::clamp((kelvin - kBlackBody) / (kDaylight - kBlackBody), 0.0, 1.0);
  Chromaticity c = black_body(kelvin);
  if (share > 0.0) {
    const Chromaticity day = daylight(kelvin);
    c = {c.x + share * (day.x - c.x), c.y + share * (day.y - c.y)};
  }
  const dvec3 xyz(c.x / c.y, 1.0, (1.0 - c.x - c.y) / c.y);
  const dvec3 rgb = product(inverse(kXyzOfRgb), xyz);
  return rgb / luminance_of(rgb);
}

dvec3 toward_light(dvec3 light, double share) {
  const double luminance = luminance_of(light);
  if (!(luminance > 0.0)) return dvec3(1.0);
  const dvec3 color = light / luminance;
  const dvec3 cones = cones_of(color);
  const double least = std::min({cones.x, cones.y, cones.z});
  const double most = std::max({cones.x, cones.y, cones.z});
  const double natural = std::min(share_within(most, least, kMostConeRatio),
                                  share_within(cones.y, cones.x, kMostGreen));
  share *= natural * natural;
  return dvec3(1.0) + share * (color - dvec3(1.0));
}

ColorMatrix balance_for(dvec3 white) {
  if (white == dvec3(1.0)) return {};  // returns the identity without rounding errors
  const Matrix cones = cones_of_rgb();
  const dvec3 gains = luminance_of(white) / cones_of(white);
  const Matrix scaled = {cones[0] * gains.x, cones[1] * gains.y, cones[2] * gains.z};
  const Matrix m = product(inverse(cones), scaled);
  return {vec3(m[0]), vec3(m[1]), vec3(m[2])};
}

}  // namespace ballotcast::detail
