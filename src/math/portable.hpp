// Hides the differences between host and device compilers. Only this file, backends/cuda and the
// public headers api.hpp and device.hpp may test for the compiler.
#pragma once

#if !defined(__CUDACC_RTC__)
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#endif

#if defined(__CUDACC__)
#define BC_HD __host__ __device__  // for functions that run on host and device, with the same bits
#if defined(BALLOTCAST_IN_PROGRAM)
#define BC_DEVICE BC_HD  // a program may run its kernels on emulated lanes, too
#else
#define BC_DEVICE __device__  // for code that only runs in kernels
#endif
#define BC_RESTRICT __restrict__
#define BC_COLD __noinline__      // for functions that are rarely called: not inlined into kernels
#define BC_NOINLINE __noinline__  // for functions whose code kernels share
#else
#define BC_HD
#define BC_DEVICE
#define BC_RESTRICT __restrict__
#define BC_COLD __attribute__((noinline, cold))
#define BC_NOINLINE __attribute__((noinline))
#endif

#if defined(__CUDA_ARCH__)
// Selects the code of a function for the GPU or for the host
#define BC_BY_MACHINE(on_gpu, on_host) on_gpu
#define BC_UNROLL _Pragma("unroll")       // unrolls the loop that follows, completely
#define BC_NO_UNROLL _Pragma("unroll 1")  // keeps the loop that follows from being unrolled
#else
#define BC_BY_MACHINE(on_gpu, on_host) on_host
#define BC_UNROLL
#define BC_NO_UNROLL
#endif

// A product that the compiler of a program (a user of the device header) must not fuse with an
// addition. The inline assembly is used only in such programs, and only if the processor has a
// fused multiply-add instruction, because it costs registers.
#if defined(BALLOTCAST_IN_PROGRAM) && defined(__x86_64__) && defined(__FMA__)
#define BC_UNFUSED(product) \
  ([](auto value) {         \
    asm("" : "+x"(value));  \
    return value;           \
  }(product))
#elif defined(BALLOTCAST_IN_PROGRAM) && defined(__aarch64__)
#define BC_UNFUSED(product) \
  ([](auto value) {         \
    asm("" : "+w"(value));  \
    return value;           \
  }(product))
#else
#define BC_UNFUSED(product) (product)
#endif

// For host functions that do much work for each ray or path: all functions that they call are
// inlined, so that values stay in registers. Compilers do not do this by default, and then casting
// and shading take 25 % longer.
#define BC_FLATTEN __attribute__((flatten))

namespace ballotcast::detail {

#if defined(__CUDACC_RTC__)  // NVRTC, which has no standard library
using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long long;
using i32 = int;
using i64 = long long;
#else
using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
#endif

/// The 32 bits of `value`, as an integer.
BC_HD inline u32 bits_of(float value) {
  u32 bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// The 32 bits of `value`, as a signed integer.
BC_HD inline i32 signed_bits_of(float value) { return static_cast<i32>(bits_of(value)); }

/// The float whose 32 bits are `bits`.
BC_HD inline float float_of(u32 bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/// The 64 bits of `value`, as an integer.
BC_HD inline u64 bits_of(double value) {
  u64 bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// The double whose 64 bits are `bits`.
BC_HD inline double double_of(u64 bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/// True unless `value` is infinite or NaN. Without branches, so that loops over arrays are fast.
BC_HD inline bool is_finite(float value) { return (bits_of(value) & 0x7f800000u) != 0x7f800000u; }
BC_HD inline bool is_finite(double value) {
  return (bits_of(value) & 0x7ff0000000000000u) != 0x7ff0000000000000u;
}

/// a * b + c with one rounding. The library is compiled with contraction off: compilers never fuse
/// a multiplication and an addition on their own.
BC_HD inline float fused(float a, float b, float c) { return fmaf(a, b, c); }
BC_HD inline double fused(double a, double b, double c) { return fma(a, b, c); }

/// a * b + c with one rounding or with two, whichever is faster. For bounds that allow for both.
BC_HD inline float either_fused(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  return fmaf(a, b, c);
#else
  return a * b + c;
#endif
}
BC_HD inline double either_fused(double a, double b, double c) {
#if defined(__CUDA_ARCH__)
  return fma(a, b, c);
#else
  return a * b + c;
#endif
}

/// a * b, which no compiler may fuse with an addition, even with contraction on, which is nvcc's
/// default. For sums that must have the same bits in programs that compile the device header
/// (kernels/device_header).
BC_HD inline float times(float a, float b) {
#if defined(__CUDA_ARCH__)
  return __fmul_rn(a, b);
#else
  return BC_UNFUSED(a * b);
#endif
}
BC_HD inline double times(double a, double b) {
#if defined(__CUDA_ARCH__)
  return __dmul_rn(a, b);
#else
  return BC_UNFUSED(a * b);
#endif
}

/// The smaller of two floats; `b` if they are equal or unordered. So signed zeros and NaN give the
/// same result on host and device, which fminf does not guarantee.
BC_HD inline float min_of(float a, float b) { return a < b ? a : b; }

/// The larger of two floats; `b` if they are equal or unordered.
BC_HD inline float max_of(float a, float b) { return a > b ? a : b; }

/// The smaller of two floats that are not NaN. Of 0 and -0 it returns either, so use it only where
/// the sign of a zero does not matter. It takes one instruction on a GPU, where min_of takes two.
BC_HD inline float either_min(float a, float b) {
#if defined(__CUDA_ARCH__)
  return fminf(a, b);
#else
  return min_of(a, b);
#endif
}

/// The larger of two floats; see either_min.
BC_HD inline float either_max(float a, float b) {
#if defined(__CUDA_ARCH__)
  return fmaxf(a, b);
#else
  return max_of(a, b);
#endif
}

/// 1 / x, correctly rounded, for |x| from 2^-125 to 2^125. On a GPU it is computed from the
/// hardware approximation and one Newton step. A division on a GPU does the same, but first tests
/// for values out of range.
BC_HD inline float reciprocal(float x) {
#if defined(__CUDA_ARCH__)
  float r;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  return fmaf(r, fmaf(-x, r, 1.0f), r);
#else
  return 1.0f / x;
#endif
}

/// Divides three numbers by the same number. On a host this is one vector instruction.
BC_HD inline void divide_all(float& x, float& y, float& z, float by) {
#if defined(__CUDA_ARCH__)
  x = __fdiv_rn(x, by);  // __fdiv_rn, because a program may be compiled with fast divisions
  y = __fdiv_rn(y, by);
  z = __fdiv_rn(z, by);
#else
  using Four = float __attribute__((vector_size(16)));
  const Four quotients = Four{x, y, z, z} / Four{by, by, by, by};
  x = quotients[0];
  y = quotients[1];
  z = quotients[2];
#endif
}

/// The square root, correctly rounded.
BC_HD inline float root_of(float x) {
#if defined(__CUDA_ARCH__)
  return __fsqrt_rn(x);
#else
  return sqrtf(x);
#endif
}

/// The larger of two doubles; see either_min.
BC_HD inline double either_max(double a, double b) {
#if defined(__CUDA_ARCH__)
  return fmax(a, b);
#else
  return a > b ? a : b;
#endif
}

/// The approximate square root of a number that is 0 or at least 2^-126; the relative error is at
/// most 2^-21.
BC_HD inline float about_root_of(float x) {
#if defined(__CUDA_ARCH__)
  float root;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
  return root;
#else
  return sqrtf(x);
#endif
}

/// Three functions that compare floats as signed integers by their bits, and return such bits: the
/// largest of three floats and 0, the largest of three, and the smallest of three. In this
/// comparison, floats that are not negative are in the right order, and every negative float is
/// below them. This is enough for box and triangle tests. On GPUs of compute capability 9.0 and
/// later, each function is one instruction.
BC_HD inline i32 largest_not_negative(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  return __vimax3_s32_relu(__float_as_int(a), __float_as_int(b), __float_as_int(c));
#else
  const float most = max_of(max_of(a, b), c);
  return most > 0.0f ? signed_bits_of(most) : 0;
#endif
}
BC_HD inline i32 largest_by_bits(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  return __vimax3_s32(__float_as_int(a), __float_as_int(b), __float_as_int(c));
#else
  return std::max({signed_bits_of(a), signed_bits_of(b), signed_bits_of(c)});
#endif
}
BC_HD inline i32 smallest_by_bits(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  return __vimin3_s32(__float_as_int(a), __float_as_int(b), __float_as_int(c));
#else
  return std::min({signed_bits_of(a), signed_bits_of(b), signed_bits_of(c)});
#endif
}

/// Values for the argument `order` of first_code and last_code. They state which of the two 16-bit
/// codes in a word comes first: the code in the low half or the code in the high half. The lower
/// two bytes of `order` are the weights of the two codes for first_code, the upper two for
/// last_code (__dp2a_lo and __dp2a_hi).
inline constexpr u32 kLowFirst = 0x80000080u, kHighFirst = 0x00808000u;

/// The code of `pair` that comes first (first_code) or last (last_code) in `order`, as the upper 16
/// bits of the mantissa of a float in [1, 2). On a GPU it is one instruction: a dot product with
/// the weights 128 and 0.
BC_HD inline float first_code(u32 pair, u32 order) {
#if defined(__CUDA_ARCH__)
  return __uint_as_float(__dp2a_lo(pair, order, 0x3f800000u));
#else
  return float_of(0x3f800000u + ((order == kLowFirst ? pair & 0xffffu : pair >> 16) << 7));
#endif
}
BC_HD inline float last_code(u32 pair, u32 order) {
#if defined(__CUDA_ARCH__)
  return __uint_as_float(__dp2a_hi(pair, order, 0x3f800000u));
#else
  return float_of(0x3f800000u + ((order == kLowFirst ? pair >> 16 : pair & 0xffffu) << 7));
#endif
}

/// Reads *from. The size of T must be a multiple of 16 bytes, `from` must be aligned to 16 bytes,
/// and no thread may write *from while the kernel runs. A GPU reads the whole object at this point,
/// 16 bytes at a time. Otherwise ptxas would move the loads of its parts to the places where they
/// are used, and each of them would wait for memory.
template <class T>
BC_HD inline T read_whole(const T* from) {
#if defined(__CUDA_ARCH__)
  constexpr u32 kPieces = sizeof(T) / 16;
  static_assert(sizeof(T) % 16 == 0 && alignof(T) % 16 == 0);
  struct alignas(16) Piece {
    u32 x, y, z, w;
  } pieces[kPieces];
#pragma unroll
  for (u32 i = 0; i < kPieces; ++i)
    asm volatile("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(pieces[i].x), "=r"(pieces[i].y), "=r"(pieces[i].z), "=r"(pieces[i].w)
                 : "l"(reinterpret_cast<const char*>(from) + 16u * i));
  T value;
  memcpy(&value, pieces, sizeof value);
  return value;
#else
  return *from;
#endif
}

/// `value` clamped to [low, high]; NaN becomes `low`.
BC_HD inline float clamp_to(float value, float low, float high) {
  return value > low ? (value < high ? value : high) : low;
}

/// Stores `value`. Other threads may access the same address at the same time with this function,
/// with load_shared() or with atomic operations. The order of other memory accesses is not
/// guaranteed.
template <class Word>
BC_HD void store_shared(Word* to, Word value) {
#if defined(__CUDA_ARCH__)
  *static_cast<volatile Word*>(to) = value;
#else
  __atomic_store_n(to, value, __ATOMIC_RELAXED);
#endif
}

/// Loads a value that another thread may be changing. Returns the value before or after the change.
template <class Word>
BC_HD Word load_shared(const Word* from) {
#if defined(__CUDA_ARCH__)
  return *static_cast<const volatile Word*>(from);
#else
  return __atomic_load_n(from, __ATOMIC_RELAXED);
#endif
}

/// |value|: clears the sign bit.
BC_HD inline float magnitude_of(float value) {
#if defined(__CUDA_ARCH__)
  return float_of(bits_of(value) & 0x7fffffffu);
#else
  return fabsf(value);  // fabsf keeps floats in registers
#endif
}
BC_HD inline double magnitude_of(double value) { return fabs(value); }

/// The number of set bits.
BC_HD inline u32 count_bits(u32 mask) {
#if defined(__CUDA_ARCH__)
  return static_cast<u32>(__popc(mask));
#else
  return static_cast<u32>(__builtin_popcount(mask));
#endif
}

/// The bits of `word` in reverse order.
BC_HD inline u32 reverse_bits(u32 word) {
#if defined(__CUDA_ARCH__)
  return __brev(word);
#else
  word = ((word >> 1) & 0x55555555u) | ((word & 0x55555555u) << 1);
  word = ((word >> 2) & 0x33333333u) | ((word & 0x33333333u) << 2);
  word = ((word >> 4) & 0x0f0f0f0fu) | ((word & 0x0f0f0f0fu) << 4);
  return __builtin_bswap32(word);
#endif
}

/// The index of the lowest set bit; bit 0 is the lowest. `word` must not be 0.
BC_HD inline u32 lowest_bit(u32 word) {
#if defined(__CUDA_ARCH__)
  return static_cast<u32>(__ffs(static_cast<int>(word))) - 1u;
#else
  return static_cast<u32>(__builtin_ctz(word));
#endif
}

BC_HD inline u32 lowest_bit(u64 word) {
#if defined(__CUDA_ARCH__)
  return static_cast<u32>(__ffsll(static_cast<long long>(word))) - 1u;
#else
  return static_cast<u32>(__builtin_ctzll(word));
#endif
}

/// The index of the highest set bit; bit 0 is the lowest. `word` must not be 0.
BC_HD inline u32 highest_bit(u32 word) {
#if defined(__CUDA_ARCH__)
  return 31u - static_cast<u32>(__clz(static_cast<int>(word)));
#else
  return 31u - static_cast<u32>(__builtin_clz(word));
#endif
}
BC_HD inline u32 highest_bit(u64 word) {
#if defined(__CUDA_ARCH__)
  return 63u - static_cast<u32>(__clzll(static_cast<long long>(word)));
#else
  return 63u - static_cast<u32>(__builtin_clzll(word));
#endif
}

/// Returns the same address in the shared memory of a block, but keeps it in a register. Otherwise
/// nvcc computes the address again at each use, in four instructions.
BC_DEVICE inline u32* kept(u32* shared) {
#if defined(__CUDA_ARCH__)
  u32 address = static_cast<u32>(__cvta_generic_to_shared(shared));
  asm volatile("" : "+r"(address));
  return static_cast<u32*>(__cvta_shared_to_generic(address));
#else
  return shared;
#endif
}

/// The base-2 logarithm of `n`, rounded up; 0 for 0.
BC_HD inline u32 log2_up(u32 n) { return n > 1u ? highest_bit(n - 1u) + 1u : 0u; }

// Operations of the lanes of a warp, for code that also runs on the host, where a warp has one
// lane. All lanes must call these functions together.

#if defined(__CUDA_ARCH__)
inline constexpr u32 kLanesOfWarp = 32u;
#else
inline constexpr u32 kLanesOfWarp = 1u;
#endif

/// A bit mask of the lanes for which `p` is true.
BC_HD inline u32 ballot_of_warp(bool p) {
#if defined(__CUDA_ARCH__)
  return __ballot_sync(0xffffffffu, p);
#else
  return p ? 1u : 0u;
#endif
}

/// Gives each lane for which `wants` is true its own number. The numbers start at *next, a counter
/// that all warps share. `end` becomes the number after the last one of the warp.
BC_HD inline u32 take_numbers(u32* next, bool wants, u32& end) {
  const u32 ayes = ballot_of_warp(wants);
#if defined(__CUDA_ARCH__)
  const u32 lane = threadIdx.x % kLanesOfWarp;
  u32 first = 0u;
  if (lane == 0u) first = atomicAdd(next, count_bits(ayes));
  first = __shfl_sync(0xffffffffu, first, 0);
  end = first + count_bits(ayes);
  return first + count_bits(ayes & ((1u << lane) - 1u));
#else
  const u32 first = __atomic_fetch_add(next, ayes, __ATOMIC_RELAXED);
  end = first + ayes;
  return first;
#endif
}

#if defined(__CUDACC__)
/// The sum, the bitwise or, the smallest and the largest of `value` over the 32 lanes of a warp.
/// All lanes must call these functions together. Each is one instruction from compute capability
/// 8.0 on.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
template <class T, class Join>
__device__ inline T joined_over_warp(T value, Join join) {
  for (int mask = 16; mask > 0; mask /= 2)
    value = join(value, __shfl_xor_sync(0xffffffffu, value, mask));
  return value;
}
__device__ inline u32 sum_of_warp(u32 value) {
  return joined_over_warp(value, [](u32 a, u32 b) { return a + b; });
}
__device__ inline u32 or_of_warp(u32 value) {
  return joined_over_warp(value, [](u32 a, u32 b) { return a | b; });
}
__device__ inline i32 least_of_warp(i32 value) {
  return joined_over_warp(value, [](i32 a, i32 b) { return a < b ? a : b; });
}
__device__ inline i32 most_of_warp(i32 value) {
  return joined_over_warp(value, [](i32 a, i32 b) { return a < b ? b : a; });
}
#else
__device__ inline u32 sum_of_warp(u32 value) { return __reduce_add_sync(0xffffffffu, value); }
__device__ inline u32 or_of_warp(u32 value) { return __reduce_or_sync(0xffffffffu, value); }
__device__ inline i32 least_of_warp(i32 value) { return __reduce_min_sync(0xffffffffu, value); }
__device__ inline i32 most_of_warp(i32 value) { return __reduce_max_sync(0xffffffffu, value); }
#endif
#endif

}  // namespace ballotcast::detail
