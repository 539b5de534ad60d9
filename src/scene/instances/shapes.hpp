// Scenes of shapes. A shape takes the place of a mesh: it has a part of SceneData::mesh with one
// triangle, which extends from the lowest to the highest corner of the shape's box. So ids, names,
// materials, boxes and trees need no code for shapes.
#pragma once

#include <string_view>

#include "scene/scene_data.hpp"

namespace ballotcast::detail {

/// A kind of shape, as users name it.
struct ShapeInfo {
  const char* name;
  ShapeKind kind;
  u32 sizes;         // how many numbers of Shape::size are used
  const char* help;  // what they are
};

/// The name of a kind of shape.
std::string name_of(ShapeKind kind);

/// All kinds of shapes.
Span<const ShapeInfo> shape_kinds();

/// Makes a shape from the name of its kind and its sizes. Throws UsageError if the kind is not
/// known, or if there are too few or too many sizes.
BALLOTCAST_API Shape shape_called(std::string_view kind, Span<const double> sizes);

/// Throws UsageError for a size that is out of range.
void require_sizes(const Shape& shape);

/// Throws UsageError for a size that is out of range, and for a heightfield, which needs heights:
/// see heightfields.hpp.
void require_usable_shape(const Shape& shape);

/// Makes a scene that consists of one shape. Throws as require_usable_shape does.
SceneData scene_of_shape(const Shape& shape);

/// Makes a scene that consists of one shape, with this box.
SceneData scene_of_box(const Shape& shape, vec3 low, vec3 high);

/// True if one of these functions made the scene.
bool is_single_shape(const SceneData& scene);

}  // namespace ballotcast::detail
