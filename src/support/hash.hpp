// Hashes: a fast hash of our own for files and the sections of packed files, and FNV-1a (G. Fowler,
// L. C. Noll, K.-P. Vo, http://www.isthe.com/chongo/tech/comp/fnv) for pixels and hits, whose
// hashes are guaranteed to stay the same in all versions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

/// A hash of `count` bytes. It detects accidental changes, not malicious ones. Each piece of 1 MiB
/// is hashed separately, in parallel, by XXH3 (Y. Collet, https://xxhash.com), and the result is
/// the hash of the pieces' hashes. It is the same on all computers with the same byte order.
std::uint64_t content_hash(const void* bytes, std::size_t count);

/// A hash as 16 hexadecimal digits.
std::string digits_of(std::uint64_t hash);

/// True if digits_of can return this text: 16 hexadecimal digits.
bool are_hash_digits(std::string_view text);

/// Hashes one byte after another. It detects accidental changes, not malicious ones.
class Fnv1a {
 public:
  static constexpr std::uint64_t kPrime = 0x100000001b3ull;

  Fnv1a() = default;
  /// Continues a hash whose digest so far is `state`.
  explicit Fnv1a(std::uint64_t state) : state_(state) {}

  void add(std::uint8_t byte) { state_ = (state_ ^ byte) * kPrime; }
  /// Adds the four bytes of a word, the lowest first.
  void add(std::uint32_t word) {
    for (int shift = 0; shift < 32; shift += 8) add(static_cast<std::uint8_t>(word >> shift));
  }
  std::uint64_t state() const { return state_; }
  /// The hash as 16 hexadecimal digits.
  std::string digits() const { return digits_of(state_); }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325ull;
};

/// The Fnv1a of the bytes, as 16 hexadecimal digits.
std::string fingerprint(std::string_view bytes);
std::string fingerprint(const std::vector<std::uint8_t>& bytes);

/// Hashes a long array on all threads. The hash is the same as if one byte were added after
/// another. words_of(element) returns a std::array of the words to add.
///
/// A byte changes only the lowest 8 bits of the state, which is then multiplied by an odd prime. So
/// - the lowest n bits of all states depend only on the lowest n bits of the initial state;
/// - if an initial state is larger by d, a multiple of 256, then after n bytes the state is larger
///   by d * prime^n, modulo 2^64.
///
/// The array is cut into pieces. Two rounds find the lowest 4, then the lowest 8 bits of the state
/// at the begin of each piece. In a round, every piece computes the final bits for each possible
/// value of its initial bits; then a loop over the pieces selects the values that actually occur. A
/// third round hashes every piece from an initial state with the right lowest bits. A last loop
/// adds the difference in the higher bits.
template <class Element, class WordsOf>
class ParallelFnv {
 public:
  ParallelFnv(const Element* elements, std::size_t count, const WordsOf& words_of)
      : elements_(elements),
        count_(count),
        words_of_(words_of),
        pieces_(count / (kPiece * kTogether) * kTogether) {}

  /// Returns the hash after all elements were added to `hash`.
  Fnv1a after(Fnv1a hash) const {
    std::size_t done = 0;
    if (thread_count() > 1 && pieces_ > 0) {  // one thread alone would take longer
      hash = after_pieces(hash);
      done = pieces_ * kPiece;
    }
    for (std::size_t i = done; i < count_; ++i)
      for (const std::uint32_t word : words_of_(elements_[i])) hash.add(word);
    return hash;
  }

 private:
  static constexpr std::size_t kPiece = std::size_t{1} << 13;  // number of elements of a piece
  // The number of pieces that a task hashes at once. Each step of a hash depends on the step
  // before; meanwhile the processor can work on the other pieces.
  static constexpr std::size_t kTogether = 4;

  /// Eight states of 16 bits, of which only the lowest bits are computed.
  using Lanes = std::uint16_t __attribute__((vector_size(16)));
  static constexpr unsigned kLanes = 8;
  static constexpr unsigned kBits = 4;  // number of bits that are found per round

  template <class State>
  using States = std::array<State, kTogether>;

  /// The states after hashing the pieces [piece, piece + kTogether), each from its own initial
  /// state. after(state, byte) is the state after one more byte.
  template <class State, class After>
  States<State> hashed(std::size_t piece, const States<State>& first, const After& after) const {
    const Element* const at = elements_ + piece * kPiece;
    State a = first[0], b = first[1], c = first[2], d = first[3];
    for (std::size_t i = 0; i < kPiece; ++i) {
      const auto wa = words_of_(at[i]), wb = words_of_(at[i + kPiece]);
      const auto wc = words_of_(at[i + 2 * kPiece]), wd = words_of_(at[i + 3 * kPiece]);
      for (std::size_t word = 0; word < wa.size(); ++word)
        for (int shift = 0; shift < 32; shift += 8) {
          a = after(a, static_cast<std::uint8_t>(wa[word] >> shift));
          b = after(b, static_cast<std::uint8_t>(wb[word] >> shift));
          c = after(c, static_cast<std::uint8_t>(wc[word] >> shift));
          d = after(d, static_cast<std::uint8_t>(wd[word] >> shift));
        }
    }
    return {a, b, c, d};
  }

  /// Calls work(piece), in parallel, for every piece whose index is a multiple of kTogether.
  template <class Work>
  void for_each_group(const Work& work) const {
    for_each_index(pieces_ / kTogether, [&](std::size_t group) { work(group * kTogether); });
  }

  Fnv1a after_pieces(Fnv1a hash) const {
    // The lowest bits of the state at the begin of each piece, as far as they are known.
    std::vector<std::uint16_t> begins(pieces_, 0);
    for (unsigned known = 0; known < 8; known += kBits) find_bits(hash.state(), known, begins);
    std::vector<std::uint64_t> ends(pieces_);
    for_each_group([&](std::size_t piece) {
      States<Fnv1a> states;
      for (std::size_t k = 0; k < kTogether; ++k) states[k] = Fnv1a(begins[piece + k]);
      states = hashed(piece, states, [](Fnv1a state, std::uint8_t byte) {
        state.add(byte);
        return state;
      });
      for (std::size_t k = 0; k < kTogether; ++k) ends[piece + k] = states[k].state();
    });
    std::uint64_t power = 1;
    for (std::size_t i = 0; i < kPiece * kBytes; ++i) power *= Fnv1a::kPrime;
    std::uint64_t state = hash.state();
    for (std::size_t piece = 0; piece < pieces_; ++piece)
      state = ends[piece] + (state - begins[piece]) * power;
    return Fnv1a(state);
  }

  /// Finds the next kBits bits of `begins`, of which the lowest `known` bits are known. Only half
  /// of the values of these bits are tried: the other half differ from them only in the highest
  /// bit, and then the resulting states also differ only in the highest bit.
  void find_bits(std::uint64_t first, unsigned known, std::vector<std::uint16_t>& begins) const {
    std::vector<Lanes> ends(pieces_);
    for_each_group([&](std::size_t piece) {
      States<Lanes> states{};
      for (std::size_t k = 0; k < kTogether; ++k)
        for (unsigned lane = 0; lane < kLanes; ++lane)
          states[k][lane] = static_cast<std::uint16_t>(begins[piece + k] | lane << known);
      states = hashed(piece, states, [](Lanes state, std::uint8_t byte) {
        constexpr auto kLowPrime = static_cast<std::uint16_t>(Fnv1a::kPrime & 0xffffu);
        return (state ^ std::uint16_t{byte}) * kLowPrime;
      });
      for (std::size_t k = 0; k < kTogether; ++k) ends[piece + k] = states[k];
    });
    const unsigned highest = 1u << (known + kBits - 1), mask = 2 * highest - 1;
    auto low = static_cast<unsigned>(first) & mask;
    for (std::size_t piece = 0; piece < pieces_; ++piece) {
      begins[piece] = static_cast<std::uint16_t>(low);
      low = (ends[piece][(low & (highest - 1)) >> known] ^ (low & highest)) & mask;
    }
  }

  static constexpr std::size_t kBytes = sizeof(std::declval<WordsOf>()(std::declval<Element>()));

  const Element* const elements_;
  const std::size_t count_;
  const WordsOf& words_of_;
  const std::size_t pieces_;  // a multiple of kTogether
};

}  // namespace ballotcast::detail
