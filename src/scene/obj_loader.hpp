// Wavefront OBJ files as scenes.
#pragma once

#include <string>

#include "scene/scene.hpp"

namespace ballotcast::detail {

/// Reads an OBJ file, plain or gzipped, with its material files and textures. Positions are stored
/// relative to SceneData::origin. Faces that can't be drawn (indices outside the file's arrays,
/// coordinates that are not finite or beyond 2^40, no area) are left out with a warning each kind;
/// a normal or texture coordinate that can't be used is replaced. Throws InputError naming the file
/// when it can't be read or no triangle is left.
SceneData load_obj(const std::string& path, const LoadOptions& options = {});

/// Where a mesh that fills the box low ... high should have its (0, 0, 0): a whole-numbered place
/// in the middle when the box is far from 0 for its size, so that single precision resolves it;
/// else 0.
dvec3 origin_for(dvec3 low, dvec3 high);

/// What is said of triangles that single precision makes lines or points of.
inline constexpr const char* kRoundedAway =
    "triangles that have no area left, so small or so far from the middle of all that rounding "
    "takes it, and no ray can hit";

}  // namespace ballotcast::detail
