#include <cstring>

#include "fuzz/checks.hpp"
#include "fuzz/target.hpp"
#include "scene/assemble.hpp"
#include "support/files/packed_file.hpp"
#include "support/hash.hpp"

namespace ballotcast::detail::fuzz {

namespace {

/// Sets version, size and all checksums right, as far as header and table can be understood.
/// Otherwise hardly any input would get beyond them.
std::vector<u8> with_right_checksums(std::span<const u8> input) {
  std::vector<u8> bytes(input.begin(), input.end());
  PackedHeader header;
  if (bytes.size() < sizeof header) return bytes;
  std::memcpy(&header, bytes.data(), sizeof header);
  header.byte_order = kByteOrder;
  header.version = kPackedVersion;
  header.file_bytes = bytes.size();
  header.hash = 0;
  const std::size_t table_end = sizeof header + u64{header.sections} * sizeof(PackedSection);
  if (table_end > bytes.size()) return bytes;
  for (std::size_t at = sizeof header; at < table_end; at += sizeof(PackedSection)) {
    PackedSection section;
    std::memcpy(&section, bytes.data() + at, sizeof section);
    if (section.offset > bytes.size() || section.bytes > bytes.size() - section.offset) continue;
    section.hash = content_hash(bytes.data() + section.offset, section.bytes);
    std::memcpy(bytes.data() + at, &section, sizeof section);
  }
  std::memcpy(bytes.data(), &header, sizeof header);
  header.hash = content_hash(bytes.data(), table_end);
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

}  // namespace

void run_packed(std::span<const u8> input) {
  const std::string path = folder().write("a.bcast", input);
  read_or_refused([&] { require_sound(assemble({path})); });
  folder().write("a.bcast", with_right_checksums(input));
  read_or_refused([&] { require_sound(assemble({path})); });
}

}  // namespace ballotcast::detail::fuzz
