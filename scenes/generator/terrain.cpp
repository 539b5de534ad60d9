// A square height field of ridged noise, coloured by height and slope.
#include <cmath>
#include <vector>

#include "generators.hpp"
#include "noise.hpp"

namespace ballotcast::detail {
namespace {

constexpr double kWidth = 400.0;     // metres
constexpr double kWaterLevel = 9.0;  // metres
constexpr double kSnowLevel = 50.0;  // metres
constexpr double kRockSlope = 0.85;  // rise over run above which there is neither grass nor snow

enum Ground : u8 { kWater, kGrass, kRock, kSnow, kGroundCount };

const std::vector<MaterialRow> kTerrainMaterials{{"water", {0.05, 0.16, 0.24}},
                                                 {"grass", {0.18, 0.30, 0.09}},
                                                 {"rock", {0.34, 0.31, 0.28}},
                                                 {"snow", {0.86, 0.88, 0.92}}};

/// Height at (x, z) in metres: sharp ridges on broad hills (a simplified form of the ridged
/// multifractal of F. K. Musgrave, Texturing and Modeling, chapter 16).
double height_at(double x, double z, u32 octaves, u32 seed) {
  const dvec3 p(x * (3.1 / kWidth) + 17.3, 0.37, z * (3.1 / kWidth) - 5.9);
  const dvec3 bend(gradient_noise(p * 0.9, seed + 31), 0.0, gradient_noise(p * 0.9, seed + 32));
  const dvec3 q = p + bend * 0.35;
  double sum = 0.0, amplitude = 0.55, scale = 1.0, weight = 1.0;
  for (u32 octave = 0; octave < octaves; ++octave) {
    const double n = gradient_noise(q * scale, seed + octave);
    const double ridge = 1.0 - (n < 0.0 ? -n : n);
    const double signal = ridge * ridge * weight;
    sum += signal * amplitude;
    weight = signal < 1.0 ? signal : 1.0;  // detail concentrates on ridges; valleys stay smooth
    amplitude *= 0.48;
    scale *= 2.07;
  }
  const double broad = gradient_noise(p * 0.62, seed + 57);
  const double level = (sum - 0.42) * (0.75 + 0.6 * broad) + 0.12 * broad;
  return 13.0 + 115.0 * level;
}

/// The heights of a grid of columns * rows cells, and the mesh made from them.
class HeightField {
 public:
  HeightField(u64 columns, u64 rows, u32 seed) : columns_(columns), rows_(rows) {
    u32 octaves = 1;
    for (double size = 12.0; octaves < 10 && size < static_cast<double>(columns); size *= 2.07) {
      ++octaves;  // no finer than the grid can show
    }
    height_.reserve((columns + 1) * (rows + 1));
    for (u64 j = 0; j <= rows; ++j) {
      for (u64 i = 0; i <= columns; ++i) {
        const double h = height_at(x_of(i), z_of(j), octaves, seed);
        height_.push_back(h > kWaterLevel ? h : kWaterLevel);
      }
    }
  }

  void write(ObjWriter& out) const {
    for (u64 j = 0; j <= rows_; ++j) {
      for (u64 i = 0; i <= columns_; ++i) {
        out.vertex({x_of(i), height(i, j), z_of(j)}, {-slope_x(i, j), 1.0, -slope_z(i, j)});
      }
    }
    for (u8 ground = 0; ground < kGroundCount; ++ground) {
      out.use(kTerrainMaterials[ground].name);
      for (u64 j = 0; j < rows_; ++j) {
        for (u64 i = 0; i < columns_; ++i) write_cell(out, i, j, ground);
      }
    }
  }

 private:
  double x_of(u64 i) const { return kWidth * (static_cast<double>(i) / columns_ - 0.5); }
  double z_of(u64 j) const { return kWidth * (static_cast<double>(j) / rows_ - 0.5); }
  u64 index(u64 i, u64 j) const { return j * (columns_ + 1) + i; }
  double height(u64 i, u64 j) const { return height_[index(i, j)]; }

  double slope_x(u64 i, u64 j) const {
    const u64 a = i > 0 ? i - 1 : 0, b = i < columns_ ? i + 1 : columns_;
    return (height(b, j) - height(a, j)) / (x_of(b) - x_of(a));
  }
  double slope_z(u64 i, u64 j) const {
    const u64 a = j > 0 ? j - 1 : 0, b = j < rows_ ? j + 1 : rows_;
    return (height(i, b) - height(i, a)) / (z_of(b) - z_of(a));
  }

  Corner corner(u64 i, u64 j) const { return {index(i, j) + 1, index(i, j) + 1}; }

  void write_cell(ObjWriter& out, u64 i, u64 j, u8 ground) const {
    const double here = height(i, j), right = height(i + 1, j), down = height(i, j + 1),
                 across = height(i + 1, j + 1);
    const double dx = kWidth / columns_, dz = kWidth / rows_;
    if (kind(here, down, across, (across - down) / dx, (down - here) / dz) == ground) {
      out.triangle(corner(i, j), corner(i, j + 1), corner(i + 1, j + 1));
    }
    if (kind(here, across, right, (right - here) / dx, (across - right) / dz) == ground) {
      out.triangle(corner(i, j), corner(i + 1, j + 1), corner(i + 1, j));
    }
  }

  static u8 kind(double a, double b, double c, double slope_x, double slope_z) {
    if (a == kWaterLevel && b == kWaterLevel && c == kWaterLevel) return kWater;
    if (slope_x * slope_x + slope_z * slope_z > kRockSlope * kRockSlope) return kRock;
    return (a + b + c) > 3.0 * kSnowLevel ? kSnow : kGrass;
  }

  u64 columns_, rows_;
  std::vector<double> height_;
};

}  // namespace

void make_terrain(ObjWriter& out, const SceneRequest& request) {
  const double cells = static_cast<double>(request.triangles) * 0.5;
  const u64 columns = static_cast<u64>(std::sqrt(cells) + 0.5);
  const u64 rows = static_cast<u64>(cells / static_cast<double>(columns) + 0.5);
  out.materials(kTerrainMaterials);
  out.group("terrain");
  HeightField(columns, rows, request.seed * 7919u).write(out);
}

}  // namespace ballotcast::detail
