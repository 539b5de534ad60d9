// Runs other programs.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "support/files/temporary_files.hpp"

namespace ballotcast::detail {

/// Another program, in its own process group. If the program is still running when this object is
/// destroyed or this process ends, it is killed, together with the programs that it has started.
class ChildProgram {
 public:
  /// The source of the program's stdin: empty, or written with feed().
  enum class Input { nothing, fed };

  /// Runs `words` in `folder`, with its stdout in the file `output` and its stderr in a temporary
  /// file. No shell is used. Throws InputError if the program can't be started.
  ChildProgram(std::vector<std::string> words, const std::string& folder,
               Input input = Input::nothing, const std::string& output = "/dev/null");
  ChildProgram(const ChildProgram&) = delete;
  ChildProgram& operator=(const ChildProgram&) = delete;
  ~ChildProgram();

  /// Writes to the program's stdin. Returns false if the program has closed its stdin, or has read
  /// nothing for five minutes.
  bool feed(const void* bytes, std::size_t count);

  /// Closes the program's stdin and waits until the program has ended. If it takes longer than
  /// `timeout_s` seconds or fails, throws InputError with the last line that the program wrote to
  /// stderr.
  void finish(unsigned timeout_s);

 private:
  void end_input();
  std::string last_line() const;

  const std::string name_;  // for messages
  const TemporaryFolder temporary_;
  const std::string errors_;
  int input_ = -1;
  pid_t child_ = -1;  // -1 after the program has ended
  std::optional<Cleanup> cleanup_;
};

/// True if a program with this name is in one of the folders of PATH.
bool is_installed(const std::string& program);

}  // namespace ballotcast::detail
