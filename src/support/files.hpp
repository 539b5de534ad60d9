// Whole files to and from memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ballotcast::detail {

/// Does `path` name this program's stdout, by whatever name? /dev/null is never taken for it.
bool is_stdout(const std::string& path);

/// Throws InputError, naming the path, unless there is a file that may be read. Before long work.
void require_readable(const std::string& path);

/// The bytes of a file. Throws InputError naming the path when it is missing, unreadable, no
/// regular file (a directory, a pipe, a device), or larger than `largest` bytes.
std::vector<std::uint8_t> read_file(const std::string& path,
                                    std::uint64_t largest = std::uint64_t{1} << 32);

/// The same, inflated when the bytes begin as a gzip file does, whatever the file is called.
/// Throws InputError as read_file does, and when the gzip data is cut off, damaged, or inflates to
/// more than `largest` bytes, or to so much that it was made to fill memory.
std::vector<std::uint8_t> read_maybe_gzip(const std::string& path,
                                          std::uint64_t largest = std::uint64_t{1} << 33);

/// Makes `bytes` the content of the file at `path`: under a temporary name in the same directory,
/// then renamed, so that no reader ever sees half a file. What is no regular file (/dev/stdout,
/// /dev/null, a pipe) is written to directly. Throws OutputError naming the path and the reason,
/// and leaves nothing behind then.
void write_file_atomically(const std::string& path, const std::vector<std::uint8_t>& bytes);

/// What a file is to hold. Refers to the bytes.
struct NewFile {
  std::string path;
  const std::vector<std::uint8_t>& bytes;
};

/// The same, of files that belong together: none appears before all are stored.
void write_files_atomically(const std::vector<NewFile>& files);

/// The same, of a text's bytes.
void write_text_atomically(const std::string& path, const std::string& text);

}  // namespace ballotcast::detail
