#include "compare/suite/program.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

#include "support/error.hpp"
#include "support/files.hpp"

namespace ballotcast {

namespace {

namespace fs = std::filesystem;

/// A folder that is gone when this is.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "ballotcast-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw OutputError(name + ": " + std::strerror(errno));
    path_ = name;
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
};

std::string replaced(std::string word, const std::string& output) {
  const std::string mark = "{output}";
  for (std::size_t at = 0; (at = word.find(mark, at)) != word.npos; at += output.size())
    word.replace(at, mark.size(), output);
  return word;
}

std::string last_line_of(const std::string& path) {
  std::error_code none;
  if (fs::file_size(path, none) == 0 || none) return "";
  const std::vector<u8> bytes = read_file(path);
  std::string text(bytes.begin(), bytes.end());
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return ": " + text.substr(text.rfind('\n') + 1);
}

/// In the child: everything between fork and exec.
[[noreturn]] void become(char* const* words, const std::string& folder, const std::string& errors) {
  const int none = ::open("/dev/null", O_RDWR),
            log = ::open(errors.c_str(), O_WRONLY | O_CREAT, 0600);
  ::setpgid(0, 0);  // so that its own children can be stopped, too
  if (none >= 0 && log >= 0 && ::chdir(folder.c_str()) == 0 && ::dup2(none, 0) >= 0 &&
      ::dup2(none, 1) >= 0 && ::dup2(log, 2) >= 0)
    ::execvp(words[0], words);
  const char* why = std::strerror(errno);
  if (log >= 0 && ::write(log, why, std::strlen(why)) < 0) ::_exit(126);
  ::_exit(127);
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
  const pid_t child = ::fork();
  if (child < 0) throw InputError(name + " can't be started: " + std::strerror(errno));
  if (child == 0) become(raw.data(), folder, errors);
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
  if (WIFSIGNALED(status))
    throw InputError(name + " was ended by signal " + std::to_string(WTERMSIG(status)) +
                     last_line_of(errors));
  if (const int code = WEXITSTATUS(status); code != 0)
    throw InputError(
        name +
        (code == 127 ? " can't be started" : " failed with exit code " + std::to_string(code)) +
        last_line_of(errors));
  if (!fs::exists(output)) throw InputError(name + " left no picture at {output}");
  return read_file(output);
}

}  // namespace ballotcast
