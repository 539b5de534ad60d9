#include "backends/benchmarks/runners.hpp"

#include "backends/device/cast_choice.hpp"
#include "ballotcast/error.hpp"

namespace ballotcast::detail {

namespace {

void require_grid(u32 lanes, u32 block_size) {
  require_block_size(block_size);
  if (lanes == 0u || lanes % block_size != 0u || lanes > 1u << 30)
    throw UsageError(std::to_string(lanes) + " lanes: must be a multiple of the block size, " +
                     std::to_string(block_size) + ", up to 2^30");
}

void require_power_of_two(const char* what, u32 value, u32 most) {
  if (value == 0u || value > most || (value & (value - 1u)) != 0u)
    throw UsageError(std::string(what) + " " + std::to_string(value) +
                     ": must be a power of two from 1 to " + std::to_string(most));
}

struct RequireValid {
  void operator()(const VoteCase& c) const { require_grid(c.lanes, c.block_size); }
  void operator()(const ShuffleCase& c) const {
    require_grid(c.lanes, c.block_size);
    require_power_of_two("width of a shuffle", c.width, kWarpSize);
  }
  void operator()(const ReductionCase& c) const {
    require_grid(c.block_size, c.block_size);
    if (c.count == 0u || c.count > 1u << 30)
      throw UsageError("a sum of " + std::to_string(c.count) + " values: must be 1 to 2^30");
  }
  void operator()(const GroupCase& c) const {
    require_grid(c.lanes, c.block_size);
    require_power_of_two("group size", c.group_size, kLargestBlock);
  }
};

}  // namespace

void require_valid(const PrimitiveCase& what) { std::visit(RequireValid{}, what); }

SyntheticView view_of(const SyntheticCase& c) {
  constexpr double kAll = 4294967296.0;
  const double threshold = c.probability * kAll - 1.0;
  return {c.rays,  c.pattern, threshold > 0.0 ? static_cast<u32>(threshold) : 0u, c.steps, c.ragged,
          nullptr, nullptr};
}

}  // namespace ballotcast::detail
