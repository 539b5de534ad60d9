// Where GPU code lies in a file: the sections of ELF files (programs, object files and cubins), and
// fatbins, the containers in which nvcc puts code for several architectures.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "math/portable.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {

/// A view of bytes. It does not own them.
using Bytes = std::span<const u8>;

/// The little-endian value of type T at offset `at`. Throws InputError, which names `file`, if the
/// bytes end before the value does.
template <class T>
T value_at(Bytes bytes, u64 at, const std::string& file) {
  if (at > bytes.size() || bytes.size() - at < sizeof(T))
    throw InputError(file + ": cut off or damaged: it ends within a header");
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// `size` bytes from offset `at`. Throws InputError, which names `file` and `what`, if there are
/// fewer.
Bytes part_of(Bytes bytes, u64 at, u64 size, const std::string& file, const char* what);

/// One section. Its name and bytes point into the file's bytes.
struct ElfSection {
  std::string_view name;
  Bytes bytes;  // empty if the section has no bytes in the file
};

/// The header and the sections of an ELF file.
struct ElfFile {
  static constexpr u16 kCuda = 190;  // EM_CUDA, the machine of a cubin

  u16 machine = 0;
  u8 abi_version = 0;
  u32 flags = 0;
  std::vector<ElfSection> sections;
};

/// True if the bytes begin like an ELF file.
bool is_elf(Bytes bytes);

/// Reads the header and the section table of a little-endian 64-bit ELF file. Throws InputError,
/// which names `file`, if the bytes are another kind of file or cut off, or if a section lies
/// outside of them.
ElfFile read_elf(Bytes bytes, const std::string& file);

/// One entry of a fatbin.
struct FatbinEntry {
  enum class Kind : u16 { ptx = 1, cubin = 2 };  // other kinds exist; they are not read here

  Kind kind;
  u32 arch;         // 90 for sm_90 or compute_90
  bool compressed;  // true: `bytes` are compressed
  bool compressed_with_zstd;
  Bytes bytes;
};

/// The entries of all containers in `section`, in their order. `section` is the content of a
/// section .nv_fatbin or of a .fatbin file. Throws InputError, which names `file`, if the bytes are
/// cut off or are not a fatbin.
std::vector<FatbinEntry> fatbin_entries(Bytes section, const std::string& file);

}  // namespace ballotcast::detail
