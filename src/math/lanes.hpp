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

/// Eight floats, with the operators and functions that a float has. So a template can do for one
/// thing, or for eight, the same.
struct Lanes8 {
  Floats8 v{};

  Lanes8() = default;
  Lanes8(Floats8 lanes) : v(lanes) {}
  explicit Lanes8(float all) : v(in_all_lanes<Floats8>(all)) {}
  /// The eight at `from`.
  static Lanes8 load(const float* from) {
    Lanes8 out;
    std::memcpy(&out.v, from, sizeof out.v);
    return out;
  }
  /// 0 where `mask` is 0; `mask` is the result of a comparison.
  Lanes8 where(Ints8 mask) const { return std::bit_cast<Floats8>(bits_of_lanes(v) & mask); }

  friend Lanes8 operator+(Lanes8 a, Lanes8 b) { return a.v + b.v; }
  friend Lanes8 operator-(Lanes8 a, Lanes8 b) { return a.v - b.v; }
  friend Lanes8 operator*(Lanes8 a, Lanes8 b) { return a.v * b.v; }
  friend Lanes8 operator/(Lanes8 a, Lanes8 b) { return a.v / b.v; }
  friend Lanes8 operator-(Lanes8 a) { return -a.v; }
  friend Ints8 operator>(Lanes8 a, Lanes8 b) { return a.v > b.v; }
  friend Ints8 operator<=(Lanes8 a, Lanes8 b) { return a.v <= b.v; }
};

inline Lanes8 fused(Lanes8 a, Lanes8 b, Lanes8 c) { return fused_lanes(a.v, b.v, c.v); }
inline Lanes8 either_min(Lanes8 a, Lanes8 b) { return min_lanes(a.v, b.v); }
inline Lanes8 either_max(Lanes8 a, Lanes8 b) { return max_lanes(a.v, b.v); }
inline Lanes8 magnitude_of(Lanes8 a) { return magnitude_of_lanes(a.v); }
inline Lanes8 reciprocal(Lanes8 a) { return Lanes8(1.0f) / a; }

}  // namespace ballotcast::detail
