#include "bvh/copies.hpp"

#include <algorithm>
#include <array>
#include <atomic>

#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

constexpr u32 kIdBits = 30;
constexpr u64 kIdMask = (u64{1} << kIdBits) - 1;
static_assert(kMostTriangles <= kIdMask + 1);
// The key of a triangle for which `always_there` is false; see find_copies.
constexpr u64 kNotOne = ~u64{0};

std::array<u32, 9> corners_of(const Mesh& mesh, u32 id) {
  const uvec3 corners = mesh.triangles[id];
  std::array<u32, 9> bits;
  for (u32 i = 0; i < 3; ++i) {
    const vec3 p = mesh.positions[corners[static_cast<int>(i)]];
    bits[3 * i] = bits_of(p.x);
    bits[3 * i + 1] = bits_of(p.y);
    bits[3 * i + 2] = bits_of(p.z);
  }
  return bits;
}

/// A hash of `x`. Every bit of the result depends on every bit of `x` (S. Vigna's splitmix64,
/// implemented from its description).
u64 mixed(u64 x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// The sort key of a triangle: a hash of its corners in the high bits, the id in the low bits.
/// After sorting, triangles with equal corners are adjacent, with the smallest id first. (If
/// another triangle has the same hash by chance, a copy may be missed. It then stays in the tree,
/// which only costs time.)
u64 key_of(const Mesh& mesh, u32 id) {
  u64 hash = 0;
  for (const u32 bits : corners_of(mesh, id)) hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
  return (mixed(hash) & ~kIdMask) | id;
}

/// A bit set with one bit for each value of the top bits of keys. Several threads may set bits at
/// once.
class Bits {
 public:
  explicit Bits(int bits) : shift_(64 - bits), words_((std::size_t{1} << bits) / 64) {}

  bool has(u64 key) const { return words_[word_of(key)] >> bit_of(key) & 1u; }
  /// Sets the bit of `key`. Returns true if it was set before.
  bool set(u64 key) {
    const u64 bit = u64{1} << bit_of(key);
    const std::atomic_ref<u64> word(words_[word_of(key)]);
    if ((word.load(std::memory_order_relaxed) & bit) != 0) return true;
    return (word.fetch_or(bit, std::memory_order_relaxed) & bit) != 0;
  }

 private:
  std::size_t word_of(u64 key) const { return static_cast<std::size_t>(key >> shift_) / 64; }
  u32 bit_of(u64 key) const { return static_cast<u32>(key >> shift_ & 63u); }

  int shift_;
  std::vector<u64> words_;
};

/// Removes kNotOne from `keys`, and all keys whose top bits occur only once, because no other key
/// can have the same hash. In most meshes few keys are left, which makes sorting cheaper.
std::vector<u64> possible_repeats(const std::vector<u64>& keys) {
  constexpr int kLeast = 6, kMost = 32;
  constexpr std::size_t kRange = 1 << 16;
  int bits = kLeast;
  while (bits < kMost && u64{1} << bits < 16 * u64{keys.size()}) ++bits;
  Bits seen(bits), again(bits);
  for_each_range<std::size_t>(keys.size(), kRange, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      if (keys[i] != kNotOne && seen.set(keys[i])) again.set(keys[i]);
  });
  std::vector<std::vector<u64>> found((keys.size() + kRange - 1) / kRange);
  for_each_index(found.size(), [&](std::size_t range) {
    const std::size_t begin = range * kRange, end = std::min(keys.size(), begin + kRange);
    for (std::size_t i = begin; i < end; ++i)
      if (keys[i] != kNotOne && again.has(keys[i])) found[range].push_back(keys[i]);
  });
  std::vector<u64> left;
  for (const std::vector<u64>& range : found) left.insert(left.end(), range.begin(), range.end());
  return left;
}

u32 id_of(u64 key) { return static_cast<u32>(key & kIdMask); }

/// A copy, and the triangle that represents it.
struct Pair {
  u32 first, copy;
};

}  // namespace

Copies find_copies(const Mesh& mesh, const std::function<bool(u32 id)>& always_there) {
  const auto count = static_cast<u32>(mesh.triangles.size());
  std::vector<u64> keys(count);
  for_each_range<u32>(count, 4096, [&](u32 begin, u32 end) {
    for (u32 id = begin; id < end; ++id) keys[id] = always_there(id) ? key_of(mesh, id) : kNotOne;
  });
  keys = possible_repeats(keys);
  sort_numbers(keys);

  std::vector<Pair> pairs;
  for (std::size_t i = 1, first = 0; i < keys.size(); ++i) {
    const u32 leader = id_of(keys[first]), id = id_of(keys[i]);
    if ((keys[i] & ~kIdMask) == (keys[first] & ~kIdMask) &&
        corners_of(mesh, leader) == corners_of(mesh, id))
      pairs.push_back({leader, id});
    else
      first = i;
  }
  if (pairs.empty()) return {};

  Copies copies;
  copies.starts.assign(count + 1, 0);
  for (const Pair& pair : pairs) ++copies.starts[pair.first + 1];
  for (u32 i = 0; i < count; ++i) copies.starts[i + 1] += copies.starts[i];
  std::vector<u32> next(copies.starts.begin(), copies.starts.end() - 1);
  copies.ids.resize(pairs.size());
  for (const Pair& pair : pairs) copies.ids[next[pair.first]++] = pair.copy;
  return copies;
}

std::vector<u32> without_copies(const Copies& copies, std::size_t triangles) {
  const std::vector<bool> is_copy = marked(copies, triangles);
  std::vector<u32> ids;
  ids.reserve(is_copy.empty() ? 0 : triangles - copies.ids.size());
  for (u32 id = 0; id < is_copy.size(); ++id)
    if (!is_copy[id]) ids.push_back(id);
  return ids;
}

std::vector<bool> marked(const Copies& copies, std::size_t triangles) {
  if (copies.ids.empty()) return {};
  std::vector<bool> is_copy(triangles, false);
  for (const u32 id : copies.ids) is_copy[id] = true;
  return is_copy;
}

}  // namespace ballotcast::detail
