// Runs other programs.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "support/files/temporary_files.hpp"

namespace ballotcast::detail {

/// Another program, in a process group of its own. If it is still running when this object or this
/// program ends, it is killed, with the programs that it has started.
class ChildProgram {
 public:
  /// Where the program's stdin comes from.
  enum class Input { nothing, fed };

  /// Runs `words` in `folder`, with its stdout in the file `output` and its stderr in a temporary
  /// file. No shell is used. Throws InputError if it can't be started.
  ChildProgram(std::vector<std::string> words, const std::string& folder,
               Input input = Input::nothing, const std::string& output = "/dev/null");
  ChildProgram(const ChildProgram&) = delete;
  ChildProgram& operator=(const ChildProgram&) = delete;
  ~ChildProgram();

  /// Writes to the program's stdin. Returns false if the program has closed it, or has read nothing
  /// for five minutes.
  bool feed(const void* bytes, std::size_t count);

  /// Ends the program's stdin and waits until it has ended. Throws InputError, with the last line
  /// that it wrote to stderr, if it takes longer than `timeout_s` seconds or fails.
  void finish(unsigned timeout_s);

 private:
  void end_input();
  std::string last_line() const;

  const std::string name_;  // for messages
  const TemporaryFolder temporary_;
  const std::string errors_;
  int input_ = -1;
  pid_t child_ = -1;  // -1 once it has ended
  std::optional<Cleanup> cleanup_;
};

/// True if a program of this name is found where shells look for programs.
bool is_installed(const std::string& program);

}  // namespace ballotcast::detail
