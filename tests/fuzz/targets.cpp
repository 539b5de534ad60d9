#include "fuzz/target.hpp"

namespace ballotcast::detail::fuzz {

const std::vector<Target>& targets() {
  static const std::vector<Target> table = {
      {"obj", "an OBJ with its MTL and texture, drawn", 4096, run_obj},
      {"obj_chunks", "an OBJ, parsed in chunks of any size", 4096, run_obj_chunks},
      {"ply", "a PLY, drawn", 4096, run_ply},
      {"stl", "an STL, drawn", 4096, run_stl},
      {"off", "an OFF, drawn", 4096, run_off},
      {"gltf", "a glTF with its buffer and texture, drawn", 8192, run_gltf},
      {"glb", "a binary glTF, drawn", 8192, run_glb},
      {"packed", "a packed scene, drawn", 16384, run_packed, packed_seeds},
      {"gzip", "an OBJ that may be gzipped", 4096, run_gzip},
      {"scene_file", "a JSON scene file", 4096, run_scene_file},
      {"cameras", "files with several cameras", 4096, run_cameras},
      {"suite", "a suite of pictures", 8192, run_suite},
      {"results", "results of a benchmark", 8192, run_results},
      {"rays", "a rays file, cast", 1024, run_rays},
      {"png", "a PNG to be compared", 4096, run_png},
      {"texture", "a picture of any kind, as a texture", 4096, run_texture},
      {"linear", "a picture of linear floats", 4096, run_linear},
      {"request", "the address of a request to the viewer", 2048, run_request},
      {"polygon", "corners of a polygon, cut into triangles", 2048, run_polygon}};
  return table;
}

const Target* target_called(std::string_view name) {
  for (const Target& target : targets())
    if (target.name == name) return &target;
  return nullptr;
}

}  // namespace ballotcast::detail::fuzz
