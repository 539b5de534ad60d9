#include "scene/formats/gltf/gltf_loader.hpp"

#include "scene/formats/gltf/placing.hpp"
#include "scene/formats/gltf/view.hpp"
#include "scene/named_files.hpp"

namespace ballotcast::detail {

SceneData load_gltf(const std::string& path, const LoadOptions& options) {
  SceneData scene;
  scene.name = scene_name_of(path);
  scene.files = {path};
  GltfFile file(path, scene);
  const std::vector<PlacedNode> nodes = placed_nodes(file);
  const std::vector<GltfTexcoords> texcoords = texcoords_of_materials(file);
  const auto [mesh, pieces] =
      place_meshes(path, meshes_of_nodes(file, nodes, texcoords), texcoords, options, scene);
  const FileMaterials materials =
      load_gltf_materials(file, texcoords, triangles_of_materials(mesh, pieces, texcoords.size()));
  use_materials(path, mesh, pieces, materials, scene);
  load_gltf_view(file, nodes);
  if (file.size_of("animations") != 0) scene.warnings.push_back(path + ": animations left out");
  return scene;
}

}  // namespace ballotcast::detail
