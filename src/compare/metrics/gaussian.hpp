// Weights of Gaussian filters.
#pragma once

#include <cmath>
#include <numeric>
#include <vector>

#include "math/portable.hpp"

namespace ballotcast::detail {

/// exp(-(k - middle)^2 / (2 sigma^2)) for k from 0 to count - 1.
inline std::vector<double> gaussian(u32 count, double sigma) {
  const double middle = (count - 1) / 2.0;
  std::vector<double> weights(count);
  for (u32 k = 0; k < count; ++k)
    weights[k] = std::exp(-(k - middle) * (k - middle) / (2.0 * sigma * sigma));
  return weights;
}

inline double sum_of(const std::vector<double>& weights) {
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

/// `weights` times `factor`.
template <class Real>
std::vector<Real> scaled(const std::vector<double>& weights, double factor) {
  std::vector<Real> out;
  for (const double weight : weights) out.push_back(static_cast<Real>(weight * factor));
  return out;
}

}  // namespace ballotcast::detail
