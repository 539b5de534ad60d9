// Plane: a grid of numbers, with filters along its rows and columns.
#pragma once

#include <cmath>
#include <numeric>
#include <vector>

#include "math/portable.hpp"

namespace ballotcast::detail {

/// A grid of numbers, row by row.
template <class Real>
struct Plane {
  u32 width;
  u32 height;
  std::vector<Real> values;

  Plane(u32 w, u32 h) : width(w), height(h), values(u64{w} * h) {}
  Real* row(u32 y) { return values.data() + u64{y} * width; }
  const Real* row(u32 y) const { return values.data() + u64{y} * width; }
};

/// Returns the plane out(x, y) = sum over k of weights[k] * in(x + k, y), for all x where no x + k
/// is outside of `in`. So the result is narrower than `in` by weights.size() - 1. `in` must be at
/// least as wide as weights.size().
template <class Real>
Plane<Real> filtered_along_rows(const Plane<Real>& in, const std::vector<Real>& weights) {
  Plane<Real> out(in.width + 1 - static_cast<u32>(weights.size()), in.height);
  for (u32 y = 0; y < out.height; ++y) {
    Real* to = out.row(y);
    for (u32 k = 0; k < weights.size(); ++k) {
      const Real* from = in.row(y) + k;
      const Real weight = weights[k];
      for (u32 x = 0; x < out.width; ++x) to[x] += weight * from[x];
    }
  }
  return out;
}

/// Like filtered_along_rows, but along columns: out(x, y) = sum over k of weights[k] * in(x, y +
/// k).
template <class Real>
Plane<Real> filtered_along_columns(const Plane<Real>& in, const std::vector<Real>& weights) {
  Plane<Real> out(in.width, in.height + 1 - static_cast<u32>(weights.size()));
  for (u32 y = 0; y < out.height; ++y) {
    Real* to = out.row(y);
    for (u32 k = 0; k < weights.size(); ++k) {
      const Real* from = in.row(y + k);
      const Real weight = weights[k];
      for (u32 x = 0; x < out.width; ++x) to[x] += weight * from[x];
    }
  }
  return out;
}

/// The weights exp(-(k - middle)^2 / (2 sigma^2)) for k from 0 to count - 1.
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
