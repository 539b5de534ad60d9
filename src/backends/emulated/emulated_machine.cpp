#include "backends/emulated/emulated_machine.hpp"

#include <boost/context/preallocated.hpp>
#include <string>

#include "ballotcast/error.hpp"
#include "ballotcast/lanes.hpp"
#include "math/sampling.hpp"
#include "support/threads/parallel.hpp"
#include "support/threads/stop.hpp"
#include "support/threads/thread_sanitizer.hpp"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace ballotcast::detail {

namespace {

// Sanitizers need larger stacks, mostly for their reports.
#if defined(BALLOTCAST_TSAN) || defined(__SANITIZE_ADDRESS__)
constexpr std::size_t kStackBytes = 128 * 1024;
#else
constexpr std::size_t kStackBytes = 64 * 1024;
#endif

// AddressSanitizer must be notified of each switch of stacks.
#if defined(__SANITIZE_ADDRESS__)
void leave_stack(void** save, const void* to, std::size_t size) {
  __sanitizer_start_switch_fiber(save, to, size);
}
void enter_stack(void* saved, const void** from, std::size_t* size) {
  __sanitizer_finish_switch_fiber(saved, from, size);
}
#else
void leave_stack(void**, const void*, std::size_t) {}
void enter_stack(void*, const void**, std::size_t*) {}
#endif

bool is_reduction(Collective what) {
  return what == Collective::sum || what == Collective::bits || what == Collective::least ||
         what == Collective::most;
}

/// An exception that unwinds the stack of a lane when its block is cancelled.
struct LaneEnds {};

/// The result of a reduction of two operands; 0 for other collective operations.
u32 join(Collective what, u32 a, u32 b) {
  switch (what) {
    case Collective::sum:
      return a + b;
    case Collective::bits:
      return a | b;
    case Collective::least:
      return static_cast<i32>(a) < static_cast<i32>(b) ? a : b;
    case Collective::most:
      return static_cast<i32>(a) < static_cast<i32>(b) ? b : a;
    default:
      return 0;
  }
}

/// Throws UsageError unless blocks consist of whole warps, because the lanes of a partial warp
/// would wait for the missing lanes for ever.
void require_shape(u32 block_size) {
  if (block_size == 0u || block_size > kLargestBlock || block_size % kWarpSize != 0u)
    throw DeviceError("a block of " + std::to_string(block_size) +
                      " lanes: blocks have 32 to 1024, a multiple of 32");
}

}  // namespace

BlockRunner::BlockRunner() : stacks_(kStackBytes, 32, 0) {}

u32 BlockRunner::wait(u32 thread, Wait scope, Collective what, u32 operand, u32 source_lane,
                      u32 members) {
  Lane& lane = lanes_[thread];
  lane.wait = scope;
  lane.what = what;
  lane.operand = operand;
  lane.source = source_lane;
  lane.members = members;
  leave_stack(&lane.fake_stack, stack_bottom_, stack_size_);
  lane.scheduler = std::move(lane.scheduler).resume();
  enter_stack(lane.fake_stack, &stack_bottom_, &stack_size_);
  if (ending_) throw LaneEnds();
  return lane.result;
}

void BlockRunner::start(u32 thread, FunctionRef<void(u32)> body) {
  Lane& lane = lanes_[thread];
  lane.wait = Wait::nothing;
  boost::context::stack_context stack = stacks_.allocate();
  lane.stack_bottom = static_cast<const char*>(stack.sp) - stack.size;
  lane.stack_size = stack.size;
  lane.fiber = boost::context::fiber(
      std::allocator_arg, boost::context::preallocated(stack.sp, stack.size, stack), stacks_,
      [this, thread, body](boost::context::fiber&& scheduler) {
        Lane& self = lanes_[thread];
        enter_stack(nullptr, &stack_bottom_, &stack_size_);
        self.scheduler = std::move(scheduler);
        try {
          if (!ending_) body(thread);
        } catch (const LaneEnds&) {
        } catch (...) {
          if (!error_) error_ = std::current_exception();
        }
        self.wait = Wait::returned;
        leave_stack(nullptr, stack_bottom_, stack_size_);
        return std::move(self.scheduler);
      });
}

void BlockRunner::resume(Lane& lane) {
  leave_stack(&fake_stack_, lane.stack_bottom, lane.stack_size);
  lane.fiber = std::move(lane.fiber).resume();
  enter_stack(fake_stack_, nullptr, nullptr);
}

void BlockRunner::end_lanes() {
  ending_ = true;
  for (Lane& lane : lanes_)
    if (lane.fiber) resume(lane);
  ending_ = false;
  lanes_.clear();
}

bool BlockRunner::release_warp(u32 warp) {
  Lane* lanes = &lanes_[warp * kWarpSize];
  bool released = false;
  for (u32 i = 0; i < kWarpSize; ++i) {
    // Only the lowest member of a mask releases the members, so that they are released once.
    const u32 members = lanes[i].members;
    if (lanes[i].wait == Wait::warp && members << (kWarpSize - 1u - i) == 0x80000000u)
      released |= release_members(lanes, members);
  }
  return released;
}

bool BlockRunner::release_members(Lane* lanes, u32 members) {
  const u32 lowest = lowest_bit(members);
  const Collective what = lanes[lowest].what;
  u32 ayes = 0, joined = lanes[lowest].operand;
  for (u32 i = 0; i < kWarpSize; ++i) {
    if (!(members >> i & 1u)) continue;
    if (lanes[i].wait != Wait::warp || lanes[i].what != what || lanes[i].members != members)
      return false;
    ayes |= (lanes[i].operand != 0u ? 1u : 0u) << i;
    if (i > lowest) joined = join(what, joined, lanes[i].operand);
  }
  for (u32 i = 0; i < kWarpSize; ++i) {
    if (!(members >> i & 1u)) continue;
    Lane& lane = lanes[i];
    lane.result = what == Collective::shuffle ? lanes[lane.source % kWarpSize].operand
                  : is_reduction(what)        ? joined
                                              : ayes;
    lane.wait = Wait::nothing;
  }
  return true;
}

bool BlockRunner::release_block() {
  u32 count = 0;
  for (u32 i = 0; i < block_size_; ++i) {
    if (lanes_[i].wait != Wait::block || lanes_[i].what != lanes_[0].what) return false;
    count += lanes_[i].operand != 0u ? 1u : 0u;
  }
  for (u32 i = 0; i < block_size_; ++i) {
    lanes_[i].result = lanes_[i].what == Collective::any ? (count != 0u ? 1u : 0u) : count;
    lanes_[i].wait = Wait::nothing;
  }
  return true;
}

void BlockRunner::give_up(u32 block) {
  u32 at_block = 0, at_warp = 0, returned = 0;
  for (u32 i = 0; i < block_size_; ++i) {
    at_block += lanes_[i].wait == Wait::block ? 1u : 0u;
    at_warp += lanes_[i].wait == Wait::warp ? 1u : 0u;
    returned += lanes_[i].wait == Wait::returned ? 1u : 0u;
  }
  end_lanes();
  throw DeviceError("deadlock in block " + std::to_string(block) + ": " + std::to_string(at_block) +
                    " lanes at a block collective, " + std::to_string(at_warp) +
                    " at a warp collective, " + std::to_string(returned) + " returned");
}

void BlockRunner::run(u32 block, u32 block_size, u64 seed, FunctionRef<void(u32)> body) {
  const FiberScope fibers;
  block_size_ = block_size;
  error_ = nullptr;
  lanes_.clear();
  lanes_.resize(block_size);
  order_.resize(block_size);
  for (u32 i = 0; i < block_size; ++i) {
    order_[i] = i;
    start(i, body);
  }
  u32 random = hash_pair(static_cast<u32>(seed) ^ static_cast<u32>(seed >> 32), block);
  for (;;) {
    if (seed != 0)
      for (u32 i = block_size - 1; i > 0; --i) {
        random = mix_bits(random + 0x9e3779b9u);
        std::swap(order_[i], order_[random % (i + 1)]);
      }
    // If the order is shuffled, about half of the warps pause in each round, so that some warps get
    // ahead of others.
    const u32 resting = seed != 0 ? mix_bits(random) : 0u;
    bool rested = false;
    for (const u32 thread : order_) {
      if (lanes_[thread].wait != Wait::nothing) continue;
      if (resting >> (thread / kWarpSize) & 1u)
        rested = true;
      else
        resume(lanes_[thread]);
    }
    if (error_) {
      const std::exception_ptr error = error_;
      end_lanes();
      std::rethrow_exception(error);
    }
    if (stop_asked()) {
      end_lanes();
      throw Stopped();
    }
    bool released = false;
    for (u32 warp = 0; warp < block_size / kWarpSize; ++warp) released |= release_warp(warp);
    released |= release_block();
    if (released || rested) continue;
    for (u32 i = 0; i < block_size; ++i)
      if (lanes_[i].wait != Wait::returned) give_up(block);
    return;
  }
}

void EmulatedMachine::run_blocks(const char* description, u32 blocks, u32 block_size,
                                 std::size_t shared_bytes,
                                 FunctionRef<void(EmulatedLane& lane, void* shared)> body) {
  try {
    require_shape(block_size);
    for_each_index(blocks, [&](u32 block) {
      std::vector<std::byte> shared(shared_bytes, std::byte{0xcd});
      runners_.lend([&](BlockRunner& runner) {
        runner.run(block, block_size, seed_, [&](u32 thread) {
          EmulatedLane lane(runner, thread, block, block_size, blocks);
          body(lane, shared.data());
        });
      });
    });
  } catch (const DeviceError& error) {
    choice_ = {};
    throw DeviceError(std::string(description) + ": " + error.what());
  } catch (...) {
    choice_ = {};  // the next cast begins with its first ray
    throw;
  }
}

}  // namespace ballotcast::detail

// Kernels of programs on emulated lanes.
namespace ballotcast::lanes {

using detail::EmulatedLane;

std::uint32_t call_emulated(void* lane, LaneCall what, std::uint32_t value, std::uint32_t other,
                            std::uint32_t width) {
  EmulatedLane& at = *static_cast<EmulatedLane*>(lane);
  const auto as_signed = static_cast<std::int32_t>(value);
  switch (what) {
    case LaneCall::sync:
      at.sync_among(other);
      return 0u;
    case LaneCall::ballot:
      return at.ballot_among(other, value != 0u);
    case LaneCall::add:
      return at.reduce_add(value);
    case LaneCall::bits:
      return at.reduce_or(value);
    case LaneCall::least:
      return static_cast<std::uint32_t>(at.reduce_min(as_signed));
    case LaneCall::most:
      return static_cast<std::uint32_t>(at.reduce_max(as_signed));
    case LaneCall::shuffle:
      return at.shuffle(value, other, width);
    case LaneCall::shuffle_up:
      return at.shuffle_up(value, other, width);
    case LaneCall::shuffle_down:
      return at.shuffle_down(value, other, width);
    case LaneCall::shuffle_xor:
      return at.shuffle_xor(value, other, width);
    case LaneCall::sync_block:
      at.sync_block();
      return 0u;
    case LaneCall::block_or:
      return at.block_or(value != 0u) ? 1u : 0u;
    case LaneCall::block_count:
      return at.block_count(value != 0u);
  }
  throw UsageError(
      "the program was compiled with another version of ballotcast/lanes.hpp than the "
      "library; compile it again");
}

void run_emulated(const Grid& grid, std::size_t shared_bytes,
                  const std::function<void(Lane&, void*)>& run) {
  if (grid.block_size == 0u || grid.block_size % detail::kWarpSize != 0u ||
      grid.block_size > detail::kLargestBlock)
    throw UsageError("blocks have 32 to 1024 lanes, a multiple of 32; not " +
                     std::to_string(grid.block_size));
  detail::EmulatedMachine machine(grid.order);
  machine.run_blocks("an emulated kernel", grid.blocks, grid.block_size, shared_bytes,
                     [&](EmulatedLane& emulated, void* shared) {
                       Lane lane(&emulated, emulated.thread(), emulated.block(), grid.block_size,
                                 grid.blocks);
                       run(lane, shared);
                     });
}

}  // namespace ballotcast::lanes
