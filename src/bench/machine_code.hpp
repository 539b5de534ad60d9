// Counts the instructions of GPU kernels by class, in the output of NVIDIA's disassembler
// cuobjdump, which is part of the CUDA Toolkit. No GPU is needed. Machine code can differ from what
// the source of a kernel suggests: for example, the compiler may merge atomics. Only instructions
// that matter for votes and atomics have a class of their own.
#pragma once

#include <array>
#include <initializer_list>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

#include "kernels/strategies/strategy.hpp"
#include "math/portable.hpp"
#include "support/json_fwd.hpp"

namespace ballotcast::detail {

/// Classes of instructions, named as in the output of the disassembler.
enum class OpClass : u8 {
  red,          // RED, REDG: atomic on global memory without a result
  atom,         // ATOM, ATOMG: atomic on global memory with a result
  atoms,        // ATOMS: atomic on shared memory
  vote,         // VOTE: vote of a warp into a register of each lane
  voteu,        // VOTEU: vote into a uniform register; ptxas uses it to merge atomics
  redux,        // REDUX, CREDUX: reduction over a warp
  popc,         // POPC: counts set bits
  upopc,        // UPOPC: counts set bits in a uniform register
  bar_sync,     // BAR.SYNC: a barrier of the block (__syncthreads)
  bar_red,      // BAR.RED: a barrier of the block that also votes or counts
  bar_arrive,   // BAR.ARV: arrives at a barrier without waiting
  bar_cluster,  // UCGABAR_WAIT: waits at a barrier of a cluster of blocks
  redas,        // REDAS: asynchronous addition to shared memory of another block (red.async)
  warpsync,     // WARPSYNC: waits for the lanes of a mask
  shfl,         // SHFL: shuffle
  match,        // MATCH: finds the lanes with equal values
  lds,          // LDS: load from shared memory
  sts,          // STS: store to shared memory
  ldg,          // LDG: load from global memory
  stg,          // STG: store to global memory
  other,
};
inline constexpr std::size_t kOpClasses = static_cast<std::size_t>(OpClass::other) + 1;

/// The class of an instruction, given as text: "@!P0 ATOMG.E.ADD.STRONG.GPU PT, R3, [R2], R9".
OpClass class_of(std::string_view instruction);

/// The name of a class: "RED", "BAR.RED", "other".
std::string_view name_of(OpClass op);

/// The instruction counts of one kernel for one architecture.
struct KernelCode {
  u32 arch = 0;          // number of the architecture: 90 for sm_90
  std::string name;      // demangled name
  u32 instructions = 0;  // number of instructions, including the padding at the end
  std::array<u32, kOpClasses> counts{};

  u32 count(OpClass op) const { return counts[static_cast<std::size_t>(op)]; }
  /// The number of instructions of several classes together.
  u32 count(std::initializer_list<OpClass> ops) const;
  /// True if the name, without the return type, begins with `beginning`.
  bool is_called(const std::string& beginning) const;
};

/// The kernels in the output of `cuobjdump -sass`, in the order of the output.
std::vector<KernelCode> kernels_in(std::string_view disassembly);

/// The path of the program cuobjdump: in PATH, in $CUDA_HOME/bin, or where the CUDA Toolkit is
/// usually installed; "" if it was not found.
std::string disassembler();

/// Runs `cuobjdump`. Returns the kernels whose names begin with one of `beginnings`, in the
/// program, shared library or object file at `path`; possibly none. Throws InputError if cuobjdump
/// fails.
std::vector<KernelCode> read_machine_code(const std::string& path,
                                          const std::vector<std::string>& beginnings,
                                          const std::string& cuobjdump);

/// The demangled form of a mangled name. Other names are returned unchanged.
std::string demangled(const std::string& mangled);

/// The beginning of the names of the kernels run_kernel<Kernel, ...>.
template <class Kernel>
std::string name_of_kernel() {
  return "ballotcast::detail::run_kernel<" + demangled(typeid(Kernel).name()) + ",";
}

// The machine code of each strategy. It shows whether the compiler has kept the atomics of the
// source: for example, whether strategy naive issues one atomic per lane.

/// The machine code of a probe, a kernel that only calls a strategy once, for one architecture.
struct StrategyCode {
  std::string_view strategy;  // name of a strategy in Strategies or LaboratoryStrategies
  std::string_view call;      // the operation that is called: "report" or "reserve"
  KernelCode code;
  AtomicsPer atomics_per;  // according to the machine code
};

/// The machine code of all strategies in a program.
struct StrategyCodes {
  std::vector<StrategyCode> rows;  // rows, ordered by strategy, call and architecture
  std::string why_none;            // the reason why there are no rows, or ""
};

/// Reads the machine code of the probes of all strategies (kernels/strategies/probe.hpp) from the
/// file of the running program. Throws InputError if cuobjdump fails.
StrategyCodes strategy_codes(const std::string& cuobjdump = disassembler());

/// The group of lanes that shares an atomic on global memory, in a kernel that only calls a
/// strategy. A kernel without such an atomic: none. With a barrier of a cluster: the lanes of a
/// cluster. With a barrier of a block: the lanes of a block. With votes, counts of bits, shuffles,
/// reductions or matches: the lanes of a warp. Otherwise each lane issues its own atomic.
AtomicsPer atomics_per(const KernelCode& kernel);

/// The group in words, for example "one atomic per lane" or "no atomic".
std::string_view in_words(AtomicsPer per);

/// The text of `info --atomics`: a table of 80 columns with one row per strategy, operation (report
/// or reserve) and architecture. If there is no machine code to read, the text gives the reason.
std::string strategy_table(const StrategyCodes& codes);

/// The table as JSON, {"rows": [...], "why_none": ...}, with all classes of instructions in each
/// row.
Json strategy_json(const StrategyCodes& codes);

}  // namespace ballotcast::detail
