// The format is described in the System V ABI, chapters 4 and 5
// (https://refspecs.linuxfoundation.org).
#include "bench/elf_sections.hpp"

#include <algorithm>

namespace ballotcast::detail {

namespace {

constexpr u8 kElfMagic[4] = {0x7f, 'E', 'L', 'F'};
constexpr u8 k64Bit = 2, kLittleEndian = 1;
constexpr u32 kNull = 0, kNoBits = 8;  // section types without bytes in the file
constexpr u64 kHeaderSize = 64;        // of an entry in the section table

/// One entry of the section table.
struct SectionHeader {
  u32 name;
  u32 type;
  Bytes bytes;
};

SectionHeader row_at(Bytes bytes, u64 at, const std::string& file) {
  SectionHeader row{value_at<u32>(bytes, at, file), value_at<u32>(bytes, at + 4, file), {}};
  if (row.type != kNull && row.type != kNoBits)
    row.bytes = part_of(bytes, value_at<u64>(bytes, at + 24, file),
                        value_at<u64>(bytes, at + 32, file), file, "a section");
  return row;
}

/// The string at offset `at` of `names`.
std::string_view name_at(Bytes names, u32 at, const std::string& file) {
  if (at >= names.size()) throw InputError(file + ": damaged: a section without a name");
  const Bytes rest = names.subspan(at);
  const auto end = std::find(rest.begin(), rest.end(), u8{0});
  if (end == rest.end()) throw InputError(file + ": damaged: the name of a section has no end");
  return {reinterpret_cast<const char*>(rest.data()), static_cast<std::size_t>(end - rest.begin())};
}

}  // namespace

Bytes part_of(Bytes bytes, u64 at, u64 size, const std::string& file, const char* what) {
  if (at > bytes.size() || bytes.size() - at < size)
    throw InputError(file + ": cut off or damaged: " + what + " lies outside");
  return bytes.subspan(at, size);
}

bool is_elf(Bytes bytes) {
  return bytes.size() >= sizeof kElfMagic &&
         std::equal(std::begin(kElfMagic), std::end(kElfMagic), bytes.begin());
}

ElfFile read_elf(Bytes bytes, const std::string& file) {
  if (!is_elf(bytes)) throw InputError(file + ": not an ELF file");
  if (value_at<u8>(bytes, 4, file) != k64Bit || value_at<u8>(bytes, 5, file) != kLittleEndian)
    throw InputError(file + ": not a little-endian 64-bit ELF file");
  ElfFile elf;
  elf.abi_version = value_at<u8>(bytes, 8, file);
  elf.machine = value_at<u16>(bytes, 18, file);
  elf.flags = value_at<u32>(bytes, 48, file);
  const u64 table = value_at<u64>(bytes, 40, file);
  const u16 count = value_at<u16>(bytes, 60, file), names = value_at<u16>(bytes, 62, file);
  if (count == 0) return elf;
  if (value_at<u16>(bytes, 58, file) != kHeaderSize || names >= count)
    throw InputError(file + ": damaged: its table of sections is invalid");
  const Bytes rows = part_of(bytes, table, count * kHeaderSize, file, "the table of sections");
  const u64 first = static_cast<u64>(rows.data() - bytes.data());
  const Bytes all_names = row_at(bytes, first + names * kHeaderSize, file).bytes;
  for (u64 i = 0; i < count; ++i) {
    const SectionHeader row = row_at(bytes, first + i * kHeaderSize, file);
    if (row.type != kNull) elf.sections.push_back({name_at(all_names, row.name, file), row.bytes});
  }
  return elf;
}

}  // namespace ballotcast::detail
