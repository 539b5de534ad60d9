// The sections of an ELF file: programs, objects and cubins are all of this kind.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "math/portable.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {

/// Bytes of a file that somebody else owns.
using Bytes = std::span<const u8>;

/// The value of type T (little-endian) that lies `at` bytes into `bytes`. Throws InputError naming
/// `file` where the bytes end before it does.
template <class T>
T value_at(Bytes bytes, u64 at, const std::string& file) {
  if (at > bytes.size() || bytes.size() - at < sizeof(T))
    throw InputError(file + ": cut off or damaged: it ends within a header");
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// `size` bytes from `at` on. Throws InputError naming `file` and `what` where there are fewer.
Bytes part_of(Bytes bytes, u64 at, u64 size, const std::string& file, const char* what);

/// One section; its name and bytes lie in the file's.
struct ElfSection {
  std::string_view name;
  Bytes bytes;  // empty for sections that occupy no place in the file
};

/// What the header of an ELF file says, and its sections.
struct ElfFile {
  static constexpr u16 kCuda = 190;  // EM_CUDA, the machine of a cubin

  u16 machine = 0;
  u8 abi_version = 0;
  u32 flags = 0;
  std::vector<ElfSection> sections;
};

/// Do these bytes begin as an ELF file does?
bool is_elf(Bytes bytes);

/// Reads the header and the table of sections of a little-endian 64-bit ELF file. Throws InputError
/// naming `file` when it is something else, cut off, or has sections outside of itself.
ElfFile read_elf(Bytes bytes, const std::string& file);

}  // namespace ballotcast::detail
