#include "compare/suite/program.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <thread>
#include <utility>

#include "support/error.hpp"
#include "support/files.hpp"
#include "support/leftovers.hpp"

namespace ballotcast::detail {

namespace {

namespace fs = std::filesystem;

/// A temporary folder that the destructor removes.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code failure;
    const fs::path folder = fs::temp_directory_path(failure);
    if (failure)
      throw OutputError("the folder for temporary files can't be used: " + failure.message());
    std::string name = (folder / "ballotcast-XXXXXX").string();
    const Held held;
    if (!::mkdtemp(name.data())) throw OutputError(name + ": " + std::strerror(errno));
    path_ = name;
    leftover_.emplace(held, name);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
  std::optional<Leftover> leftover_;
};

std::string replaced(std::string word, const std::string& output) {
  const std::string mark = "{output}";
  for (std::size_t at = 0; (at = word.find(mark, at)) != word.npos; at += output.size())
    word.replace(at, mark.size(), output);
  return word;
}

/// ": " and the last line of a file, or "". Long lines are cut, and control characters become "?".
std::string last_line_of(const std::string& path) {
  constexpr std::streamoff kMost = 4096;
  constexpr std::size_t kShown = 300;
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = in.tellg();
  if (size <= 0) return "";
  in.seekg(std::max<std::streamoff>(0, size - kMost));
  std::string text{std::istreambuf_iterator<char>(in), {}};
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  text = text.substr(text.rfind('\n') + 1);
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e) c = '?';
  return ": " + (text.size() > kShown ? "..." + text.substr(text.size() - kShown) : text);
}

/// Replaces the child process by the command `words`, with its stderr in the file `errors`. Runs
/// after fork.
[[noreturn]] void become(char* const* words, const std::string& folder, const std::string& errors) {
  const int none = ::open("/dev/null", O_RDWR),
            log = ::open(errors.c_str(), O_WRONLY | O_CREAT, 0600);
  ::setpgid(0, 0);  // its own group, so that its children can be stopped, too
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The command must not inherit this program's signal settings.
  for (const int number : {SIGPIPE, SIGXFSZ}) ::signal(number, SIG_DFL);
  sigset_t none_blocked;
  ::sigemptyset(&none_blocked);
  ::sigprocmask(SIG_SETMASK, &none_blocked, nullptr);
  if (none >= 0 && log >= 0 && ::chdir(folder.c_str()) == 0 && ::dup2(none, 0) >= 0 &&
      ::dup2(none, 1) >= 0 && ::dup2(log, 2) >= 0)
    ::execvp(words[0], words);
  const char* why = std::strerror(errno);
  if (log >= 0 && ::write(log, why, std::strlen(why)) < 0) ::_exit(126);
  ::_exit(127);
}

/// Starts `words` as a process in a group of its own. On failure returns -1 and sets errno.
std::pair<pid_t, std::optional<Leftover>> started(char* const* words, const std::string& folder,
                                                  const std::string& errors) {
  const Held held;
  const pid_t child = ::fork();
  if (child == 0) become(words, folder, errors);
  if (child < 0) return {child, std::nullopt};
  // In the parent, too: an interruption may come before the child has done it.
  ::setpgid(child, child);
  return {child, std::optional<Leftover>(std::in_place, held, child)};
}

}  // namespace

std::vector<u8> png_of_command(const std::vector<std::string>& command, const std::string& folder,
                               u32 timeout_s) {
  const TemporaryFolder temporary;
  const std::string output = temporary.file("picture.png"), errors = temporary.file("stderr");
  std::vector<std::string> words;
  for (const std::string& word : command) words.push_back(replaced(word, output));
  std::vector<char*> raw;
  for (std::string& word : words) raw.push_back(word.data());
  raw.push_back(nullptr);

  const std::string name = "command '" + command.front() + "'";
  const auto [child, leftover] = started(raw.data(), folder, errors);
  if (child < 0) throw InputError(name + " can't be started: " + std::strerror(errno));
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::seconds(timeout_s);
  int status = 0;
  pid_t gone;
  while ((gone = ::waitpid(child, &status, WNOHANG)) == 0 || (gone < 0 && errno == EINTR)) {
    if (Clock::now() > end) {
      ::kill(-child, SIGKILL);
      ::waitpid(child, &status, 0);
      throw InputError(name + " took longer than " + std::to_string(timeout_s) + " s");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ::kill(-child, SIGKILL);  // ends processes that the command has left running
  if (WIFSIGNALED(status))
    throw InputError(name + " was ended by signal " + std::to_string(WTERMSIG(status)) +
                     last_line_of(errors));
  if (const int code = WEXITSTATUS(status); code != 0)
    throw InputError(
        name +
        (code == 127 ? " can't be started" : " failed with exit code " + std::to_string(code)) +
        last_line_of(errors));
  std::error_code failure;
  if (!fs::is_regular_file(output, failure))
    throw InputError(name + " wrote no picture to {output}");
  return read_file(output);
}

}  // namespace ballotcast::detail
