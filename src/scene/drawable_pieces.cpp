#include "scene/file_mesh.hpp"
#include "scene/polygon.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {

std::vector<FilePiece> drawable_pieces(const std::string& path, const FileMesh& mesh,
                                       SceneData& scene) {
  FaceTally outside{"faces left out: they use vertices that the file does not have"};
  FaceTally wild{"faces left out: coordinates are not finite or beyond 2^40"};
  FaceTally few{"faces left out: they have fewer than three corners"};
  FaceTally flat{"triangles left out: they have no area"};
  FaceTally crossing{"polygons that cross themselves; their triangles may overlap"};
  FaceTally rough{"polygons too intricate to be split exactly; their triangles may overlap"};
  std::vector<FilePiece> pieces;
  pieces.reserve(mesh.faces.size());
  std::vector<dvec3> places;
  std::vector<uvec3> cuts;
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    const FileFace& face = mesh.faces[f];
    const FileCorner* corners = mesh.corners.data() + face.first_corner;
    places.clear();
    bool all_exist = true, all_usable = true;
    for (u32 i = 0; i < face.corner_count && all_exist; ++i) {
      all_exist = in_range(corners[i].position, mesh.positions.size());
      if (!all_exist) break;
      places.push_back(mesh.positions[static_cast<u32>(corners[i].position)]);
      all_usable = all_usable && usable_place(places.back());
    }
    FaceTally* defect = !all_exist              ? &outside
                        : face.corner_count < 3 ? &few
                        : !all_usable           ? &wild
                                                : nullptr;
    if (defect != nullptr) {
      defect->note(f);
      continue;
    }
    cuts.clear();
    const PolygonCut how = triangulate(places, cuts);
    if (how == PolygonCut::crossing) crossing.note(f);
    if (how == PolygonCut::rough) rough.note(f);
    for (const uvec3& cut : cuts) {
      const dvec3 a = places[cut.x], b = places[cut.y], c = places[cut.z];
      const dvec3 normal = cross(b - a, c - a);
      if (normal.x == 0.0 && normal.y == 0.0 && normal.z == 0.0) {
        flat.note(f);
        continue;
      }
      const u32 first = face.first_corner;
      pieces.push_back({{first + cut.x, first + cut.y, first + cut.z}, static_cast<u32>(f)});
    }
    if (pieces.size() > kMostTriangles)
      throw InputError(path + ": more than " + std::to_string(kMostTriangles) + " triangles");
  }
  for (const FaceTally* tally : {&outside, &wild, &few, &flat, &crossing, &rough})
    tally->report(path, mesh, scene);
  return pieces;
}

}  // namespace ballotcast::detail
