#include "fuzz/checks.hpp"
#include "fuzz/target.hpp"
#include "scene/assemble.hpp"

namespace ballotcast::detail::fuzz {

namespace {

constexpr std::string_view kMesh = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";

}  // namespace

/// The input is a scene file. It can name the mesh a.obj, which is in the same folder.
void run_scene_file(std::span<const u8> input) {
  folder().write("a.obj", {reinterpret_cast<const u8*>(kMesh.data()), kMesh.size()});
  const std::string path = folder().write("a.json", input);
  read_or_refused([&] { require_sound(assemble({path})); });
}

}  // namespace ballotcast::detail::fuzz
