#include <algorithm>

#include "scene/face_tally.hpp"
#include "scene/polygon.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {
namespace {

struct Defects {
  FaceTally outside{"faces left out: they use vertices that the file does not have"};
  FaceTally wild{"faces left out: coordinates are not finite or beyond 2^40"};
  FaceTally few{"faces left out: they have fewer than three corners"};
  FaceTally flat{"triangles left out: they have no area"};
  FaceTally crossing{"polygons that cross themselves; their triangles may overlap"};
  FaceTally rough{"polygons too intricate to be split exactly; their triangles may overlap"};

  static constexpr FaceTally Defects::*kAll[] = {&Defects::outside,  &Defects::wild,
                                                 &Defects::few,      &Defects::flat,
                                                 &Defects::crossing, &Defects::rough};
};

/// Cuts faces into triangles, one face after another.
class Cutter {
 public:
  explicit Cutter(const FileMesh& mesh) : mesh_(mesh) {}

  /// Appends the triangles of a face.
  void cut(u64 f) {
    const FileFace& face = mesh_.faces[f];
    if (FaceTally* const defect = find_places(face)) return defect->note(f);
    cuts_.clear();
    const PolygonCut how = triangulate(places_, cuts_);
    if (how == PolygonCut::crossing) defects.crossing.note(f);
    if (how == PolygonCut::rough) defects.rough.note(f);
    for (const uvec3& cut : cuts_) {
      const dvec3 a = places_[cut.x], b = places_[cut.y], c = places_[cut.z];
      const dvec3 normal = cross(b - a, c - a);
      if (normal.x == 0.0 && normal.y == 0.0 && normal.z == 0.0) {
        defects.flat.note(f);
        continue;
      }
      const u32 first = face.first_corner;
      pieces.push_back({{first + cut.x, first + cut.y, first + cut.z}, static_cast<u32>(f)});
    }
  }

  std::vector<FilePiece> pieces;
  Defects defects;

 private:
  /// Fills in the positions of a face's corners. Returns the defect of a face that can't be drawn.
  FaceTally* find_places(const FileFace& face) {
    places_.clear();
    bool all_usable = true;
    for (u32 i = 0; i < face.corner_count; ++i) {
      const i32 position = mesh_.corners.position(u64{face.first_corner} + i);
      if (!in_range(position, mesh_.positions.size())) return &defects.outside;
      places_.push_back(mesh_.positions[static_cast<u32>(position)]);
      all_usable = all_usable && usable_place(places_.back());
    }
    if (face.corner_count < 3) return &defects.few;
    return all_usable ? nullptr : &defects.wild;
  }

  const FileMesh& mesh_;
  std::vector<dvec3> places_;
  std::vector<uvec3> cuts_;
};

}  // namespace

std::vector<FilePiece> drawable_pieces(const std::string& path, const FileMesh& mesh,
                                       SceneData& scene) {
  constexpr std::size_t kFacesAtOnce = 1 << 14;
  const std::size_t faces = mesh.faces.size();
  std::vector<Cutter> parts((faces + kFacesAtOnce - 1) / kFacesAtOnce, Cutter(mesh));
  for_each_index(parts.size(), [&](std::size_t i) {
    const std::size_t begin = i * kFacesAtOnce, end = std::min(faces, begin + kFacesAtOnce);
    parts[i].pieces.reserve(end - begin);
    for (std::size_t f = begin; f < end; ++f) parts[i].cut(f);
  });

  u64 count = 0;
  Defects defects;
  for (const Cutter& part : parts) {
    count += part.pieces.size();
    for (FaceTally Defects::*const tally : Defects::kAll) (defects.*tally).add(part.defects.*tally);
  }
  if (count > kMostTriangles)
    throw InputError(path + ": more than " + std::to_string(kMostTriangles) + " triangles");
  for (FaceTally Defects::*const tally : Defects::kAll) (defects.*tally).report(path, mesh, scene);
  std::vector<FilePiece> pieces;
  pieces.reserve(count);
  for (Cutter& part : parts) {
    pieces.insert(pieces.end(), part.pieces.begin(), part.pieces.end());
    std::vector<FilePiece>().swap(part.pieces);
  }
  return pieces;
}

}  // namespace ballotcast::detail
