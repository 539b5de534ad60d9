// Files that are read where the system keeps them in memory, without a copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace ballotcast::detail {

/// A whole file in memory, read-only. Whoever replaces the file by renaming another one to its name
/// changes nothing here. But a program that writes into the file itself changes these bytes too,
/// and one that shortens it ends this process. This project never does either.
class MappedFile {
 public:
  /// Throws InputError, which names the path, as read_file does.
  explicit MappedFile(const std::string& path);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  /// Aligned to a page; null if the file is empty.
  const std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  /// When the file was written last, in nanoseconds since 1970.
  std::int64_t written_ns() const { return written_ns_; }
  /// When anything about the file changed last, its name included. No program can set this time.
  std::int64_t changed_ns() const { return changed_ns_; }

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  std::int64_t written_ns_ = 0;
  std::int64_t changed_ns_ = 0;
};

}  // namespace ballotcast::detail
