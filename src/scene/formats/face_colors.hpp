// Colours that a mesh file states per face. Each distinct one becomes a material, so that vertices
// stay shared and smoothing does not change.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "scene/formats/textures.hpp"
#include "scene/surface/material.hpp"

namespace ballotcast::detail {

/// The colours of a file's faces.
class FaceColors {
 public:
  /// The Polygon::material of a face of this sRGB colour. 0 is for faces without a colour.
  u32 material_of(dvec3 srgb);

  /// The number of faces whose colour was not made of numbers from 0 to 1.
  u64 out_of_range() const { return out_of_range_; }

  /// Adds the materials that `pieces` use to `scene`, which must have none, and gives them to its
  /// triangles: `plain` for faces without a colour, and else copies of it in their colours.
  void use(const std::string& path, const PolygonMesh& mesh,
           const std::vector<PolygonTriangle>& pieces, const Material& plain,
           SceneData& scene) const;

 private:
  std::map<std::array<double, 3>, u32> index_of_;
  std::vector<vec3> linear_;  // of materials 1, 2, ...
  std::vector<dvec3> srgb_;
  u64 out_of_range_ = 0;
};

/// How many colours of a file could not be used as they are.
struct ColorDefects {
  u64 bad_of_vertices = 0;  // brought into their range
  u64 bad_of_faces = 0;
  u64 unused = 0;       // of faces whose vertices have colours, too
  u64 see_through = 0;  // with an alpha below 1
};

/// Adds a warning about `path` for each kind of defect that is there.
void report_colors(const std::string& path, const ColorDefects& defects,
                   std::vector<std::string>& warnings);

}  // namespace ballotcast::detail
