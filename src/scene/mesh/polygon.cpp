#include <algorithm>
#include <cmath>

#include "ballotcast/error.hpp"
#include "scene/mesh/plane_tree.hpp"
#include "scene/mesh/polygon_mesh.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

/// The limit of tree steps for a polygon is kStepsAtLeast plus a number per corner. A step takes
/// about 20 ns. With these limits, a polygon with a million corners takes seconds. Per corner,
/// small polygons may take a few times as long.
constexpr u64 kStepsAtLeast = 1 << 14;
constexpr u64 kCrossingSteps = 48;  // steps per corner to find crossings
constexpr u64 kCuttingSteps = 96;   // steps per corner to cut ears

/// A vector in the direction of the polygon's normal, whose length is twice the polygon's area (M.
/// Newell).
dvec3 facing(std::span<const dvec3> corners) {
  dvec3 sum(0.0);
  for (std::size_t i = 1; i + 1 < corners.size(); ++i)
    sum += cross(corners[i] - corners[0], corners[i + 1] - corners[0]);
  return sum;
}

void cut_quad(std::span<const dvec3> p, std::vector<uvec3>& triangles) {
  const dvec3 normal = facing(p);
  const auto faces_along = [&](u32 a, u32 b, u32 c) {
    return dot(cross(p[b] - p[a], p[c] - p[a]), normal) > 0.0;
  };
  const bool inside_02 = faces_along(0, 1, 2) && faces_along(0, 2, 3);
  const bool inside_13 = faces_along(0, 1, 3) && faces_along(1, 2, 3);
  const dvec3 e02 = p[2] - p[0], e13 = p[3] - p[1];
  const bool by_02 = inside_02 != inside_13 ? inside_02 : dot(e02, e02) < dot(e13, e13);
  if (by_02) {
    triangles.emplace_back(0, 1, 2);
    triangles.emplace_back(0, 2, 3);
  } else {
    triangles.emplace_back(0, 1, 3);
    triangles.emplace_back(1, 2, 3);
  }
}

/// Projects the polygon along the axis that is closest to its normal. The result is
/// counter-clockwise.
std::vector<PolygonPoint> projected(std::span<const dvec3> corners) {
  const dvec3 normal = facing(corners);
  const double ax = std::abs(normal.x), ay = std::abs(normal.y), az = std::abs(normal.z);
  std::vector<PolygonPoint> points;
  points.reserve(corners.size());
  for (const dvec3& c : corners) {
    if (az >= ax && az >= ay)
      points.push_back(normal.z >= 0.0 ? PolygonPoint{c.x, c.y} : PolygonPoint{c.y, c.x});
    else if (ay >= ax)
      points.push_back(normal.y >= 0.0 ? PolygonPoint{c.z, c.x} : PolygonPoint{c.x, c.z});
    else
      points.push_back(normal.x >= 0.0 ? PolygonPoint{c.y, c.z} : PolygonPoint{c.z, c.y});
  }
  return points;
}

/// True if the segments from a to b and from c to d cross at a point inside both.
bool cross_each_other(PolygonPoint a, PolygonPoint b, PolygonPoint c, PolygonPoint d) {
  const double ac = turn(a, b, c), ad = turn(a, b, d), ca = turn(c, d, a), cb = turn(c, d, b);
  return ((ac > 0.0 && ad < 0.0) || (ac < 0.0 && ad > 0.0)) &&
         ((ca > 0.0 && cb < 0.0) || (ca < 0.0 && cb > 0.0));
}

/// True if two edges cross. Returns false if the search takes too long.
bool crosses_itself(const std::vector<PolygonPoint>& points) {
  const u32 n = static_cast<u32>(points.size());
  const auto end_of = [&](u32 edge) { return points[edge + 1 == n ? 0 : edge + 1]; };
  std::vector<PlaneBox> boxes(n);
  for (u32 i = 0; i < n; ++i) boxes[i] = box_of(points[i], end_of(i));
  const PlaneTree tree(std::move(boxes));
  u64 steps = 0;
  const u64 most = kStepsAtLeast + n * kCrossingSteps;
  for (u32 i = 0; i < n && steps < most; ++i) {
    const PolygonPoint a = points[i], b = end_of(i);
    // Tests each pair once. Neighbouring edges share a corner, so cross_each_other is false for
    // them.
    if (tree.any(a, b, b, steps,
                 [&](u32 j) { return j > i && cross_each_other(a, b, points[j], end_of(j)); }))
      return true;
  }
  return false;
}

/// Cuts ears off a polygon until a triangle is left.
class EarClipper {
 public:
  EarClipper(std::vector<PolygonPoint> points, std::vector<uvec3>& triangles)
      : points_(std::move(points)),
        triangles_(triangles),
        left_(static_cast<u32>(points_.size())),
        before_(left_),
        after_(left_),
        turn_at_(left_, 0),
        blocks_(left_, true),
        blockers_(boxes_of(points_)) {
    for (u32 i = 0; i < left_; ++i) {
      before_[i] = i == 0 ? left_ - 1 : i - 1;
      after_[i] = i + 1 == left_ ? 0 : i + 1;
    }
    for (u32 i = 0; i < left_; ++i) look_at(i);
  }

  PolygonCut clip() {
    PolygonCut result = PolygonCut::whole;
    const u64 most = kStepsAtLeast + left_ * kCuttingSteps;
    u32 left_before = left_ + 1;  // number of remaining corners when the current round began
    for (std::size_t next = 0; left_ > 3; ++next) {
      if (steps_ > most) {
        while (left_ > 2) cut(last_);
        return PolygonCut::rough;
      }
      if (next == queue_.size()) {
        // No ear was cut in a whole round. Either only corners on straight edges remain, or the
        // polygon touches or crosses itself. Cuts the corner with the smallest left turn; if the
        // polygon crosses itself, no corner is better.
        if (left_ == left_before) {
          const u32 corner = least_turn();
          if (turn_of(corner) != 0.0) result = PolygonCut::crossing;
          cut(corner);
          if (left_ == 3) break;
        }
        left_before = left_;
        queue_.clear();
        next = 0;
        for (u32 i = 0; i < left_; ++i, last_ = after_[last_]) look_at(last_);
        steps_ += left_;
      }
      while (!empty_.empty() && left_ > 3) {
        const u32 corner = empty_.back();
        empty_.pop_back();
        if (is_left(corner) && is_empty(corner)) cut(corner);
      }
      if (left_ == 3) break;
      const Turn turn = queue_[next];
      if (turn.number == turn_at_[turn.corner] && is_ear(turn.corner)) cut(turn.corner);
    }
    cut(last_);
    return result;
  }

 private:
  /// An entry of the queue of corners to test. Only the latest entry of a corner is valid: the one
  /// whose number is in turn_at_.
  struct Turn {
    u32 corner;
    u32 number;
  };

  static std::vector<PlaneBox> boxes_of(const std::vector<PolygonPoint>& points) {
    std::vector<PlaneBox> boxes;
    boxes.reserve(points.size());
    for (const PolygonPoint p : points) boxes.push_back({p, p});
    return boxes;
  }

  double turn_of(u32 i) const { return turn(points_[before_[i]], points_[i], points_[after_[i]]); }

  /// True if two of the three points at the corner are equal, so cutting it off removes no area.
  /// Such corners are cut first, because with them the inside of a polygon that touches itself is
  /// ambiguous.
  bool is_empty(u32 i) const {
    const PolygonPoint a = points_[before_[i]], b = points_[i], c = points_[after_[i]];
    return a == b || b == c || c == a;
  }

  /// True if the corner is still part of the polygon.
  bool is_left(u32 i) const { return after_[before_[i]] == i; }

  /// Updates the data of a corner after a change next to it, and puts the corner at the end of the
  /// queue.
  void look_at(u32 i) {
    if (is_empty(i)) empty_.push_back(i);
    if (blocks_[i] && turn_of(i) > 0.0) {
      // Convex corners need no test: if any corner lies in an ear, then a corner that is not convex
      // also does.
      blocks_[i] = false;
      blockers_.remove(i);
    }
    queue_.push_back({i, ++turn_at_[i]});
  }

  /// True if cutting off the corner's triangle does not cross the rest of the polygon.
  bool is_ear(u32 i) {
    const PolygonPoint a = points_[before_[i]], b = points_[i], c = points_[after_[i]];
    if (!(turn(a, b, c) > 0.0)) return false;
    return !blockers_.any(a, b, c, steps_, [&](u32 other) {
      const PolygonPoint q = points_[other];
      // The two sides of a bridge to a hole have corners at the same positions; these do not make
      // the triangle unusable.
      return blocks_[other] && !(q == a) && !(q == b) && !(q == c) && turn(a, b, q) >= 0.0 &&
             turn(b, c, q) >= 0.0 && turn(c, a, q) >= 0.0;
    });
  }

  void cut(u32 i) {
    const u32 before = before_[i], after = after_[i];
    triangles_.emplace_back(before, i, after);
    after_[before] = after;
    before_[after] = before;
    if (blocks_[i]) blockers_.remove(i);
    blocks_[i] = false;
    ++turn_at_[i];
    --left_;
    last_ = after;
    // Neighbours are put at the end of the queue, which avoids a fan of slivers at one corner.
    look_at(before);
    look_at(after);
  }

  /// The corner with the smallest left turn, which may be 0; any corner if all corners turn right.
  u32 least_turn() const {
    u32 best = last_, corner = last_;
    for (u32 i = 0; i < left_; ++i, corner = after_[corner]) {
      const double is = turn_of(corner), was = turn_of(best);
      if (is >= 0.0 && (was < 0.0 || is < was)) best = corner;
    }
    return best;
  }

  std::vector<PolygonPoint> points_;
  std::vector<uvec3>& triangles_;
  u32 left_;
  std::vector<u32> before_, after_;  // neighbours of each remaining corner, in the polygon's order
  std::vector<u32> turn_at_;         // the number of each corner's latest queue entry
  std::vector<bool> blocks_;         // true if the corner remains and is not convex
  PlaneTree blockers_;
  std::vector<Turn> queue_;
  std::vector<u32> empty_;  // corners that are cut before all others
  u32 last_ = 0;            // a corner that remains
  u64 steps_ = 0;
};

}  // namespace

PolygonCut triangulate(std::span<const dvec3> corners, std::vector<uvec3>& triangles) {
  if (corners.size() < 3) return PolygonCut::whole;
  if (corners.size() == 3) {
    triangles.emplace_back(0, 1, 2);
    return PolygonCut::whole;
  }
  std::vector<PolygonPoint> points = projected(corners);
  if (corners.size() == 4) {
    cut_quad(corners, triangles);
    return cross_each_other(points[0], points[1], points[2], points[3]) ||
                   cross_each_other(points[1], points[2], points[3], points[0])
               ? PolygonCut::crossing
               : PolygonCut::whole;
  }
  const bool crosses = crosses_itself(points);
  const PolygonCut cut = EarClipper(std::move(points), triangles).clip();
  return cut == PolygonCut::whole && crosses ? PolygonCut::crossing : cut;
}

namespace {

struct Defects {
  FaceTally outside{"faces left out: they use vertices that the file does not have"};
  FaceTally wild{"faces left out: coordinates are not finite or beyond 2^40"};
  FaceTally few{"faces left out: they have fewer than three corners"};
  FaceTally flat{"triangles left out: they have no area"};
  FaceTally crossing{"polygons that cross themselves; their triangles may overlap"};
  FaceTally rough{"polygons too intricate to be split exactly; their triangles may overlap"};

  static constexpr FaceTally Defects::*kAll[] = {&Defects::outside,  &Defects::wild,
                                                 &Defects::few,      &Defects::flat,
                                                 &Defects::crossing, &Defects::rough};
};

/// Cuts faces into triangles, one face after the other.
class Cutter {
 public:
  explicit Cutter(const PolygonMesh& mesh) : mesh_(mesh) {}

  /// Appends the triangles of a face.
  void cut(u64 f) {
    const Polygon& face = mesh_.faces[f];
    if (FaceTally* const defect = find_places(face)) return defect->note(f);
    cuts_.clear();
    const PolygonCut outcome = triangulate(places_, cuts_);
    if (outcome == PolygonCut::crossing) defects.crossing.note(f);
    if (outcome == PolygonCut::rough) defects.rough.note(f);
    for (const uvec3& cut : cuts_) {
      const dvec3 a = places_[cut.x], b = places_[cut.y], c = places_[cut.z];
      const dvec3 normal = cross(b - a, c - a);
      if (!mesh_.moves && normal.x == 0.0 && normal.y == 0.0 && normal.z == 0.0) {
        defects.flat.note(f);
        continue;
      }
      const u32 first = face.first_corner;
      pieces.push_back({{first + cut.x, first + cut.y, first + cut.z}, static_cast<u32>(f)});
    }
  }

  std::vector<PolygonTriangle> pieces;
  Defects defects;

 private:
  /// Collects the positions of a face's corners. Returns the tally of a defect if the face can't be
  /// drawn, else null.
  FaceTally* find_places(const Polygon& face) {
    places_.clear();
    bool all_usable = true;
    for (u32 i = 0; i < face.corner_count; ++i) {
      const i32 position = mesh_.corners.position(u64{face.first_corner} + i);
      if (!in_range(position, mesh_.positions.size())) return &defects.outside;
      places_.push_back(mesh_.positions[static_cast<u32>(position)]);
      all_usable = all_usable && usable_place(places_.back());
    }
    if (face.corner_count < 3) return &defects.few;
    return all_usable ? nullptr : &defects.wild;
  }

  const PolygonMesh& mesh_;
  std::vector<dvec3> places_;
  std::vector<uvec3> cuts_;
};

}  // namespace

std::vector<PolygonTriangle> drawable_triangles(const std::string& path, const PolygonMesh& mesh,
                                                SceneData& scene) {
  constexpr std::size_t kFacesAtOnce = 1 << 14;
  const std::size_t faces = mesh.faces.size();
  std::vector<Cutter> cutters((faces + kFacesAtOnce - 1) / kFacesAtOnce, Cutter(mesh));
  for_each_index(cutters.size(), [&](std::size_t i) {
    const std::size_t begin = i * kFacesAtOnce, end = std::min(faces, begin + kFacesAtOnce);
    cutters[i].pieces.reserve(end - begin);
    for (std::size_t f = begin; f < end; ++f) cutters[i].cut(f);
  });

  u64 count = 0;
  Defects defects;
  for (const Cutter& cutter : cutters) {
    count += cutter.pieces.size();
    for (FaceTally Defects::*const tally : Defects::kAll)
      (defects.*tally).add(cutter.defects.*tally);
  }
  if (count > kMostTriangles)
    throw InputError(path + ": more than " + std::to_string(kMostTriangles) + " triangles");
  for (FaceTally Defects::*const tally : Defects::kAll) (defects.*tally).report(path, mesh, scene);
  std::vector<PolygonTriangle> pieces;
  pieces.reserve(count);
  for (Cutter& cutter : cutters) {
    pieces.insert(pieces.end(), cutter.pieces.begin(), cutter.pieces.end());
    std::vector<PolygonTriangle>().swap(cutter.pieces);
  }
  return pieces;
}

}  // namespace ballotcast::detail
