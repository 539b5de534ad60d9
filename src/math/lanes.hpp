// Vectors of numbers, for code of the host that does the same for several things at once.
//
// An operation gives each lane the bits that the function of the same name in portable.hpp gives,
// so a vector can't change an answer. They are the vector types of GCC and Clang, which work on
// every processor: what the processor lacks becomes several instructions. Only the operations that
// the compilers do not recognise are written with intrinsics.
#pragma once

#include <bit>

#include "math/portable.hpp"
#if defined(__AVX2__) && defined(__FMA__)
#define BC_AVX2 1
#include <immintrin.h>
#endif

// Without AVX, vectors of 8 are passed in memory. All functions here are inlined.
#pragma GCC diagnostic ignored "-Wpsabi"

// For functions that cast a ray: all that they call becomes part of them, so that a ray stays in
// registers. Compilers do not do so on their own, and then casting takes a quarter longer.
#define BC_FLATTEN __attribute__((flatten))

namespace ballotcast::detail {

using Floats4 = float __attribute__((vector_size(16)));
using Floats8 = float __attribute__((vector_size(32)));
using Ints4 = i32 __attribute__((vector_size(16)));
using Ints8 = i32 __attribute__((vector_size(32)));

/// The vector of integers with as many lanes. Comparisons give -1 (true) or 0 (false) in a lane.
template <class Floats>
using IntsOf = decltype(Floats{} < Floats{});

template <class Floats>
inline constexpr u32 kLanes = sizeof(Floats) / sizeof(float);

/// The vector at `from`, which is aligned to its size.
template <class Floats>
inline Floats load_lanes(const float* from) {
  Floats out;
  std::memcpy(&out, __builtin_assume_aligned(from, sizeof out), sizeof out);
  return out;
}

/// The same number in every lane. Taking 0 away keeps every bit, and the compiler leaves it out.
template <class Floats>
inline Floats in_all_lanes(float value) {
  return value - Floats{};
}

template <class Floats>
inline IntsOf<Floats> bits_of_lanes(Floats a) {
  return std::bit_cast<IntsOf<Floats>>(a);
}

template <class Floats>
inline Floats magnitude_of_lanes(Floats a) {
  return std::bit_cast<Floats>(bits_of_lanes(a) & 0x7fffffff);
}

#if defined(BC_AVX2)

inline Floats4 fused_lanes(Floats4 a, Floats4 b, Floats4 c) { return _mm_fmadd_ps(a, b, c); }
inline Floats8 fused_lanes(Floats8 a, Floats8 b, Floats8 c) { return _mm256_fmadd_ps(a, b, c); }
// These give the second operand if the two are equal or unordered, as min_of and max_of do.
inline Floats4 min_lanes(Floats4 a, Floats4 b) { return _mm_min_ps(a, b); }
inline Floats8 min_lanes(Floats8 a, Floats8 b) { return _mm256_min_ps(a, b); }
inline Floats4 max_lanes(Floats4 a, Floats4 b) { return _mm_max_ps(a, b); }
inline Floats8 max_lanes(Floats8 a, Floats8 b) { return _mm256_max_ps(a, b); }
inline u32 true_lanes(Ints4 a) {
  return static_cast<u32>(_mm_movemask_ps(std::bit_cast<Floats4>(a)));
}
inline u32 true_lanes(Ints8 a) {
  return static_cast<u32>(_mm256_movemask_ps(std::bit_cast<Floats8>(a)));
}

#else

template <class Floats>
inline Floats fused_lanes(Floats a, Floats b, Floats c) {
  Floats out{};
  for (u32 k = 0; k < kLanes<Floats>; ++k) out[k] = fused(a[k], b[k], c[k]);
  return out;
}
template <class Floats>
inline Floats min_lanes(Floats a, Floats b) {
  return a < b ? a : b;
}
template <class Floats>
inline Floats max_lanes(Floats a, Floats b) {
  return a > b ? a : b;
}
/// Bit k tells whether lane k is true.
template <class Ints>
inline u32 true_lanes(Ints a) {
  u32 out = 0;
  for (u32 k = 0; k < sizeof(Ints) / sizeof(i32); ++k) out |= (static_cast<u32>(a[k]) >> 31) << k;
  return out;
}

#endif

}  // namespace ballotcast::detail
