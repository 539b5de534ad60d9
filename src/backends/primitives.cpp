#include "backends/primitives.hpp"

#include "backends/cuda/cuda_backend.hpp"
#include "backends/cuda/cuda_primitives.hpp"
#include "backends/emulated/emulated_backend.hpp"
#include "backends/emulated/emulated_primitives.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

namespace {

void require_grid(u32 lanes, u32 block_size) {
  if (block_size < kWarpSize || block_size > kLargestBlock || block_size % kWarpSize != 0u)
    throw UsageError("block size " + std::to_string(block_size) +
                     ": must be a multiple of 32 from 32 to 1024");
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

const std::vector<PrimitiveLabInfo>& primitive_labs() {
  static const std::vector<PrimitiveLabInfo> table = {
      {"cuda", "an NVIDIA GPU, with times", cuda_unusable, cuda_primitive_lab},
      {"emulated", "the GPU's kernels on the CPU: what they do, no times", emulated_unusable,
       emulated_primitive_lab},
  };
  return table;
}

std::unique_ptr<PrimitiveLab> make_primitive_lab(std::string_view name, u64 seed) {
  std::vector<std::string_view> names;
  for (const PrimitiveLabInfo& row : primitive_labs()) {
    names.push_back(row.name);
    if (row.name != name) continue;
    const std::string reason = row.unusable();
    if (!reason.empty())
      throw DeviceError("device " + std::string(name) + " can't be used: " + reason);
    return row.make(seed);
  }
  throw_unknown("device for primitives", name, names);
}

}  // namespace ballotcast::detail
