// Heightfields for tests, and meshes of their triangles.
#pragma once

#include "helpers/meshes.hpp"
#include "scene/instances/heightfields.hpp"

namespace ballotcast::detail::testing {

/// Heights of every kind: noise, steps with many equal heights, waves, and a single spike.
enum class Relief { noise, steps, waves, spike };
inline constexpr Relief kReliefs[] = {Relief::noise, Relief::steps, Relief::waves, Relief::spike};

inline OwnHeightfield heightfield(u32 columns, u32 rows, Relief relief, Diagonal diagonal,
                                  u32 seed) {
  Random random(seed);
  OwnHeightfield out;
  out.of = {columns, rows, {}, {1.5f, 1.0f}, diagonal};
  for (u32 i = 0; i < columns * rows; ++i) {
    const float x = static_cast<float>(i % columns), y = static_cast<float>(i / columns);
    out.heights.push_back(relief == Relief::noise   ? random.between(-0.3f, 0.3f)
                          : relief == Relief::steps ? 0.25f * static_cast<float>(random.below(3))
                          : relief == Relief::waves ? 0.2f * std::sin(x * 0.3f) * std::cos(y * 0.2f)
                                                    : 0.0f);
  }
  if (relief == Relief::spike) out.heights[columns * rows / 2] = 1.0f;
  return out;
}

/// The triangles of a heightfield, in the order of their indices. Written out independently of
/// geometry/heightfield.hpp.
inline Mesh mesh_of(const OwnHeightfield& field) {
  const u32 columns = field.of.columns, rows = field.of.rows;
  Mesh mesh;
  const float dx = static_cast<float>(double{field.of.size[0]} / (columns - 1));
  const float dy = static_cast<float>(double{field.of.size[1]} / (rows - 1));
  for (u32 y = 0; y < rows; ++y)
    for (u32 x = 0; x < columns; ++x)
      mesh.positions.push_back(vec3(static_cast<float>(2 * i64{x} - (i64{columns} - 1)) * dx,
                                    static_cast<float>(2 * i64{y} - (i64{rows} - 1)) * dy,
                                    field.heights[y * columns + x]) +
                               0.0f);
  for (u32 y = 0; y + 1 < rows; ++y)
    for (u32 x = 0; x + 1 < columns; ++x) {
      const u32 a = y * columns + x, b = a + 1, c = a + columns, d = c + 1;
      const bool rising = field.of.diagonal == Diagonal::rising;
      mesh.triangles.push_back(rising ? uvec3(a, b, d) : uvec3(a, b, c));
      mesh.triangles.push_back(rising ? uvec3(a, d, c) : uvec3(b, d, c));
    }
  return mesh;
}

}  // namespace ballotcast::detail::testing
