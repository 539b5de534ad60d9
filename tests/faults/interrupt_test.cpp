// Tests Ctrl-C and similar signals at any point of the work: the program ends at once, by that
// signal, prints a message, and leaves no incomplete files.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace interrupt_test {

using namespace std::chrono_literals;
using Words = std::vector<std::string>;

constexpr auto kHangLimit = 60s;  // for steps that normally take far less than a second

/// The environment in which a program is started.
struct Surroundings {
  int out = -1;  // where stdout and stderr go; -1: to files "stdout" and "stderr" in the folder
  int error = -1;
  bool ignores_hangups = false;
};

/// A running program, in a folder. The destructor kills it.
class Program {
 public:
  Program(const TempDir& folder, const Words& words, const Surroundings& with = {})
      : folder_(folder) {
    child_ = ::fork();
    if (child_ != 0) return;
    // Sets the default actions: the test itself may have been started with SIGINT ignored, as
    // background jobs are.
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::signal(number, SIG_DFL);
    if (with.ignores_hangups) ::signal(SIGHUP, SIG_IGN);
    std::vector<char*> raw{const_cast<char*>(BALLOTCAST_PROGRAM)};
    for (const std::string& word : words) raw.push_back(const_cast<char*>(word.c_str()));
    raw.push_back(nullptr);
    const std::string place = folder / "";
    const int log = ::open((folder / "stderr").c_str(), O_WRONLY | O_CREAT, 0600);
    const int out = ::open((folder / "stdout").c_str(), O_WRONLY | O_CREAT, 0600);
    if (::chdir(place.c_str()) == 0 && ::setenv("TMPDIR", (folder / "tmp").c_str(), 1) == 0 &&
        ::dup2(with.error >= 0 ? with.error : log, 2) >= 0 &&
        ::dup2(with.out >= 0 ? with.out : out, 1) >= 0)
      ::execv(BALLOTCAST_PROGRAM, raw.data());
    ::_exit(127);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() {
    if (ended_) return;
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }

  void send(int number) const { ::kill(child_, number); }

  /// True if the program has begun to handle signals: from then on its main thread blocks SIGTERM.
  bool watches() const {
    std::ifstream status("/proc/" + std::to_string(child_) + "/status");
    for (std::string line; std::getline(status, line);)
      if (line.starts_with("SigBlk:"))
        return (std::stoull(line.substr(7), nullptr, 16) >> (SIGTERM - 1) & 1) != 0;
    return false;
  }

  bool running() { return !ended_ && ::waitpid(child_, &status_, WNOHANG) == 0; }

  /// The signal that ended the program; 0 if it ended by itself, -1 if it did not end.
  int ended_by() {
    const auto limit = std::chrono::steady_clock::now() + kHangLimit;
    while (running()) {
      if (std::chrono::steady_clock::now() > limit) return -1;
      std::this_thread::sleep_for(5ms);
    }
    ended_ = true;
    return WIFSIGNALED(status_) ? WTERMSIG(status_) : 0;
  }

  std::string said() const { return text_of("stderr"); }
  std::string text_of(const std::string& file) const {
    std::ifstream in(folder_ / file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  const TempDir& folder_;
  pid_t child_ = -1;
  int status_ = 0;
  bool ended_ = false;
};

/// Waits until done() returns true. Returns false if that takes too long.
template <class Done>
bool wait_until(Done done) {
  const auto limit = std::chrono::steady_clock::now() + kHangLimit;
  while (!done()) {
    if (std::chrono::steady_clock::now() > limit) return false;
    std::this_thread::sleep_for(5ms);
  }
  return true;
}

std::size_t hidden_files(const TempDir& folder) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder / ""))
    count += entry.path().filename().string().starts_with('.') ? 1 : 0;
  return count;
}

struct Work {
  const char* name;
  Words words;
};

/// The commands to interrupt, each of which would take minutes.
const Work kWorks[] = {
    {"drawing_on_the_cpu",
     {"render", "-o", "picture.png", "--device", "cpu", "--size", "4096x4096", "--spp", "4096"}},
    {"drawing_on_the_emulated_gpu",
     {"render", "-o", "picture.png", "--hits", "hits.bin", "--device", "emulated", "--spp", "16"}},
    {"building_a_big_tree",
     {"bench", "rays", "--triangles", "28M", "--device", "cpu", "--html", "page.html"}},
    {"measuring", {"bench", "atomics", "--device", "emulated", "--html", "page.html"}},
    {"verifying", {"verify"}},
};

class Interrupted : public ::testing::TestWithParam<std::tuple<Work, int>> {};

TEST_P(Interrupted, ends_as_the_signal_would_end_it_and_says_so) {
  const auto& [work, number] = GetParam();
  const TempDir folder;
  std::filesystem::create_directory(folder / "tmp");
  Program program(folder, work.words);
  ASSERT_TRUE(wait_until([&] { return program.watches(); })) << program.said();
  std::this_thread::sleep_for(400ms);  // at an arbitrary point of the program's work
  ASSERT_TRUE(program.running()) << program.said();
  program.send(number);
  EXPECT_EQ(program.ended_by(), number);
  EXPECT_TRUE(program.said().ends_with("ballotcast: interrupted: nothing was written\n"))
      << program.said();
  EXPECT_EQ(program.text_of("stdout"), "");
  EXPECT_EQ(folder.entries(), 3u);  // these are stdout, stderr and tmp
  EXPECT_TRUE(std::filesystem::is_empty(folder / "tmp"));
}

INSTANTIATE_TEST_SUITE_P(Work, Interrupted,
                         ::testing::Combine(::testing::ValuesIn(kWorks),
                                            ::testing::Values(SIGINT, SIGTERM, SIGHUP)),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param).name) + "_by_signal_" +
                                  std::to_string(std::get<1>(test.param));
                         });

/// A command that writes a picture to a pipe that nobody reads. So the program waits after it has
/// stored its hits.
const Words kWaitingToWrite = {"render", "--size", "16x8", "--spp",  "1",       "--device",
                               "cpu",    "-o",     "pipe", "--hits", "hits.bin"};

TEST(Interruption, while_files_are_written_removes_what_is_half_made) {
  const TempDir folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  Program program(folder, kWaitingToWrite);
  ASSERT_TRUE(wait_until([&] { return hidden_files(folder) == 1; }));
  program.send(SIGINT);
  EXPECT_EQ(program.ended_by(), SIGINT);
  EXPECT_EQ(program.said(), "ballotcast: interrupted: nothing was written\n");
  EXPECT_EQ(hidden_files(folder), 0u);
  EXPECT_FALSE(std::filesystem::exists(folder / "hits.bin"));
}

TEST(Interruption, of_a_stream_says_that_it_is_cut_off) {
  const TempDir folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  // The hits do not fit into the buffer of a pipe, so the program waits.
  const Words words = {"render", "--size", "160x120",     "--spp",  "1",   "--device",
                       "cpu",    "-o",     "picture.png", "--hits", "pipe"};
  Program program(folder, words);
  // Waits until the program opens the pipe.
  const int reader = ::open((folder / "pipe").c_str(), O_RDONLY);
  char byte;
  ASSERT_EQ(::read(reader, &byte, 1), 1);
  program.send(SIGTERM);
  EXPECT_EQ(program.ended_by(), SIGTERM);
  EXPECT_EQ(program.said(), "ballotcast: interrupted: the output is cut off\n");
  EXPECT_EQ(hidden_files(folder), 0u);
  EXPECT_FALSE(std::filesystem::exists(folder / "picture.png"));
  ::close(reader);
}

TEST(Interruption, that_the_caller_has_ignored_stays_ignored) {
  const TempDir folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  Program program(folder, kWaitingToWrite, {.ignores_hangups = true});
  ASSERT_TRUE(wait_until([&] { return hidden_files(folder) == 1; }));
  program.send(SIGHUP);
  std::this_thread::sleep_for(100ms);
  const int reader = ::open((folder / "pipe").c_str(), O_RDONLY);
  EXPECT_EQ(program.ended_by(), 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "hits.bin"));
  ::close(reader);
}

/// A full pipe, so that a program that writes to it waits.
class FullPipe {
 public:
  FullPipe() {
    if (::pipe(ends_) != 0) throw std::runtime_error("no pipe");
    ::fcntl(ends_[1], F_SETFL, O_NONBLOCK);
    const std::string line(4096, '.');
    while (::write(ends_[1], line.data(), line.size()) > 0) continue;
    ::fcntl(ends_[1], F_SETFL, 0);
  }
  FullPipe(const FullPipe&) = delete;
  FullPipe& operator=(const FullPipe&) = delete;
  ~FullPipe() {
    for (const int end : ends_) ::close(end);
  }
  int entrance() const { return ends_[1]; }

 private:
  int ends_[2];
};

TEST(Interruption, after_files_were_written_says_that_they_are_whole) {
  const TempDir folder;
  const FullPipe nobody_reads;
  Program program(folder,
                  {"render", "--size", "16x8", "--spp", "1", "--device", "cpu", "-o", "a.png"},
                  {.out = nobody_reads.entrance()});
  ASSERT_TRUE(wait_until([&] { return std::filesystem::exists(folder / "a.png"); }));
  std::this_thread::sleep_for(50ms);
  program.send(SIGINT);
  EXPECT_EQ(program.ended_by(), SIGINT);
  EXPECT_EQ(
      program.said(),
      "ballotcast: interrupted: the files written before are complete, the others are missing\n");
  EXPECT_TRUE(std::filesystem::exists(folder / "a.png"));
}

TEST(Interruption, a_second_one_ends_a_program_that_hangs_in_the_first) {
  const TempDir folder;
  const FullPipe nobody_reads;  // the program's last message goes here
  Program program(folder, kWorks[0].words, {.error = nobody_reads.entrance()});
  ASSERT_TRUE(wait_until([&] { return program.watches(); }));
  std::this_thread::sleep_for(400ms);  // sanitizers block signals while they start
  program.send(SIGINT);
  std::this_thread::sleep_for(400ms);
  EXPECT_TRUE(program.running());
  program.send(SIGINT);
  EXPECT_EQ(program.ended_by(), SIGINT);
}

/// Writes a suite with one case that runs the shell command `shell`, and creates a folder for its
/// files.
void write_suite(const TempDir& folder, const std::string& shell) {
  std::filesystem::create_directory(folder / "tmp");
  folder.write("suite.json", R"({"format": "ballotcast suite", "cases": [{"name": "theirs",
                                 "command": ["sh", "-c", ")" +
                                 shell + R"("]}]})");
}

TEST(Interruption, of_a_suite_ends_the_other_program_and_removes_its_folder) {
  const TempDir folder;
  write_suite(folder, "touch {output}.part; echo $$ >pid.new; mv pid.new pid; exec sleep 1000");
  Program program(folder, {"regress", "suite.json"});
  ASSERT_TRUE(wait_until([&] { return std::filesystem::exists(folder / "pid"); }))
      << program.said();
  const pid_t other = std::stoi(program.text_of("pid"));
  EXPECT_FALSE(std::filesystem::is_empty(folder / "tmp"));
  EXPECT_EQ(::kill(other, 0), 0);
  program.send(SIGINT);
  EXPECT_EQ(program.ended_by(), SIGINT);
  EXPECT_TRUE(std::filesystem::is_empty(folder / "tmp"));
  EXPECT_NE(::kill(other, 0), 0);
}

TEST(Interruption, ends_other_programs_that_ask_politely) {
  const TempDir folder;
  // SIGTERM must reach the child process, although this program handles SIGTERM itself.
  write_suite(folder, "kill $$; sleep 1000");
  Program program(folder, {"regress", "suite.json"});
  EXPECT_EQ(program.ended_by(), 0);
  EXPECT_TRUE(contains(program.text_of("stdout") + program.said(), "ended by signal 15"))
      << program.text_of("stdout");
}

}  // namespace interrupt_test
}  // namespace ballotcast::detail
