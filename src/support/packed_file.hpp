// Reads and writes packed files (packed_format.hpp).
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/array.hpp"
#include "support/mapped_file.hpp"
#include "support/packed_format.hpp"

namespace ballotcast::detail {

/// A packed file in memory. Its checksums have been compared, so accidental damage is excluded. But
/// whoever reads a section must check what it says: a file may be made to do harm.
class PackedFile {
 public:
  /// Throws InputError, which names the path, if the file can't be read, is no packed file, was
  /// written by another version or on a machine with another byte order, is cut off, or is damaged.
  explicit PackedFile(const std::string& path);
  PackedFile(const PackedFile&) = delete;
  PackedFile& operator=(const PackedFile&) = delete;

  const std::string& path() const { return path_; }
  /// The size of the file.
  std::uint64_t bytes() const { return file_->size(); }

  /// The elements of a section, where they lie in the file. The array keeps the file mapped. Throws
  /// InputError if there is no such section, or if its elements have another size.
  template <class T>
  Array<T> array(std::string_view name, std::uint32_t index = 0) const {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= kSectionAlignment);
    const PackedSection& section = find(name, index, sizeof(T));
    return Array<T>::view(reinterpret_cast<const T*>(file_->data() + section.offset),
                          section.bytes / sizeof(T), file_);
  }

  /// True if `array` is a section of this file, neither changed nor replaced.
  template <class T>
  bool holds(const Array<T>& array, std::string_view name, std::uint32_t index = 0) const {
    const Array<T> section = this->array<T>(name, index);
    return array.is_view() && array.data() == section.data() && array.size() == section.size();
  }

  /// Throws InputError: "PATH: WHY".
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
  /// Adds a section. `array` must live until write(). `name` is at most kLongestSectionName long;
  /// name and index together occur once.
  template <class T>
  void add(std::string_view name, const Array<T>& array, std::uint32_t index = 0) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= kSectionAlignment);
    add(name, index, sizeof(T), array.data(), array.size());
  }

  /// As add, for bytes that this object keeps.
  void add_copy(std::string_view name, std::vector<std::uint8_t> bytes);

  /// Writes the file as write_file_atomically does. Returns its size. Throws OutputError.
  std::uint64_t write(const std::string& path) const;

 private:
  void add(std::string_view name, std::uint32_t index, std::size_t element_bytes, const void* data,
           std::size_t count);

  std::vector<PackedSection> table_;
  std::vector<const void*> data_;  // of each section
  std::deque<std::vector<std::uint8_t>> copies_;
};

}  // namespace ballotcast::detail
