#include "support/files/packed_file.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "ballotcast/error.hpp"
#include "support/files/files.hpp"
#include "support/hash.hpp"
#include "support/text.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

/// The checksum of the header and the table.
std::uint64_t hash_of(PackedHeader header, const std::vector<PackedSection>& table) {
  header.hash = 0;
  std::vector<std::uint8_t> bytes(sizeof header + table.size() * sizeof(PackedSection));
  std::memcpy(bytes.data(), &header, sizeof header);
  if (!table.empty())
    std::memcpy(bytes.data() + sizeof header, table.data(), table.size() * sizeof(PackedSection));
  return content_hash(bytes.data(), bytes.size());
}

/// The name in a table entry, as text. Returns nothing if the name has no end or contains other
/// characters than printable ASCII.
std::optional<std::string_view> name_of(const PackedSection& section) {
  const std::string_view whole(section.name, sizeof section.name);
  const std::size_t length = whole.find('\0');
  if (length == whole.npos || length == 0) return std::nullopt;
  const std::string_view name = whole.substr(0, length);
  const auto is_plain = [](char c) { return c == ' ' || (c >= 'a' && c <= 'z'); };
  return std::all_of(name.begin(), name.end(), is_plain) ? std::optional(name) : std::nullopt;
}

bool is_zero(const std::byte* bytes, std::uint64_t count) {
  return std::all_of(bytes, bytes + count, [](std::byte b) { return b == std::byte{0}; });
}

}  // namespace

PackedFile::PackedFile(const std::string& path)
    : path_(path), file_(std::make_shared<const MappedFile>(path)) {
  read_header();
  read_table();
  compare_checksums();
}

void PackedFile::refuse(const std::string& why) const { throw InputError(path_ + ": " + why); }

void PackedFile::read_header() {
  const std::uint64_t size = file_->size();
  const std::size_t known = std::min<std::uint64_t>(size, sizeof kPackedMagic);
  if (known == 0 || std::memcmp(file_->data(), kPackedMagic, known) != 0)
    refuse("is no packed scene");
  if (size < sizeof header_) refuse("is cut off: it has only " + counted(size, "byte"));
  std::memcpy(&header_, file_->data(), sizeof header_);
  if (header_.byte_order != kByteOrder)
    refuse("was packed on a machine with another byte order; pack the scene on this one");
  if (header_.version != kPackedVersion)
    refuse(std::string("was packed by ") +
           (header_.version > kPackedVersion ? "a newer" : "an older") +
           " version of ballotcast (format " + std::to_string(header_.version) +
           ", this one reads " + std::to_string(kPackedVersion) + "); pack the scene again");
  if (std::any_of(std::begin(header_.unused), std::end(header_.unused),
                  [](std::uint32_t word) { return word != 0; }))
    refuse("is damaged: its header has unknown parts");
  if (header_.file_bytes > size)
    refuse("is cut off: it has " + std::to_string(size) + " of " +
           counted(header_.file_bytes, "byte"));
  if (header_.file_bytes < size) refuse("is damaged: extra bytes follow its end");
  if (header_.sections > kMostSections ||
      header_.sections > (size - sizeof header_) / sizeof(PackedSection))
    refuse("is damaged: it says that it has " + std::to_string(header_.sections) + " sections");
}

void PackedFile::read_table() {
  table_.resize(header_.sections);
  const std::uint64_t table_bytes = table_.size() * sizeof(PackedSection);
  if (!table_.empty()) std::memcpy(table_.data(), file_->data() + sizeof header_, table_bytes);
  if (hash_of(header_, table_) != header_.hash)
    refuse("is damaged: the checksum of its table of sections is wrong");
  // The end of the part of the file that has been checked so far
  std::uint64_t end = sizeof header_ + table_bytes;
  for (const PackedSection& section : table_) {
    const std::optional<std::string_view> name = name_of(section);
    if (!name || section.offset != aligned(end) || section.offset > file_->size() ||
        section.bytes > file_->size() - section.offset || section.element_bytes == 0 ||
        section.bytes % section.element_bytes != 0 ||
        !is_zero(file_->data() + end, section.offset - end))
      refuse("is damaged: its table of sections makes no sense");
    if (!by_name_.emplace(std::pair(*name, section.index), &section).second)
      refuse("is damaged: section '" + std::string(*name) + "' occurs twice");
    end = section.offset + section.bytes;
  }
  if (end != file_->size()) refuse("is damaged: extra bytes follow its last section");
}

void PackedFile::compare_checksums() const {
  std::vector<std::uint8_t> is_wrong(table_.size());
  for_each_index(table_.size(), [&](std::size_t i) {
    const PackedSection& section = table_[i];
    is_wrong[i] = content_hash(file_->data() + section.offset, section.bytes) != section.hash;
  });
  for (std::size_t i = 0; i < table_.size(); ++i)
    if (is_wrong[i])
      refuse("is damaged: the checksum of section '" + std::string(table_[i].name) + "' is wrong");
}

const PackedSection& PackedFile::find(std::string_view name, std::uint32_t index,
                                      std::size_t element_bytes) const {
  const auto found = by_name_.find({name, index});
  if (found == by_name_.end()) refuse("has no section '" + std::string(name) + "'");
  if (found->second->element_bytes != element_bytes)
    refuse("section '" + std::string(name) + "' has elements of " +
           counted(found->second->element_bytes, "byte") + ", not " +
           std::to_string(element_bytes));
  return *found->second;
}

void PackedWriter::add(std::string_view name, std::uint32_t index, std::size_t element_bytes,
                       const void* data, std::size_t count) {
  PackedSection section{};
  std::copy(name.begin(), name.end(), section.name);
  section.index = index;
  section.element_bytes = static_cast<std::uint32_t>(element_bytes);
  section.bytes = count * element_bytes;
  table_.push_back(section);
  data_.push_back(data);
}

void PackedWriter::add_copy(std::string_view name, std::vector<std::uint8_t> bytes) {
  copies_.push_back(std::move(bytes));
  add(name, 0, 1, copies_.back().data(), copies_.back().size());
}

std::uint64_t PackedWriter::write(const std::string& path) const {
  std::vector<PackedSection> table = table_;
  PackedHeader header{};
  std::copy(std::begin(kPackedMagic), std::end(kPackedMagic), header.magic);
  header.byte_order = kByteOrder;
  header.version = kPackedVersion;
  header.sections = static_cast<std::uint32_t>(table.size());
  std::uint64_t end = sizeof header + table.size() * sizeof(PackedSection);
  static constexpr std::uint8_t kZeros[kSectionAlignment] = {};
  std::vector<ByteRange> ranges{{&header, sizeof header},
                                {table.data(), table.size() * sizeof(PackedSection)}};
  for (std::size_t i = 0; i < table.size(); ++i) {
    PackedSection& section = table[i];
    section.offset = aligned(end);
    section.hash = content_hash(data_[i], section.bytes);
    ranges.push_back({kZeros, section.offset - end});
    ranges.push_back({data_[i], section.bytes});
    end = section.offset + section.bytes;
  }
  header.file_bytes = end;
  header.hash = hash_of(header, table);
  write_files_atomically({{path, std::move(ranges)}});
  return end;
}

}  // namespace ballotcast::detail
