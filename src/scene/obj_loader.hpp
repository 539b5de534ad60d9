// Loads Wavefront OBJ files as scenes.
#pragma once

#include <string>

#include "scene/scene.hpp"

namespace ballotcast::detail {

/// Reads an OBJ file, plain or gzipped, with its material files and textures. Positions are stored
/// relative to SceneData::origin. Faces that can't be drawn (fewer than three corners, indices
/// outside the file's arrays, coordinates that are not finite or beyond 2^40, no area) are left
/// out, with one warning per kind of defect. Unusable normals and texture coordinates are replaced.
/// Throws InputError, which names the file, if the file can't be read or no triangle is left.
SceneData load_obj(const std::string& path, const LoadOptions& options = {});

/// The world position of (0, 0, 0) for a mesh with bounding box low .. high. It is 0, unless the
/// box lies so far from 0 for its size that single precision would lose detail; then it is a point
/// near the middle of the box, with integer coordinates.
dvec3 origin_for(dvec3 low, dvec3 high);

/// The warning about triangles that become lines or points when rounded to single precision.
inline constexpr const char* kRoundedAway =
    "triangles that lose their area by rounding, because they are too small or too far from the "
    "centre of the scene; no ray can hit them";

}  // namespace ballotcast::detail
