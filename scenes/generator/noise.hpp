// Seeded gradient noise and random numbers. They are computed with + - * / and floor only, so that
// they are the same on every machine.
#pragma once

#include <cmath>

#include "math/sampling.hpp"

namespace ballotcast::detail {

/// A stream of random numbers. Number i of the stream is a hash of i and the seed.
class RandomStream {
 public:
  explicit RandomStream(u32 seed) : seed_(mix_bits(seed + 0x51ed270bu)) {}

  u32 bits() { return hash_pair(seed_, count_++); }
  /// A number in [0, 1).
  double unit() { return static_cast<double>(bits() >> 8) * 0x1p-24; }
  double between(double low, double high) { return low + (high - low) * unit(); }
  u32 below(u32 limit) { return static_cast<u32>((static_cast<u64>(bits()) * limit) >> 32); }

 private:
  u32 seed_;
  u32 count_ = 0;
};

/// Gradient noise: smooth, about in [-1, 1], zero at every lattice point (K. Perlin, Improving
/// Noise, SIGGRAPH 2002; the gradients here are hashed, not taken from a permutation table).
inline double gradient_noise(dvec3 p, u32 seed) {
  const dvec3 cell(std::floor(p.x), std::floor(p.y), std::floor(p.z));
  const dvec3 f = p - cell;
  const auto word = [](double c) { return static_cast<u32>(static_cast<long long>(c)); };
  const auto fade = [](double t) { return t * t * t * (t * (t * 6.0 - 15.0) + 10.0); };
  const auto mix = [](double a, double b, double t) { return a + (b - a) * t; };
  const auto corner = [&](u32 dx, u32 dy, u32 dz) {
    const u32 column = hash_pair(word(cell.x) + dx, hash_pair(word(cell.z) + dz, seed));
    const u32 h = hash_pair(word(cell.y) + dy, column);
    const dvec3 gradient(static_cast<double>(h & 1023u) - 511.5,
                         static_cast<double>((h >> 10) & 1023u) - 511.5,
                         static_cast<double>((h >> 20) & 1023u) - 511.5);
    return dot(gradient, f - dvec3(dx, dy, dz)) * (1.0 / 400.0);
  };
  const double u = fade(f.x), v = fade(f.y), w = fade(f.z);
  const double near =
      mix(mix(corner(0, 0, 0), corner(1, 0, 0), u), mix(corner(0, 1, 0), corner(1, 1, 0), u), v);
  const double far =
      mix(mix(corner(0, 0, 1), corner(1, 0, 1), u), mix(corner(0, 1, 1), corner(1, 1, 1), u), v);
  return mix(near, far, w);
}

}  // namespace ballotcast::detail
