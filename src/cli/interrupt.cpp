#include "cli/interrupt.hpp"

#include <signal.h>
#include <unistd.h>

#include <string>
#include <system_error>
#include <thread>

#include "cli/progress.hpp"
#include "support/leftovers.hpp"

namespace ballotcast::detail {

namespace {

const char* words_for(Written written) {
  switch (written) {
    case Written::files:
      return "interrupted: the files written before are whole, the rest is missing";
    case Written::part_of_a_stream:
      return "interrupted: the output is cut off";
    case Written::nothing:
      break;
  }
  return "interrupted: nothing was written";
}

/// Past the streams of stdio, which a thread that was stopped may hold.
void say(const std::string& text) {
  const std::string line = std::string(progress_line_end()) + "ballotcast: " + text + "\n";
  if (::write(STDERR_FILENO, line.data(), line.size()) < 0) return;  // nobody listens
}

}  // namespace

void clean_up_when_interrupted() {
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction now;
    if (::sigaction(number, nullptr, &now) == 0 && now.sa_handler != SIG_IGN)
      ::sigaddset(&signals, number);
  }
  // All threads inherit this; one waits for what the others don't see.
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  try {
    std::thread([signals] {
      int number = 0;
      if (::sigwait(&signals, &number) != 0) return;
      ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);  // for a second one
      say(words_for(clear_leftovers()));
      ::raise(number);
    }).detach();
  } catch (const std::system_error&) {  // no thread to be had: they end the program as ever
    ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  }
}

}  // namespace ballotcast::detail
