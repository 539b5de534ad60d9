#include "compare/suite/manifest.hpp"
#include "fuzz/checks.hpp"
#include "fuzz/target.hpp"

namespace ballotcast::detail::fuzz {

/// The input is a suite file. If it can be read, writing it and reading it again must give the same
/// suite.
void run_suite(std::span<const u8> input) {
  const std::string path = folder().write("suite.json", input);
  read_or_refused([&] {
    const Suite suite = load_suite(path);
    files_of(suite);
    const std::string text = text_of(suite);
    folder().write("suite.json", {reinterpret_cast<const u8*>(text.data()), text.size()});
    try {
      require(text_of(load_suite(path)) == text, "a suite that changes when it is written");
    } catch (const Error& error) {
      require(false, std::string("a suite that is refused once it was written: ") + error.what());
    }
  });
}

}  // namespace ballotcast::detail::fuzz
