#include "cli/command_line.hpp"

#include <algorithm>
#include <cctype>
#include <ctime>

namespace ballotcast::detail {

namespace {

std::string& remembered() {
  static std::string line = "ballotcast";
  return line;
}

std::string quoted(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("-_./=,:@+%").find(char(c)) != std::string::npos;
  });
  if (plain) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

void remember_command_line(const std::vector<std::string>& words) {
  for (const std::string& word : words) remembered() += " " + quoted(word);
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d", &parts);
  return text;
}

std::string command_line() { return remembered(); }

}  // namespace ballotcast::detail
