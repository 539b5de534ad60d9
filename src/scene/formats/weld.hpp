// Finds equal positions, for formats in which each triangle has its own vertices.
#pragma once

#include <vector>

#include "math/vec.hpp"

namespace ballotcast::detail {

/// Gives equal positions one index. Positions are equal if all their bits are, except that -0 is 0.
class Welder {
 public:
  /// The distinct positions, in the order in which they were first seen.
  explicit Welder(std::vector<dvec3>& positions) : positions_(positions), slots_(1024, kEmpty) {}

  /// The index of `position`, which is appended if it is new.
  u32 index_of(dvec3 position);

 private:
  static constexpr u32 kEmpty = 0xffffffffu;

  /// The slot of `position`, or the empty slot where it belongs.
  std::size_t slot_of(const dvec3& position) const;

  std::vector<dvec3>& positions_;
  std::vector<u32> slots_;  // a hash table of indices; its size is a power of 2
};

}  // namespace ballotcast::detail
