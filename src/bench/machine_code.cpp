#include "bench/machine_code.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

#include "bench/fatbin.hpp"
#include "support/files/files.hpp"

namespace ballotcast::detail {

namespace {

// Bits 0-8 of an instruction are the operation, bits 9-11 the form of its operands. The numbers are
// the same from sm_75 to sm_120. They were found by comparing nvdisasm's text with the words of
// compiled kernels.

/// Three bits of a BAR instruction tell which kind it is.
OpClass class_of_bar(u64 high) {
  switch (high >> 13 & 7) {
    case 1:
      return OpClass::bar_arrive;
    case 2:
      return OpClass::bar_red;
    default:
      return OpClass::bar_sync;
  }
}

}  // namespace

OpClass class_of(u64 low, u64 high) {
  switch (low & 0x1ff) {
    case 0x006:
      return OpClass::vote;
    case 0x086:
      return OpClass::voteu;
    case 0x0bf:
      return OpClass::upopc;
    case 0x0cc:
      return OpClass::redux;  // CREDUX, from sm_100 on
    case 0x109:
      return OpClass::popc;
    case 0x11d:
      return class_of_bar(high);
    case 0x148:
      return OpClass::warpsync;
    case 0x17e:
      return OpClass::ldg;  // with an address in a uniform register, from sm_100 on
    case 0x181:
      return OpClass::ldg;
    case 0x184:
      return OpClass::lds;
    case 0x186:
      return OpClass::stg;
    case 0x188:
      return OpClass::sts;
    case 0x189:
      return OpClass::shfl;
    case 0x18a:
      return OpClass::atom;
    case 0x18b:
      return OpClass::atom;  // compare and swap
    case 0x18c:
      return OpClass::atoms;
    case 0x18d:
      return OpClass::atoms;  // compare and swap
    case 0x18e:
      return OpClass::red;
    case 0x1a1:
      return OpClass::match;
    case 0x1a2:
      return OpClass::atom;  // of floats, generic address
    case 0x1a3:
      return OpClass::atom;  // of floats
    case 0x1a6:
      return OpClass::red;  // of floats
    case 0x1a8:
      return OpClass::atom;
    case 0x1a9:
      return OpClass::atom;  // compare and swap
    case 0x1c4:
      return OpClass::redux;
    default:
      return OpClass::other;
  }
}

std::string_view name_of(OpClass op) {
  static constexpr std::string_view kNames[kOpClasses] = {
      "RED",   "ATOM",     "ATOMS",   "VOTE",    "VOTEU",    "REDUX", "POPC",
      "UPOPC", "BAR.SYNC", "BAR.RED", "BAR.ARV", "WARPSYNC", "SHFL",  "MATCH",
      "LDS",   "STS",      "LDG",     "STG",     "other"};
  return kNames[static_cast<std::size_t>(op)];
}

namespace {

constexpr std::string_view kTextPrefix = ".text.";
/// The sections that contain fatbins. The second one is in object files whose GPU code is not
/// linked yet (nvcc -rdc=true).
constexpr std::string_view kFatbinSections[] = {".nv_fatbin", "__nv_relfatbin"};

/// The architecture in a cubin's header. CUDA 13 moved it by one byte: see ELFABIVERSION_CUDA_V1
/// and _V2 in LLVM's BinaryFormat/ELF.h.
u32 arch_of(const ElfFile& cubin) {
  return cubin.abi_version >= 8 ? cubin.flags >> 8 & 0xff : cubin.flags & 0xff;
}

KernelCode kernel_in(const ElfSection& section, u32 arch, const std::string& file) {
  KernelCode kernel;
  kernel.arch = arch;
  kernel.name = demangled(std::string(section.name.substr(kTextPrefix.size())).c_str());
  for (u64 at = 0; at + kInstructionSize <= section.bytes.size(); at += kInstructionSize) {
    const OpClass op = class_of(value_at<u64>(section.bytes, at, file),
                                value_at<u64>(section.bytes, at + 8, file));
    ++kernel.counts[static_cast<std::size_t>(op)];
    ++kernel.instructions;
  }
  return kernel;
}

void add_cubin(MachineCode& code, const ElfFile& cubin, const std::string& file) {
  const u32 arch = arch_of(cubin);
  if (cubin.machine != ElfFile::kCuda)
    throw InputError(file + ": damaged: the GPU code is not for an NVIDIA GPU");
  if (arch < kOldestReadable) {
    code.unread.push_back({arch, "too old: only code for sm_70 and later can be read"});
    return;
  }
  for (const ElfSection& section : cubin.sections)
    if (section.name.starts_with(kTextPrefix))
      code.kernels.push_back(kernel_in(section, arch, file));
}

void add_fatbins(MachineCode& code, Bytes section, const std::string& file, Decompress decompress) {
  for (const FatbinEntry& entry : fatbin_entries(section, file)) {
    if (entry.kind != FatbinEntry::Kind::cubin) continue;
    if (!entry.compressed) {
      add_cubin(code, read_elf(entry.bytes, file), file);
    } else if (decompress && entry.compressed_with_zstd) {
      const std::vector<u8> cubin = decompress(entry.bytes);
      add_cubin(code, read_elf(cubin, file), file);
    } else {
      code.unread.push_back({entry.arch, "compressed; compile with nvcc --no-compress"});
    }
  }
}

}  // namespace

u32 KernelCode::count(std::initializer_list<OpClass> ops) const {
  u32 sum = 0;
  for (const OpClass op : ops) sum += count(op);
  return sum;
}

std::vector<const KernelCode*> MachineCode::named(const std::string& beginning) const {
  std::vector<const KernelCode*> found;
  for (const KernelCode& kernel : kernels) {
    const std::string_view name = kernel.name;
    if (name.starts_with(beginning) || name.starts_with("void " + beginning))
      found.push_back(&kernel);
  }
  return found;
}

MachineCode decode_machine_code(Bytes bytes, const std::string& file, Decompress decompress) {
  MachineCode code;
  const ElfFile elf = read_elf(bytes, file);
  if (elf.machine == ElfFile::kCuda) {
    add_cubin(code, elf, file);
    return code;
  }
  for (const ElfSection& section : elf.sections)
    for (const std::string_view name : kFatbinSections)
      if (section.name == name) add_fatbins(code, section.bytes, file, decompress);
  return code;
}

MachineCode read_machine_code(const std::string& path, Decompress decompress) {
  return decode_machine_code(read_file(path), path, decompress);
}

std::string demangled(const char* mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(mangled, nullptr, nullptr, &status), &std::free);
  return status == 0 && name ? name.get() : mangled;
}

}  // namespace ballotcast::detail
