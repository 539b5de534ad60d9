// Reads the machine code of the GPU kernels in a program and counts instructions by kind. This
// needs no GPU and no CUDA tool. Machine code can differ from what the source of a kernel suggests:
// for example, the compiler may merge atomics. Only instructions that matter for votes and atomics
// have a class of their own.
#pragma once

#include <array>
#include <initializer_list>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

#include "bench/fatbin.hpp"
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

/// The code of one kernel for one architecture.
struct KernelCode {
  u32 arch = 0;          // 90 for sm_90
  std::string name;      // the demangled name
  u32 instructions = 0;  // including the padding after the last one
  std::array<u32, kOpClasses> counts{};

  u32 count(OpClass op) const { return counts[static_cast<std::size_t>(op)]; }
  /// The number of instructions of several classes together.
  u32 count(std::initializer_list<OpClass> ops) const;
};

/// GPU code that can't be read.
struct UnreadCode {
  u32 arch;
  std::string why;
};

/// The GPU code of a file.
struct MachineCode {
  std::vector<KernelCode> kernels;  // in the file's order
  std::vector<UnreadCode> unread;

  /// The kernels whose name, without the return type, begins with `beginning`.
  std::vector<const KernelCode*> named(const std::string& beginning) const;
};

/// Gives what was compressed with zstd. Bytes may follow that do not belong to it.
using Decompress = std::vector<u8> (*)(Bytes compressed);

/// Reads the kernels of a program, a shared library, an object file or a cubin. A file without
/// kernels is no error. Code that is too old to be read is listed in `unread`, and so is compressed
/// code if `decompress` is null. Throws InputError, which names the file, if the file is of another
/// kind, cut off or damaged.
MachineCode read_machine_code(const std::string& path, Decompress decompress = nullptr);

/// As read_machine_code, for the bytes of a file. `file` is its name in error messages.
MachineCode decode_machine_code(Bytes bytes, const std::string& file,
                                Decompress decompress = nullptr);

/// A mangled name in demangled form. Other names stay as they are.
std::string demangled(const char* mangled);

/// The name of a type, as it appears in the names of kernels.
template <class T>
std::string type_name() {
  return demangled(typeid(T).name());
}

}  // namespace ballotcast::detail
