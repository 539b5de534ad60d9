// Tessellated building elements: sheets, boxes, turned pieces, arches, vaults.
#pragma once

#include <cmath>

#include "generators.hpp"
#include "noise.hpp"

namespace ballotcast::detail {

/// A placement: quarter turns about y, then a translation. Quarter turns keep coordinates exact.
struct Frame {
  dvec3 origin{0.0};
  int quarter_turns = 0;

  dvec3 turn(dvec3 v) const {
    for (int i = 0; i < quarter_turns; ++i) v = {v.z, v.y, -v.x};
    return v;
  }
  /// The frame at `at`, with `turns` quarter turns; both are relative to this frame.
  Frame child(dvec3 at, int turns) const {
    return {origin + turn(at), (quarter_turns + turns) % 4};
  }
};

/// A point of a curved sheet, and the outward normal there, of any length.
struct SurfacePoint {
  dvec3 position;
  dvec3 normal;
};

/// A point of a profile that is rotated about a vertical axis.
struct ProfilePoint {
  double radius;
  double height;
};

/// A round arch in a wall panel. half_bay: half the width of the panel. radius: of the arch.
/// bottom, springing, top: heights; the arch begins at `springing`. front, back: the wall's faces,
/// as z.
struct ArchShape {
  double half_bay, radius, bottom, springing, top, front, back;
};

/// Builds tessellated elements in a frame, or only counts their triangles. Local axes: x along the
/// wall, y up, z out of the wall. Sheets f(u, v) have the outward normal df/du x df/dv.
class Mason {
 public:
  /// With a null `out` it only counts: no point is computed.
  Mason(ObjWriter* out, double detail) : out_(out), detail_(detail) {}

  double detail() const { return detail_; }
  /// True if there are enough triangles for mouldings and other ornaments.
  bool ornate() const { return detail_ >= 0.4; }
  /// True if there are only enough triangles for floors, walls and plain arcades.
  bool bare() const { return detail_ < 0.2; }
  u64 count() const { return count_; }
  void place(Frame frame) { frame_ = frame; }
  Frame frame() const { return frame_; }
  void use(const char* material) {
    if (out_ != nullptr) out_->use(material);
  }
  void group(const char* name) {
    if (out_ != nullptr) out_->group(name);
  }

  /// Starts an element. Step counts are rounded up from a certain fraction on, which is different
  /// for each element. So the total number of triangles follows the detail smoothly, while equal
  /// step counts within an element stay equal.
  void next_element() { phase_ = unit_float(mix_bits(++element_)); }

  /// The number of steps of an edge that has `at_one` steps at detail 1; but at least `least`.
  u64 steps(double at_one, u64 least) const {
    const u64 wanted = static_cast<u64>(at_one * detail_ + phase_);
    return wanted > least ? wanted : least;
  }

  template <class F>
  void flat_sheet(u64 nu, u64 nv, const F& f) {
    lay(nu, nv, [&](double u, double v) { return out_->vertex(world(f(u, v))); });
  }

  template <class F>
  void smooth_sheet(u64 nu, u64 nv, const F& f) {
    lay(nu, nv, [&](double u, double v) {
      const SurfacePoint p = f(u, v);
      return out_->vertex(world(p.position), frame_.turn(p.normal));
    });
  }

  /// The parallelogram from `a` with the edges `du` and `dv`.
  void quad(dvec3 a, dvec3 du, dvec3 dv) {
    flat_sheet(flat_steps(du), flat_steps(dv),
               [&](double u, double v) { return a + du * u + dv * v; });
  }

  enum Faces : u32 { kNoBottom = 1, kNoTop = 2, kNoBack = 4 };
  void box(dvec3 low, dvec3 high, u32 without = 0);

  /// A box around (x, z) with the given half-width, from height `low` to `high`.
  void block(double x, double z, double half, double low, double high, u32 without = 0) {
    box({x - half, low, z - half}, {x + half, high, z + half}, without);
  }

  /// Rotates profile(t), t in [0, 1], about the vertical axis through `foot`. A rising profile
  /// faces outwards.
  template <class P>
  void turned(dvec3 foot, u64 around, u64 along, const P& profile) {
    smooth_sheet(around, along, [&](double u, double v) {
      const double h = 1.0 / 1024.0;
      const ProfilePoint p = profile(v), before = profile(v - h), after = profile(v + h);
      const double dr = after.radius - before.radius, dy = after.height - before.height;
      const SinCos a = sincos_turns(u);
      return SurfacePoint{foot + dvec3(p.radius * a.cos, p.height, -p.radius * a.sin),
                          dvec3(dy * a.cos, -dr, -dy * a.sin)};
    });
  }

  /// A ring from `height` - half to `height` + half that bulges out from `radius` by `bulge`.
  void torus(dvec3 foot, u64 around, u64 along, double radius, double bulge, double half,
             double height);

  /// A horizontal disc that faces upwards.
  void disc(dvec3 center, u64 around, double radius);

  /// A wall panel with a round arch in it: front, soffit and, on request, the back and the jambs.
  enum ArchParts : u32 { kBackFace = 1, kJambs = 2 };
  void arch(double x, const ArchShape& shape, u32 parts);

  /// A moulding that frames the front of such an arch, with its keystone.
  void archivolt(double x, const ArchShape& shape, double width, double depth);

  /// A free-standing half-ring in the plane z = 0: between the radii radius - depth and radius, and
  /// `half` thick on either side of the plane.
  void rib(double springing, double radius, double depth, double half);

  /// A groin vault over the square |x - cx|, |z - cz| <= radius.
  void groin_vault(double cx, double cz, double springing, double radius);

 private:
  u64 flat_steps(dvec3 edge) const { return steps(0.3 * std::sqrt(dot(edge, edge)), 1); }
  dvec3 world(dvec3 p) const { return frame_.origin + frame_.turn(p); }

  template <class V>
  void lay(u64 nu, u64 nv, const V& vertex) {
    count_ += 2 * nu * nv;
    if (out_ == nullptr) return;
    rows_[0].resize(nu + 1);
    rows_[1].resize(nu + 1);
    for (u64 j = 0; j <= nv; ++j) {
      std::vector<Corner>&below = rows_[(j + 1) % 2], &here = rows_[j % 2];
      for (u64 i = 0; i <= nu; ++i) {
        here[i] = vertex(static_cast<double>(i) / nu, static_cast<double>(j) / nv);
        if (i == 0 || j == 0) continue;
        out_->triangle(below[i - 1], below[i], here[i]);
        out_->triangle(below[i - 1], here[i], here[i - 1]);
      }
    }
  }

  ObjWriter* out_;
  double detail_;
  double phase_ = 0.5;
  u32 element_ = 0;
  u64 count_ = 0;
  Frame frame_;
  std::vector<Corner> rows_[2];
};

}  // namespace ballotcast::detail
