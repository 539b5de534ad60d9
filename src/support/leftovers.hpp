// What must not outlive the program when it is interrupted: temporary files and folders, and other
// programs that it runs.
#pragma once

#include <sys/types.h>

#include <string>

namespace ballotcast::detail {

/// While it lives, no interruption is dealt with: what is made and what is registered, or what is
/// renamed and what is said about it, belong together. For a few system calls; one at a time.
class Held {
 public:
  Held();
  ~Held();
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
};

/// A temporary file or folder, or a group of processes, that an interruption does away with. It is
/// forgotten, not removed, when this goes.
class Leftover {
 public:
  Leftover(const Held& held, std::string path);
  Leftover(const Held& held, pid_t group);
  Leftover(Leftover&& other) noexcept;
  Leftover& operator=(Leftover&&) = delete;
  ~Leftover();

  void forget(const Held& held);

 private:
  std::string path_;
  pid_t group_ = 0;
};

/// What an interrupted program left that is meant to be seen.
enum class Written { nothing, files, part_of_a_stream };

/// Tells that there is a new file now, or that a stream was begun.
void note_written(const Held& held, Written what);

/// Ends the programs and removes the files and folders that are registered, and returns what was
/// written before. Whoever wants to hold interruptions waits for ever from here on: nothing new
/// appears.
Written clear_leftovers();

}  // namespace ballotcast::detail
