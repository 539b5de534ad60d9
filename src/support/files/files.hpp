// Reads files, maps them into memory, and writes them.
#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ballotcast/api.hpp"

namespace ballotcast::detail {

/// True if `path` is the file to which this program's stdout goes, under any name: /dev/stdout, or
/// the file that stdout was redirected to. False for /dev/null, even if stdout goes there.
bool is_stdout(const std::string& path);

/// True for regular files and links to them. False for folders, pipes and devices, and for files
/// whose kind can't be found out.
bool is_file(const std::string& path);

/// Throws InputError, which names the path, unless the file exists and is readable. Call this
/// function before long work that needs the file.
void require_readable(const std::string& path);

/// The absolute path of `path`. A path with `..` is not simplified, because only the system knows
/// the parent folder of a linked folder. Throws InputError, which names the path, if the working
/// folder no longer exists.
std::string absolute_path(const std::string& path);

/// The bytes of a file. Throws InputError, which names the path, if the file is missing,
/// unreadable, larger than `largest` bytes, or not a regular file (a directory, a pipe, a device).
BALLOTCAST_API std::vector<std::uint8_t> read_file(const std::string& path,
                                                   std::uint64_t largest = std::uint64_t{1} << 32);

/// Reads a file as read_file does, and inflates gzip data, which is recognised by its first bytes
/// and not by the file name. Throws InputError as read_file does, and also if the gzip data is cut
/// off, is damaged, inflates to more than `largest` bytes, or has such a high ratio of inflation
/// that it seems to be an attack.
std::vector<std::uint8_t> read_maybe_gzip(const std::string& path,
                                          std::uint64_t largest = std::uint64_t{1} << 33);

/// Writes `bytes` to the file at `path`. They are first written to a temporary file in the same
/// directory, which is then renamed, so that no reader ever sees an incomplete file. Anything but a
/// regular file (/dev/stdout, /dev/null, a pipe) is written to directly. On failure no file is left
/// behind, and OutputError is thrown, which names the path and the reason.
void write_file_atomically(const std::string& path, const std::vector<std::uint8_t>& bytes);

/// True for the names that write_file_atomically gives to temporary files.
bool is_temporary_name(std::string_view name);

/// Bytes with another owner.
struct ByteRange {
  const void* bytes;
  std::size_t count;
};

/// A file to write: ranges of bytes in their order. It does not own the bytes.
struct NewFile {
  NewFile(std::string path_, std::vector<ByteRange> ranges_)
      : path(std::move(path_)), ranges(std::move(ranges_)) {}
  NewFile(std::string path_, const std::vector<std::uint8_t>& bytes)
      : NewFile(std::move(path_), {ByteRange{bytes.data(), bytes.size()}}) {}

  std::string path;
  std::vector<ByteRange> ranges;
};

/// Writes several files, each as write_file_atomically does. No file is renamed to its final name
/// before all files are stored.
void write_files_atomically(const std::vector<NewFile>& files);

/// As write_file_atomically, for text.
void write_text_atomically(const std::string& path, const std::string& text);

/// A whole file in memory, read-only. If the file is replaced by renaming another file, the bytes
/// do not change. But if a program writes into the file, these bytes change, too, and if a program
/// shortens the file, this process crashes. No program of this project does either.
class MappedFile {
 public:
  /// Maps a file. Throws InputError as read_file does.
  explicit MappedFile(const std::string& path);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  /// The bytes of the file, aligned to a page; null if the file is empty.
  const std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  /// The time of the last write to the file, in nanoseconds since 1970.
  std::int64_t written_ns() const { return written_ns_; }
  /// The time of the last change of the file or its name, in nanoseconds since 1970. Programs can't
  /// set this time.
  std::int64_t changed_ns() const { return changed_ns_; }

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  std::int64_t written_ns_ = 0;
  std::int64_t changed_ns_ = 0;
};

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }
  /// Closes the file now. Returns false if the system reports a failed write at this point.
  bool close() { return ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

/// A time of the system in nanoseconds since 1970.
inline std::int64_t in_nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1000000000 + time.tv_nsec;
}

/// The system's message about the last failed call (errno).
std::string reason();

/// Throws InputError with the text "PATH: WHY".
[[noreturn]] void refuse_input(const std::string& path, const std::string& why);

/// While an object of this class exists, open_input throws InputError for files outside of a
/// folder, in all threads. This is for scenes from other people, which may name any file. Only one
/// object can exist at a time.
class OnlyFilesBelow {
 public:
  explicit OnlyFilesBelow(const std::string& folder);
  ~OnlyFilesBelow();
  OnlyFilesBelow(const OnlyFilesBelow&) = delete;
  OnlyFilesBelow& operator=(const OnlyFilesBelow&) = delete;
};

/// True while an OnlyFilesBelow exists. Then libraries that open files by themselves must not be
/// used.
bool files_are_limited();

/// Opens a regular file and describes it in `info`. Throws InputError, which names the path, if the
/// file is missing, unreadable, or not a regular file.
Descriptor open_input(const std::string& path, struct stat& info);

}  // namespace ballotcast::detail
