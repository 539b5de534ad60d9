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
#include "bench/fatbin.hpp"

namespace ballotcast::detail {

namespace {

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
