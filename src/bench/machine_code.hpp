// The machine code of the GPU kernels in a program, counted by kind of instruction: no GPU and no
// CUDA tool is needed. What a kernel's source says and what a GPU is told to do are two things: a
// compiler merges atomics.
#pragma once

#include <array>
#include <initializer_list>
#include <string>
#include <typeinfo>
#include <vector>

#include "bench/elf_sections.hpp"
#include "bench/opcodes.hpp"

namespace ballotcast::detail {

/// A kernel, compiled for one architecture.
struct KernelCode {
  u32 arch = 0;          // 90 for sm_90
  std::string name;      // as C++ writes it
  u32 instructions = 0;  // with the padding behind the last one
  std::array<u32, kOpClasses> counts{};

  u32 count(OpClass op) const { return counts[static_cast<std::size_t>(op)]; }
  /// The sum over some classes.
  u32 count(std::initializer_list<OpClass> ops) const;
};

/// GPU code that couldn't be read.
struct UnreadCode {
  u32 arch;
  std::string why;
};

/// The GPU code of a file.
struct MachineCode {
  std::vector<KernelCode> kernels;  // in the file's order
  std::vector<UnreadCode> unread;

  /// The kernels whose name begins, behind their return type, with `beginning`.
  std::vector<const KernelCode*> named(const std::string& beginning) const;
};

/// Reads the kernels of a program, a shared library, an object file or a cubin. A file without GPU
/// code has none; code that is compressed or too old to read is listed as `unread`. Throws
/// InputError naming the file when it is none of these, cut off or damaged.
MachineCode read_machine_code(const std::string& path);

/// The same of a file's bytes; `file` is what an error calls it.
MachineCode decode_machine_code(Bytes bytes, const std::string& file);

/// A mangled name as C++ writes it; what isn't mangled stays as it is.
std::string demangled(const char* mangled);

/// The name of a type as it stands in the names of kernels.
template <class T>
std::string type_name() {
  return demangled(typeid(T).name());
}

}  // namespace ballotcast::detail
