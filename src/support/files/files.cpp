#include "support/files/files.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>

#include "ballotcast/error.hpp"
#include "support/files/temporary_files.hpp"
#include "support/hash.hpp"
#include "support/profile.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

[[noreturn]] void refuse_unreadable(const std::string& path) {
  refuse_input(path, errno == ENOENT ? "no such file" : "can't be read: " + reason());
}

/// Throws InputError for directories, and for pipes and devices, because reading from them may
/// never end.
void require_regular(const std::string& path, const struct stat& info) {
  if (S_ISDIR(info.st_mode)) refuse_input(path, "is a directory, not a file");
  if (!S_ISREG(info.st_mode)) refuse_input(path, "is a pipe or a device, not a file");
}

/// The folder of the current OnlyFilesBelow, or null.
std::atomic<const std::string*> only_below = nullptr;

void require_allowed(const std::string& path) {
  const std::string* const folder = only_below.load();
  if (folder == nullptr) return;
  std::error_code failure;
  const std::string real = std::filesystem::weakly_canonical(path, failure).string();
  if (failure || !real.starts_with(*folder))
    refuse_input(path, "lies outside of the folder of the scene");
}

constexpr std::uint64_t kLargestPacked = std::uint64_t{1} << 32;
// Up to this size in bytes of inflated data, the ratio of inflation is not checked.
constexpr std::uint64_t kHarmless = std::uint64_t{1} << 26;
// The largest allowed ratio of inflated to packed size; meshes have ratios of 3 to 30
constexpr std::uint64_t kMostInflation = 200;

}  // namespace

OnlyFilesBelow::OnlyFilesBelow(const std::string& folder) {
  only_below = new std::string(std::filesystem::canonical(folder).string() + "/");
}
OnlyFilesBelow::~OnlyFilesBelow() { delete only_below.exchange(nullptr); }
bool files_are_limited() { return only_below.load() != nullptr; }

std::string reason() { return std::strerror(errno); }

void refuse_input(const std::string& path, const std::string& why) {
  throw InputError(path + ": " + why);
}

bool is_file(const std::string& path) {
  struct stat info;
  return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

void require_readable(const std::string& path) {
  struct stat info;
  require_allowed(path);
  if (::stat(path.c_str(), &info) != 0) refuse_unreadable(path);
  require_regular(path, info);
  if (::access(path.c_str(), R_OK) != 0) refuse_unreadable(path);
}

Descriptor open_input(const std::string& path, struct stat& info) {
  require_allowed(path);
  if (::stat(path.c_str(), &info) != 0) refuse_unreadable(path);
  require_regular(path, info);
  // With O_NONBLOCK, open() does not wait if the file was replaced by a pipe in the meantime.
  Descriptor in(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!in.open()) refuse_unreadable(path);
  if (::fstat(in.get(), &info) != 0) refuse_unreadable(path);
  require_regular(path, info);
  return in;
}

std::string absolute_path(const std::string& path) {
  std::error_code failure;
  const std::filesystem::path absolute = std::filesystem::absolute(path, failure);
  if (failure) refuse_input(path, "the working folder is unknown: " + failure.message());
  const bool goes_up = std::find(absolute.begin(), absolute.end(), "..") != absolute.end();
  return goes_up ? absolute : absolute.lexically_normal();
}

std::vector<std::uint8_t> read_file(const std::string& path, std::uint64_t largest) {
  const ProfileSpan span("read", path);
  struct stat info;
  const Descriptor in = open_input(path, info);
  const std::uint64_t size = static_cast<std::uint64_t>(info.st_size);
  if (size > largest) refuse_input(path, "is larger than " + bytes_in_words(largest));

  // One byte more than the stated size, so that reading detects the end of the file without a
  // larger buffer.
  std::vector<std::uint8_t> bytes(size + 1);
  std::size_t filled = 0;
  for (;;) {
    if (filled == bytes.size()) bytes.resize(bytes.size() * 2 + (std::uint64_t{1} << 16));
    const ssize_t count = ::read(in.get(), bytes.data() + filled, bytes.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse_input(path, "can't be read: " + reason());
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
    if (filled > largest) refuse_input(path, "is larger than " + bytes_in_words(largest));
  }
  bytes.resize(filled);
  return bytes;
}

std::vector<std::uint8_t> read_maybe_gzip(const std::string& path, std::uint64_t largest) {
  std::vector<std::uint8_t> packed = read_file(path, std::min(largest, kLargestPacked));
  const auto begins_gzip = [&](std::size_t at) {
    return packed.size() - at >= 2 && packed[at] == 0x1f && packed[at + 1] == 0x8b;
  };
  if (!begins_gzip(0)) return packed;
  const ProfileSpan span("unpack", path);

  z_stream stream{};
  if (inflateInit2(&stream, MAX_WBITS + 16) != Z_OK) refuse_input(path, "zlib can't start");
  const std::unique_ptr<z_stream, int (*)(z_streamp)> guard(&stream, inflateEnd);

  std::vector<std::uint8_t> bytes(packed.size() * 4 + 1024);
  std::size_t filled = 0, taken = 0;
  for (;;) {
    if (filled == bytes.size()) bytes.resize(bytes.size() * 2);
    // zlib's counters have 32 bits, so the data is passed in pieces.
    const std::size_t piece_in = std::min<std::size_t>(packed.size() - taken, 1u << 30);
    const std::size_t piece_out = std::min<std::size_t>(bytes.size() - filled, 1u << 30);
    stream.next_in = packed.data() + taken;
    stream.avail_in = static_cast<uInt>(piece_in);
    stream.next_out = bytes.data() + filled;
    stream.avail_out = static_cast<uInt>(piece_out);
    const int status = inflate(&stream, Z_NO_FLUSH);
    taken += piece_in - stream.avail_in;
    filled += piece_out - stream.avail_out;
    if (filled > largest) refuse_input(path, "inflates to more than " + bytes_in_words(largest));
    if (filled > kHarmless && filled / packed.size() > kMostInflation)
      refuse_input(path, "inflates to more than " + std::to_string(kMostInflation) +
                             " times its size; it is refused as damaged or hostile");
    if (status == Z_STREAM_END) {
      // A gzip file may consist of several members and may be padded with zeros.
      if (!begins_gzip(taken)) {
        if (std::any_of(packed.begin() + static_cast<std::ptrdiff_t>(taken), packed.end(),
                        [](std::uint8_t byte) { return byte != 0; }))
          refuse_input(
              path, "extra bytes follow the gzip data, from byte " + std::to_string(taken) + " on");
        break;
      }
      inflateReset(&stream);
    } else if (status == Z_BUF_ERROR ||
               (status == Z_OK && taken == packed.size() && filled < bytes.size())) {
      if (taken == packed.size()) refuse_input(path, "gzip data is cut off");
    } else if (status == Z_MEM_ERROR) {
      refuse_input(path, "not enough memory to inflate");
    } else if (status != Z_OK) {
      refuse_input(path, std::string("gzip data is damaged") +
                             (stream.msg ? std::string(" (") + stream.msg + ")" : ""));
    }
  }
  bytes.resize(filled);
  return bytes;
}

MappedFile::MappedFile(const std::string& path) {
  struct stat info;
  const Descriptor in = open_input(path, info);
  size_ = static_cast<std::size_t>(info.st_size);
  written_ns_ = in_nanoseconds(info.st_mtim);
  changed_ns_ = in_nanoseconds(info.st_ctim);
  if (size_ == 0) return;
  void* const place = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, in.get(), 0);
  if (place == MAP_FAILED) refuse_input(path, "can't be mapped into memory: " + reason());
  data_ = static_cast<const std::byte*>(place);
}

MappedFile::~MappedFile() {
  if (data_) ::munmap(const_cast<std::byte*>(data_), size_);
}

namespace {

[[noreturn]] void refuse_output(const std::string& path, const std::string& why) {
  throw OutputError(path + ": can't be written: " + why);
}

/// The reason why a file can't be written, and advice if there is any.
std::string output_reason() {
  switch (errno) {
    case ENOSPC:
    case EDQUOT:
      return reason() + "; make room, or write elsewhere";
    case EFBIG:
      return reason() + "; raise the limit (ulimit -f), or write elsewhere";
    case ENOENT:
      return reason() + "; make its directory, or write elsewhere";
    default:
      return reason();
  }
}

/// Writes all bytes of `ranges`. Returns false and sets errno on failure.
bool write_all(int fd, const std::vector<ByteRange>& ranges) {
  for (const ByteRange& range : ranges) {
    const auto* const bytes = static_cast<const std::uint8_t*>(range.bytes);
    for (std::size_t done = 0; done < range.count;) {
      const ssize_t count = ::write(fd, bytes + done, range.count - done);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return false;
      done += static_cast<std::size_t>(count);
    }
  }
  return true;
}

/// Opens a file for writing without a temporary file. Standard streams are duplicated, because they
/// may be sockets that can't be opened by name, or files whose earlier content must be kept.
Descriptor open_stream(const std::string& path) {
  if (is_stdout(path)) return Descriptor(::dup(STDOUT_FILENO));
  if (path == "/dev/stderr" || path == "/dev/fd/2") return Descriptor(::dup(STDERR_FILENO));
  return Descriptor(::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
}

bool names_stream(const std::string& path) {
  return path == "/dev/stdout" || path == "/dev/stderr" || path.starts_with("/dev/fd/") ||
         path.starts_with("/proc/");
}

void write_stream(const std::string& path, const std::vector<ByteRange>& ranges) {
  Descriptor out = open_stream(path);
  if (!out.open()) refuse_output(path, output_reason());
  note_written(Held(), Written::part_of_a_stream);
  if (!write_all(out.get(), ranges) || !out.close()) refuse_output(path, output_reason());
}

/// `path` with its last component replaced by a random name.
std::string temporary_beside(const std::string& path) {
  std::random_device entropy;
  char name[32];
  std::snprintf(name, sizeof name, ".%08x%08x.tmp", entropy(), entropy());
  const std::size_t slash = path.rfind('/');
  return (slash == std::string::npos ? std::string() : path.substr(0, slash + 1)) + name;
}

/// A file that is stored under a temporary name in the directory of its final name.
class StoredFile {
 public:
  StoredFile(const std::string& path, const std::vector<ByteRange>& ranges) : path_(path) {
    struct stat info;
    const bool exists = ::stat(path.c_str(), &info) == 0;
    // A rename would replace even a write-protected file, which its owner does not want.
    if (exists && ::access(path.c_str(), W_OK) != 0) refuse_output(path, reason());
    // Resolves symbolic links, so that a link remains a link and the file to which it points is
    // replaced.
    target_ = path;
    if (exists) {
      const std::unique_ptr<char, void (*)(void*)> real(::realpath(path.c_str(), nullptr),
                                                        std::free);
      if (real) target_ = real.get();
    }
    temporary_ = temporary_beside(target_);
    Descriptor out = open_temporary();
    if (!out.open()) refuse_output(path, output_reason());
    if (exists) (void)!::fchmod(out.get(), info.st_mode & 07777);
    if (!write_all(out.get(), ranges) || !out.close()) {
      const std::string why = output_reason();
      ::unlink(temporary_.c_str());
      refuse_output(path, why);
    }
  }
  StoredFile(StoredFile&& other) noexcept
      : path_(std::move(other.path_)),
        target_(std::move(other.target_)),
        temporary_(std::exchange(other.temporary_, {})),
        cleanup_(std::move(other.cleanup_)) {}
  StoredFile& operator=(StoredFile&&) = delete;
  ~StoredFile() {
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
  }

  /// Renames the file to its final name.
  void name(const Held& held) {
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) refuse_output(path_, output_reason());
    temporary_.clear();
    cleanup_->forget(held);
    note_written(held, Written::files);
  }

 private:
  Descriptor open_temporary() {
    const Held held;
    cleanup_.emplace(held, temporary_);
    return Descriptor(::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  }

  std::string path_, target_, temporary_;
  std::optional<Cleanup> cleanup_;
};

/// True if `path` must be written without a temporary file, because it is a stream, a pipe or a
/// device. Throws OutputError if `path` is empty or a directory.
bool is_stream(const std::string& path) {
  if (path.empty()) throw OutputError("no name given for an output file");
  if (names_stream(path)) return true;
  struct stat info;
  if (::stat(path.c_str(), &info) != 0) return false;
  if (S_ISDIR(info.st_mode)) refuse_output(path, "it is a directory");
  return !S_ISREG(info.st_mode);
}

}  // namespace

bool is_stdout(const std::string& path) {
  if (path == "/dev/stdout" || path == "/dev/fd/1") return true;
  struct stat there, here, nothing;
  if (::stat(path.c_str(), &there) != 0 || ::fstat(STDOUT_FILENO, &here) != 0) return false;
  const bool is_null = S_ISCHR(there.st_mode) && ::stat("/dev/null", &nothing) == 0 &&
                       there.st_rdev == nothing.st_rdev;  // several outputs may all go to /dev/null
  return !is_null && there.st_dev == here.st_dev && there.st_ino == here.st_ino;
}

bool is_temporary_name(std::string_view name) {
  return name.size() == 21 && name.starts_with('.') && name.ends_with(".tmp") &&
         are_hash_digits(name.substr(1, 16));
}

void write_file_atomically(const std::string& path, const std::vector<std::uint8_t>& bytes) {
  write_files_atomically({{path, bytes}});
}

void write_files_atomically(const std::vector<NewFile>& files) {
  std::vector<StoredFile> stored;
  std::vector<const NewFile*> streams;
  for (const NewFile& file : files) {
    if (is_stream(file.path))
      streams.push_back(&file);
    else
      stored.emplace_back(file.path, file.ranges);
  }
  for (const NewFile* file : streams) write_stream(file->path, file->ranges);
  const Held held;
  for (StoredFile& file : stored) file.name(held);
}

void write_text_atomically(const std::string& path, const std::string& text) {
  write_file_atomically(path, {text.begin(), text.end()});
}

}  // namespace ballotcast::detail
