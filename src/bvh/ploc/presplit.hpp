// Divides the space of a scene into cells before a tree is built, and cuts long triangles where
// they cross from cell to cell, so that their boxes become smaller. (The idea of cutting first is
// by T. Karras, T. Aila, Fast Parallel Construction of High-Quality Bounding Volume Hierarchies,
// 2013, section 5, who cut at the planes of a fixed grid.) Host and device share this code.
//
// A cell is the box around its elements, which are triangles or fragments of triangles. A cell with
// many elements is halved across its longest side. Small elements at the plane are assigned to one
// side without being cut; long elements are cut:
//   +-------------------+           +---------+ +---------+
//   |       ..|''   /\  |           |       ..| |''   /\  |
//   |   ..''  |    /_ \ |    ->     |   ..''  | |    /_ \ |
//   |.''      |         |           |.''      | |         |
//   +---------+---------+           +---------+ +---------+
//
// The box round the elements of a half, which is the next cell, may be smaller than the half.
//
// All cells of a level are halved at once:
//
//   level:  boxes and counts of cells -> which are halved -> which elements are cut -> fragments
//
// The key of an element begins with the way to its cell: a bit for each halving. So the tree keeps
// cells together, and the two fragments of an element lie on different sides of the cut.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "bvh/ploc/cluster.hpp"
#include "bvh/ploc/keys.hpp"
#include "geometry/triangle.hpp"
#include "support/give_back.hpp"

namespace ballotcast::detail::ploc {

/// A cell with more elements than this is halved. With 256, the trees are no better; with 4096,
/// rays visit 2 % more nodes and triangles.
inline constexpr u32 kMostInCell = 1024;

/// The largest number of halvings on the path to a cell. A path takes that many bits of a key, and
/// leaves the others for the position within the cell.
inline constexpr u32 kMostHalvings = 24;

/// Cutting adds at most this many fragments per triangle of the mesh. With more, trees take more
/// memory and builds take longer.
inline constexpr float kRoomForFragments = 0.3f;

/// An element is cut if it extends further than this into both halves, as a fraction of the length
/// of the cell's side. A larger fraction cuts fewer elements and leaves larger boxes.
inline constexpr float kLeastReach = 0x1p-7f;

/// A cell. The initial value is all zeros.
struct Cell {
  OrderedBounds bounds;  // around the boxes of its elements
  u32 count = 0;         // number of elements

  /// Adds elements with the bounds `round_them`. Other lanes may add elements at the same time.
  template <class Lane>
  BC_HD void add(Lane& lane, const OrderedBounds& round_them, u32 elements) {
    bounds.include_shared(lane, round_them);
    lane.fetch_add(&count, elements);
  }
};

/// The plane that halves a cell.
struct CutPlane {
  u32 axis;
  float at;
  float side;  // the length of the cell across the plane

  BC_HD explicit CutPlane(const Cell& cell) {
    const vec3 low = cell.bounds.low(), high = cell.bounds.high(), extent = high - low;
    axis = longest_axis(extent);
    at = component(low, axis) * 0.5f + component(high, axis) * 0.5f;
    side = component(extent, axis);
  }
};

/// The corners of a triangle.
struct Corners {
  vec3 at[3];

  BC_HD Corners(const TriangleView& view, u32 id) {
    const uvec3 corners = view.triangles[id];
    at[0] = view.positions[corners.x];
    at[1] = view.positions[corners.y];
    at[2] = view.positions[corners.z];
  }
};

/// A box that certainly contains the point at which the edge from a to b crosses a plane. Its
/// margin covers the rounding errors, as in `crossing` in builders/splits.cpp.
BC_HD inline Aabb crossing_of(vec3 a, vec3 b, u32 axis, float plane) {
  const double from = component(a, axis), to = component(b, axis);
  const double way = (double{plane} - from) / (to - from);
  Aabb box{vec3(0.0f), vec3(0.0f)};
  const auto set = [way](float p, float q, float& low, float& high) {
    const float point = static_cast<float>(double{p} + (double{q} - double{p}) * way);
    const float margin =
        magnitude_of(point) * 0x1p-23f + magnitude_of(q - p) * 0x1p-50f + 0x1p-126f;
    low = point - margin;
    high = point + margin;
  };
  set(a.x, b.x, box.low.x, box.high.x);
  set(a.y, b.y, box.low.y, box.high.y);
  set(a.z, b.z, box.low.z, box.high.z);
  return box;
}

/// The boxes of the fragments on the two sides of a cut. Each may be empty.
struct CutBoxes {
  Aabb left, right;
};

/// Cuts the fragment of a triangle that lies in `box`. No point is lost: the box of a side contains
/// every point of the triangle that lies in `box` and on that side of the plane.
BC_HD inline CutBoxes cut_fragment(const Corners& t, const Aabb& box, const CutPlane& plane) {
  constexpr float kFar = 3.402823466e38f;
  Aabb left{vec3(kFar), vec3(-kFar)}, right{vec3(kFar), vec3(-kFar)};
  for (u32 i = 0; i < 3; ++i) {
    const vec3 a = t.at[i], b = t.at[i == 2 ? 0 : i + 1];
    const float at_a = component(a, plane.axis), at_b = component(b, plane.axis);
    if (at_a <= plane.at) left.include(a);
    if (at_a >= plane.at) right.include(a);
    if ((at_a < plane.at && at_b > plane.at) || (at_a > plane.at && at_b < plane.at)) {
      const Aabb at = crossing_of(a, b, plane.axis, plane.at);
      left.include(at);
      right.include(at);
    }
  }
  set_component(left.high, plane.axis, min_of(component(left.high, plane.axis), plane.at));
  set_component(right.low, plane.axis, max_of(component(right.low, plane.axis), plane.at));
  return {{max_of(left.low, box.low), min_of(left.high, box.high)},
          {max_of(right.low, box.low), min_of(right.high, box.high)}};
}

/// The current elements, with the cell of each element.
struct Elements {
  TriangleView triangles;  // the whole triangles
  u32 *ids, *ways, *cells;
  Aabb* boxes;
  u32 count;
};

/// A value in Elements::cells: the cell is not halved any further.
inline constexpr u32 kDone = 0xffffffffu;

/// How an element is divided when its cell is halved.
struct Halves {
  CutBoxes boxes;    // the box of a side is empty if no part is on that side
  bool left, right;  // true if a part is on this side

  BC_HD bool cut() const { return left && right; }
};

BC_HD inline Halves halves_of(const Elements& elements, u32 i, const CutPlane& plane, float reach) {
  const Aabb box = elements.boxes[i];
  const float low = component(box.low, plane.axis), high = component(box.high, plane.axis);
  if (min_of(plane.at - low, high - plane.at) > reach * plane.side) {
    const CutBoxes cut = cut_fragment(Corners(elements.triangles, elements.ids[i]), box, plane);
    if (!cut.left.empty() || !cut.right.empty())
      return {cut, !cut.left.empty(), !cut.right.empty()};
  }
  const bool left = plane.at - low >= high - plane.at;
  return {{box, box}, left, !left};
}

struct ListElements {
  BC_HD static void item(u32 i, Elements elements) {
    elements.ids[i] = elements.triangles.id(i);
    elements.boxes[i] = elements.triangles.box(i);
    elements.ways[i] = 1u;
    elements.cells[i] = 0;
  }
};

/// Finds the boxes of cells and counts their elements, for a range of elements. This is for the
/// host, where threads would wait for each other if each element were added separately. On devices,
/// kernels/build/grow_cells.hpp does the same.
template <class Lane>
void grow_cells_on_host(Lane& lane, u32 begin, u32 end, const Elements& elements, Cell* cells) {
  for (u32 i = begin; i < end;) {
    const u32 cell = elements.cells[i];
    Aabb box;
    const u32 first = i;
    for (; i < end && elements.cells[i] == cell; ++i) box.include(elements.boxes[i]);
    if (cell != kDone) cells[cell].add(lane, OrderedBounds(box), i - first);
  }
}

/// Decides which cells are halved. The slot of such a cell counts as an inner node (see `counted`).
struct ChooseCells {
  BC_HD static void item(u32 i, const Cell* cells, u32 count, u8* slots) {
    if (i == 0) slots[count] = 0;
    const CutPlane plane(cells[i]);
    const bool halved = cells[i].count > kMostInCell &&
                        plane.at > component(cells[i].bounds.low(), plane.axis) &&
                        plane.at < component(cells[i].bounds.high(), plane.axis);
    slots[i] = halved ? kInner : 0u;
  }
};

/// Counts the elements that are cut; they count as triangles (see `counted`).
struct CountCuts {
  BC_HD static void item(u32 i, Elements elements, const Cell* cells, const u8* halved, float reach,
                         u8* slots) {
    if (i == 0) slots[elements.count] = 0;
    const u32 cell = elements.cells[i];
    const bool cut =
        cell != kDone && halved[cell] && halves_of(elements, i, CutPlane(cells[cell]), reach).cut();
    slots[i] = cut ? 1u : 0u;
  }
};

/// Numbers of a level that the host needs.
struct Level {
  u32 halved;  // number of cells that are halved
  u32 cuts;    // number of elements that are cut
};

struct NoteLevel {
  BC_HD static void item(u32, const Before* before_cell, u32 cells, const Before* before,
                         u32 elements, Level* level) {
    *level = {before_cell[cells].inner, before[elements].triangles};
  }
};

/// Assigns elements to the halves of their cells. If an element is cut, its right fragment is
/// appended after all elements.
struct HalveElements {
  BC_HD static void item(u32 i, Elements elements, const Cell* cells, const u8* halved,
                         const Before* before_cell, float reach, const Before* before) {
    const u32 cell = elements.cells[i];
    if (cell == kDone) return;
    if (!halved[cell]) {
      elements.cells[i] = kDone;
      return;
    }
    const Halves halves = halves_of(elements, i, CutPlane(cells[cell]), reach);
    const u32 id = elements.ids[i], way = 2u * elements.ways[i];
    const u32 half = 2u * before_cell[cell].inner;
    const auto put = [&](u32 to, const Aabb& box, u32 side) {
      elements.ids[to] = id;
      elements.boxes[to] = box;
      elements.ways[to] = way + side;
      elements.cells[to] = half + side;
    };
    if (halves.right)
      put(halves.left ? elements.count + before[i].triangles : i, halves.boxes.right, 1u);
    if (halves.left) put(i, halves.boxes.left, 0u);
  }
};

/// Fragments of triangles in the memory of a machine (see bvh/host_build_machine.hpp).
template <class Machine>
class Fragments {
  template <class T>
  using Buffer = decltype(std::declval<Machine&>().template make<T>(0));

 public:
  /// An upper bound of the number of fragments for this number of triangles.
  static u64 most_fragments(u64 triangles) {
    return std::min(kMostAtOnce, triangles + static_cast<u64>(static_cast<float>(triangles) *
                                                              kRoomForFragments));
  }

  /// An upper bound of the memory that this class takes, in bytes.
  static u64 bytes_for(u64 triangles) {
    const u64 most = most_fragments(triangles);
    return most * (3 * sizeof(u32) + sizeof(Aabb) + sizeof(u8) + sizeof(Before)) +
           most_cells(most) * (sizeof(Cell) + sizeof(u8) + sizeof(Before));
  }

  /// Cuts the triangles, which must be whole.
  Fragments(Machine& machine, const TriangleView& triangles) : machine_(machine), view_(triangles) {
    if (triangles.count <= kMostInCell) return;
    const auto most = static_cast<u32>(most_fragments(triangles.count));
    const auto cells = static_cast<u32>(most_cells(most));
    ids_ = machine.template make<u32>(most);
    ways_ = machine.template make<u32>(most);
    boxes_ = machine.template make<Aabb>(most);
    in_cell_ = machine.template make<u32>(most);
    slots_ = machine.template make<u8>(most + 1);
    before_ = machine.template make<Before>(most + 1);
    cells_ = machine.template make<Cell>(cells);
    level_ = machine.template make<Level>(1);
    halved_ = machine.template make<u8>(cells + 1);
    before_cell_ = machine.template make<Before>(cells + 1);
    Elements elements{triangles,       ids_.data(),   ways_.data(),
                      in_cell_.data(), boxes_.data(), triangles.count};
    machine.template each<ListElements>("list elements", elements.count, elements);
    u32 in_level = 1;
    for (u32 level = 0; level < kMostHalvings && in_level > 0; ++level)
      in_level = halve_cells(elements, in_level, most);
    view_ = {triangles.positions, triangles.triangles, ids_.data(),
             elements.count,      boxes_.data(),       ways_.data()};
    drop(in_cell_), drop(slots_), drop(before_), drop(cells_), drop(halved_), drop(before_cell_);
  }

  /// The fragments. The view is valid as long as this object exists.
  const TriangleView& view() const { return view_; }

 private:
  /// An upper bound of the number of cells of a level: each is a half of a cell with more than
  /// kMostInCell elements.
  static u64 most_cells(u64 elements) { return 2 * (elements / kMostInCell + 1); }

  /// Halves the cells of a level. Returns the number of cells of the next level.
  u32 halve_cells(Elements& elements, u32 cells, u32 most) {
    machine_.zero(cells_);
    machine_.grow_cells(elements, cells_.data());
    const Cell* const grown = cells_.data();
    machine_.template each<ChooseCells>("choose cells", cells, grown, cells, halved_.data());
    machine_.sum_before(halved_, cells, before_cell_);
    float reach = kLeastReach;
    Level level = cut_at(elements, cells, reach);
    // If there is not enough room, only the longest elements are cut.
    while (level.cuts > most - elements.count) level = cut_at(elements, cells, reach *= 2.0f);
    if (level.halved == 0) return 0;
    const u8* const halved = halved_.data();
    const Before *const before_cell = before_cell_.data(), *const before = before_.data();
    machine_.template each<HalveElements>("halve elements", elements.count, elements, grown, halved,
                                          before_cell, reach, before);
    elements.count += level.cuts;
    return 2 * level.halved;
  }

  /// Finds the elements that are cut if `reach` is the required extent into both halves.
  Level cut_at(const Elements& elements, u32 cells, float reach) {
    const Cell* const grown = cells_.data();
    const u8* const halved = halved_.data();
    machine_.template each<CountCuts>("count cuts", elements.count, elements, grown, halved, reach,
                                      slots_.data());
    machine_.sum_before(slots_, elements.count, before_);
    const Before *const before_cell = before_cell_.data(), *const before = before_.data();
    machine_.template each<NoteLevel>("note the level", 1, before_cell, cells, before,
                                      elements.count, level_.data());
    Level level;
    machine_.download(&level, static_cast<const Level*>(level_.data()), 1);
    return level;
  }

  Machine& machine_;
  TriangleView view_;
  Buffer<u32> ids_, ways_, in_cell_;
  Buffer<Aabb> boxes_;
  Buffer<Cell> cells_;
  Buffer<Level> level_;
  Buffer<u8> slots_, halved_;
  Buffer<Before> before_, before_cell_;
};

}  // namespace ballotcast::detail::ploc
