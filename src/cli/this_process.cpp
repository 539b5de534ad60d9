#include "cli/this_process.hpp"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <ctime>
#include <functional>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>

#include "cli/output.hpp"
#include "support/files/temporary_files.hpp"
#include "support/processes/processes.hpp"
#include "support/stopwatch.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

std::string& remembered() {
  static std::string line = "ballotcast";
  return line;
}

std::string& remembered_program() {
  static std::string program = "ballotcast";
  return program;
}

}  // namespace

void remember_command_line(const std::string& program, const std::vector<std::string>& words) {
  if (!program.empty()) remembered_program() = program;
  for (const std::string& word : words) remembered() += " " + shell_quoted(word);
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm date{};
  ::gmtime_r(&now, &date);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d", &date);
  return text;
}

std::string called_program() { return remembered_program(); }

std::string command_line() { return remembered(); }

namespace {

struct Start {
  double before = 0.0;
  Stopwatch since;
};

Start& start() {
  static Start start;
  return start;
}

}  // namespace

void start_process_clock() {
  timespec used{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  start() = {static_cast<double>(used.tv_sec) * 1e3 + static_cast<double>(used.tv_nsec) * 1e-6, {}};
}

double milliseconds_before_main() { return start().before; }
double process_milliseconds() { return start().before + start().since.milliseconds(); }

namespace {

const char* words_for(Written written) {
  switch (written) {
    case Written::files:
      return "interrupted: the files written before are complete, the others are missing";
    case Written::part_of_a_stream:
      return "interrupted: the output is cut off";
    case Written::nothing:
      break;
  }
  return "interrupted: nothing was written";
}

/// Writes a message to stderr. Does not use stdio, because a thread that has been stopped may hold
/// the lock of a stream.
void say(const std::string& text) {
  const std::string line = std::string(progress_line_end()) + "ballotcast: " + text + "\n";
  if (::write(STDERR_FILENO, line.data(), line.size()) < 0) return;  // nobody can read the message
}

std::mutex ending;
std::function<void()> own_end;  // the function that when_interrupted has set; null if none

/// Calls own_end if it is set, and returns whether it is. A thread that resets own_end waits until
/// the call has returned.
bool ended_by_itself() {
  const std::lock_guard lock(ending);
  if (!own_end) return false;
  own_end();
  return true;
}

}  // namespace

void when_interrupted(std::function<void()> end) {
  const std::lock_guard lock(ending);
  own_end = std::move(end);
}

void clean_up_after_failure(const std::string& why) {
  clean_up();
  say(printable(why));
}

void clean_up_when_interrupted() {
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction now;
    if (::sigaction(number, nullptr, &now) == 0 && now.sa_handler != SIG_IGN)
      ::sigaddset(&signals, number);
  }
  // All threads block the signals; one thread waits for them with sigwait.
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  try {
    std::thread([signals] {
      int number = 0;
      if (::sigwait(&signals, &number) != 0) return;
      // Unblocks the signals, so that a second one ends the program at once.
      ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
      if (ended_by_itself()) {
        for (;;) ::pause();  // waits for a second signal, which only this thread receives
      }
      const Written written = clean_up();
      if (is_in_front()) say(words_for(written));
      ::raise(number);
    }).detach();
    // No thread can be started, so signals end the program as usual
  } catch (const std::system_error&) {
    ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  }
}

}  // namespace ballotcast::detail
