// What kind of instruction a word of GPU machine code is, as far as votes and atomics go.
#pragma once

#include <string_view>

#include "math/portable.hpp"

namespace ballotcast::detail {

/// Classes of instructions, named as the disassembler names their members.
enum class OpClass : u8 {
  red,         // RED, REDG: atomic on global memory, no result
  atom,        // ATOM, ATOMG: the same with a result
  atoms,       // ATOMS: atomic on shared memory
  vote,        // VOTE: of a warp, the result in each lane's register
  voteu,       // VOTEU: the result in a register of the warp; what ptxas puts in to merge atomics
  redux,       // REDUX, CREDUX: sum, minimum or the like of a warp
  popc,        // POPC
  upopc,       // UPOPC
  bar_sync,    // BAR.SYNC: __syncthreads
  bar_red,     // BAR.RED: a barrier that votes or counts
  bar_arrive,  // BAR.ARV: comes to a barrier and doesn't wait
  warpsync,    // WARPSYNC
  shfl,        // SHFL
  match,       // MATCH
  lds,         // LDS
  sts,         // STS
  ldg,         // LDG
  stg,         // STG
  other,
};
inline constexpr std::size_t kOpClasses = static_cast<std::size_t>(OpClass::other) + 1;

/// The oldest architecture whose code this reads: instructions had other forms before Volta.
inline constexpr u32 kOldestReadable = 70;
/// Bytes an instruction.
inline constexpr u64 kInstructionSize = 16;

/// The class of an instruction, from its two words as they lie in memory.
OpClass class_of(u64 low, u64 high);

/// "RED", "BAR.RED", "other".
std::string_view name_of(OpClass op);

}  // namespace ballotcast::detail
