#include "backends/emulated/machine.hpp"

#include <string>

#include "support/parallel.hpp"

namespace ballotcast::detail {

void EmulatedMachine::run_blocks(const char* description, u32 blocks, u32 block_size,
                                 std::size_t shared_bytes,
                                 FunctionRef<void(EmulatedLane& lane, void* shared)> body) {
  try {
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
