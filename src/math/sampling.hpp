// Sample points as pure functions of the pixel, the sample and the pattern, so they never depend on
// which thread computes them.
//
// `Word` is u32, or WordLanes8 for eight words at once (simd.hpp).
#pragma once

#include "math/portable.hpp"
#include "math/trig.hpp"
#include "math/vec.hpp"

namespace ballotcast::detail {

/// A 32-bit hash (the "lowbias32" constants: C. Wellons, Prospecting for Hash Functions, 2018).
template <class Word>
BC_HD inline Word mixed_bits(Word x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  x ^= x >> 16;
  return x;
}

/// A hash of two words.
template <class Word>
BC_HD inline Word hashed_pair(Word a, u32 b) {
  return mixed_bits(a ^ mixed_bits(b + 0x9e3779b9u));
}
// These are not templates, so that other types of integers are converted to u32.
BC_HD inline u32 mix_bits(u32 x) { return mixed_bits(x); }
BC_HD inline u32 hash_pair(u32 a, u32 b) { return hashed_pair(a, b); }

/// Nested uniform (Owen) scramble of a number whose bits are `x` in reverse order: the index of a
/// sample or one of its coordinates, keyed by `seed` (B. Burley, Practical Hash-based Owen
/// Scrambling, JCGT 2020, section 3).
template <class Word>
BC_HD inline Word owen_scramble_reversed(Word x, Word seed) {
  x += seed;
  x ^= x * 0x6c50b47cu;
  x ^= x * 0xb82f1e52u;
  x ^= x * 0xc7afe638u;
  x ^= x * 0x8d22f6e6u;
  return reverse_bits(x);
}
template <class Word>
BC_HD inline Word owen_scramble(Word x, Word seed) {
  return owen_scramble_reversed(reverse_bits(x), seed);
}

/// A float in [0, 1) from the high 24 bits of `bits`.
BC_HD inline float unit_float(u32 bits) { return static_cast<float>(bits >> 8) * 0x1p-24f; }

/// A point of the plane, for any kind of number.
template <class Number>
struct PointOf {
  Number x, y;
};
BC_HD inline vec2 vector_of(PointOf<float> point) { return {point.x, point.y}; }

/// The point in [0, 1)^2 with the coordinates unit_float(bits.x) and unit_float(bits.y).
template <class Word>
BC_HD inline auto unit_point(const PointOf<Word>& bits) {
  return PointOf<decltype(unit_float(bits.x))>{unit_float(bits.x), unit_float(bits.y)};
}

/// Point number `index` of the two-dimensional Sobol sequence, scrambled with `seed`. Returns the
/// bits of its coordinates.
template <class Word>
BC_HD inline PointOf<Word> scrambled_sobol(Word index, Word seed) {
  // The second dimension: bit j is the xor of all bits k of the index whose k has every bit of j
  // (the binomial k over j is odd), in reverse order.
  Word y = index;
  y ^= (y >> 1) & 0x55555555u;
  y ^= (y >> 2) & 0x33333333u;
  y ^= (y >> 4) & 0x0f0f0f0fu;
  y ^= (y >> 8) & 0x00ff00ffu;
  y ^= (y >> 16) & 0x0000ffffu;
  return {owen_scramble_reversed(index, mixed_bits(seed + 1u)),
          owen_scramble_reversed(y, mixed_bits(seed + 2u))};
}

/// A sample point in [0, 1)^2. Each pixel has many independent patterns of points: `dimension`
/// selects the pattern, `sample` the point. The points are a Sobol sequence of two dimensions,
/// shuffled and scrambled for each pixel and pattern (Burley 2020, section 5).
BC_HD inline vec2 sample_2d(u32 pixel, u32 sample, u32 dimension) {
  const u32 seed = hash_pair(pixel, dimension);
  return vector_of(unit_point(scrambled_sobol(owen_scramble(sample, seed), seed)));
}

/// Inserts a zero bit after each bit of `x`.
BC_HD inline u64 spread_bits(u32 x) {
  u64 s = x;
  s = (s | s << 16) & 0x0000ffff0000ffffull;
  s = (s | s << 8) & 0x00ff00ff00ff00ffull;
  s = (s | s << 4) & 0x0f0f0f0f0f0f0f0full;
  s = (s | s << 2) & 0x3333333333333333ull;
  return (s | s << 1) & 0x5555555555555555ull;
}

/// The position of a sample in a picture, from which all its random numbers are computed.
struct SamplePlace {
  u64 index;  // see sample_place

  /// Implements point(). `low` and `high` are the halves of the index.
  template <class Word>
  BC_HD static auto point_of(Word low, Word high, u32 dimension) {
    // The sequence has 2^32 points. Larger pictures use several sequences with different
    // scrambling.
    const Word seed = hashed_pair(high, dimension);
    return unit_point(scrambled_sobol(owen_scramble(low, seed), seed));
  }

  /// A sample point in [0, 1)^2. The samples of a pixel, and the samples of any square of 2^k x 2^k
  /// pixels (aligned to its size), are evenly distributed. So their errors cancel if pixels are
  /// averaged, by the eye or by a filter. All pixels use the same scrambled Sobol sequence, in the
  /// order of a space-filling curve (A. Ahmed and P. Wonka, Screen-Space Blue-Noise Diffusion of
  /// Monte Carlo Sampling Error via Hierarchical Ordering of Pixels, TOG 39(6), 2020).
  BC_HD vec2 point(u32 dimension) const {
    return vector_of(point_of(static_cast<u32>(index), static_cast<u32>(index >> 32), dimension));
  }
};

/// The position of sample number `sample` of pixel (x, y), if there are `samples` per pixel.
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

/// A uniformly distributed point in the unit disk. `Number` and `Real` are float and double, or
/// Lanes8 and DoubleLanes8 for eight points at once.
template <class Real, class Number>
BC_HD inline PointOf<Number> disk_point(const PointOf<Number>& sample) {
  const Number radius = root_of(sample.x);
  const SinCosOf<Real> angle = sincos_turns_of(Real(sample.y));
  return {radius * Number(angle.cos), radius * Number(angle.sin)};
}
BC_HD inline vec2 disk_sample(vec2 sample) {
  return vector_of(disk_point<double>(PointOf<float>{sample.x, sample.y}));
}

/// A cosine-distributed direction around the z axis. `Vector` is vec3 or VectorLanes.
template <class Vector, class Real, class Number>
BC_HD inline Vector cosine_point(const PointOf<Number>& sample) {
  const PointOf<Number> disk = disk_point<Real>(sample);
  return {disk.x, disk.y, root_of(max_of(Number(0.0f), Number(1.0f) - sample.x))};
}
BC_HD inline vec3 cosine_sample(vec2 sample) {
  return cosine_point<vec3, double>(PointOf<float>{sample.x, sample.y});
}

/// Random numbers for a direction, and optionally the direction that was already computed from
/// them.
struct DirectionSample {
  vec2 random;
  const vec3* cosine;  // the result of cosine_sample(random), or null if it was not computed yet

  BC_HD DirectionSample(vec2 its_random, const vec3* its_cosine = nullptr)
      : random(its_random), cosine(its_cosine) {}
};

/// A cosine-distributed direction around `n`, which has length 1.
BC_HD inline vec3 cosine_direction(vec3 n, const DirectionSample& sample) {
  const vec3 around_z = sample.cosine ? *sample.cosine : cosine_sample(sample.random);
  vec3 tangent, bitangent;
  frame_around(n, tangent, bitangent);
  return unit_or(tangent * around_z.x + bitangent * around_z.y + n * around_z.z, n);
}

/// Barycentric coordinates (u, v), uniformly distributed over a triangle (Shirley & Chiu 1997).
BC_HD inline vec2 triangle_sample(vec2 sample) {
  const float root = sqrtf(sample.x);
  return {root * (1.0f - sample.y), root * sample.y};
}

}  // namespace ballotcast::detail
