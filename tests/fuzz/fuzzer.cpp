// The entry points of the fuzzer. --target=NAME selects a target; --list prints the names of all.
// --seeds=FOLDER writes the inputs that the target generates to a folder, and ends.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "ballotcast/threads.hpp"
#include "fuzz/target.hpp"

namespace {

const ballotcast::detail::fuzz::Target* chosen = nullptr;

void list_targets() {
  for (const auto& target : ballotcast::detail::fuzz::targets())
    std::printf("%s %u %s\n", std::string(target.name).c_str(), target.longest_input,
                std::string(target.summary).c_str());
}

[[noreturn]] void write_seeds(const std::string& folder) {
  std::size_t count = 0;
  if (chosen->seeds != nullptr)
    for (const auto& seed : chosen->seeds())
      std::ofstream(folder + "/seed" + std::to_string(count++), std::ios::binary)
          .write(reinterpret_cast<const char*>(seed.data()),
                 static_cast<std::streamsize>(seed.size()));
  std::exit(0);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  constexpr std::string_view kOption = "--target=", kSeeds = "--seeds=";
  std::string folder;
  for (int i = 1; i < *argc; ++i) {
    const std::string_view word = (*argv)[i];
    if (word == "--list") {
      list_targets();
      std::exit(0);
    }
    if (word.starts_with(kOption))
      chosen = ballotcast::detail::fuzz::target_called(word.substr(kOption.size()));
    if (word.starts_with(kSeeds)) folder = word.substr(kSeeds.size());
  }
  if (chosen != nullptr && !folder.empty()) write_seeds(folder);
  if (chosen != nullptr) return 0;
  std::fputs("fuzzer: --target=NAME wants one of these:\n", stderr);
  list_targets();
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t count) {
  // Uses one thread, so that the measured time of an input is its work.
  ballotcast::with_threads(1, [&] { chosen->run({bytes, count}); });
  return 0;
}
