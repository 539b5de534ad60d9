// Heightfields: surfaces over a grid of heights. The same bits on every machine.
//
// Each cell of the grid has two triangles, whose corners are computed from the grid when the cell
// is tested, by the test for triangles of meshes. So t and the set of crossings are those of a mesh
// with these triangles, bit for bit, and rays pass no edge. Corners run counter-clockwise, as seen
// from +z; triangle 0 of a cell has the edge of the lower y.
//
//      rising              falling
//   y  01 ------ 11        01 ------ 11
//   ^  | 1    /  |         |  \    1 |       triangle 0:  00 10 11  |  00 10 01
//   |  |   /     |         |     \   |       triangle 1:  00 11 01  |  10 11 01
//   |  |/     0  |         | 0      \|
//      00 ------ 10        00 ------ 10   --> x
//
// A ray finds the cells in a tree over the grid: a node of level l covers 2^l x 2^l cells and
// stores their lowest and highest height (a "maximum mipmap": A. Tevs, I. Ihrke, H.-P. Seidel,
// Maximum Mipmaps for Fast, Accurate, and Scalable Dynamic Height Field Rendering, I3D 2008). The
// boxes of a node's four children have only three planes along x and three along y, which are
// computed from the indices. Children are visited in the order in which the ray passes them, so no
// distances are sorted. Which children of a level are still to be visited takes 4 bits, so the
// whole stack is one word.
//
//   heights  | heights, row by row, then zeros | ranges: blocks of the 4 children of a node |
//                                                level 2, level 3, ... up to the root
//
// No hit is lost: the box of a node contains the corners of its cells exactly, because the planes
// are computed by the same expression as the corners, and the ranges are heights. It is tested like
// a box of layout bvh2, widened by the ray's slack (see `box_slack`).
#pragma once

#include "geometry/crossing.hpp"
#include "geometry/shape.hpp"

namespace ballotcast::detail {

/// The most levels of a grid's tree, because the stack has 4 bits a level; and the most columns or
/// rows.
inline constexpr u32 kMostLevels = 16, kMostColumns = (1u << kMostLevels) + 1u;

/// The grid of a heightfield. Its heights are a part of SceneData::heights.
struct HeightGrid {
  u32 columns, rows;     // along x and y; at least 2
  float step_x, step_y;  // half the distance of two columns, and of two rows
  u64 first;             // index of its first height
  u32 falling;           // 1 if the diagonals fall, 0 if they rise: see Diagonal
  u32 levels;            // level of the root; at least 1
  // [level - 1]: the index of the level's first block among all blocks of the grid; level 1 has
  // none. A block has 8 floats.
  u32 first_block[kMostLevels];

  BC_HD u32 cells_x() const { return columns - 1u; }
  BC_HD u32 cells_y() const { return rows - 1u; }
  /// The number of nodes of a level along x or y.
  BC_HD static u32 nodes(u32 cells, u32 level) { return ((cells - 1u) >> level) + 1u; }
  BC_HD float x_of(u32 column) const { return place_of(column, columns, step_x); }
  BC_HD float y_of(u32 row) const { return place_of(row, rows, step_y); }

 private:
  BC_HD static float place_of(u32 index, u32 count, float step) {
    return times(static_cast<float>(static_cast<i32>(2u * index) - static_cast<i32>(count - 1u)),
                 step);
  }
};
static_assert(sizeof(HeightGrid) == 96, "no gaps: hashes are made of its bytes");

/// The lowest and the highest height of a node. The range of a node without cells is inverted.
struct alignas(8) HeightRange {
  float low, high;
};

/// Where the ranges of a grid begin, counted from its first height: at a multiple of 8 floats.
BC_HD inline u64 heights_before_ranges(const HeightGrid& grid) {
  return (u64{grid.columns} * grid.rows + 7u) / 8u * 8u;
}

/// A heightfield: the grid, and its heights. `heights` is aligned to 32 bytes.
struct HeightfieldView {
  const HeightGrid& grid;
  const float* heights;

  BC_HD HeightfieldView(const HeightGrid* grids, const float* all, const Shape& shape)
      : grid(grids[static_cast<u32>(shape.size[2])]), heights(all + grid.first) {}

  BC_HD float at(u32 column, u32 row) const { return heights[u64{row} * grid.columns + column]; }
  /// The ranges of the four children of a node: 0 1 in the row of the lower y, 2 3 above.
  BC_HD const HeightRange* children(u32 level, u32 x, u32 y) const {
    const u64 block =
        grid.first_block[level - 1u] + u64{y} * HeightGrid::nodes(grid.cells_x(), level) + x;
    return reinterpret_cast<const HeightRange*>(heights + heights_before_ranges(grid) + 8u * block);
  }
};

/// A triangle of a heightfield: its cell and its number in the cell.
struct CellTriangle {
  u32 x, y, number;

  BC_HD u32 index(const HeightGrid& grid) const { return 2u * (y * grid.cells_x() + x) + number; }
};

/// Numbers of the corners of a triangle: bit 0 is set at the higher x, bit 1 at the higher y.
struct CellCorners {
  u32 a, b, c;
};
BC_HD inline CellCorners cell_corners(bool falling, u32 number) {
  if (number == 0u) return {0u, 1u, falling ? 2u : 3u};
  return {falling ? 1u : 0u, 3u, 2u};
}

/// The cell of a coordinate from 0 to 1.
BC_HD inline u32 cell_at(float coordinate, u32 cells) {
  const u32 cell = static_cast<u32>(times(coordinate, static_cast<float>(cells)));
  return cell < cells ? cell : cells - 1u;
}

/// The coordinate of a place in a cell, with `tag` in the last bits that `tag_bits` marks. Rounding
/// never moves it into another cell.
BC_HD inline float coordinate_in(u32 cell, float in_cell, u32 cells, u32 tag, u32 tag_bits) {
  const float at =
      (static_cast<float>(cell) + clamp_to(in_cell, 0.0f, 1.0f)) / static_cast<float>(cells);
  u32 bits = (bits_of(at < 1.0f ? at : 0x1.fffffep-1f) & ~tag_bits) | tag;
  while (cell_at(float_of(bits), cells) > cell) bits -= tag_bits + 1u;
  while (cell_at(float_of(bits), cells) < cell) bits += tag_bits + 1u;
  return float_of(bits);
}

/// The u and v of a hit: the position along x and y, from 0 to 1. They also say which triangle was
/// hit (cell_triangle_at), so two crossings of a ray never have the same u and v: the last bit of v
/// is the number of the triangle in its cell. `of_b`, `of_c`: the weights of the triangle's
/// corners.
BC_HD inline vec2 place_in_grid(const HeightGrid& grid, const CellTriangle& t, float of_b,
                                float of_c) {
  const CellCorners k = cell_corners(grid.falling != 0u, t.number);
  const auto in_cell = [&](u32 bit) {
    return (((k.a & bit) != 0u ? 1.0f - of_b - of_c : 0.0f) + ((k.b & bit) != 0u ? of_b : 0.0f)) +
           ((k.c & bit) != 0u ? of_c : 0.0f);
  };
  return {coordinate_in(t.x, in_cell(1u), grid.cells_x(), 0u, 0u),
          coordinate_in(t.y, in_cell(2u), grid.cells_y(), t.number, 1u)};
}
BC_HD inline CellTriangle cell_triangle_at(const HeightGrid& grid, float u, float v) {
  return {cell_at(u, grid.cells_x()), cell_at(v, grid.cells_y()), bits_of(v) & 1u};
}

/// As touching_triangle, for a heightfield: a part of the plane of the triangle that was hit.
BC_HD inline Corners touching_triangle(const HeightfieldView& field, const Transform& to_scene,
                                       float u, float v) {
  const HeightGrid& grid = field.grid;
  const CellTriangle t = cell_triangle_at(grid, u, v);
  const auto height = [&](u32 corner) {
    return double{field.at(t.x + (corner & 1u), t.y + (corner >> 1))};
  };
  // Slopes per cell along the two edges of the triangle that lie along x and y, and the corner that
  // both share.
  const CellCorners k = cell_corners(grid.falling != 0u, t.number);
  const u32 shared = t.number == 0u ? (grid.falling ? 0u : 1u) : (grid.falling ? 3u : 2u);
  const double along_x = height(shared | 1u) - height(shared & 2u);
  const double along_y = height(shared | 2u) - height(shared & 1u);
  const double zero = (height(k.b) - times(along_x, double(t.x + (k.b & 1u)))) -
                      times(along_y, double(t.y + (k.b >> 1)));
  const auto placed = [&](u32 x, u32 y) {
    const double z = (zero + times(along_x, double(x))) + times(along_y, double(y));
    return vec3(column(to_scene, 0) * double{grid.x_of(x)} +
                column(to_scene, 1) * double{grid.y_of(y)} + column(to_scene, 2) * z +
                column(to_scene, 3));
  };
  return {placed(0u, 0u), placed(grid.cells_x(), 0u), placed(0u, grid.cells_y())};
}

/// touching_triangle of any shape. A single call, because calls take registers in the kernels that
/// shade. `grids`, `heights`: those of all heightfields.
BC_HD BC_COLD inline Corners touching_triangle(const Shape& shape, const HeightGrid* grids,
                                               const float* heights, const Transform& to_scene,
                                               float u, float v) {
  if (shape.kind == ShapeKind::heightfield)
    return touching_triangle(HeightfieldView(grids, heights, shape), to_scene, u, v);
  return touching_triangle(shape, to_scene, u, v);
}

/// Where the search for a crossing begins: at t, with the triangle of this index or a later one; or
/// beyond t.
struct HeightsFrom {
  float t;
  u32 index;

  BC_HD bool admits(const Hit& hit) const {
    return hit.t > t || (hit.t == t && hit.triangle >= index);
  }
};

/// Whether a crossing of an edge belongs to every triangle at the edge, as for closest hits, or to
/// one of them, as for counting; see crossing.hpp.
enum class AtEdges : u32 { all, one };

/// A ray's walk through the grid of a heightfield, in the space of the heightfield.
class HeightWalk {
 public:
  BC_HD HeightWalk(const HeightfieldView& field, const Ray& ray, const RaySetup& setup,
                   HeightsFrom from, float high, AtEdges at_edges)
      : best{high, kNoTriangle, 0.0f, 0.0f},
        field_(field),
        setup_(setup),
        from_(from),
        at_edges_(at_edges),
        flip_((setup.inverse.x >= 0.0f ? 0u : 1u) | (setup.inverse.y >= 0.0f ? 0u : 2u)) {
    const auto set = [&](Axis& axis, float origin, float inverse) {
      const float pad = setup.slack * magnitude_of(inverse);
      axis = {inverse, -(origin * inverse) - pad, -(origin * inverse) + pad};
    };
    set(x_, ray.origin.x, setup.inverse.x);
    set(y_, ray.origin.y, setup.inverse.y);
    set(z_, ray.origin.z, setup.inverse.z);
  }

  BC_HD void walk() {
    u32 level = field_.grid.levels, x = 0, y = 0;
    u64 pending = 0;  // bits 4 (l - 1) to 4 (l - 1) + 3: children of the last node of level l
    for (;;) {
      pending |= u64{children(level, x, y)} << 4u * (level - 1u);
      for (;;) {
        if (pending == 0u) return;
        const u32 bit = lowest_bit(pending), up = bit / 4u + 1u - level;
        pending &= pending - 1u;
        level += up;
        const u32 child = (bit % 4u) ^ flip_;
        x = (x >> up) * 2u + (child & 1u);
        y = (y >> up) * 2u + (child >> 1);
        if (level > 1u) {
          --level;
          if (!best.found() || enters(level, x, y)) break;
          continue;
        }
        test_cell(x, y);
        x >>= 1u;
        y >>= 1u;
      }
    }
  }

  Hit best;            // its id is the index of the triangle in the grid
  bool front = false;  // true if the ray meets the side of +z

 private:
  /// Distances to planes across an axis are fused(place, inverse, addend).
  struct Axis {
    float inverse, near_addend, far_addend;
    BC_HD float near(float place) const { return fused(place, inverse, near_addend); }
    BC_HD float far(float place) const { return fused(place, inverse, far_addend); }
  };
  /// When a ray is in the first and in the second half of a node, along one axis, in the order of
  /// the ray.
  struct Halves {
    float enter[2], leave[2];
  };

  BC_HD static u32 least(u32 a, u32 b) { return a < b ? a : b; }

  BC_HD Halves halves(const Axis& axis, float low, float middle, float high, bool backward) const {
    return {{axis.near(backward ? high : low), axis.near(middle)},
            {axis.far(middle), axis.far(backward ? low : high)}};
  }

  /// False if the ray reaches the node only beyond the best hit so far.
  BC_HD bool enters(u32 level, u32 x, u32 y) const {
    const HeightGrid& grid = field_.grid;
    const u32 column = least((x + (flip_ & 1u)) << level, grid.cells_x());
    const u32 row = least((y + (flip_ >> 1)) << level, grid.cells_y());
    return either_max(x_.near(grid.x_of(column)), y_.near(grid.y_of(row))) <= best.t;
  }

  /// The children of a node that the ray may meet: bit 0 is the child that the ray would meet
  /// first. So bits are numbers of children, with the bits of flip_ inverted.
  BC_HD u32 children(u32 level, u32 x, u32 y) const {
    const HeightGrid& grid = field_.grid;
    const bool back_x = (flip_ & 1u) != 0u, back_y = (flip_ & 2u) != 0u;
    const u32 half = 1u << (level - 1u);
    const u32 low_x = x << level, low_y = y << level;
    const u32 middle_x = least(low_x + half, grid.cells_x()),
              middle_y = least(low_y + half, grid.cells_y()),
              high_x = least(low_x + 2u * half, grid.cells_x()),
              high_y = least(low_y + 2u * half, grid.cells_y());
    const Halves hx = halves(x_, grid.x_of(low_x), grid.x_of(middle_x), grid.x_of(high_x), back_x);
    const Halves hy = halves(y_, grid.y_of(low_y), grid.y_of(middle_y), grid.y_of(high_y), back_y);
    HeightRange range[4];
    if (level == 1u) {
      // The ranges of cells are not stored. Beyond the last column or row is no cell.
      const u32 column[3] = {back_x ? high_x : low_x, middle_x, back_x ? low_x : high_x};
      const u32 row[3] = {back_y ? high_y : low_y, middle_y, back_y ? low_y : high_y};
      float h[3][3];
      BC_UNROLL
      for (u32 i = 0; i < 9u; ++i) h[i / 3u][i % 3u] = field_.at(column[i % 3u], row[i / 3u]);
      BC_UNROLL
      for (u32 s = 0; s < 4u; ++s) {
        const u32 i = s & 1u, j = s >> 1;
        const float a = h[j][i], b = h[j][i + 1u], c = h[j + 1u][i], d = h[j + 1u][i + 1u];
        const bool exists = column[i] != column[i + 1u] && row[j] != row[j + 1u];
        range[s] = {exists ? either_min(either_min(a, b), either_min(c, d)) : unbounded(),
                    exists ? either_max(either_max(a, b), either_max(c, d)) : -unbounded()};
      }
    } else {
      const HeightRange* const all = field_.children(level, x, y);
      BC_UNROLL
      for (u32 s = 0; s < 4u; ++s) range[s] = all[s ^ flip_];
    }
    const bool down = setup_.inverse.z < 0.0f;
    u32 mask = 0;
    BC_UNROLL
    for (u32 s = 0; s < 4u; ++s) {
      const float near_z = z_.near(down ? range[s].high : range[s].low);
      const float far_z = z_.far(down ? range[s].low : range[s].high);
      const float near =
          either_max(either_max(hx.enter[s & 1u], hy.enter[s >> 1]), either_max(near_z, from_.t));
      const float far =
          either_min(either_min(hx.leave[s & 1u], hy.leave[s >> 1]), either_min(far_z, best.t));
      if (near <= far) mask |= 1u << s;
    }
    return mask;
  }

  BC_HD void test_cell(u32 x, u32 y) {
    const HeightGrid& grid = field_.grid;
    const float xs[2] = {grid.x_of(x), grid.x_of(x + 1u)},
                ys[2] = {grid.y_of(y), grid.y_of(y + 1u)};
    const float zs[4] = {field_.at(x, y), field_.at(x + 1u, y), field_.at(x, y + 1u),
                         field_.at(x + 1u, y + 1u)};
    BC_NO_UNROLL
    for (u32 number = 0; number < 2u; ++number) {
      const CellCorners k = cell_corners(grid.falling != 0u, number);
      const u32 index = CellTriangle{x, y, number}.index(grid);
      const auto z = [&](u32 corner) {
        return (corner & 2u) != 0u ? ((corner & 1u) != 0u ? zs[3] : zs[2])
                                   : ((corner & 1u) != 0u ? zs[1] : zs[0]);
      };
      const auto row = [&](u32 axis) -> TriangleRow {
        const auto of = [&](u32 corner) {
          return axis == 2u   ? z(corner)
                 : axis == 0u ? ((corner & 1u) != 0u ? xs[1] : xs[0])
                              : ((corner & 2u) != 0u ? ys[1] : ys[0]);
        };
        return {of(k.a), of(k.b), of(k.c), index};
      };
      const TriangleRow along_x = row(setup_.kx()), along_y = row(setup_.ky()),
                        along_z = row(setup_.kz);
      if (at_edges_ == AtEdges::all) {
        intersect_triangle(setup_, -unbounded(), along_x, along_y, along_z, best,
                           [&](const Hit& hit, bool its_front) {
                             const bool counts = from_.admits(hit);
                             if (counts) front = its_front;
                             return counts;
                           });
      } else {
        Crossing found;
        if (cross_triangle(setup_, along_x, along_y, along_z, from_.t, best.t, found) &&
            precedes(found.hit.t, index, best) && from_.admits(found.hit)) {
          best = found.hit;
          front = found.front;
        }
      }
    }
  }

  const HeightfieldView& field_;
  const RaySetup& setup_;
  const HeightsFrom from_;
  const AtEdges at_edges_;
  const u32 flip_;  // bit 0: the ray goes towards lower x; bit 1: towards lower y
  Axis x_, y_, z_;
};

/// A crossing of a heightfield. `hit` has the u and v of place_in_grid; its id is the index of the
/// triangle in the grid, or kNoTriangle if there is no crossing.
struct HeightCrossing {
  Hit hit;
  bool front;
};

/// The first crossing of a ray with a heightfield from `from` up to t = `high`. `to_mesh`: from the
/// space of the ray to that of the heightfield. `magnitude`: the largest |coordinate| of the
/// heightfield.
BC_HD BC_NOINLINE inline HeightCrossing next_crossing(const HeightfieldView& field,
                                                      const Transform& to_mesh, float magnitude,
                                                      const Ray& ray, HeightsFrom from, float high,
                                                      AtEdges at_edges) {
  const Ray inside = transformed_ray(to_mesh, ray);
  const RaySetup setup = make_setup(inside, magnitude, kLargestSlopeInside);
  HeightWalk walk(field, inside, setup, from, high, at_edges);
  if (setup.valid) walk.walk();
  HeightCrossing found{walk.best, walk.front};
  if (!found.hit.found()) return found;
  const HeightGrid& grid = field.grid;
  const u32 index = found.hit.triangle, cell = index / 2u;
  const vec2 at = place_in_grid(grid, {cell % grid.cells_x(), cell / grid.cells_x(), index % 2u},
                                found.hit.u, found.hit.v);
  found.hit.u = at.x;
  found.hit.v = at.y;
  return found;
}

}  // namespace ballotcast::detail
