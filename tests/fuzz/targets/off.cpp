#include "fuzz/checks.hpp"
#include "fuzz/target.hpp"
#include "scene/assemble.hpp"

namespace ballotcast::detail::fuzz {

void run_off(std::span<const u8> input) {
  const std::string path = folder().write("a.off", input);
  read_or_refused([&] { require_sound(assemble({path})); });
}

}  // namespace ballotcast::detail::fuzz
