#include "checks/points/trials.hpp"

#include <algorithm>
#include <cmath>

#include "ballotcast/renderer.hpp"
#include "checks/points/inside_oracle.hpp"
#include "checks/points/nearest_oracle.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail::points {

namespace {

constexpr u64 kBatch = u64{1} << 18;

class Trials {
 public:
  Trials(const Mesh& mesh, bool closed, const RendererOptions& where)
      : closed_(closed),
        exact_(mesh),
        nearest_(exact_.mesh()),
        inside_(exact_),
        renderer_(testing::scene_of(exact_.mesh()), where),
        box_(exact_.mesh().bounds()),
        size_(largest_magnitude(box_.extent())) {}

  Tally run(u64 count) {
    Tally all;
    for (u64 first = 0; first < count; first += kBatch)
      all = all + batch(std::min(kBatch, count - first));
    return all;
  }

 private:
  Tally batch(u64 count) {
    std::vector<Vec3f> points;
    for (u64 i = 0; i < count; ++i) points.push_back(point(static_cast<u32>(i % 8)));
    std::vector<Nearest> found(count);
    renderer_.closest_points(points, found);
    std::vector<u8> inside(closed_ ? count : 0);
    if (closed_) renderer_.contains(Span<const Vec3f>(points), inside);
    return reduce_ranges<u64>(
        0, count, 256, Tally(),
        [&](u64 begin, u64 end, Tally tally) {
          for (u64 i = begin; i < end; ++i)
            judge(vec3(points[i]), found[i], closed_ && inside[i] != 0, tally);
          return tally;
        },
        [](const Tally& a, const Tally& b) { return a + b; });
  }

  void judge(vec3 point, const Nearest& found, bool inside, Tally& tally) const {
    const Judgement j = nearest_.judge(point, found);
    ++tally.points;
    tally.on_surface += j.on_surface ? 1 : 0;
    tally.by_integers += j.by_integers ? 1 : 0;
    tally.rounded += j.rounded ? 1 : 0;
    tally.triangles += j.triangle ? 0 : 1;
    tally.distances += j.distance ? 0 : 1;
    tally.worst = std::max(tally.worst, j.error);
    if (!closed_) return;
    const bool expected =
        j.on_surface ? inside_.is_shifted_inside(point) : inside_.is_inside(point);
    tally.near += !j.on_surface && j.least_away < kNear ? 1 : 0;
    tally.signs += inside != expected ? 1 : 0;
  }

  vec3 point(u32 kind) {
    const Mesh& mesh = exact_.mesh();
    const uvec3 t = mesh.triangles[random_.below(static_cast<u32>(mesh.triangles.size()))];
    const vec3 a = mesh.positions[t.x], b = mesh.positions[t.y], c = mesh.positions[t.z];
    const float away = std::ldexp(size_, -static_cast<int>(random_.below(40)));
    const float u = random_.unit(), v = random_.unit() * (1.0f - u);
    const vec3 at_edge = random_.below(2) ? (a + b) * 0.5f : a * u + b * (1.0f - u);
    const vec3 on_face = a * (1.0f - u - v) + b * u + c * v;
    if (kind == 7) {
      const float sizes = std::pow(10.0f, static_cast<float>(1 + random_.below(6)));
      return box_.center() + random_.point(std::min(size_ * sizes, 0.5f * kLargestCoordinate));
    }
    const vec3 at = kind == 0   ? a
                    : kind == 1 ? a + random_.point(away)
                    : kind == 2 ? at_edge
                    : kind == 3 ? at_edge + random_.point(away)
                    : kind == 4 ? on_face
                    : kind == 5 ? on_face + random_.point(away)
                                : box_.center() + random_.point(size_);
    return exact_.snap(at) + 0.0f;
  }

  const bool closed_;
  const testing::ExactMesh exact_;
  const NearestOracle nearest_;
  const InsideOracle inside_;
  Renderer renderer_;
  const Aabb box_;
  const float size_;
  testing::Random random_{1};
};

}  // namespace

Tally operator+(const Tally& a, const Tally& b) {
  return {a.points + b.points,           a.on_surface + b.on_surface, a.near + b.near,
          a.by_integers + b.by_integers, a.rounded + b.rounded,       a.triangles + b.triangles,
          a.distances + b.distances,     a.signs + b.signs,           std::max(a.worst, b.worst)};
}

Tally try_points(const Mesh& mesh, bool closed, u64 count, const RendererOptions& where) {
  return Trials(mesh, closed, where).run(count);
}

}  // namespace ballotcast::detail::points
