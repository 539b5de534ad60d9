#include "scene/formats/weld.hpp"

#include <bit>

namespace ballotcast::detail {
namespace {

u64 bits_of_double(double value) { return std::bit_cast<u64>(value); }

bool same(const dvec3& a, const dvec3& b) {
  return bits_of_double(a.x) == bits_of_double(b.x) && bits_of_double(a.y) == bits_of_double(b.y) &&
         bits_of_double(a.z) == bits_of_double(b.z);
}

}  // namespace

std::size_t Welder::slot_of(const dvec3& position) const {
  u64 hash = 0;
  for (const double c : {position.x, position.y, position.z}) {
    // The finalizer of splitmix64 (G. Steele and others, Fast Splittable Pseudorandom Number
    // Generators, 2014).
    hash += bits_of_double(c) + 0x9e3779b97f4a7c15u;
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
    hash ^= hash >> 31;
  }
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = static_cast<std::size_t>(hash) & mask;
  while (slots_[slot] != kEmpty && !same(positions_[slots_[slot]], position))
    slot = (slot + 1) & mask;
  return slot;
}

u32 Welder::index_of(dvec3 position) {
  position += 0.0;  // turns -0 into 0
  const std::size_t slot = slot_of(position);
  if (slots_[slot] != kEmpty) return slots_[slot];
  const u32 index = static_cast<u32>(positions_.size());
  slots_[slot] = index;
  positions_.push_back(position);
  if (positions_.size() * 2 > slots_.size()) {
    slots_.assign(slots_.size() * 2, kEmpty);
    for (u32 i = 0; i <= index; ++i) slots_[slot_of(positions_[i])] = i;
  }
  return index;
}

}  // namespace ballotcast::detail
