// The entry point of the program. This is the only place where errors become exit codes.
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <new>

#include "cli/command_line.hpp"
#include "cli/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/parser.hpp"
#include "cli/process_clock.hpp"
#include "support/error.hpp"

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

/// Opens /dev/null for each of stdin, stdout and stderr that the caller has closed, so that its use
/// fails. Otherwise a file that is opened later would get its number, and messages would be written
/// into that file.
void occupy_standard_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(fd, F_GETFD) == -1 && ::open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
      return;
}

int run(const std::string& program, const std::vector<std::string>& words) {
  require_processor();
  remember_command_line(program, words);
  const std::vector<Command> table = commands();
  const Request request = parse(words, table);
  if (request.command) return request.command->run();
  print(request.text);
  return kDone;
}

/// The command line option for the setting `hint`, in parentheses; "" if there is none. An error
/// may give the name of a setting that helps as a hint.
std::string option_for(const std::string& hint) {
  constexpr std::pair<std::string_view, std::string_view> kOptions[] = {
      {"max_memory", "--max-memory"}, {"strict", "--strict"}, {"camera", "--eye, --look-at"}};
  for (const auto& [setting, option] : kOptions)
    if (hint == setting) return " (" + std::string(option) + ")";
  return "";
}

void tell(const Error& error) { remark(error.what() + option_for(error.hint())); }

}  // namespace

}  // namespace ballotcast::detail

int main(int argc, char** argv) {
  using namespace ballotcast;
  using namespace ballotcast::detail;
  start_process_clock();
  occupy_standard_streams();
  // If the reader of stdout goes away or a file becomes too large, a write fails with an error. The
  // default would end the program without a message.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  clean_up_when_interrupted();
  try {
    return run(argc > 0 ? argv[0] : "", {argv + (argc > 0 ? 1 : 0), argv + argc});
  } catch (const UsageError& error) {
    tell(error);
    return kUsage;
  } catch (const DeviceError& error) {
    tell(error);
    return kDevice;
  } catch (const std::bad_alloc&) {
    remark("out of memory");
    return kFile;
  } catch (const Error& error) {  // InputError, OutputError
    tell(error);
    return kFile;
  } catch (const std::exception& error) {
    remark(error.what());
    return kFile;
  }
}
