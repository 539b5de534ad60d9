// Packed files: named sections, which are arrays in the byte order of this computer.
//
//   header      64 bytes
//   table       64 bytes per section
//   sections    in the order of the table, each at a multiple of 64 bytes; zeros in between
//
// The content of the sections is defined by the code that writes and reads them (scene/pack,
// backends/pack).
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/array.hpp"
#include "support/files/files.hpp"

namespace ballotcast::detail {

/// The version of the format and of the content of all sections. Increase it whenever a file of an
/// older program would be misunderstood: when a stored type changes (Material, TriangleRows, the
/// nodes of a layout), when the meaning of a section changes, when loading a mesh file gives
/// another scene, or when traversal needs wider boxes than before (box_slack).
inline constexpr std::uint32_t kPackedVersion = 3;

/// Sections begin at multiples of this many bytes.
inline constexpr std::uint64_t kSectionAlignment = 64;

/// The largest number of sections in a file.
inline constexpr std::uint32_t kMostSections = 1u << 20;

/// The longest name of a section.
inline constexpr std::size_t kLongestSectionName = 31;

/// The first bytes of a file. They contain line ends and a byte above 127, which change if a file
/// is sent as text.
inline constexpr std::uint8_t kPackedMagic[8] = {0xbc, 'B', 'C', 'P', '\r', '\n', 0x1a, '\n'};

struct PackedHeader {
  std::uint8_t magic[8];
  std::uint32_t byte_order;  // must be kByteOrder
  std::uint32_t version;
  std::uint64_t file_bytes;
  std::uint64_t hash;  // content_hash of the header and the table, with this field set to 0
  std::uint32_t sections;
  std::uint32_t unused[7];  // must be 0
};
static_assert(sizeof(PackedHeader) == 64 && std::is_trivially_copyable_v<PackedHeader>);

inline constexpr std::uint32_t kByteOrder = 0x01020304;

struct PackedSection {
  char name[kLongestSectionName + 1];  // ends with a zero byte
  std::uint32_t index;                 // distinguishes sections with the same name
  std::uint32_t element_bytes;
  std::uint64_t offset;  // position in the file, in bytes
  std::uint64_t bytes;
  std::uint64_t hash;  // content_hash of the section
};
static_assert(sizeof(PackedSection) == 64 && std::is_trivially_copyable_v<PackedSection>);

/// `bytes` rounded up to a multiple of kSectionAlignment.
inline constexpr std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + kSectionAlignment - 1) / kSectionAlignment * kSectionAlignment;
}

/// A packed file in memory. Its checksums have been verified, which excludes accidental damage. But
/// code that reads a section must still check its values, because an attacker can make a file with
/// correct checksums.
class PackedFile {
 public:
  /// Opens and checks a file. Throws InputError, which names the path, if the file can't be read,
  /// is not a packed file, was written by another version or on a computer with another byte order,
  /// is cut off, or is damaged.
  explicit PackedFile(const std::string& path);
  PackedFile(const PackedFile&) = delete;
  PackedFile& operator=(const PackedFile&) = delete;

  const std::string& path() const { return path_; }
  /// The size of the file in bytes.
  std::uint64_t bytes() const { return file_->size(); }

  /// The elements of a section, without copying them. The array keeps the file mapped. Throws
  /// InputError if there is no such section, or if the size of its elements is different.
  template <class T>
  Array<T> array(std::string_view name, std::uint32_t index = 0) const {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= kSectionAlignment);
    const PackedSection& section = find(name, index, sizeof(T));
    return Array<T>::view(reinterpret_cast<const T*>(file_->data() + section.offset),
                          section.bytes / sizeof(T), file_);
  }

  /// True if `array` is a view of a section of this file that was neither changed nor replaced.
  template <class T>
  bool holds(const Array<T>& array, std::string_view name, std::uint32_t index = 0) const {
    const Array<T> section = this->array<T>(name, index);
    return array.is_view() && array.data() == section.data() && array.size() == section.size();
  }

  /// Throws InputError with the text "PATH: WHY".
  [[noreturn]] void refuse(const std::string& why) const;

 private:
  void read_header();
  void read_table();
  void compare_checksums() const;
  const PackedSection& find(std::string_view name, std::uint32_t index,
                            std::size_t element_bytes) const;

  std::string path_;
  std::shared_ptr<const MappedFile> file_;
  PackedHeader header_{};
  std::vector<PackedSection> table_;
  std::map<std::pair<std::string_view, std::uint32_t>, const PackedSection*> by_name_;
};

/// Collects the sections of a file.
class PackedWriter {
 public:
  /// Adds a section. `array` must exist until write() is called. `name` must not be longer than
  /// kLongestSectionName, and the pair of name and index must be unique.
  template <class T>
  void add(std::string_view name, const Array<T>& array, std::uint32_t index = 0) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= kSectionAlignment);
    add(name, index, sizeof(T), array.data(), array.size());
  }

  /// As `add`, for bytes that this object stores.
  void add_copy(std::string_view name, std::vector<std::uint8_t> bytes);

  /// Writes the file as write_file_atomically does. Returns its size in bytes. Throws OutputError
  /// if the file can't be written.
  std::uint64_t write(const std::string& path) const;

 private:
  void add(std::string_view name, std::uint32_t index, std::size_t element_bytes, const void* data,
           std::size_t count);

  std::vector<PackedSection> table_;
  std::vector<const void*> data_;  // a pointer to the data of each section
  std::deque<std::vector<std::uint8_t>> copies_;
};

/// Collects small values for a section, one after another, without gaps. ValueWriter and
/// ValueReader have the same call operators, so that one function can list the values for writing
/// and for reading:
///
///   template <class Values, class Scene>
///   void each_value(Values& values, Scene& scene) { values(scene.name); values(scene.up); }
class ValueWriter {
 public:
  std::vector<std::uint8_t> bytes;

  template <class T>
  void operator()(const T& value) {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
    const auto* const begin = reinterpret_cast<const std::uint8_t*>(&value);
    bytes.insert(bytes.end(), begin, begin + sizeof value);
  }
  void operator()(const std::string& text) {
    (*this)(std::uint64_t{text.size()});
    bytes.insert(bytes.end(), text.begin(), text.end());
  }
  template <class T>
  void operator()(const std::optional<T>& value) {
    (*this)(std::uint8_t{value.has_value()});
    if (value) (*this)(*value);
  }
  template <class T>
  void operator()(const std::vector<T>& list) {
    (*this)(list, *this);
  }
  /// Writes a list whose elements consist of several values. each(element) must pass the values of
  /// one element to this object.
  template <class T, class Each>
  void operator()(const std::vector<T>& list, Each&& each) {
    (*this)(std::uint64_t{list.size()});
    for (const T& element : list) each(element);
  }
};

/// Reads values from a section. Each call throws InputError if the section is too short.
class ValueReader {
 public:
  /// `file` must outlive this object.
  ValueReader(const PackedFile& file, std::string_view section)
      : file_(file), bytes_(file.array<std::uint8_t>(section)) {}

  template <class T>
  void operator()(T& value) {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> &&
                  !std::is_same_v<T, bool> && !std::is_enum_v<T>);
    std::memcpy(static_cast<void*>(&value), take(sizeof value), sizeof value);
  }
  void operator()(std::string& text) {
    const std::uint64_t length = count();
    const std::uint8_t* const begin = take(length);
    text.assign(begin, begin + length);
  }
  template <class T>
  void operator()(std::optional<T>& value) {
    std::uint8_t is_there = 0;
    (*this)(is_there);
    if (is_there > 1) fail();
    value.reset();
    if (is_there == 1) (*this)(value.emplace());
  }
  template <class T>
  void operator()(std::vector<T>& list) {
    (*this)(list, *this);
  }
  template <class T, class Each>
  void operator()(std::vector<T>& list, Each&& each) {
    const std::uint64_t length = count();
    list.clear();
    for (std::uint64_t i = 0; i < length; ++i) each(list.emplace_back());
  }

  /// Throws InputError unless the whole section has been read.
  void require_end() const {
    if (at_ != bytes_.size()) fail();
  }

 private:
  [[noreturn]] void fail() const { file_.refuse("is damaged: values have unusable sizes"); }
  /// Reads a number of elements. Throws InputError if it is larger than the number of bytes that
  /// are left, because each element takes at least one byte.
  std::uint64_t count() {
    std::uint64_t length = 0;
    (*this)(length);
    if (length > bytes_.size() - at_) fail();
    return length;
  }
  const std::uint8_t* take(std::uint64_t count) {
    if (count > bytes_.size() - at_) fail();
    at_ += count;
    return bytes_.data() + (at_ - count);
  }

  const PackedFile& file_;
  const Array<std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

}  // namespace ballotcast::detail
