// Colours that a mesh file states per face. Each distinct one becomes a material, so that vertices
// stay shared and smoothing does not change.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "scene/formats/textures.hpp"
#include "scene/material.hpp"

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

}  // namespace ballotcast::detail
