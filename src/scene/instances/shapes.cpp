#include "scene/instances/shapes.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "ballotcast/error.hpp"
#include "geometry/shape.hpp"
#include "support/numbers.hpp"

namespace ballotcast::detail {
namespace {

constexpr ShapeInfo kShapes[] = {
    {"sphere", ShapeKind::sphere, 1, "radius"},
    {"ellipsoid", ShapeKind::ellipsoid, 3, "half the length along x, y and z"},
    {"box", ShapeKind::box, 3, "half the length along x, y and z"},
    {"capsule", ShapeKind::capsule, 2, "radius, half the length of the straight part along z"},
    {"cylinder", ShapeKind::cylinder, 2, "radius, half the height along z"},
    {"cone", ShapeKind::cone, 2, "radius of the base, half the height along z"},
    {"disc", ShapeKind::disc, 1, "radius"},
    {"plane", ShapeKind::plane, 2, "half the length along x and y"},
    {"floor", ShapeKind::floor, 2, "half the length along x and y"},
};

/// The smallest and the largest size. With transforms that scale by up to 2^20, all products are
/// still floats with full precision.
constexpr float kSmallestSize = 0x1p-20f, kLargestSize = 0x1p20f;

const ShapeInfo& info_of(const Shape& shape) {
  for (const ShapeInfo& info : kShapes)
    if (info.kind == shape.kind) return info;
  throw UsageError("a shape has no kind");
}

/// The highest corner of the box of a shape; the lowest one is opposite.
vec3 corner_of(const Shape& shape) {
  const dvec3 scale = scale_of(shape);
  if (is_flat(shape.kind)) return {static_cast<float>(scale.x), static_cast<float>(scale.y), 0.0f};
  const float end =
      shape.kind == ShapeKind::capsule
          ? std::nextafter(shape.size[0] + shape.size[1], std::numeric_limits<float>::infinity())
          : static_cast<float>(scale.z);
  return {static_cast<float>(scale.x), static_cast<float>(scale.y), end};
}

}  // namespace

std::string name_of(ShapeKind kind) { return info_of({kind, {}}).name; }

Span<const ShapeInfo> shape_kinds() { return kShapes; }

Shape shape_called(std::string_view kind, Span<const double> sizes) {
  std::string known;
  for (const ShapeInfo& info : kShapes) {
    if (kind != info.name) {
      known += std::string(known.empty() ? "" : ", ") + info.name;
      continue;
    }
    if (sizes.size() != info.sizes)
      throw UsageError(std::string(info.name) + ": needs " + std::to_string(info.sizes) +
                       (info.sizes == 1 ? " size (" : " sizes (") + info.help + "), not " +
                       std::to_string(sizes.size()));
    Shape shape{info.kind, {0, 0, 0}};
    for (u32 i = 0; i < info.sizes; ++i) shape.size[i] = static_cast<float>(sizes[i]);
    return shape;
  }
  throw UsageError("unknown shape '" + std::string(kind) + "'; known: " + known);
}

void require_usable_shape(const Shape& shape) {
  const ShapeInfo& info = info_of(shape);
  for (u32 i = 0; i < info.sizes; ++i) {
    const float size = shape.size[i];
    const bool may_be_0 = shape.kind == ShapeKind::capsule && i == 1;
    if ((size >= kSmallestSize && size <= kLargestSize) || (may_be_0 && size == 0.0f)) continue;
    throw UsageError(std::string(info.name) + ": size " + std::to_string(i + 1) +
                     " (of: " + info.help + ") is " + shortest(size) +
                     ", but must be from 2^-20 (1e-6) to 2^20 (1e6)");
  }
}

SceneData scene_of_shape(const Shape& shape) {
  require_usable_shape(shape);
  SceneData scene;
  scene.name = info_of(shape).name;
  scene.materials.emplace_back();
  scene.material_names.emplace_back("grey");
  const vec3 high = corner_of(shape), low = vec3(0.0f) - high;
  scene.mesh.positions.push_back(low);
  scene.mesh.positions.push_back(high);
  scene.mesh.triangles.emplace_back(0u, 1u, 0u);
  scene.parts.push_back({0, 1, 0, 2, dvec3(0.0)});
  scene.shapes.push_back(shape);
  scene.instances.push_back({Transform{}, 0, 0, kOwnMaterials, 0});
  return scene;
}

bool is_single_shape(const SceneData& scene) {
  return scene.shapes.size() == 1 && scene.instances.size() == 1;
}

}  // namespace ballotcast::detail
