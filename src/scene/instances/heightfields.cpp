#include "scene/instances/heightfields.hpp"

#include <cmath>
#include <memory>

#include "ballotcast/error.hpp"
#include "image/codec.hpp"
#include "image/linear/linear_files.hpp"
#include "image/png.hpp"
#include "scene/instances/shapes.hpp"
#include "support/numbers.hpp"
#include "support/threads/parallel.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {
namespace {

/// The largest |height|, and the largest number of heights of a grid.
constexpr float kHighest = 0x1p20f;
constexpr u64 kMostHeights = u64{1} << 30;

HeightRange including(const HeightRange& a, const HeightRange& b) {
  return {min_of(a.low, b.low), max_of(a.high, b.high)};
}
constexpr HeightRange kNoHeights{std::numeric_limits<float>::infinity(),
                                 -std::numeric_limits<float>::infinity()};

/// The grid of a heightfield whose heights are the first of all.
HeightGrid grid_of(const Heightfield& field) {
  HeightGrid grid{};
  grid.columns = field.columns;
  grid.rows = field.rows;
  grid.step_x = static_cast<float>(double{field.size[0]} / grid.cells_x());
  grid.step_y = static_cast<float>(double{field.size[1]} / grid.cells_y());
  grid.falling = field.diagonal == Diagonal::falling ? 1u : 0u;
  grid.levels = std::max({log2_up(grid.cells_x()), log2_up(grid.cells_y()), 1u});
  u32 blocks = 0;
  for (u32 level = 2; level <= grid.levels; ++level) {
    grid.first_block[level - 1] = blocks;
    blocks += HeightGrid::nodes(grid.cells_x(), level) * HeightGrid::nodes(grid.cells_y(), level);
  }
  return grid;
}

/// The number of floats of the heights and the ranges of a grid.
u64 floats_of(const HeightGrid& grid) {
  u64 blocks = 0;
  for (u32 level = 2; level <= grid.levels; ++level)
    blocks +=
        u64{HeightGrid::nodes(grid.cells_x(), level)} * HeightGrid::nodes(grid.cells_y(), level);
  return heights_before_ranges(grid) + 8 * blocks;
}

/// Computes the ranges of a grid from its heights, level by level. `heights` has room for both.
class RangesOf {
 public:
  RangesOf(const HeightGrid& grid, float* heights) : grid_(grid), heights_(heights) {}

  void compute() const {
    for (u32 level = 2; level <= grid_.levels; ++level) {
      const u32 across = HeightGrid::nodes(grid_.cells_x(), level);
      const u32 down = HeightGrid::nodes(grid_.cells_y(), level);
      for_each_range<u32>(down, 1 + 4096 / across, [&](u32 begin, u32 end) {
        for (u32 y = begin; y < end; ++y)
          for (u32 x = 0; x < across; ++x)
            for (u32 child = 0; child < 4; ++child)
              block(level, x, y)[child] = range(level - 1, 2 * x + (child & 1u), 2 * y + child / 2);
      });
    }
  }

 private:
  HeightRange* block(u32 level, u32 x, u32 y) const {
    const u64 number =
        grid_.first_block[level - 1] + u64{y} * HeightGrid::nodes(grid_.cells_x(), level) + x;
    return reinterpret_cast<HeightRange*>(heights_ + heights_before_ranges(grid_) + 8 * number);
  }

  HeightRange range(u32 level, u32 x, u32 y) const {
    HeightRange all = kNoHeights;
    if (x >= HeightGrid::nodes(grid_.cells_x(), level) ||
        y >= HeightGrid::nodes(grid_.cells_y(), level))
      return all;
    if (level > 1) {
      for (u32 child = 0; child < 4; ++child) all = including(all, block(level, x, y)[child]);
      return all;
    }
    for (u32 row = 2 * y; row <= std::min(2 * y + 2, grid_.cells_y()); ++row)
      for (u32 column = 2 * x; column <= std::min(2 * x + 2, grid_.cells_x()); ++column) {
        const float height = heights_[u64{row} * grid_.columns + column];
        all = including(all, {height, height});
      }
    return all;
  }

  const HeightGrid& grid_;
  float* const heights_;
};

void require_usable(const Heightfield& field) {
  const u32 columns = field.columns, rows = field.rows;
  const std::string what = "heightfield: ";
  if (columns < 2 || rows < 2 || columns > kMostColumns || rows > kMostColumns)
    throw UsageError(what + std::to_string(columns) + " columns and " + std::to_string(rows) +
                     " rows, but there must be from 2 to " + std::to_string(kMostColumns) +
                     " of each");
  if (u64{columns} * rows > kMostHeights)
    throw UsageError(what + "has " + std::to_string(u64{columns} * rows) +
                     " heights; the limit is 2^30");
  if (field.heights.size() != u64{columns} * rows)
    throw UsageError(what + std::to_string(columns) + " columns and " + std::to_string(rows) +
                     " rows, but " + std::to_string(field.heights.size()) + " heights");
  require_sizes({ShapeKind::heightfield, {field.size[0], field.size[1], 0}});
  const auto is_good = [&](std::size_t i) { return std::abs(field.heights[i]) <= kHighest; };
  if (all_below(field.heights.size(), is_good)) return;
  std::size_t bad = 0;
  while (is_good(bad)) ++bad;
  throw UsageError(what + "the height in column " + std::to_string(bad % columns) + " of row " +
                   std::to_string(bad / columns) + " is " + shortest(field.heights[bad]) +
                   ", but must be from -2^20 (-1e6) to 2^20 (1e6)");
}

/// Sets the heights of a field to those of a picture. value(x, y) is that of a pixel, counted from
/// the top.
template <class Value>
OwnHeightfield heights_of(u32 width, u32 height, const Value& value) {
  OwnHeightfield out;
  out.of.columns = width;
  out.of.rows = height;
  out.heights.reserve(std::size_t{width} * height);
  for (u32 y = height; y-- > 0;)
    for (u32 x = 0; x < width; ++x) out.heights.push_back(value(std::size_t{y} * width + x));
  return out;
}

}  // namespace

Diagonal diagonal_called(const std::string& name) {
  require_known("diagonal", {name}, {"rising", "falling"});
  return name == "falling" ? Diagonal::falling : Diagonal::rising;
}

OwnHeightfield read_heights(const std::string& path, const std::optional<HeightsOfGrey>& range) {
  const std::vector<u8> bytes = read_picture_file(path);
  if (begins_linear(bytes)) {
    if (range) throw InputError(path + ": its values are heights, so \"range\" has no meaning");
    const LinearImage image = decode_linear(bytes, path);
    const auto has_colour = [](const Vec3f& v) {
      return !(v.x == v.y && v.x == v.z) && v.x == v.x;
    };
    if (std::any_of(image.pixels.begin(), image.pixels.end(), has_colour))
      throw InputError(path + ": has colours; heights must be grey");
    return heights_of(image.width, image.height, [&](std::size_t i) { return image.pixels[i].x; });
  }
  if (!begins_png(bytes))
    throw InputError(path + ": heights are read from PNG, PFM, HDR and OpenEXR files only");
  const SampledImage image = decode_png(bytes, path);
  if (image.channels != 1) throw InputError(path + ": has colours or alpha; heights must be grey");
  if (!range) throw InputError(path + ": needs \"range\": the height of black, and that of white");
  const double step = (range->white - range->black) / (image.depth == 16 ? 65535.0 : 255.0);
  return heights_of(image.width, image.height, [&](std::size_t i) {
    return static_cast<float>(range->black + step * image.samples[i]);
  });
}

SceneData scene_of_heightfield(const Heightfield& field) {
  require_usable(field);
  HeightGrid grid = grid_of(field);
  const u64 count = field.heights.size(), padded = heights_before_ranges(grid);
  // Copies of the scene share the heights.
  const auto all = std::make_shared<Array<float>>(Array<float>::unset(floats_of(grid)));
  float* const heights = all->data();
  const HeightRange range = reduce_ranges<u64>(
      0, count, u64{1} << 16, kNoHeights,
      [&](u64 begin, u64 end, HeightRange found) {
        for (u64 i = begin; i < end; ++i) {
          heights[i] = field.heights[i] + 0.0f;  // adding 0 turns -0 into 0
          found = including(found, {heights[i], heights[i]});
        }
        return found;
      },
      including);
  std::fill(heights + count, heights + padded, 0.0f);
  RangesOf(grid, heights).compute();
  SceneData scene =
      scene_of_box({ShapeKind::heightfield, {field.size[0], field.size[1], 0}},
                   {grid.x_of(0), grid.y_of(0), range.low},
                   {grid.x_of(grid.cells_x()), grid.y_of(grid.cells_y()), range.high});
  scene.height_grids.push_back(grid);
  scene.heights = Array<float>::view(heights, all->size(), all);
  return scene;
}

void append_heights(SceneData& to, Shape& shape, SceneData&& from) {
  shape.size[2] = static_cast<float>(to.height_grids.size());
  to.height_grids.push_back(from.height_grids[0]);
  to.height_grids.back().first = to.heights.size();
  if (to.heights.empty())
    to.heights = std::move(from.heights);
  else
    to.heights.insert(to.heights.end(), std::as_const(from.heights).begin(),
                      std::as_const(from.heights).end());
}

}  // namespace ballotcast::detail
