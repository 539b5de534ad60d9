#include "cli/command_line.hpp"

#include <ctime>

#include "support/shell.hpp"

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
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d", &parts);
  return text;
}

std::string called_program() { return remembered_program(); }

std::string command_line() { return remembered(); }

}  // namespace ballotcast::detail
