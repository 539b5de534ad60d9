#include "fuzz/checks.hpp"
#include "fuzz/target.hpp"
#include "scene/assemble.hpp"

namespace ballotcast::detail::fuzz {

/// The input is a glTF, the line "----", its buffer (a.bin), the line "----", and a texture
/// (a.png).
void run_gltf(std::span<const u8> input) {
  const std::string path = folder().write("a.gltf", next_part(input));
  folder().write("a.bin", next_part(input));
  folder().write("a.png", input);
  read_or_refused([&] { require_sound(assemble({path})); });
}

void run_glb(std::span<const u8> input) {
  const std::string path = folder().write("a.glb", input);
  read_or_refused([&] { require_sound(assemble({path})); });
}

}  // namespace ballotcast::detail::fuzz
