// Runs one block of a grid on one thread. The lanes of the block are fibers, which stop at
// collectives.
#pragma once

#include <boost/context/fiber.hpp>
#include <boost/context/pooled_fixedsize_stack.hpp>
#include <exception>
#include <string>
#include <vector>

#include "kernels/lane.hpp"
#include "support/function_ref.hpp"

namespace ballotcast::detail {

/// What a lane waits for: nothing, so that it can run; its warp; or its block. `returned`: it has
/// ended.
enum class Wait : u8 { nothing, warp, block, returned };

/// Which collective a lane has reached.
enum class Collective : u8 { sync, ballot, shuffle, sum, bits, least, most, any, all, count };

/// Runs blocks, one after another. Two threads must not use it at once.
///
/// A lane that reaches a warp collective passes a mask: the members, which are the lanes of its
/// warp that take part (usually all 32). The members continue when all of them wait at the same
/// collective with the same mask. The lanes of a block continue when all of them wait at the same
/// block collective. If lanes are left but none can continue, the kernel diverged at a collective:
/// a DeviceError tells how many lanes wait where.
///
/// Lanes that can run do so in the order of their index. With a nonzero seed, the order changes
/// with seed, block and round, and about half of the warps pause in each round.
class BlockRunner {
 public:
  BlockRunner();

  /// Calls body(thread) for each lane of block `block`. Rethrows the first exception of a lane.
  /// Throws DeviceError if lanes wait for ever.
  void run(u32 block, u32 block_size, u64 seed, FunctionRef<void(u32 thread)> body);

  /// Called by a lane: waits until `members` of the lane's warp, or the whole block, have reached
  /// the same collective. Returns the result for this lane.
  u32 wait(u32 thread, Wait scope, Collective what, u32 operand, u32 source_lane = 0,
           u32 members = 0xffffffffu);

 private:
  struct Lane {
    boost::context::fiber fiber;      // where the lane continues; empty while it runs
    boost::context::fiber scheduler;  // where the scheduler continues; empty while it runs
    Wait wait = Wait::nothing;
    Collective what = Collective::sync;
    u32 operand = 0;  // the lane's input to the collective...
    u32 source = 0;
    u32 members = 0;
    u32 result = 0;              // ...and its result
    void* fake_stack = nullptr;  // for AddressSanitizer
    const void* stack_bottom = nullptr;
    std::size_t stack_size = 0;
  };

  void start(u32 thread, FunctionRef<void(u32 thread)> body);
  void resume(Lane& lane);
  bool release_warp(u32 warp);
  bool release_members(Lane* lanes, u32 members);
  bool release_block();
  [[noreturn]] void give_up(u32 block);

  boost::context::pooled_fixedsize_stack stacks_;
  std::vector<Lane> lanes_;
  std::vector<u32> order_;
  u32 block_size_ = 0;
  std::exception_ptr error_;
  void* fake_stack_ = nullptr;  // for AddressSanitizer: the scheduler's
  const void* stack_bottom_ = nullptr;
  std::size_t stack_size_ = 0;
};

}  // namespace ballotcast::detail
