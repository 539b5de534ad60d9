// Scenes of heightfields: see geometry/heightfield.hpp. As for every shape, the scene has one
// triangle, which extends from the lowest to the highest corner of the box.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scene/scene_data.hpp"

namespace ballotcast::detail {

/// A heightfield that owns its heights.
struct OwnHeightfield {
  std::vector<float> heights;
  Heightfield of;  // of.heights is not used

  Heightfield view() const {
    Heightfield view = of;
    view.heights = heights;
    return view;
  }
};

/// The diagonal with this name: rising or falling. Throws UsageError for any other name.
BALLOTCAST_API Diagonal diagonal_called(const std::string& name);

/// The heights for black and for white of a picture.
struct HeightsOfGrey {
  double black, white;
};

/// Reads heights from a picture: grey of a PNG, from range.black to range.white; or the values of
/// a PFM, HDR or OpenEXR file. The top row of the picture has the highest y. Throws InputError,
/// which names the file, if it can't be read, if it has colours, and if a PNG has no range or
/// another file has one.
OwnHeightfield read_heights(const std::string& path, const std::optional<HeightsOfGrey>& range);

/// Makes a scene that consists of one heightfield. Throws UsageError for a grid without cells, for
/// a number of heights that does not fit, and for a size or a height that is out of range.
SceneData scene_of_heightfield(const Heightfield& field);

/// Appends the heights of a scene that is one heightfield to those of a scene of several meshes.
/// `shape`: the heightfield, whose index becomes that in `to`.
void append_heights(SceneData& to, Shape& shape, SceneData&& from);

}  // namespace ballotcast::detail
