#include "compare/metrics/flip_color.hpp"

#include <array>
#include <cmath>

namespace ballotcast::detail {

namespace {

using Matrix = std::array<std::array<double, 3>, 3>;

Matrix inverse_of(const Matrix& m) {
  const auto cofactor = [&](int i, int j) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    return m[i1][j1] * m[i2][j2] - m[i1][j2] * m[i2][j1];
  };
  const double determinant =
      m[0][0] * cofactor(0, 0) + m[0][1] * cofactor(0, 1) + m[0][2] * cofactor(0, 2);
  Matrix out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out[j][i] = cofactor(i, j) / determinant;
  return out;
}

/// The matrix from linear sRGB to white-relative values, computed from the chromaticities x, y of
/// the primaries (ITU-R BT.709) and of white. White is D65 with the digits that the authors of FLIP
/// use, (0.31271, 0.32902); BT.709 rounds them to four.
Matrix white_relative_matrix() {
  using Chromaticity = std::array<double, 2>;
  const std::array<Chromaticity, 3> primaries = {{{0.64, 0.33}, {0.30, 0.60}, {0.15, 0.06}}};
  const Chromaticity white = {0.31271, 0.32902};
  const auto xyz = [](const Chromaticity& c, int i) {
    return (i == 0 ? c[0] : i == 1 ? c[1] : 1.0 - c[0] - c[1]) / c[1];
  };
  Matrix m;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) m[i][j] = xyz(primaries[j], i) / xyz(white, i);
  // The brightness of each primary follows from the condition that all three add up to white, 1, 1,
  // 1.
  const Matrix inverse = inverse_of(m);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) m[i][j] *= inverse[j][0] + inverse[j][1] + inverse[j][2];
  return m;
}

/// A matrix as rows of floats, which is faster for many pixels.
using Rows = std::array<vec3, 3>;

Rows rows_of(const Matrix& m) {
  Rows rows;
  for (int i = 0; i < 3; ++i) rows[i] = vec3(m[i][0], m[i][1], m[i][2]);
  return rows;
}

const Rows kWhiteRelative = rows_of(white_relative_matrix());
const Rows kLinear = rows_of(inverse_of(white_relative_matrix()));

vec3 times(const Rows& m, vec3 v) { return {dot(m[0], v), dot(m[1], v), dot(m[2], v)}; }

/// The curve of CIE 15: a cube root, with a straight line near 0.
float lab_curve(float t) {
  constexpr float kDelta = 6.0f / 29.0f;
  return t > kDelta * kDelta * kDelta ? std::cbrt(t) : t / (3.0f * kDelta * kDelta) + 4.0f / 29.0f;
}

}  // namespace

float linear_of_srgb(float code) {
  return code <= 0.04045f ? code / 12.92f : std::pow((code + 0.055f) / 1.055f, 2.4f);
}

vec3 white_relative(vec3 linear) { return times(kWhiteRelative, linear); }

vec3 linear_of_white_relative(vec3 xyz) { return times(kLinear, xyz); }

vec3 hunt_adjusted_lab(vec3 xyz) {
  const float x = lab_curve(xyz.x), y = lab_curve(xyz.y), z = lab_curve(xyz.z);
  const float lightness = 116.0f * y - 16.0f;
  return {lightness, 0.01f * lightness * 500.0f * (x - y), 0.01f * lightness * 200.0f * (y - z)};
}

float hyab(vec3 a, vec3 b) {
  const vec3 d = a - b;
  return std::abs(d.x) + std::sqrt(d.y * d.y + d.z * d.z);
}

}  // namespace ballotcast::detail
