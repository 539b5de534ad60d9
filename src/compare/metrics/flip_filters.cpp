// Constants and formulas are from P. Andersson, J. Nilsson, T. Akenine-Moeller, M. Oskarsson, K.
// Astroem and M. D. Fairchild, "FLIP: A Difference Evaluator for Alternating Images", Proceedings
// of the ACM on Computer Graphics and Interactive Techniques 3(2), 2020.
#include "compare/metrics/flip_filters.hpp"

#include <algorithm>
#include <cmath>

#include "compare/metrics/gaussian.hpp"
#include "math/trig.hpp"

namespace ballotcast::detail {

namespace {

/// One term a sqrt(pi / b) exp(-pi^2 d^2 / b) of a contrast sensitivity function, with d in degrees
/// (section 4.1.1 and table 1).
struct Sensitivity {
  double a, b;

  double height() const { return a * std::sqrt(kPi / b); }
  double sigma() const { return std::sqrt(b / (2.0 * kPi * kPi)); }  // in degrees
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

}  // namespace

FlipFilters flip_filters(double pixels_per_degree) {
  // All filters are cut off at three standard deviations: the sensitivities at those of the widest
  // one, the features at their own.
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
  // Adds the two terms in two dimensions before the sum is normalized.
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

}  // namespace ballotcast::detail
