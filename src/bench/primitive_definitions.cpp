#include <algorithm>
#include <array>
#include <cstdio>

#include "bench/primitives.hpp"
#include "kernels/primitives/branch_groups.hpp"
#include "kernels/primitives/shuffles.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

using WarpValues = std::array<u32, kWarpSize>;

WarpValues start_values(u32 warp) {
  WarpValues values;
  for (u32 i = 0; i < kWarpSize; ++i) values[i] = start_value(warp * kWarpSize + i);
  return values;
}

/// The mask of the lanes that take part in a vote in `branch`, one of the branches of divergent
/// code.
u32 electorate(const VoteCase& c, u32 branch) {
  bool own_branch_only = false;
  dispatch(VoteForms{}, "form of votes", c.form,
           [&](auto form) { own_branch_only = decltype(form)::type::kOwnBranchOnly; });
  u32 mask = 0;
  for (u32 i = 0; i < kWarpSize; ++i)
    if (!own_branch_only || c.branches.of(i) == branch) mask |= 1u << i;
  return mask;
}

/// The lane from which CUDA's shuffle reads for `lane`. Lanes form segments of `width` lanes. idx
/// wraps around inside the segment. up and down stay inside the segment. xor may read from earlier
/// segments, but not from later ones. A lane without a source keeps its own value.
u32 shuffle_source(std::string_view kind, u32 lane, u32 n, u32 width) {
  const int begin = static_cast<int>(lane / width * width), end = begin + static_cast<int>(width);
  const int own = static_cast<int>(lane), by = static_cast<int>(n);
  int source = own;
  if (kind == "idx") source = begin + by % static_cast<int>(width);
  if (kind == "up" && own - by >= begin) source = own - by;
  if (kind == "down" && own + by < end) source = own + by;
  if (kind == "xor" && (own ^ by) < end) source = own ^ by;
  return static_cast<u32>(source);
}

}  // namespace

std::vector<u32> define_votes(const VoteCase& c) {
  std::array<u32, 4> electorates{};
  for (u32 branch = 0; branch < 4; ++branch) electorates[branch] = electorate(c, branch);
  std::array<u32, kWarpSize> branch_of{};
  for (u32 i = 0; i < kWarpSize; ++i) branch_of[i] = c.branches.of(i);
  const bool ballot = c.vote == "ballot", any = c.vote == "any";

  std::vector<u32> out(std::size_t{2} * c.lanes);
  for_each_index(c.lanes / kWarpSize, [&](u32 warp) {
    WarpValues values = start_values(warp), seen{};
    for (u32 round = 0; round < c.rounds; ++round) {
      u32 ayes = 0;
      for (u32 i = 0; i < kWarpSize; ++i)
        ayes |= (says_aye(values[i], branch_of[i], ayes_in_32(warp)) ? 1u : 0u) << i;
      std::array<u32, 4> result{};
      for (u32 branch = 0; branch < 4; ++branch) {
        const u32 voters = electorates[branch], for_it = ayes & voters;
        result[branch] = ballot ? for_it : any ? for_it != 0u : for_it == voters;
      }
      for (u32 i = 0; i < kWarpSize; ++i) {
        seen[i] = result[branch_of[i]];
        values[i] = next_value(values[i], seen[i]);
      }
    }
    std::copy(seen.begin(), seen.end(), out.begin() + warp * kWarpSize);
    std::copy(values.begin(), values.end(), out.begin() + c.lanes + warp * kWarpSize);
  });
  return out;
}

std::vector<u32> define_shuffles(const ShuffleCase& c) {
  // The sources of each round; they repeat after 32 rounds.
  std::array<std::array<u32, kWarpSize>, kWarpSize> source{};
  dispatch(ShuffleKinds{}, "shuffle", c.kind, [&](auto kind) {
    for (u32 round = 0; round < kWarpSize; ++round)
      for (u32 lane = 0; lane < kWarpSize; ++lane)
        source[round][lane] =
            shuffle_source(c.kind, lane, decltype(kind)::type::argument(lane, round), c.width);
  });
  std::vector<u32> out(c.lanes);
  for_each_index(c.lanes / kWarpSize, [&](u32 warp) {
    WarpValues values = start_values(warp), next;
    for (u32 round = 0; round < c.rounds; ++round) {
      for (u32 i = 0; i < kWarpSize; ++i)
        next[i] = next_value(values[i], values[source[round % kWarpSize][i]]);
      values = next;
    }
    std::copy(values.begin(), values.end(), out.begin() + warp * kWarpSize);
  });
  return out;
}

std::vector<u32> define_sum(const std::vector<u32>& values, u32 count) {
  u32 sum = 0;
  for (u32 i = 0; i < count; ++i) sum += values[i];
  return {sum};
}

std::vector<u32> define_groups(const GroupCase& c) {
  const u32 warps = c.lanes / kWarpSize;
  std::vector<u32> out(c.lanes + warps, std::max(1u, kWarpSize / c.group_size));
  for_each_index(warps, [&](u32 warp) {
    // The inner loop runs over lanes, so that the compiler can vectorize it.
    WarpValues values = start_values(warp);
    for (u32 round = 0; round < c.rounds; ++round)
      for (u32& value : values) value = work_of_group(value, 1);
    std::copy(values.begin(), values.end(), out.begin() + warp * kWarpSize);
  });
  return out;
}

std::string difference(const std::vector<u32>& expected, const std::vector<u32>& got) {
  if (expected.size() != got.size())
    return "expected " + std::to_string(expected.size()) + " values, got " +
           std::to_string(got.size());
  std::size_t first = expected.size(), differing = 0;
  for (std::size_t i = expected.size(); i-- > 0;)
    if (expected[i] != got[i]) {
      first = i;
      ++differing;
    }
  if (differing == 0) return "";
  char text[128];
  if (expected.size() == 1) {
    std::snprintf(text, sizeof text, "expected 0x%08x, got 0x%08x", expected[0], got[0]);
    return text;
  }
  std::snprintf(text, sizeof text,
                "%zu of %zu values differ; value %zu: expected 0x%08x, got 0x%08x", differing,
                expected.size(), first, expected[first], got[first]);
  return text;
}

}  // namespace ballotcast::detail
