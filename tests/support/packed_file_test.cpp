#include "support/files/packed_file.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "ballotcast/error.hpp"
#include "math/portable.hpp"
#include "support/files/files.hpp"
#include "support/hash.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace packed_file_test {

const Array<u32> kNumbers{1, 2, 3, 4, 5};
const Array<double> kHalves{0.5, 1.5};

/// A small packed file with three sections, one of them empty.
std::vector<u8> small_file(const TempDir& dir) {
  PackedWriter writer;
  const Array<u8> nothing;
  writer.add("numbers", kNumbers);
  writer.add("nothing", nothing);
  writer.add("halves", kHalves, 7);
  const std::string path = dir / "small.bcast";
  const u64 bytes = writer.write(path);
  const std::vector<u8> content = read_file(path);
  EXPECT_EQ(content.size(), bytes);
  return content;
}

/// The message with which a file with these bytes is refused.
std::string refusal(const TempDir& dir, const std::vector<u8>& bytes) {
  const std::string path = dir / "odd.bcast";
  write_file_atomically(path, bytes);
  const std::string message = message_of<InputError>([&] { PackedFile file(path); });
  EXPECT_TRUE(message.starts_with(path + ": ")) << message;
  return message;
}

PackedHeader header_in(const std::vector<u8>& bytes) {
  PackedHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  return header;
}

/// `bytes` with this header and first section, with right checksums.
std::vector<u8> with(std::vector<u8> bytes, PackedHeader header, PackedSection first) {
  header.hash = 0;
  std::memcpy(bytes.data(), &header, sizeof header);
  std::memcpy(bytes.data() + sizeof header, &first, sizeof first);
  header.hash = content_hash(bytes.data(), sizeof header + header.sections * sizeof first);
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

PackedSection first_section_in(const std::vector<u8>& bytes) {
  PackedSection section;
  std::memcpy(&section, bytes.data() + sizeof(PackedHeader), sizeof section);
  return section;
}

TEST(PackedFile, gives_back_arrays_where_they_lie) {
  const TempDir dir;
  small_file(dir);
  Array<u32> numbers;
  {
    const PackedFile file(dir / "small.bcast");
    numbers = file.array<u32>("numbers");
    EXPECT_TRUE(file.holds(numbers, "numbers"));
    EXPECT_TRUE(file.array<u8>("nothing").empty());
    EXPECT_EQ(file.array<double>("halves", 7), kHalves);
    Array<u32> changed = numbers;
    changed[0] = 1;
    EXPECT_FALSE(file.holds(changed, "numbers"));
    EXPECT_FALSE(file.holds(kNumbers, "numbers"));
  }
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(std::as_const(numbers).data()) % kSectionAlignment,
            0u);
  EXPECT_EQ(numbers, kNumbers);  // the array keeps the file mapped
  EXPECT_TRUE(numbers.is_view());
}

TEST(PackedFile, names_a_section_that_is_not_there_or_has_other_elements) {
  const TempDir dir;
  small_file(dir);
  const PackedFile file(dir / "small.bcast");
  EXPECT_TRUE(contains(message_of<InputError>([&] { file.array<u32>("letters"); }), "letters"));
  EXPECT_TRUE(contains(message_of<InputError>([&] { file.array<double>("halves"); }), "halves"));
  EXPECT_TRUE(contains(message_of<InputError>([&] { file.array<u64>("numbers"); }), "4 bytes"));
}

TEST(PackedFile, every_changed_byte_is_noticed) {
  const TempDir dir;
  const std::vector<u8> bytes = small_file(dir);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    SCOPED_TRACE(i);
    for (const u8 mask : {u8{0x01}, u8{0x80}}) {
      std::vector<u8> odd = bytes;
      odd[i] ^= mask;
      refusal(dir, odd);
    }
  }
}

TEST(PackedFile, every_cut_is_noticed) {
  const TempDir dir;
  const std::vector<u8> bytes = small_file(dir);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::string why = refusal(dir, {bytes.begin(), bytes.begin() + static_cast<long>(size)});
    EXPECT_TRUE(contains(why, size == 0 ? "is no packed scene" : "cut off")) << why;
  }
  std::vector<u8> longer = bytes;
  longer.push_back(0);
  EXPECT_TRUE(contains(refusal(dir, longer), "extra bytes"));
}

TEST(PackedFile, unknown_parts_of_the_header_are_refused) {
  const TempDir dir;
  const std::vector<u8> bytes = small_file(dir);
  PackedHeader header = header_in(bytes);
  header.unused[6] = 1;
  EXPECT_TRUE(
      contains(refusal(dir, with(bytes, header, first_section_in(bytes))), "unknown parts"));
}

TEST(PackedFile, other_versions_byte_orders_and_formats_are_told) {
  const TempDir dir;
  const std::vector<u8> bytes = small_file(dir);
  const PackedSection section = first_section_in(bytes);
  PackedHeader header = header_in(bytes);
  header.version = kPackedVersion + 1;
  EXPECT_TRUE(contains(refusal(dir, with(bytes, header, section)), "newer version"));
  header.version = kPackedVersion - 1;
  EXPECT_TRUE(contains(refusal(dir, with(bytes, header, section)), "older version"));
  header = header_in(bytes);
  header.byte_order = 0x04030201;
  EXPECT_TRUE(contains(refusal(dir, with(bytes, header, section)), "byte order"));
  EXPECT_TRUE(contains(refusal(dir, {'v', ' ', '1', ' ', '2', ' ', '3', '\n'}), "no packed scene"));
}

TEST(PackedFile, lies_with_the_right_checksum_are_refused) {
  const TempDir dir;
  const std::vector<u8> bytes = small_file(dir);
  const PackedHeader header = header_in(bytes);
  const PackedSection section = first_section_in(bytes);
  const auto lie = [&](auto change) {
    PackedHeader h = header;
    PackedSection s = section;
    change(h, s);
    EXPECT_TRUE(contains(refusal(dir, with(bytes, h, s)), "damaged"));
  };
  lie([](PackedHeader&, PackedSection& s) { s.offset += kSectionAlignment; });
  lie([](PackedHeader&, PackedSection& s) { s.offset = 0; });
  lie([](PackedHeader&, PackedSection& s) { s.offset = ~u64{0} - 63; });
  lie([](PackedHeader&, PackedSection& s) { s.bytes = ~u64{0} - 3; });
  lie([](PackedHeader&, PackedSection& s) { s.bytes = (u64{1} << 31) * s.element_bytes; });
  lie([](PackedHeader&, PackedSection& s) { s.bytes = 0; });
  lie([](PackedHeader&, PackedSection& s) { s.bytes += 1; });
  lie([](PackedHeader&, PackedSection& s) { s.element_bytes = 0; });
  lie([](PackedHeader&, PackedSection& s) { s.element_bytes = 3; });
  lie([](PackedHeader&, PackedSection& s) { s.hash += 1; });
  lie([](PackedHeader&, PackedSection& s) { std::memset(s.name, 'a', sizeof s.name); });
  lie([](PackedHeader&, PackedSection& s) { std::strcpy(s.name, "nothing"); });
  lie([](PackedHeader&, PackedSection& s) { s.name[0] = '\x1b'; });
  lie([](PackedHeader&, PackedSection& s) { s.name[0] = '\0'; });
}

TEST(PackedFile, a_number_of_sections_beyond_the_file_is_refused) {
  const TempDir dir;
  std::vector<u8> bytes = small_file(dir);
  for (const u32 sections : {~0u, kMostSections + 1, kMostSections, 100u}) {
    std::memcpy(bytes.data() + offsetof(PackedHeader, sections), &sections, sizeof sections);
    EXPECT_TRUE(contains(refusal(dir, bytes), "sections"));
  }
}

TEST(ContentHash, depends_on_every_piece_and_on_the_length) {
  std::vector<u8> bytes((std::size_t{3} << 20) + 5);
  const u64 zeros = content_hash(bytes.data(), bytes.size());
  EXPECT_EQ(zeros, content_hash(bytes.data(), bytes.size()));
  EXPECT_NE(zeros, content_hash(bytes.data(), bytes.size() - 1));
  for (std::size_t i : {std::size_t{0}, std::size_t{1} << 20, bytes.size() - 1}) {
    bytes[i] = 1;
    EXPECT_NE(zeros, content_hash(bytes.data(), bytes.size()));
    bytes[i] = 0;
  }
}

/// Reads `bytes` as the values of a packed file.
template <class Value>
void read_as(const TempDir& dir, std::vector<u8> bytes, Value& value) {
  PackedWriter writer;
  writer.add_copy("values", std::move(bytes));
  writer.write(dir / "values.bcast");
  const PackedFile file(dir / "values.bcast");
  ValueReader reader(file, "values");
  reader(value);
  reader.require_end();
}

TEST(PackedValues, come_back_as_they_were) {
  const TempDir dir;
  const std::vector<std::string> texts{"a", "", std::string("\0\xff", 2)};
  ValueWriter writer;
  writer(texts);
  std::vector<std::string> back;
  read_as(dir, writer.bytes, back);
  EXPECT_EQ(back, texts);
  for (const std::optional<float> number : {std::optional<float>(), std::optional(0.25f)}) {
    ValueWriter one;
    one(number);
    std::optional<float> same;
    read_as(dir, one.bytes, same);
    EXPECT_EQ(same, number);
  }
}

TEST(PackedValues, that_end_too_early_or_too_late_are_refused) {
  const TempDir dir;
  ValueWriter writer;
  writer(std::vector<std::string>{"a", "bc"});
  const auto refused = [&](std::vector<u8> bytes) {
    std::vector<std::string> back;
    EXPECT_TRUE(contains(message_of<InputError>([&] { read_as(dir, bytes, back); }), "damaged"));
  };
  for (std::size_t size = 0; size < writer.bytes.size(); ++size)
    refused({writer.bytes.begin(), writer.bytes.begin() + static_cast<long>(size)});
  std::vector<u8> longer = writer.bytes;
  longer.push_back(0);
  refused(longer);
  std::vector<u8> endless = writer.bytes;
  for (std::size_t i = 0; i < 8; ++i) endless[i] = 0xff;  // a huge number of texts
  refused(endless);
  std::optional<u32> maybe;
  EXPECT_TRUE(contains(message_of<InputError>([&] {
                         read_as(dir, {2, 0, 0, 0, 0}, maybe);
                       }),
                       "damaged"));
}

}  // namespace packed_file_test
}  // namespace ballotcast::detail
