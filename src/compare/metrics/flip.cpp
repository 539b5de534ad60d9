// LDR-FLIP: P. Andersson, J. Nilsson, T. Akenine-Moeller, M. Oskarsson, K. Astroem and M. D.
// Fairchild, "FLIP: A Difference Evaluator for Alternating Images", Proceedings of the ACM on
// Computer Graphics and Interactive Techniques 3(2), 2020. Section numbers below refer to this
// paper.
#include "compare/metrics/flip.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "compare/metrics/flip_color.hpp"
#include "compare/metrics/flip_filters.hpp"
#include "compare/metrics/metric.hpp"
#include "support/parallel.hpp"

namespace ballotcast::detail {

namespace {

constexpr float kColorExponent = 0.7f;    // q_c, section 4.1.4
constexpr float kKnee = 0.4f;             // p_c: this fraction of the largest colour difference ...
constexpr float kKneeValue = 0.95f;       // p_t: ... is mapped to this value
constexpr float kFeatureExponent = 0.5f;  // q_f, section 4.2

constexpr u32 kFlipBand = 64;  // rows that are processed at once, so that they stay in the cache

/// A band of a picture in the opponent space of section 4.1.1: Y, X - Y and Y - Z, relative to
/// white. The paper's YCxCz is a linear function of it. Filters whose weights add up to 1 give the
/// same result in both spaces.
struct Opponent {
  Plane<float> luminance, red_green, blue_yellow;
};

/// What an eye perceives of a band of a picture.
struct Perceived {
  std::vector<vec3> color;    // Hunt-adjusted CIELAB of the blurred picture
  std::vector<float> edges;   // magnitude of the first derivatives of the luminance
  std::vector<float> points;  // magnitude of the second derivatives
};

/// Converts rows first to first + count - 1, over a grey background, with `margin` more pixels on
/// all sides. Beyond the edge of the picture, its outermost pixels are repeated.
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

/// Section 4.2: the strength of edges (first derivative) or points (second derivative) of the
/// luminance.
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

/// Section 4.1.4: the largest difference, which is that of green and blue, with the exponent
/// applied.
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

/// Computes the differences of a band of rows over one background, and raises the values of `map`
/// to them where they are larger.
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
