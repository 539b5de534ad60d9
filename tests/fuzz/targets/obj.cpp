#include "fuzz/checks.hpp"
#include "fuzz/target.hpp"
#include "scene/assemble.hpp"

namespace ballotcast::detail::fuzz {

/// The input is an OBJ, the line "----", its MTL (a.mtl), the line "----", and a texture (a.png).
void run_obj(std::span<const u8> input) {
  const std::string path = folder().write("a.obj", next_part(input));
  folder().write("a.mtl", next_part(input));
  folder().write("a.png", input);
  read_or_refused([&] { require_sound(assemble({path})); });
}

}  // namespace ballotcast::detail::fuzz
