#include "scene/obj_loader.hpp"

#include "scene/file_materials.hpp"
#include "scene/fill_mesh.hpp"
#include "scene/named_files.hpp"
#include "scene/obj_materials.hpp"
#include "scene/obj_parser.hpp"
#include "scene/vertex_color.hpp"
#include "support/error.hpp"
#include "support/files.hpp"

namespace ballotcast::detail {
namespace {

/// Warns about lines that could not be used completely.
void report_lines(const std::string& path, const ObjText& obj, SceneData& scene) {
  const ObjTallies& lines = obj.tallies;
  report(path,
         {{lines.no_numbers,
           "lines with coordinates that are not numbers (decimals need a point, not a comma)"},
          {lines.too_few, "lines with missing coordinates, which are set to 0"},
          {lines.colors, kColorsOutOfRange},
          {lines.lines_and_points, "lines and points left out"},
          {lines.curves, "lines of curves and surfaces left out"},
          {lines.commands, "commands (call, csh), ignored"},
          {lines.unknown, "unknown lines, ignored"}},
         scene.warnings);
}

}  // namespace

SceneData load_obj(const std::string& path, const LoadOptions& options) {
  std::vector<u8> bytes = read_maybe_gzip(path);
  if (bytes.empty()) throw InputError(path + ": empty file");
  ObjText obj = parse_obj(std::move(bytes), path);
  SceneData scene;
  scene.name = scene_name_of(path);
  scene.files = {path};
  report_lines(path, obj, scene);
  const std::vector<FilePiece> pieces =
      fill_mesh(path, obj.mesh, options.crease_angle.value_or(kCreaseAngle), scene);
  const FileMaterials materials = load_materials(
      path, obj, triangles_of_materials(obj.mesh, pieces, obj.materials.names.size()), scene);
  use_materials(path, obj.mesh, pieces, materials, scene);
  return scene;
}

}  // namespace ballotcast::detail
