#include "cli/program.hpp"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <new>

#include "ballotcast/error.hpp"
#include "ballotcast/threads.hpp"
#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/this_process.hpp"
#include "render/setting_tables.hpp"
#include "support/processes/processes.hpp"

namespace ballotcast::detail {

namespace {

enum ExitCode { kDone = 0, kDifferent = 1, kUsage = 2, kFile = 3, kDevice = 4 };

/// Throws DeviceError if the processor lacks instructions that the program was compiled for.
void require_processor() {
#if defined(__x86_64__) && defined(__FMA__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
    throw DeviceError(
        "this build needs a processor with AVX2 and FMA; configure with -DBALLOTCAST_CPU=x86-64 "
        "for a slower build without them");
#endif
}

/// Opens /dev/null in place of those of stdin, stdout and stderr that the caller has closed.
/// Otherwise a file that is opened later would get the number of such a stream, and messages would
/// be written into that file.
void occupy_standard_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(fd, F_GETFD) == -1 && ::open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
      return;
}

/// The largest number of threads for this process, if several processes may run on the same cores;
/// 0 for no limit.
u32 threads_of(const Processes& processes) {
  cpu_set_t cores;
  if (::sched_getaffinity(0, sizeof cores, &cores) != 0) return 0;
  return std::max(1u, static_cast<u32>(CPU_COUNT(&cores)) / processes.sharers_of_cores());
}

/// True if `words` name a command that several processes run together. Other commands run in each
/// process by itself.
bool is_shared(const std::vector<Command>& table, const std::vector<std::string>& words) {
  const std::string first = words.empty() ? "" : words[0];
  const std::string first_two = words.size() < 2 ? first : first + " " + words[1];
  return std::any_of(table.begin(), table.end(), [&](const Command& command) {
    return command.is_shared && (command.name == first || command.name == first_two);
  });
}

/// Runs a command in one of several processes.
int run_together(Processes& all, const Command& command, const std::vector<std::string>& words) {
  std::string options;
  for (const std::string& word : words) options += (options.empty() ? "" : " ") + word;
  require_same(all, "the options", options);
  int code = kDone;
  with_threads(threads_of(all), [&] { code = command.run(); });
  return all.leads() ? code : kDone;
}

int run(const std::string& program, const std::vector<std::string>& words) {
  require_processor();
  remember_command_line(program, words);
  const std::vector<Command> table = commands();
  if (is_shared(table, words))
    join_processes([](int, const std::string& why) { clean_up_after_failure(why); });
  Processes* const all = joined_processes();
  const Request request = parse(words, table);
  int code = kDone;
  if (!request.command)
    print(request.text);
  else
    code = all ? run_together(*all, *request.command, words) : request.command->run();
  if (all) all->leave();
  return code;
}

/// The option for the setting that the hint of an error names, in parentheses; "" if there is none.
std::string option_for(const std::string& hint) {
  if (hint == "strict") return " (--strict)";
  if (hint == "camera") return " (--eye, --look-at)";
  for (const CastSetting& row : cast_settings())
    if (hint == row.key) return " (--" + std::string(row.name) + ")";
  return "";
}

/// An exit code, and the message for the user.
struct Failure {
  int exit_code;
  std::string why;
};

/// The exit code and the message for the current exception.
Failure current_failure() {
  const auto text_of = [](const Error& error) { return error.what() + option_for(error.hint()); };
  try {
    throw;
  } catch (const UsageError& error) {
    return {kUsage, text_of(error)};
  } catch (const DeviceError& error) {
    return {kDevice, text_of(error)};
  } catch (const std::bad_alloc&) {
    return {kFile, "out of memory"};
  } catch (const Error& error) {  // InputError, OutputError
    return {kFile, text_of(error)};
  } catch (const std::exception& error) {
    return {kFile, error.what()};
  }
}

/// Prints the message and returns the exit code. If there are several processes, ends all of them
/// together.
int end_with(const Failure& failure) {
  if (Processes* const all = joined_processes()) all->fail(failure.exit_code, failure.why);
  remark(failure.why);
  return failure.exit_code;
}

}  // namespace

int run_program(int argc, char** argv) {
  start_process_clock();
  occupy_standard_streams();
  // These signals are ignored, so that a write fails with an error if the reader of stdout has
  // ended or a file becomes too large. By default, they would end the program without a message.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  // If the caller had made this program ignore this signal, the exit codes of programs that it
  // starts would be lost.
  std::signal(SIGCHLD, SIG_DFL);
  clean_up_when_interrupted();
  try {
    return run(argc > 0 ? argv[0] : "", {argv + (argc > 0 ? 1 : 0), argv + argc});
  } catch (...) {
    return end_with(current_failure());
  }
}

}  // namespace ballotcast::detail
