// Reads the machine code of the GPU kernels in a program and counts instructions by kind. This
// needs no GPU and no CUDA tool. Machine code can differ from what the source of a kernel suggests:
// for example, the compiler may merge atomics.
#pragma once

#include <array>
#include <initializer_list>
#include <string>
#include <typeinfo>
#include <vector>

#include "bench/elf_sections.hpp"
#include "bench/opcodes.hpp"

namespace ballotcast::detail {

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
