// How processes find out whether one can read the memory of the other.
#pragma once

#include "math/portable.hpp"
#include "support/processes/processes.hpp"

namespace ballotcast::detail {

/// A random word in the memory of a machine, and where it is.
struct LentWord {
  LentMemory memory;
  u64 word = 0;
};

u64 random_word();

/// True if `machine` reads the word where it is said to be.
template <class Machine>
bool reads(Machine& machine, const LentWord& lent) {
  u64 word = ~lent.word;
  auto here = machine.template make<u64>(1);
  try {
    [[maybe_unused]] const auto taken = machine.template take<u64>(
        lent.memory, 1, [&](u64* there) { machine.gather(here.data(), there, 1); });
    machine.download(&word, static_cast<const u64*>(here.data()), 1);
  } catch (const DeviceError&) {
    return false;
  }
  return word == lent.word;
}

}  // namespace ballotcast::detail
