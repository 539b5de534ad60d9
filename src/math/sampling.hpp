// Sample points as pure functions of the pixel, the sample and the pattern. They never depend on
// which thread computes them.
#pragma once

#include "math/portable.hpp"
#include "math/trig.hpp"
#include "math/vec.hpp"

namespace ballotcast::detail {

/// A hash of 32 bits (the "lowbias32" constants: C. Wellons, Prospecting for Hash Functions, 2018).
BC_HD inline u32 mix_bits(u32 x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  x ^= x >> 16;
  return x;
}

/// A hash of two words.
BC_HD inline u32 hash_pair(u32 a, u32 b) { return mix_bits(a ^ mix_bits(b + 0x9e3779b9u)); }

/// Nested uniform (Owen) scramble of a number whose bits are `x` in reverse order: the index of a
/// sample or one of its coordinates, keyed by `seed` (B. Burley, Practical Hash-based Owen
/// Scrambling, JCGT 2020, section 3).
BC_HD inline u32 owen_scramble_reversed(u32 x, u32 seed) {
  x += seed;
  x ^= x * 0x6c50b47cu;
  x ^= x * 0xb82f1e52u;
  x ^= x * 0xc7afe638u;
  x ^= x * 0x8d22f6e6u;
  return reverse_bits(x);
}
BC_HD inline u32 owen_scramble(u32 x, u32 seed) {
  return owen_scramble_reversed(reverse_bits(x), seed);
}

/// A float in [0, 1) from the high 24 bits of `bits`.
BC_HD inline float unit_float(u32 bits) { return static_cast<float>(bits >> 8) * 0x1p-24f; }

/// Point number `index` of the Sobol sequence in two dimensions, scrambled with `seed`: a point in
/// [0, 1)^2.
BC_HD inline vec2 scrambled_sobol(u32 index, u32 seed) {
  // The second dimension: bit j is the xor of all bits k of the index whose k has every bit of j
  // (the binomial k over j is odd), in reverse order.
  u32 y = index;
  y ^= (y >> 1) & 0x55555555u;
  y ^= (y >> 2) & 0x33333333u;
  y ^= (y >> 4) & 0x0f0f0f0fu;
  y ^= (y >> 8) & 0x00ff00ffu;
  y ^= (y >> 16) & 0x0000ffffu;
  return {unit_float(owen_scramble_reversed(index, mix_bits(seed + 1u))),
          unit_float(owen_scramble_reversed(y, mix_bits(seed + 2u)))};
}

/// A sample point in [0, 1)^2. Each pixel has many independent patterns of points: `dimension`
/// selects the pattern, `sample` the point. The points are a Sobol sequence of two dimensions,
/// shuffled and scrambled for each pixel and pattern (Burley 2020, section 5).
BC_HD inline vec2 sample_2d(u32 pixel, u32 sample, u32 dimension) {
  const u32 seed = hash_pair(pixel, dimension);
  return scrambled_sobol(owen_scramble(sample, seed), seed);
}

/// The bits of `x` with a zero bit between any two.
BC_HD inline u64 spread_bits(u32 x) {
  u64 s = x;
  s = (s | s << 16) & 0x0000ffff0000ffffull;
  s = (s | s << 8) & 0x00ff00ff00ff00ffull;
  s = (s | s << 4) & 0x0f0f0f0f0f0f0f0full;
  s = (s | s << 2) & 0x3333333333333333ull;
  return (s | s << 1) & 0x5555555555555555ull;
}

/// The place of a sample in a picture, from which all of its random numbers follow.
struct SamplePlace {
  u64 index;  // see sample_place

  /// A sample point in [0, 1)^2. The samples of a pixel, and those of any square of 2^k x 2^k
  /// pixels (aligned to its size), are evenly spread together: their errors cancel where pixels are
  /// averaged by an eye or by a filter. All pixels have the same scrambled Sobol sequence, in the
  /// order of a space-filling curve (A. Ahmed and P. Wonka, Screen-Space Blue-Noise Diffusion of
  /// Monte Carlo Sampling Error via Hierarchical Ordering of Pixels, TOG 39(6), 2020).
  BC_HD vec2 point(u32 dimension) const {
    // The sequence has 2^32 points. Larger pictures take several, each with its own scrambling.
    const u32 seed = hash_pair(static_cast<u32>(index >> 32), dimension);
    return scrambled_sobol(owen_scramble(static_cast<u32>(index), seed), seed);
  }
};

/// The place of sample number `sample` of pixel (x, y), of `samples` per pixel.
BC_HD inline SamplePlace sample_place(u32 x, u32 y, u32 sample, u32 samples) {
  return {(spread_bits(x) | spread_bits(y) << 1) << log2_up(samples) | sample};
}

/// Two unit vectors that form a right-handed frame with `n`, which has length 1 (T. Duff et al.,
/// Building an Orthonormal Basis, Revisited, JCGT 2017).
BC_HD inline void frame_around(vec3 n, vec3& tangent, vec3& bitangent) {
  const float sign = n.z < 0.0f ? -1.0f : 1.0f;
  const float a = -1.0f / (sign + n.z);
  const float b = n.x * n.y * a;
  tangent = {1.0f + sign * n.x * n.x * a, sign * b, -sign * n.x};
  bitangent = {b, sign + n.y * n.y * a, -n.y};
}

/// A point of a disk of radius 1, uniformly distributed.
BC_HD inline vec2 disk_sample(vec2 sample) {
  const float radius = sqrtf(sample.x);
  const SinCos angle = sincos_turns(static_cast<double>(sample.y));
  return {radius * static_cast<float>(angle.cos), radius * static_cast<float>(angle.sin)};
}

/// A cosine-distributed direction around `n`, which has length 1.
BC_HD inline vec3 cosine_direction(vec3 n, vec2 sample) {
  const vec2 disk = disk_sample(sample);
  const float height = sqrtf(max_of(0.0f, 1.0f - sample.x));
  vec3 tangent, bitangent;
  frame_around(n, tangent, bitangent);
  return unit_or(tangent * disk.x + bitangent * disk.y + n * height, n);
}

/// Barycentric coordinates (u, v), uniformly distributed over a triangle (Shirley & Chiu 1997).
BC_HD inline vec2 triangle_sample(vec2 sample) {
  const float root = sqrtf(sample.x);
  return {root * (1.0f - sample.y), root * sample.y};
}

}  // namespace ballotcast::detail
