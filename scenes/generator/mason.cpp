#include "mason.hpp"

namespace ballotcast::detail {

void Mason::box(dvec3 low, dvec3 high, u32 without) {
  const dvec3 e = high - low;
  const dvec3 x(e.x, 0, 0), y(0, e.y, 0), z(0, 0, e.z);
  quad({low.x, low.y, high.z}, x, y);
  if (!(without & kNoBack)) quad({high.x, low.y, low.z}, -x, y);
  quad(high - y, -z, y);
  quad(low, z, y);
  if (!(without & kNoTop)) quad({low.x, high.y, high.z}, x, -z);
  if (!(without & kNoBottom)) quad(low, x, z);
}

void Mason::torus(dvec3 foot, u64 around, u64 along, double radius, double bulge, double half,
                  double height) {
  turned(foot, around, along, [&](double t) {
    const SinCos a = sincos_turns(0.46 * (t - 0.5));
    return ProfilePoint{radius + bulge * a.cos, height + half * a.sin};
  });
}

void Mason::disc(dvec3 center, u64 around, double radius) {
  count_ += around;
  if (out_ == nullptr) return;
  const Corner middle = out_->vertex(world(center));
  const auto rim = [&](u64 i) {
    const SinCos a = sincos_turns(static_cast<double>(i) / around);
    return out_->vertex(world(center + dvec3(radius * a.cos, 0.0, -radius * a.sin)));
  };
  const Corner first = rim(0);
  Corner last = first;
  for (u64 i = 1; i <= around; ++i) {
    const Corner next = i == around ? first : rim(i);
    out_->triangle(middle, last, next);
    last = next;
  }
}

void Mason::arch(double x, const ArchShape& s, u32 parts) {
  const u64 n = steps(9.0, 3), rise = steps(1.0, 1);
  const auto lower = [&](double u) {
    const SinCos a = sincos_turns(0.5 * u);
    return dvec3(x - s.radius * a.cos, s.springing + s.radius * a.sin, 0.0);
  };
  const auto face = [&](double z, double sign) {
    flat_sheet(n, rise, [&](double u, double v) {
      const dvec3 p = lower(sign > 0.0 ? u : 1.0 - u);
      return dvec3(p.x, p.y + (s.top - p.y) * v, z);
    });
    const double width = s.half_bay - s.radius, height = s.top - s.bottom;
    for (const double left : {x - s.half_bay, x + s.radius}) {
      quad({sign > 0.0 ? left : left + width, s.bottom, z}, {sign * width, 0, 0}, {0, height, 0});
    }
  };
  face(s.front, 1.0);
  if (parts & kBackFace) face(s.back, -1.0);
  smooth_sheet(n, rise, [&](double u, double v) {
    const dvec3 p = lower(u);
    return SurfacePoint{{p.x, p.y, s.back + (s.front - s.back) * v},
                        {x - p.x, s.springing - p.y, 0.0}};
  });
  if (!(parts & kJambs)) return;
  const dvec3 up(0, s.springing - s.bottom, 0), deep(0, 0, s.front - s.back);
  quad({x - s.radius, s.bottom, s.front}, -deep, up);
  quad({x + s.radius, s.bottom, s.back}, deep, up);
}

void Mason::archivolt(double x, const ArchShape& s, double width, double depth) {
  if (!ornate()) return;
  const u64 n = steps(9.0, 3);
  const double face = s.front + depth;
  const auto point = [&](double u, double radius, double z) {
    const SinCos a = sincos_turns(0.5 * u);
    return dvec3(x - radius * a.cos, s.springing + radius * a.sin, z);
  };
  const auto out_of = [&](double u) { return point(u, 1.0, 0.0) - dvec3(x, s.springing, 0.0); };
  flat_sheet(n, 1, [&](double u, double v) { return point(u, s.radius + width * v, face); });
  smooth_sheet(n, 1, [&](double u, double v) {
    return SurfacePoint{point(u, s.radius + width, face - depth * v), out_of(u)};
  });
  smooth_sheet(n, 1, [&](double u, double v) {
    return SurfacePoint{point(u, s.radius, s.front + depth * v), -out_of(u)};
  });
  const double crown = s.springing + s.radius;
  box({x - 0.13, crown - 0.05, s.front}, {x + 0.13, crown + width + 0.12, face + depth}, kNoBack);
}

void Mason::rib(double springing, double radius, double depth, double half) {
  if (!ornate()) return;
  const u64 n = steps(8.0, 4);
  const double inner = radius - depth;
  const auto point = [&](double u, double r, double z) {
    const SinCos a = sincos_turns(0.5 * u);
    return dvec3(-r * a.cos, springing + r * a.sin, z);
  };
  for (const double side : {1.0, -1.0}) {
    flat_sheet(n, 1, [&](double u, double v) {
      return point(side > 0.0 ? u : 1.0 - u, inner + depth * v, side * half);
    });
  }
  smooth_sheet(n, 1, [&](double u, double v) {
    const dvec3 p = point(u, inner, half * (2.0 * v - 1.0));
    return SurfacePoint{p, {-p.x, springing - p.y, 0.0}};
  });
}

void Mason::groin_vault(double cx, double cz, double springing, double radius) {
  const u64 m = steps(2.2, 2);  // steps from the crown to the wall
  count_ += 4 * 2 * m * m;
  if (out_ == nullptr) return;
  const Frame outer = frame_;
  for (int web = 0; web < 4; ++web) {
    // A web has its own frame, in which it opens towards +x and is a barrel along x.
    place(outer.child({cx, 0.0, cz}, web));
    const auto vertex = [&](u64 row, long long j) {
      const double along = sincos_turns(0.25 * static_cast<double>(row) / m).sin;
      const SinCos across = sincos_turns(0.25 * static_cast<double>(j) / m);
      return out_->vertex(
          world({radius * along, springing + radius * across.cos, radius * across.sin}),
          frame_.turn({0.0, -across.cos, -across.sin}));
    };
    std::vector<Corner> inner{vertex(0, 0)}, row;
    for (u64 i = 1; i <= m; ++i) {
      const long long half = static_cast<long long>(i);
      row.clear();
      for (long long j = -half; j <= half; ++j) row.push_back(vertex(i, j));
      // Row i has two more vertices than row i - 1: one at each end.
      out_->triangle(inner.front(), row[0], row[1]);
      for (std::size_t k = 0; k + 1 < inner.size(); ++k) {
        out_->triangle(inner[k], row[k + 1], row[k + 2]);
        out_->triangle(inner[k], row[k + 2], inner[k + 1]);
      }
      out_->triangle(inner.back(), row[row.size() - 2], row.back());
      inner.swap(row);
    }
  }
  place(outer);
}

}  // namespace ballotcast::detail
