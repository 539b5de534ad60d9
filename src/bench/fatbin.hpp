// Fatbins: the containers in which nvcc puts GPU code for several architectures into one program.
#pragma once

#include "bench/elf_sections.hpp"

namespace ballotcast::detail {

/// One piece of a fatbin.
struct FatbinEntry {
  enum class Kind : u16 { ptx = 1, cubin = 2 };  // there are others, which nobody here reads

  Kind kind;
  u32 arch;         // 90 for sm_90 or compute_90
  bool compressed;  // then `bytes` are, too
  Bytes bytes;
};

/// The entries of all containers in a section .nv_fatbin, or in a .fatbin file, in their order.
/// Throws InputError naming `file` when they are cut off or no fatbins.
std::vector<FatbinEntry> fatbin_entries(Bytes section, const std::string& file);

}  // namespace ballotcast::detail
