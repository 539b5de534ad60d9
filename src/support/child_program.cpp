#include "support/child_program.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>
#include <utility>

#include "ballotcast/error.hpp"
#include "support/files/files.hpp"
#include "support/processes/processes.hpp"

namespace ballotcast::detail {

namespace {

constexpr int kLongestWait = 300;  // seconds to wait until a program reads more of its input

/// Replaces the child process by the command `words`, with stdin from the descriptor `input` (-1:
/// empty), its stdout in the file `output` and its stderr in the file `errors`. This function runs
/// after fork.
[[noreturn]] void become(char* const* words, char* const* variables, const std::string& folder,
                         int input, const std::string& output, const std::string& errors) {
  const int none = ::open("/dev/null", O_RDONLY),
            out = ::open(output.c_str(), O_WRONLY | O_CREAT, 0600),
            log = ::open(errors.c_str(), O_WRONLY | O_CREAT, 0600);
  ::setpgid(0, 0);  // a new process group, so that children of the command can be stopped, too
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The command must not inherit this program's signal settings.
  for (const int number : {SIGPIPE, SIGXFSZ}) ::signal(number, SIG_DFL);
  sigset_t none_blocked;
  ::sigemptyset(&none_blocked);
  ::sigprocmask(SIG_SETMASK, &none_blocked, nullptr);
  if (none >= 0 && out >= 0 && log >= 0 && ::chdir(folder.c_str()) == 0 &&
      ::dup2(input >= 0 ? input : none, 0) >= 0 && ::dup2(out, 1) >= 0 && ::dup2(log, 2) >= 0)
    ::execvpe(words[0], words, variables);
  const char* why = std::strerror(errno);
  if (log >= 0 && ::write(log, why, std::strlen(why)) < 0) ::_exit(126);
  ::_exit(127);
}

/// The environment for other programs: without the variables which say that this process is one of
/// several MPI processes. The list ends with a null pointer.
std::vector<char*> variables_for_children() {
  std::vector<char*> variables;
  for (char** variable = environ; *variable; ++variable)
    if (std::none_of(std::begin(kVariablesOfProcesses), std::end(kVariablesOfProcesses),
                     [&](const char* start) {
                       return std::strncmp(*variable, start, std::strlen(start)) == 0;
                     }))
      variables.push_back(*variable);
  variables.push_back(nullptr);
  return variables;
}

}  // namespace

ChildProgram::ChildProgram(std::vector<std::string> words, const std::string& folder, Input input,
                           const std::string& output)
    : name_("command '" + words.front() + "'"), errors_(temporary_.file("stderr")) {
  std::vector<char*> raw;
  for (std::string& word : words) raw.push_back(word.data());
  raw.push_back(nullptr);
  std::vector<char*> variables = variables_for_children();
  // A socket, because writing to a socket whose other end is closed can fail without a signal.
  int ends[2] = {-1, -1};
  if (input == Input::fed && ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw InputError(name_ + " can't be started: " + std::strerror(errno));
  input_ = ends[0];
  if (input_ >= 0) {
    const timeval wait = {kLongestWait, 0};
    ::setsockopt(input_, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait);
  }
  {
    const Held held;
    child_ = ::fork();
    if (child_ == 0) become(raw.data(), variables.data(), folder, ends[1], output, errors_);
    if (child_ > 0) {
      // The parent does this, too, because an interruption may come before the child has done it.
      ::setpgid(child_, child_);
      cleanup_.emplace(held, child_);
    }
  }
  const int failure = errno;
  if (ends[1] >= 0) ::close(ends[1]);
  if (child_ > 0) return;
  end_input();
  throw InputError(name_ + " can't be started: " + std::strerror(failure));
}

ChildProgram::~ChildProgram() {
  end_input();
  if (child_ < 0) return;
  ::kill(-child_, SIGKILL);
  ::waitpid(child_, nullptr, 0);
}

bool ChildProgram::feed(const void* bytes, std::size_t count) {
  const char* at = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t sent = ::send(input_, at, count, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent;
    count -= static_cast<std::size_t>(sent);
  }
  return true;
}

void ChildProgram::end_input() {
  if (input_ >= 0) ::close(std::exchange(input_, -1));
}

void ChildProgram::finish(unsigned timeout_s) {
  end_input();
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::seconds(timeout_s);
  int status = 0;
  pid_t gone;
  while ((gone = ::waitpid(child_, &status, WNOHANG)) == 0 || (gone < 0 && errno == EINTR)) {
    if (Clock::now() > end)
      throw InputError(name_ + " took longer than " + std::to_string(timeout_s) + " s");
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  const int failure = errno;
  ::kill(-std::exchange(child_, -1), SIGKILL);  // ends processes that the program has left running
  if (gone < 0)  // SIGCHLD is ignored, so the system keeps no exit codes
    throw InputError("how " + name_ + " ended is unknown: " + std::strerror(failure));
  if (WIFSIGNALED(status))
    throw InputError(name_ + " was ended by signal " + std::to_string(WTERMSIG(status)) +
                     last_line());
  if (const int code = WEXITSTATUS(status); code != 0)
    throw InputError(
        name_ +
        (code == 127 ? " can't be started" : " failed with exit code " + std::to_string(code)) +
        last_line());
}

/// Returns ": " and the last line of stderr, or "" if there is none. Long lines are cut, and
/// control characters become "?".
std::string ChildProgram::last_line() const {
  constexpr std::streamoff kMost = 4096;
  constexpr std::size_t kShown = 300;
  std::ifstream in(errors_, std::ios::binary | std::ios::ate);
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

bool is_installed(const std::string& program) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string file = (folder.empty() ? "." : folder) + "/" + program;
    if (is_file(file) && ::access(file.c_str(), X_OK) == 0) return true;
  }
  return false;
}

}  // namespace ballotcast::detail
