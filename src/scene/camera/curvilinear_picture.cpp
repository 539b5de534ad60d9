#include "scene/camera/curvilinear_picture.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ballotcast::detail {
namespace {

/// A polynomial. Element i is the coefficient of x^i.
using Polynomial = std::vector<double>;

double value_of(const Polynomial& p, double x) {
  double sum = 0.0;
  for (std::size_t i = p.size(); i > 0; --i) sum = sum * x + p[i - 1];
  return sum;
}

Polynomial product(const Polynomial& a, const Polynomial& b) {
  Polynomial out(a.size() + b.size() - 1, 0.0);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < b.size(); ++k) out[i + k] += a[i] * b[k];
  return out;
}

Polynomial derivative(const Polynomial& p) {
  Polynomial out;
  for (std::size_t i = 1; i < p.size(); ++i) out.push_back(static_cast<double>(i) * p[i]);
  return out;
}

/// The positions in (0, most) where `p` changes its sign, in ascending order. Between two roots of
/// its derivative, `p` is monotonic, so it has at most one root there, which bisection finds.
std::vector<double> roots_of(const Polynomial& p, double most) {
  if (p.size() < 2) return {};
  std::vector<double> ends = roots_of(derivative(p), most), roots;
  ends.push_back(most);
  double begin = 0.0;
  for (const double end : ends) {
    const bool from_below = value_of(p, begin) < 0.0;
    if (from_below != (value_of(p, end) < 0.0)) {
      double low = begin, high = end;
      for (int i = 0; i < 2000 && low < high; ++i) {
        const double middle = low + (high - low) / 2.0;
        if (!(middle > low && middle < high)) break;
        ((value_of(p, middle) < 0.0) == from_below ? low : high) = middle;
      }
      roots.push_back(low);
    }
    begin = end;
  }
  return roots;
}

}  // namespace

RadialDistortion radial_distortion(Projection projection, const Distortion& k) {
  if (projection == Projection::fisheye) return {{k[0], k[1], k[2], k[3]}, {0.0, 0.0, 0.0}};
  return {{k[0], k[1], k[4], 0.0}, {k[5], k[6], k[7]}};
}

void set_reach(CurvilinearPicture& picture) {
  // A perspective ends below 90 degrees from the line of sight; a fisheye also sees points behind
  // it.
  constexpr double kFarthestPlace = 1e4;
  const double most = picture.kind == CurvilinearPicture::Kind::fisheye ? kPi : kFarthestPlace;
  const auto& [up, down] = picture.radial;
  const Polynomial n{1.0, up[0], up[1], up[2], up[3]}, d{1.0, down[0], down[1], down[2]};
  // The derivative of r n / d is ((n + 2 s n') d - 2 s n d') / d^2.
  const Polynomial twice_s{0.0, 2.0};
  Polynomial grows = product(n, d);
  const Polynomial of_n = product(product(twice_s, derivative(n)), d),
                   of_d = product(product(twice_s, derivative(d)), n);
  for (std::size_t i = 0; i < of_n.size(); ++i) grows[i] += of_n[i] - of_d[i];
  double end = most * most;
  for (const Polynomial& p : {grows, d})
    if (const std::vector<double> roots = roots_of(p, end); !roots.empty())
      end = std::min(end, roots.front());
  picture.reach = std::sqrt(end);
  picture.reach_drawn = picture.radial.at(picture.reach).value;
}

}  // namespace ballotcast::detail
