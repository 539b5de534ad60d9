#include "fuzz/checks.hpp"
#include "fuzz/target.hpp"
#include "scene/assemble.hpp"
#include "scene/motion/frames.hpp"

namespace ballotcast::detail::fuzz {

namespace {

/// Reads a file without animation, and with all of its animations.
void read_at_rest_and_moving(const std::string& path) {
  read_or_refused([&] { require_sound(assemble({path})); });
  SceneRequest moving;
  moving.file = path;
  moving.frame = 12;
  moving.animation = "all";
  read_or_refused([&] {
    const SceneFrames frames(moving);
    require_sound(*frames.scene());
    frames.in(frames.last_frame());
  });
}

}  // namespace

/// The input is a glTF, the line "----", its buffer (a.bin), the line "----", and a texture
/// (a.png).
void run_gltf(std::span<const u8> input) {
  const std::string path = folder().write("a.gltf", next_part(input));
  folder().write("a.bin", next_part(input));
  folder().write("a.png", input);
  read_at_rest_and_moving(path);
}

void run_glb(std::span<const u8> input) { read_at_rest_and_moving(folder().write("a.glb", input)); }

}  // namespace ballotcast::detail::fuzz
