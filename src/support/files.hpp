// Reads and writes whole files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ballotcast::detail {

/// True if `path` is where this program's stdout goes, under any name: /dev/stdout, or the file
/// that stdout was redirected to. False for /dev/null, even if stdout goes there.
bool is_stdout(const std::string& path);

/// Throws InputError, which names the path, unless the file exists and is readable. Call it before
/// long work.
void require_readable(const std::string& path);

/// `path`, from the root on. As it is spelled: only the system knows where `..` behind a link
/// leads. Throws InputError, which names the path, if the working folder is gone.
std::string absolute_path(const std::string& path);

/// The bytes of a file. Throws InputError, which names the path, if the file is missing,
/// unreadable, larger than `largest` bytes, or not a regular file (a directory, a pipe, a device).
std::vector<std::uint8_t> read_file(const std::string& path,
                                    std::uint64_t largest = std::uint64_t{1} << 32);

/// Reads a file as read_file does. Gzip data is inflated; it is recognised by its first bytes, not
/// by the file name. Throws InputError as read_file does, and if the gzip data is cut off, damaged,
/// inflates to more than `largest` bytes, or inflates so much that the file seems made to fill
/// memory.
std::vector<std::uint8_t> read_maybe_gzip(const std::string& path,
                                          std::uint64_t largest = std::uint64_t{1} << 33);

/// Writes `bytes` to the file at `path`: first to a temporary file in the same directory, which is
/// then renamed, so that no reader ever sees half a file. Anything but a regular file (/dev/stdout,
/// /dev/null, a pipe) is written to directly. On failure it leaves no file behind and throws
/// OutputError, which names the path and the reason.
void write_file_atomically(const std::string& path, const std::vector<std::uint8_t>& bytes);

/// True for the names that write_file_atomically gives to temporary files.
bool is_temporary_name(std::string_view name);

/// Bytes that someone else owns.
struct ByteRange {
  const void* bytes;
  std::size_t count;
};

/// A file to write: the parts in their order. Refers to the bytes; does not own them.
struct NewFile {
  NewFile(std::string path_, std::vector<ByteRange> parts_)
      : path(std::move(path_)), parts(std::move(parts_)) {}
  NewFile(std::string path_, const std::vector<std::uint8_t>& bytes)
      : NewFile(std::move(path_), {ByteRange{bytes.data(), bytes.size()}}) {}

  std::string path;
  std::vector<ByteRange> parts;
};

/// Writes files that belong together, each as write_file_atomically does. No file gets its name
/// before all of them are stored.
void write_files_atomically(const std::vector<NewFile>& files);

/// As write_file_atomically, for text.
void write_text_atomically(const std::string& path, const std::string& text);

}  // namespace ballotcast::detail
