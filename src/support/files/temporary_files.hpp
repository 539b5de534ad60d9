// What must be removed when the program is interrupted: temporary files and folders, and other
// programs that it runs.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>

namespace ballotcast::detail {

/// During its lifetime, interruptions wait. Use it around a few system calls that belong together:
/// creating a file and registering it, or renaming a file and noting that. Only one can exist at a
/// time.
class Held {
 public:
  Held();
  ~Held();
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
};

/// A temporary file or folder, or a process group, that is removed or ended on interruption. The
/// destructor only unregisters it; it does not remove anything.
class Cleanup {
 public:
  Cleanup(const Held& held, std::string path);
  Cleanup(const Held& held, pid_t group);
  Cleanup(Cleanup&& other) noexcept;
  Cleanup& operator=(Cleanup&&) = delete;
  ~Cleanup();

  void forget(const Held& held);

 private:
  std::string path_;
  pid_t group_ = 0;
};

/// A temporary folder that the destructor removes. Throws OutputError if there is no place for it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  /// The path of a file in it.
  std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
  std::optional<Cleanup> cleanup_;
};

/// What an interrupted program has written of its output.
enum class Written { nothing, files, part_of_a_stream };

/// Records that a new output file exists, or that output to a stream has begun.
void note_written(const Held& held, Written what);

/// Ends the registered programs, removes the registered files and folders, and returns what was
/// written before. After that, every new Held waits for ever, so nothing new can be created.
Written clean_up();

}  // namespace ballotcast::detail
