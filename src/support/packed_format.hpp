// The format of packed files: named sections of arrays, in the byte order of this machine.
//
//   header      64 bytes
//   table       64 bytes per section
//   sections    in the order of the table, each from a multiple of 64 bytes on; zeros in between
//
// What the sections mean is known to those who read and write them (scene/pack, backends/pack).
#pragma once

#include <cstdint>
#include <type_traits>

namespace ballotcast::detail {

/// The version of the format and of the content of all sections. Raise it whenever a file that an
/// older program wrote would be misunderstood: when a type that is stored changes (Material,
/// TriangleRows, the nodes of a layout), when a section gets another meaning, when what loading
/// makes of a file changes, or when walks rely on wider boxes than before (box_slack).
inline constexpr std::uint32_t kPackedVersion = 1;

/// Sections begin at multiples of this many bytes.
inline constexpr std::uint64_t kSectionAlignment = 64;

/// The most sections of a file.
inline constexpr std::uint32_t kMostSections = 1u << 20;

/// The longest name of a section.
inline constexpr std::size_t kLongestSectionName = 31;

/// The first bytes of a file. Line ends and a byte above 127 show whether it was sent as text.
inline constexpr std::uint8_t kPackedMagic[8] = {0xbc, 'B', 'C', 'P', '\r', '\n', 0x1a, '\n'};

struct PackedHeader {
  std::uint8_t magic[8];
  std::uint32_t byte_order;  // kByteOrder
  std::uint32_t version;
  std::uint64_t file_bytes;
  std::uint64_t hash;  // content_hash of header and table, with 0 in this place
  std::uint32_t sections;
  std::uint32_t unused[7];  // 0
};
static_assert(sizeof(PackedHeader) == 64 && std::is_trivially_copyable_v<PackedHeader>);

inline constexpr std::uint32_t kByteOrder = 0x01020304;

struct PackedSection {
  char name[kLongestSectionName + 1];  // ends with 0
  std::uint32_t index;                 // tells sections with the same name apart
  std::uint32_t element_bytes;
  std::uint64_t offset;  // from the begin of the file
  std::uint64_t bytes;
  std::uint64_t hash;  // content_hash of the section
};
static_assert(sizeof(PackedSection) == 64 && std::is_trivially_copyable_v<PackedSection>);

/// `bytes` rounded up to a multiple of kSectionAlignment.
inline constexpr std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + kSectionAlignment - 1) / kSectionAlignment * kSectionAlignment;
}

}  // namespace ballotcast::detail
