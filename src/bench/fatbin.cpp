#include "bench/fatbin.hpp"

#include <algorithm>

namespace ballotcast::detail {

namespace {

// The format is described in the System V ABI, chapters 4 and 5
// (https://refspecs.linuxfoundation.org).

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

namespace {

// NVIDIA does not document the layout of fatbins. The layout below is that of CUDA 12 and 13. It
// was found by examining the output of nvcc.
//
//   container: u32 magic, u16 version, u16 size of this header, u64 size of the entries; then the
//              entries
//   entry:     u16 kind, u16 version, u32 size of this header, u64 size of the bytes after it,
//              u32 compressed size, ..., u32 arch at offset 28, ..., u64 flags at offset 40; then
//              the bytes
//
// A section is a sequence of containers, each aligned to 8 bytes.

constexpr u32 kFatbinMagic = 0xba55ed50;
constexpr u64 kContainerHeader = 16, kEntryHeader = 48;  // minimum sizes
constexpr u64 kZstd = 0x8000, kLz4 = 0x2000;             // flags: how the bytes are compressed

void add_entries(std::vector<FatbinEntry>& entries, Bytes container, const std::string& file) {
  for (u64 at = 0; at < container.size();) {
    const u32 header = value_at<u32>(container, at + 4, file);
    const u64 size = value_at<u64>(container, at + 8, file);
    const u64 flags = value_at<u64>(container, at + 40, file);
    if (header < kEntryHeader) throw InputError(file + ": damaged: a fatbin entry without header");
    part_of(container, at, header, file, "a fatbin entry");
    entries.push_back({FatbinEntry::Kind{value_at<u16>(container, at, file)},
                       value_at<u32>(container, at + 28, file), (flags & (kZstd | kLz4)) != 0,
                       (flags & kZstd) != 0,
                       part_of(container, at + header, size, file, "a fatbin entry")});
    at += header + size;
  }
}

}  // namespace

std::vector<FatbinEntry> fatbin_entries(Bytes section, const std::string& file) {
  std::vector<FatbinEntry> entries;
  u64 at = 0;
  while (at < section.size()) {
    if (section.size() - at < kContainerHeader) break;  // padding
    const u32 magic = value_at<u32>(section, at, file);
    if (magic == 0 && at % 8 == 0) {  // padding between the containers of two object files
      at += 8;
      continue;
    }
    if (magic != kFatbinMagic) throw InputError(file + ": damaged: the GPU code is not a fatbin");
    const u16 header = value_at<u16>(section, at + 6, file);
    if (header < kContainerHeader) throw InputError(file + ": damaged: a fatbin without header");
    const u64 size = value_at<u64>(section, at + 8, file);
    part_of(section, at, header, file, "a fatbin");
    add_entries(entries, part_of(section, at + header, size, file, "a fatbin"), file);
    at = (at + header + size + 7) / 8 * 8;
  }
  return entries;
}

}  // namespace ballotcast::detail
