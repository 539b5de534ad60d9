// Sample points as pure functions of the pixel, the sample and the pattern. They never depend on
// which thread computes them.
//
// `Word`: u32, or WordLanes8 for eight at once (lanes.hpp).
#pragma once

#include "math/portable.hpp"
#include "math/trig.hpp"
#include "math/vec.hpp"

namespace ballotcast::detail {

/// A hash of 32 bits (the "lowbias32" constants: C. Wellons, Prospecting for Hash Functions, 2018).
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
// Not templates, so that other types of integers become u32.
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

/// Two coordinates in [0, 1), in units of 2^-32.
template <class Word>
struct WordPoint {
  Word x, y;
};

/// Point number `index` of the Sobol sequence in two dimensions, scrambled with `seed`.
template <class Word>
BC_HD inline WordPoint<Word> scrambled_sobol(Word index, Word seed) {
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
BC_HD inline vec2 unit_point(WordPoint<u32> point) {
  return {unit_float(point.x), unit_float(point.y)};
}

/// A sample point in [0, 1)^2. Each pixel has many independent patterns of points: `dimension`
/// selects the pattern, `sample` the point. The points are a Sobol sequence of two dimensions,
/// shuffled and scrambled for each pixel and pattern (Burley 2020, section 5).
BC_HD inline vec2 sample_2d(u32 pixel, u32 sample, u32 dimension) {
  const u32 seed = hash_pair(pixel, dimension);
  return unit_point(scrambled_sobol(owen_scramble(sample, seed), seed));
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
    return unit_point(point_of(static_cast<u32>(index), static_cast<u32>(index >> 32), dimension));
  }

  /// The same for an index in two halves.
  template <class Word>
  BC_HD static WordPoint<Word> point_of(Word low, Word high, u32 dimension) {
    // The sequence has 2^32 points. Larger pictures take several, each with its own scrambling.
    const Word seed = hashed_pair(high, dimension);
    return scrambled_sobol(owen_scramble(low, seed), seed);
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

/// A cosine-distributed direction around the z axis.
BC_HD inline vec3 cosine_sample(vec2 sample) {
  const vec2 disk = disk_sample(sample);
  return {disk.x, disk.y, sqrtf(max_of(0.0f, 1.0f - sample.x))};
}

/// Random numbers for a direction, and what is made of them, if someone has done so already.
struct DirectionSample {
  vec2 random;
  const vec3* cosine;  // cosine_sample(random), or null

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
