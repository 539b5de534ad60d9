#include "compare/suite/program.hpp"

#include <filesystem>

#include "support/child_program.hpp"
#include "support/error.hpp"
#include "support/files.hpp"

namespace ballotcast::detail {

namespace {

std::string replaced(std::string word, const std::string& output) {
  const std::string mark = "{output}";
  for (std::size_t at = 0; (at = word.find(mark, at)) != word.npos; at += output.size())
    word.replace(at, mark.size(), output);
  return word;
}

}  // namespace

std::vector<u8> png_of_command(const std::vector<std::string>& command, const std::string& folder,
                               u32 timeout_s) {
  const TemporaryFolder temporary;
  const std::string output = temporary.file("picture.png");
  std::vector<std::string> words;
  for (const std::string& word : command) words.push_back(replaced(word, output));
  ChildProgram(words, folder).finish(timeout_s);
  std::error_code failure;
  if (!std::filesystem::is_regular_file(output, failure))
    throw InputError("command '" + command.front() + "' wrote no picture to {output}");
  return read_file(output);
}

}  // namespace ballotcast::detail
