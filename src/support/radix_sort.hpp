// A stable sort of keys with values, on all threads.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "support/parallel.hpp"

namespace ballotcast::detail {

/// Sorts `keys` in ascending order by their lowest `bits` bits (a multiple of 8); the others are 0.
/// `values`, one per key, move along. Equal keys keep their order.
///
/// Eight bits per pass. Each part of the array counts its digits; a sum over digits, then parts,
/// gives every part the places to which it moves its elements.
inline void sort_by_key(std::vector<std::uint64_t>& keys, std::vector<std::uint32_t>& values,
                        unsigned bits) {
  constexpr std::size_t kPart = 1u << 16, kDigits = 256;
  const std::size_t count = keys.size(), parts = (count + kPart - 1) / kPart;
  std::vector<std::uint64_t> moved_keys(count);
  std::vector<std::uint32_t> moved_values(count);
  std::vector<std::array<std::size_t, kDigits>> places(parts);
  for (unsigned shift = 0; shift < bits; shift += 8) {
    const auto for_each_in = [&](std::size_t part, auto visit) {
      const std::size_t end = part + 1 < parts ? (part + 1) * kPart : count;
      for (std::size_t i = part * kPart; i < end; ++i)
        visit(places[part][keys[i] >> shift & (kDigits - 1)], i);
    };
    for_each_index(parts, [&](std::size_t part) {
      places[part].fill(0);
      for_each_in(part, [](std::size_t& place, std::size_t) { ++place; });
    });
    std::size_t before = 0;
    for (std::size_t digit = 0; digit < kDigits; ++digit)
      for (auto& of_part : places) {
        const std::size_t own = of_part[digit];
        of_part[digit] = before;
        before += own;
      }
    for_each_index(parts, [&](std::size_t part) {
      for_each_in(part, [&](std::size_t& place, std::size_t i) {
        moved_keys[place] = keys[i];
        moved_values[place++] = values[i];
      });
    });
    keys.swap(moved_keys);
    values.swap(moved_values);
  }
}

}  // namespace ballotcast::detail
