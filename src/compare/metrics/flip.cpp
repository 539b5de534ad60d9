// LDR-FLIP: P. Andersson, J. Nilsson, T. Akenine-Moeller, M. Oskarsson, K. Astroem and M. D.
// Fairchild, "FLIP: A Difference Evaluator for Alternating Images", Proceedings of the ACM on
// Computer Graphics and Interactive Techniques 3(2), 2020. Section numbers below refer to this
// paper.
#include <algorithm>
#include <array>
#include <cmath>

#include "compare/metrics/metric.hpp"
#include "compare/plane.hpp"
#include "math/trig.hpp"
#include "math/vec.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

// Colour spaces. "White-relative" means CIE XYZ divided by the XYZ of white, so white is 1, 1, 1.

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
  // The condition that the three primaries add up to white (1, 1, 1) determines the brightness of
  // each.
  const Matrix inverse = inverse_of(m);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) m[i][j] *= inverse[j][0] + inverse[j][1] + inverse[j][2];
  return m;
}

/// A matrix as three rows of floats, which multiplies many pixels faster than one of doubles.
using Rows = std::array<vec3, 3>;

Rows rows_of(const Matrix& m) {
  Rows rows;
  for (int i = 0; i < 3; ++i) rows[i] = vec3(m[i][0], m[i][1], m[i][2]);
  return rows;
}

const Rows kWhiteRelative = rows_of(white_relative_matrix());
const Rows kLinear = rows_of(inverse_of(white_relative_matrix()));

vec3 times(const Rows& m, vec3 v) { return {dot(m[0], v), dot(m[1], v), dot(m[2], v)}; }

/// The function f of CIELAB (CIE 15): a cube root, with a straight line near 0.
float lab_curve(float t) {
  constexpr float kDelta = 6.0f / 29.0f;
  return t > kDelta * kDelta * kDelta ? std::cbrt(t) : t / (3.0f * kDelta * kDelta) + 4.0f / 29.0f;
}

/// The linear light, from 0 to 1, of an sRGB code from 0 to 1 (IEC 61966-2-1).
float linear_of_srgb(float code) {
  return code <= 0.04045f ? code / 12.92f : std::pow((code + 0.055f) / 1.055f, 2.4f);
}

/// Converts linear sRGB to white-relative values.
vec3 white_relative(vec3 linear) { return times(kWhiteRelative, linear); }

vec3 linear_of_white_relative(vec3 xyz) { return times(kLinear, xyz); }

/// The CIELAB colour of white-relative values, with a and b multiplied by 0.01 L. This is Hunt's
/// adjustment: colours look paler in the dark (Andersson et al. 2020, section 4.1.3).
vec3 hunt_adjusted_lab(vec3 xyz) {
  const float x = lab_curve(xyz.x), y = lab_curve(xyz.y), z = lab_curve(xyz.z);
  const float lightness = 116.0f * y - 16.0f;
  return {lightness, 0.01f * lightness * 500.0f * (x - y), 0.01f * lightness * 200.0f * (y - z)};
}

/// The HyAB distance of two colours (Abasi et al. 2020): |dL| + sqrt(da^2 + db^2).
float hyab(vec3 a, vec3 b) {
  const vec3 d = a - b;
  return std::abs(d.x) + std::sqrt(d.y * d.y + d.z * d.z);
}

// Filters. Those of contrast sensitivity blur what an eye can't resolve; those of features detect
// edges and points.

/// The weights of all filters along one axis; each list has 2 * radius + 1 weights. A
/// two-dimensional filter is the product of one list along each axis; the blue-yellow filter is a
/// sum of two such products.
struct FlipFilters {
  u32 radius;
  std::vector<float> achromatic;
  std::vector<float> red_green;
  std::vector<float> blue_yellow_narrow, blue_yellow_wide;
  float narrow_share;  // weight of the narrow filter in the sum; the wide filter has the rest

  std::vector<float> smooth;  // Gaussian as wide as the features
  std::vector<float> edge;    // first derivative of `smooth`
  std::vector<float> point;   // second derivative of `smooth`
};

/// One term a sqrt(pi / b) exp(-pi^2 d^2 / b) of a contrast sensitivity function, with d in degrees
/// (section 4.1.1 and table 1).
struct Sensitivity {
  double a, b;

  double height() const { return a * std::sqrt(kPi / b); }
  // Standard deviation in degrees
  double sigma() const { return std::sqrt(b / (2.0 * kPi * kPi)); }
};

constexpr Sensitivity kAchromatic = {1.0, 0.0047};
constexpr Sensitivity kRedGreen = {1.0, 0.0053};
constexpr Sensitivity kBlueYellowWide = {34.1, 0.04};
constexpr Sensitivity kBlueYellowNarrow = {13.5, 0.025};

/// The width in degrees of the lines that count as features (section 4.2).
constexpr double kFeatureWidth = 0.082;

std::vector<float> normalized(const std::vector<double>& weights) {
  return scaled<float>(weights, 1.0 / sum_of(weights));
}

/// Scales positive and negative weights separately, so that they add up to 1 and -1.
std::vector<float> balanced(const std::vector<double>& weights) {
  double positive = 0.0, negative = 0.0;
  for (const double weight : weights) (weight > 0.0 ? positive : negative) += weight;
  std::vector<float> out;
  for (const double weight : weights)
    out.push_back(static_cast<float>(weight > 0.0 ? weight / positive : -weight / negative));
  return out;
}

/// The filters for a number of pixels per degree of the field of view.
FlipFilters flip_filters(double pixels_per_degree) {
  // All filters are cut off at three standard deviations. The three filters of contrast sensitivity
  // share the radius of the widest of them; the filters of features have a radius of their own.
  const double feature_sigma = 0.5 * kFeatureWidth * pixels_per_degree;
  const u32 blur_radius =
      static_cast<u32>(std::ceil(3.0 * kBlueYellowWide.sigma() * pixels_per_degree));
  const u32 feature_radius = static_cast<u32>(std::ceil(3.0 * feature_sigma));
  FlipFilters out;
  out.radius = std::max(blur_radius, feature_radius);
  const u32 count = 2 * out.radius + 1;
  const auto cut_to = [&](u32 radius, std::vector<double> weights) {
    for (u32 k = 0; k < count; ++k)
      if (k + radius < out.radius || k > out.radius + radius) weights[k] = 0.0;
    return weights;
  };

  const auto blur = [&](const Sensitivity& term) {
    return cut_to(blur_radius, gaussian(count, term.sigma() * pixels_per_degree));
  };
  out.achromatic = normalized(blur(kAchromatic));
  out.red_green = normalized(blur(kRedGreen));
  const std::vector<double> narrow = blur(kBlueYellowNarrow), wide = blur(kBlueYellowWide);
  out.blue_yellow_narrow = normalized(narrow);
  out.blue_yellow_wide = normalized(wide);
  // The filter is the sum of two terms, and its weights must add up to 1. In two dimensions, the
  // weights of a term add up to its height times the square of the sum along one axis.
  const double narrow_volume = kBlueYellowNarrow.height() * sum_of(narrow) * sum_of(narrow);
  const double wide_volume = kBlueYellowWide.height() * sum_of(wide) * sum_of(wide);
  out.narrow_share = static_cast<float>(narrow_volume / (narrow_volume + wide_volume));

  std::vector<double> smooth = cut_to(feature_radius, gaussian(count, feature_sigma));
  std::vector<double> edge = smooth, point = smooth;
  for (u32 k = 0; k < count; ++k) {
    const double x = static_cast<double>(k) - out.radius;
    edge[k] *= -x;
    point[k] *= x * x / (feature_sigma * feature_sigma) - 1.0;
  }
  out.smooth = normalized(smooth);
  out.edge = balanced(edge);
  out.point = balanced(point);
  return out;
}

constexpr float kColorExponent = 0.7f;    // exponent of colour differences: q_c, section 4.1.4
constexpr float kKnee = 0.4f;             // p_c: this fraction of the largest colour difference ...
constexpr float kKneeValue = 0.95f;       // p_t: ... is mapped to this value
constexpr float kFeatureExponent = 0.5f;  // q_f, section 4.2

// Number of rows of the picture that are processed at once. More rows repeat less work at the
// margins, but no longer stay in the cache.
constexpr u32 kFlipBand = 64;

/// A band of a picture in the colour space of opponent colours of section 4.1.1: Y, X - Y and Y -
/// Z, relative to white. The paper's YCxCz is a linear function of these. Filters whose weights add
/// up to 1 give the same result in both spaces.
struct Opponent {
  Plane<float> luminance, red_green, blue_yellow;
};

/// What an eye perceives of a band of a picture.
struct Perceived {
  std::vector<vec3> color;    // Hunt-adjusted CIELAB of the blurred picture
  std::vector<float> edges;   // magnitude of the first derivative of the luminance
  std::vector<float> points;  // magnitude of the second derivative
};

/// Converts rows first to first + count - 1 of a picture over a grey background to opponent
/// colours, with `margin` more pixels on all sides. Outside of the picture, its outermost pixels
/// are repeated.
Opponent opponent(const PicturePair& pair, const std::vector<u16>& samples, float background,
                  u32 first, u32 count, u32 margin) {
  const u32 width = pair.width + 2 * margin, height = count + 2 * margin;
  Opponent out{{width, height}, {width, height}, {width, height}};
  const auto clamped = [margin](u32 at, u32 size) {
    return at < margin ? 0 : std::min(at - margin, size - 1);
  };
  for (u32 row = 0; row < height; ++row) {
    const u64 y = clamped(first + row, pair.height);
    const std::array planes = {out.luminance.row(row), out.red_green.row(row),
                               out.blue_yellow.row(row)};
    for (u32 x = 0; x < pair.width; ++x) {
      const SeenColor seen =
          seen_over(background, samples.data() + 4 * (y * pair.width + x), pair.largest());
      const vec3 xyz =
          white_relative({linear_of_srgb(seen.r), linear_of_srgb(seen.g), linear_of_srgb(seen.b)});
      planes[0][margin + x] = xyz.y;
      planes[1][margin + x] = xyz.x - xyz.y;
      planes[2][margin + x] = xyz.y - xyz.z;
    }
    for (float* plane : planes) {
      std::fill_n(plane, margin, plane[margin]);
      std::fill_n(plane + margin + pair.width, margin, plane[margin + pair.width - 1]);
    }
  }
  return out;
}

Plane<float> blurred(const Plane<float>& plane, const std::vector<float>& weights) {
  return filtered_along_columns(filtered_along_rows(plane, weights), weights);
}

/// Section 4.1: blurs the picture as the eye does, clamps colours to the range of the screen, and
/// converts them to CIELAB.
std::vector<vec3> perceived_color(const Opponent& in, const FlipFilters& f) {
  const Plane<float> luminance = blurred(in.luminance, f.achromatic);
  const Plane<float> red_green = blurred(in.red_green, f.red_green);
  const Plane<float> narrow = blurred(in.blue_yellow, f.blue_yellow_narrow);
  const Plane<float> wide = blurred(in.blue_yellow, f.blue_yellow_wide);
  std::vector<vec3> out(luminance.values.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const float y = luminance.values[i];
    const float blue_yellow =
        f.narrow_share * narrow.values[i] + (1.0f - f.narrow_share) * wide.values[i];
    const vec3 rgb = linear_of_white_relative({red_green.values[i] + y, y, y - blue_yellow});
    out[i] = hunt_adjusted_lab(white_relative(
        {clamp_to(rgb.x, 0.0f, 1.0f), clamp_to(rgb.y, 0.0f, 1.0f), clamp_to(rgb.z, 0.0f, 1.0f)}));
  }
  return out;
}

/// Section 4.2: the strength of the edges (with the first derivative) or points (with the second
/// derivative) of the luminance.
std::vector<float> features(const Plane<float>& luminance, const std::vector<float>& derivative,
                            const std::vector<float>& smooth) {
  const Plane<float> across =
      filtered_along_columns(filtered_along_rows(luminance, derivative), smooth);
  const Plane<float> down =
      filtered_along_columns(filtered_along_rows(luminance, smooth), derivative);
  std::vector<float> out(across.values.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = std::sqrt(across.values[i] * across.values[i] + down.values[i] * down.values[i]);
  return out;
}

Perceived perceived(const Opponent& in, const FlipFilters& f) {
  return {perceived_color(in, f), features(in.luminance, f.edge, f.smooth),
          features(in.luminance, f.point, f.smooth)};
}

/// Section 4.1.4: the largest colour difference, which is that between green and blue, with the
/// exponent applied.
float largest_color_difference() {
  return std::pow(hyab(hunt_adjusted_lab(white_relative({0.0f, 1.0f, 0.0f})),
                       hunt_adjusted_lab(white_relative({0.0f, 0.0f, 1.0f}))),
                  kColorExponent);
}

/// Section 4.1.4: maps a colour difference to 0..1 and compresses large ones.
float color_error(vec3 a, vec3 b, float largest) {
  const float difference = std::pow(hyab(a, b), kColorExponent), knee = kKnee * largest;
  return difference < knee
             ? kKneeValue / knee * difference
             : kKneeValue + (difference - knee) / (largest - knee) * (1.0f - kKneeValue);
}

/// Section 4.2: maps a difference of features to 0..1.
float feature_error(float edges, float points) {
  constexpr float kHalfRoot = 0.70710678f;
  return std::pow(std::min(kHalfRoot * std::max(edges, points), 1.0f), kFeatureExponent);
}

/// Computes the differences of a band of rows over one background. Sets each value of `map` to the
/// difference of its pixel if that is larger.
void raise_band(Plane<float>& map, const PicturePair& pair, const FlipFilters& f, float background,
                u32 first, u32 count) {
  const auto seen = [&](const std::vector<u16>& samples) {
    return perceived(opponent(pair, samples, background, first, count, f.radius), f);
  };
  const Perceived a = seen(pair.reference), b = seen(pair.result);
  const float largest = largest_color_difference();
  for (std::size_t i = 0; i < a.color.size(); ++i) {
    const u64 at = u64{first} * pair.width + i;
    if (pair.left_out[at]) continue;
    const float color = color_error(a.color[i], b.color[i], largest);
    const float feature =
        feature_error(std::abs(a.edges[i] - b.edges[i]), std::abs(a.points[i] - b.points[i]));
    map.values[at] = std::max(map.values[at], std::pow(color, 1.0f - feature));  // section 4.3
  }
}

}  // namespace

Plane<float> flip_map(const PicturePair& pair, double pixels_per_degree) {
  const FlipFilters filters = flip_filters(pixels_per_degree);
  Plane<float> map(pair.width, pair.height);
  const u32 bands = (pair.height + kFlipBand - 1) / kFlipBand;
  for (const float background : backgrounds_of(pair))
    for_each_index(bands, [&](u32 band) {
      const u32 first = band * kFlipBand;
      raise_band(map, pair, filters, background, first, std::min(kFlipBand, pair.height - first));
    });
  return map;
}

double flip(const PicturePair& pair) {
  double sum = 0.0;
  for (const float value : flip_map(pair).values) sum += value;
  return sum / static_cast<double>(pair.compared());
}

}  // namespace ballotcast::detail
