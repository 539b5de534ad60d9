// Registers what must be removed when the program is interrupted: temporary files and folders, and
// other programs that it runs.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>

namespace ballotcast::detail {

/// While an object of this class exists, interruptions are delayed. Use it around a few system
/// calls that belong together: creating a file and registering it, or renaming a file and recording
/// that. Only one object can exist at a time.
class Held {
 public:
  Held();
  ~Held();
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
};

/// Registers a temporary file or folder, or a process group, which is removed or ended on
/// interruption. The destructor only unregisters it.
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

/// A temporary folder, which the destructor removes. The constructor throws OutputError if the
/// folder can't be made.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  /// The path of a file in the folder.
  std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
  std::optional<Cleanup> cleanup_;
};

/// What an interrupted program has already written of its output.
enum class Written { nothing, files, part_of_a_stream };

/// Records that a new output file exists, or that output to a stream has begun.
void note_written(const Held& held, Written what);

/// Ends the registered programs, removes the registered files and folders, and returns what was
/// already written. After that, constructing a Held waits for ever, so that nothing new can be
/// created.
Written clean_up();

}  // namespace ballotcast::detail
