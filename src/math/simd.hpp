// SIMD vectors for host code that does the same computation for several things at once.
//
// Each operation gives each lane the same bits as the function of the same name in portable.hpp, so
// using vectors can't change a result. The types are the vector extensions of GCC and Clang, which
// work on every processor: if the processor lacks an operation, it becomes several instructions.
// Intrinsics are used only for operations that the compilers do not recognise.
#pragma once

#include <array>
#include <bit>

#include "math/vec.hpp"
#if defined(__AVX2__) && defined(__FMA__)
#define BC_AVX2 1
#include <immintrin.h>
#endif

// Without AVX, vectors of 8 would be passed in memory, about which GCC warns. All functions here
// are inlined, so the warning does not apply.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace ballotcast::detail {

using Floats8 = float __attribute__((vector_size(32)));
using Doubles4 = double __attribute__((vector_size(32)));
/// The result of comparisons: -1 (true) or 0 (false) in a lane.
using Ints8 = i32 __attribute__((vector_size(32)));

inline constexpr u32 kLanes = 8;

/// The vector at `from`, which is aligned to its size.
inline Floats8 load_lanes(const float* from) {
  Floats8 out;
  std::memcpy(&out, __builtin_assume_aligned(from, sizeof out), sizeof out);
  return out;
}

inline void store_lanes(Floats8 a, float* to) {
  std::memcpy(__builtin_assume_aligned(to, sizeof a), &a, sizeof a);
}

/// Transposes eight rows of eight numbers: number i of column k is from[8 * i + k].
inline std::array<Floats8, 8> transposed(const float* from) {
  std::array<Floats8, 8> rows, pairs, fours, out;
  std::memcpy(rows.data(), from, sizeof rows);
  // First interleaves pairs of rows, then groups of four rows, in each half of a vector.
  for (u32 i = 0; i < 8u; i += 2u) {
    const Floats8 a = rows[i], b = rows[i + 1u];
    pairs[i] = __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13);
    pairs[i + 1u] = __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
  }
  for (u32 i = 0; i < 8u; i += 4u)
    for (u32 k = 0; k < 2u; ++k) {
      const Floats8 a = pairs[i + k], b = pairs[i + k + 2u];
      fours[i + 2u * k] = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
      fours[i + 2u * k + 1u] = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
    }
  for (u32 k = 0; k < 4u; ++k) {
    out[k] = __builtin_shufflevector(fours[k], fours[k + 4u], 0, 1, 2, 3, 8, 9, 10, 11);
    out[k + 4u] = __builtin_shufflevector(fours[k], fours[k + 4u], 4, 5, 6, 7, 12, 13, 14, 15);
  }
  return out;
}

/// A vector with `value` in every lane. Subtracting 0 keeps every bit, and the compiler removes it.
inline Floats8 in_all_lanes(float value) { return value - Floats8{}; }

inline Ints8 bits_of_lanes(Floats8 a) { return std::bit_cast<Ints8>(a); }

inline Floats8 magnitude_of_lanes(Floats8 a) {
  return std::bit_cast<Floats8>(bits_of_lanes(a) & 0x7fffffff);
}

#if defined(BC_AVX2)

inline Floats8 fused_lanes(Floats8 a, Floats8 b, Floats8 c) { return _mm256_fmadd_ps(a, b, c); }
// Like min_of and max_of, these functions return the second operand if the two are equal or
// unordered.
inline Floats8 min_lanes(Floats8 a, Floats8 b) { return _mm256_min_ps(a, b); }
inline Floats8 max_lanes(Floats8 a, Floats8 b) { return _mm256_max_ps(a, b); }
inline Floats8 root_lanes(Floats8 a) { return _mm256_sqrt_ps(a); }
inline Doubles4 floor_lanes(Doubles4 a) { return _mm256_floor_pd(a); }
/// A bit mask of a comparison: bit k is set if lane k is true.
inline u32 true_lanes(Ints8 a) {
  return static_cast<u32>(_mm256_movemask_ps(std::bit_cast<Floats8>(a)));
}

#else

inline Floats8 fused_lanes(Floats8 a, Floats8 b, Floats8 c) {
  Floats8 out{};
  for (u32 k = 0; k < kLanes; ++k) out[k] = fused(a[k], b[k], c[k]);
  return out;
}
inline Floats8 min_lanes(Floats8 a, Floats8 b) { return a < b ? a : b; }
inline Floats8 max_lanes(Floats8 a, Floats8 b) { return a > b ? a : b; }
inline Floats8 root_lanes(Floats8 a) {
  for (u32 k = 0; k < kLanes; ++k) a[k] = std::sqrt(a[k]);
  return a;
}
inline Doubles4 floor_lanes(Doubles4 a) {
  for (u32 k = 0; k < 4u; ++k) a[k] = std::floor(a[k]);
  return a;
}
inline u32 true_lanes(Ints8 a) {
  u32 out = 0;
  for (u32 k = 0; k < kLanes; ++k) out |= (static_cast<u32>(a[k]) >> 31) << k;
  return out;
}

#endif

/// The inverse of true_lanes: makes a comparison result of a bit mask.
inline Ints8 lanes_of_bits(u32 bits) {
  const Ints8 own = {1, 2, 4, 8, 16, 32, 64, 128};
  return (own & static_cast<i32>(bits)) == own;
}

/// Eight floats, with the operators and functions that a float has. So a template can process one
/// thing or eight.
struct Lanes8 {
  Floats8 v{};

  Lanes8() = default;
  Lanes8(Floats8 lanes) : v(lanes) {}
  explicit Lanes8(float all) : v(in_all_lanes(all)) {}
  /// The eight floats at `from`.
  static Lanes8 load(const float* from) {
    Lanes8 out;
    std::memcpy(&out.v, from, sizeof out.v);
    return out;
  }
  /// The lanes where `mask` is true, and 0 elsewhere; `mask` is the result of a comparison.
  Lanes8 where(Ints8 mask) const { return std::bit_cast<Floats8>(bits_of_lanes(v) & mask); }

  friend Lanes8 operator+(Lanes8 a, Lanes8 b) { return a.v + b.v; }
  friend Lanes8 operator-(Lanes8 a, Lanes8 b) { return a.v - b.v; }
  friend Lanes8 operator*(Lanes8 a, Lanes8 b) { return a.v * b.v; }
  friend Lanes8 operator/(Lanes8 a, Lanes8 b) { return a.v / b.v; }
  friend Lanes8 operator-(Lanes8 a) { return -a.v; }
  friend Ints8 operator>(Lanes8 a, Lanes8 b) { return a.v > b.v; }
  friend Ints8 operator>=(Lanes8 a, float b) { return a.v >= b; }
  friend Ints8 operator<(Lanes8 a, Lanes8 b) { return a.v < b.v; }
  friend Ints8 operator<=(Lanes8 a, Lanes8 b) { return a.v <= b.v; }
};

inline Lanes8 fused(Lanes8 a, Lanes8 b, Lanes8 c) { return fused_lanes(a.v, b.v, c.v); }
inline Lanes8 either_min(Lanes8 a, Lanes8 b) { return min_lanes(a.v, b.v); }
inline Lanes8 either_max(Lanes8 a, Lanes8 b) { return max_lanes(a.v, b.v); }
inline Lanes8 magnitude_of(Lanes8 a) { return magnitude_of_lanes(a.v); }
inline Lanes8 reciprocal(Lanes8 a) { return Lanes8(1.0f) / a; }
inline Lanes8 max_of(Lanes8 a, Lanes8 b) { return max_lanes(a.v, b.v); }
inline Lanes8 root_of(Lanes8 a) { return root_lanes(a.v); }
inline Lanes8 select(Ints8 mask, Lanes8 yes, Lanes8 no) { return mask ? yes.v : no.v; }

/// Eight unsigned integers, with the operators of one, so that a template can process one thing or
/// eight.
struct WordLanes8 {
  using Words = u32 __attribute__((vector_size(32)));
  Words v{};

  WordLanes8() = default;
  WordLanes8(Words lanes) : v(lanes) {}
  WordLanes8& operator+=(WordLanes8 b) { return v += b.v, *this; }
  WordLanes8& operator*=(u32 b) { return v *= b, *this; }
  WordLanes8& operator^=(WordLanes8 b) { return v ^= b.v, *this; }

  friend WordLanes8 operator+(WordLanes8 a, u32 b) { return a.v + b; }
  friend WordLanes8 operator*(WordLanes8 a, u32 b) { return a.v * b; }
  friend WordLanes8 operator^(WordLanes8 a, u32 b) { return a.v ^ b; }
  friend WordLanes8 operator&(WordLanes8 a, u32 b) { return a.v & b; }
  friend WordLanes8 operator>>(WordLanes8 a, int b) { return a.v >> b; }
};

inline WordLanes8 reverse_bits(WordLanes8 a) {
  const auto swap = [&](u32 mask, int by) { a.v = (a.v >> by & mask) | (a.v & mask) << by; };
  swap(0x55555555u, 1);
  swap(0x33333333u, 2);
  swap(0x0f0f0f0fu, 4);
  swap(0x00ff00ffu, 8);
  swap(0x0000ffffu, 16);
  return a;
}
/// As unit_float for one number. The upper 24 bits are not negative as a signed integer, so the
/// signed conversion is right.
inline Lanes8 unit_float(WordLanes8 bits) {
  const Ints8 upper = std::bit_cast<Ints8>(bits.v >> 8);
  return Lanes8(__builtin_convertvector(upper, Floats8)) * Lanes8(0x1p-24f);
}

/// Eight doubles, in two vectors, with the operators of one double, as Lanes8 has those of a float.
struct DoubleLanes8 {
  using Mask4 = decltype(Doubles4{} < Doubles4{});
  struct Mask {
    Mask4 low, high;
  };
  Doubles4 low{}, high{};

  DoubleLanes8(Doubles4 its_low, Doubles4 its_high) : low(its_low), high(its_high) {}
  explicit DoubleLanes8(double all) : low(all - Doubles4{}), high(low) {}
  explicit DoubleLanes8(Lanes8 a)
      : low(__builtin_convertvector(__builtin_shufflevector(a.v, a.v, 0, 1, 2, 3), Doubles4)),
        high(__builtin_convertvector(__builtin_shufflevector(a.v, a.v, 4, 5, 6, 7), Doubles4)) {}
  explicit operator Lanes8() const {
    using Floats4 = float __attribute__((vector_size(16)));
    const Floats4 a = __builtin_convertvector(low, Floats4);
    const Floats4 b = __builtin_convertvector(high, Floats4);
    return Lanes8(__builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7));
  }

  using Here = const DoubleLanes8&;
  friend DoubleLanes8 operator+(Here a, double b) { return {a.low + b, a.high + b}; }
  friend DoubleLanes8 operator+(Here a, Here b) { return {a.low + b.low, a.high + b.high}; }
  friend DoubleLanes8 operator-(Here a, double b) { return {a.low - b, a.high - b}; }
  friend DoubleLanes8 operator-(Here a, Here b) { return {a.low - b.low, a.high - b.high}; }
  friend DoubleLanes8 operator*(Here a, double b) { return {a.low * b, a.high * b}; }
  friend DoubleLanes8 operator*(double a, Here b) { return {a * b.low, a * b.high}; }
  friend DoubleLanes8 operator*(Here a, Here b) { return {a.low * b.low, a.high * b.high}; }
  friend DoubleLanes8 operator-(Here a) { return {-a.low, -a.high}; }
  friend Mask operator<(Here a, double b) { return {a.low < b, a.high < b}; }
};

inline DoubleLanes8 select(const DoubleLanes8::Mask& mask, const DoubleLanes8& yes,
                           const DoubleLanes8& no) {
  return {mask.low ? yes.low : no.low, mask.high ? yes.high : no.high};
}
inline DoubleLanes8 floor_of(const DoubleLanes8& a) {
  return {floor_lanes(a.low), floor_lanes(a.high)};
}

/// Eight vectors, with the operators and functions that a vec3 has.
struct VectorLanes {
  Lanes8 x, y, z;

  VectorLanes() = default;
  explicit VectorLanes(float all) : x(all), y(all), z(all) {}
  explicit VectorLanes(vec3 all) : x(all.x), y(all.y), z(all.z) {}
  VectorLanes(Lanes8 its_x, Lanes8 its_y, Lanes8 its_z) : x(its_x), y(its_y), z(its_z) {}

  VectorLanes where(Ints8 mask) const { return {x.where(mask), y.where(mask), z.where(mask)}; }
  vec3 lane(u32 k) const { return {x.v[k], y.v[k], z.v[k]}; }
  void set_lane(u32 k, vec3 to) { x.v[k] = to.x, y.v[k] = to.y, z.v[k] = to.z; }

  friend VectorLanes operator-(const VectorLanes& a) { return {-a.x, -a.y, -a.z}; }
  friend VectorLanes operator-(const VectorLanes& a, const VectorLanes& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  friend VectorLanes operator*(const VectorLanes& a, const VectorLanes& b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z};
  }
  friend VectorLanes operator/(const VectorLanes& a, Lanes8 b) {
    return {a.x / b, a.y / b, a.z / b};
  }
};

inline VectorLanes select(Ints8 mask, const VectorLanes& yes, const VectorLanes& no) {
  return {select(mask, yes.x, no.x), select(mask, yes.y, no.y), select(mask, yes.z, no.z)};
}
inline Lanes8 dot(const VectorLanes& a, const VectorLanes& b) {
  const VectorLanes ab = a * b;
  return ab.x + ab.y + ab.z;
}
inline VectorLanes cross(const VectorLanes& a, const VectorLanes& b) {
  return {a.y * b.z - b.y * a.z, a.z * b.x - b.z * a.x, a.x * b.y - b.x * a.y};
}
inline VectorLanes unit_or(const VectorLanes& v, const VectorLanes& fallback) {
  const Lanes8 scale = max_of(magnitude_of(v.x), max_of(magnitude_of(v.y), magnitude_of(v.z)));
  const VectorLanes w = v / scale;
  return select((scale > Lanes8(0.0f)) & (scale < Lanes8(3.0e38f)), w / root_of(dot(w, w)),
                fallback);
}

}  // namespace ballotcast::detail
