// Classifies instructions of GPU machine code. Only those that matter for votes and atomics have a
// class of their own.
#pragma once

#include <string_view>

#include "math/portable.hpp"

namespace ballotcast::detail {

/// Classes of instructions, named as in the output of NVIDIA's disassembler.
enum class OpClass : u8 {
  red,         // RED, REDG: atomic on global memory without a result
  atom,        // ATOM, ATOMG: atomic on global memory with a result
  atoms,       // ATOMS: atomic on shared memory
  vote,        // VOTE: vote of a warp; the result goes to a register of each lane
  voteu,       // VOTEU: the same, but to a uniform register; ptxas uses it to merge atomics
  redux,       // REDUX, CREDUX: reduction over a warp
  popc,        // POPC: counts set bits
  upopc,       // UPOPC: the same, in a uniform register
  bar_sync,    // BAR.SYNC: a barrier of the block (__syncthreads)
  bar_red,     // BAR.RED: a barrier that votes or counts
  bar_arrive,  // BAR.ARV: arrives at a barrier without waiting
  warpsync,    // WARPSYNC: waits for the lanes of a mask
  shfl,        // SHFL: shuffle
  match,       // MATCH: finds the lanes with equal values
  lds,         // LDS: load from shared memory
  sts,         // STS: store to shared memory
  ldg,         // LDG: load from global memory
  stg,         // STG: store to global memory
  other,
};
inline constexpr std::size_t kOpClasses = static_cast<std::size_t>(OpClass::other) + 1;

/// The oldest architecture whose code can be read. Before Volta, instructions had another format.
inline constexpr u32 kOldestReadable = 70;
/// Bytes per instruction.
inline constexpr u64 kInstructionSize = 16;

/// The class of an instruction, from its two 64-bit words.
OpClass class_of(u64 low, u64 high);

/// The name of a class: "RED", "BAR.RED", "other".
std::string_view name_of(OpClass op);

}  // namespace ballotcast::detail
