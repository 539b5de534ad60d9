// Fatbins: containers in which nvcc puts GPU code for several architectures into one program.
#pragma once

#include "bench/elf_sections.hpp"

namespace ballotcast::detail {

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
