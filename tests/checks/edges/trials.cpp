#include "checks/edges/trials.hpp"

#include <algorithm>
#include <cmath>

#include "checks/edges/distance.hpp"
#include "geometry/far_origin.hpp"
#include "helpers/exact.hpp"
#include "render/internals.hpp"

namespace ballotcast::detail::edges {

namespace {

constexpr u32 kRaysAPlace = 20000;
constexpr std::size_t kBatch = std::size_t{1} << 19;  // rays per cast
constexpr u32 kTries = 20000;      // the most tries in a row to find a start point
constexpr u32 kListedOnceIn = 16;  // crossings are listed for one of this many rays

double reach_of(dvec3 from, const Corners& t) {
  const auto farthest = [&](dvec3 p) {
    const dvec3 d = glm::abs(p - from);
    return std::max({d.x, d.y, d.z});
  };
  return std::max({farthest(t.a), farthest(t.b), farthest(t.c)});
}

class Trials {
 public:
  Trials(const Mesh& mesh, double far, const RendererOptions& where)
      : far_(far), exact_(mesh), renderer_(testing::scene_of(exact_.mesh()), where) {
    const Mesh& m = exact_.mesh();
    for (const uvec3 t : m.triangles)
      corners_.push_back(
          {dvec3(m.positions[t.x]), dvec3(m.positions[t.y]), dvec3(m.positions[t.z])});
    size_ = largest_magnitude(m.bounds().extent());
  }

  Tally run(u64 rays) {
    while (tally_.rays + rays_.size() < rays && find_place()) {
      aim();
      if (far_ > 0.0) aim_from_far();
      if (rays_.size() >= kBatch) judge();
    }
    judge();
    return tally_;
  }

 private:
  /// Finds a start point that is certainly inside or certainly outside the mesh. If possible,
  /// inside and outside alternate.
  bool find_place() {
    for (u32 tries = 0; tries < kTries; ++tries) {
      place_ = exact_.snap(want_inside_ ? between_surfaces() : in_the_box());
      if (!is_clear(place_)) continue;
      inside_ = exact_.winding_number(place_) % 2 != 0;
      ++tally_.places;
      if (inside_ != want_inside_ && tries % 50 != 49) continue;
      want_inside_ = !inside_;
      return true;
    }
    return false;
  }

  vec3 in_the_box() {
    const Aabb box = exact_.mesh().bounds();
    return {random_.between(box.low.x, box.high.x), random_.between(box.low.y, box.high.y),
            random_.between(box.low.z, box.high.z)};
  }

  vec3 between_surfaces() {
    const float s = random_.unit();
    return corner() * s + corner() * (1.0f - s);
  }

  vec3 corner() {
    const Mesh& mesh = exact_.mesh();
    const uvec3 t = mesh.triangles[random_.below(static_cast<u32>(mesh.triangles.size()))];
    return mesh.positions[t.x];
  }

  bool is_clear(vec3 place) const {
    const dvec3 p(place);
    return std::none_of(corners_.begin(), corners_.end(), [&](const Corners& t) {
      const double bound = kClear * reach_of(p, t);
      const dvec3 low = glm::min(t.a, glm::min(t.b, t.c)) - bound;
      const dvec3 high = glm::max(t.a, glm::max(t.b, t.c)) + bound;
      return glm::all(glm::lessThanEqual(low, p)) && glm::all(glm::lessThanEqual(p, high)) &&
             distance_to_triangle(p, t) <= bound;
    });
  }

  /// Adds rays from the start point, and rays from corners that pass the start point at t = 1.
  void aim() {
    for (const Ray& ray : testing::rays_at_edges(exact_.mesh(), place_, kRaysAPlace, random_))
      add(ray);
    const double clear = 4.0 * kClear * size_;
    const dvec3 p(place_);
    for (const Corners& t : corners_)
      // A ray from a corner may miss the start point by rounding, and so pass this triangle on the
      // other side.
      if (distance_to_triangle(p, t) <= clear) return;
    for (u32 i = 0; i < kRaysAPlace / 4; ++i) {
      const vec3 from = corner();
      add({from, 1.0f, place_ - from, unbounded()});
      ++tally_.on_surface;
    }
  }

  /// Adds rays that start far outside. Such rays enter the mesh as often as they leave it. Rays
  /// along an axis hit exactly the edge or corner that they are aimed at. Other rays only pass near
  /// it, because their origins are rounded.
  void aim_from_far() {
    const float distance = static_cast<float>(std::min(far_ * size_, 0x1p39));
    for (u32 i = 0; i < kRaysAPlace / 4; ++i) {
      const vec3 target = i % 2 ? corner() : edge_middle();
      vec3 direction = random_.point(1.0f);
      if (i % 4 < 3) {
        const float sign = random_.bits() & 1 ? 1.0f : -1.0f;
        const u32 axis = random_.below(3);
        direction = {axis == 0 ? sign : 0.0f, axis == 1 ? sign : 0.0f, axis == 2 ? sign : 0.0f};
      }
      const float longest = largest_magnitude(direction);
      if (!(longest > 0.0f)) continue;
      const vec3 origin = target - direction * (distance / longest);
      rays_.push_back({origin, 0.0f, direction * std::ldexp(1.0f, i % 9), unbounded()});
      odd_.push_back(false);
      ++tally_.far;
    }
  }

  vec3 edge_middle() {
    const Mesh& mesh = exact_.mesh();
    const uvec3 t = mesh.triangles[random_.below(static_cast<u32>(mesh.triangles.size()))];
    return (mesh.positions[t.x] + mesh.positions[t.y]) * 0.5f;
  }

  void add(const Ray& ray) {
    rays_.push_back(ray);
    odd_.push_back(inside_);
    tally_.inside += inside_ ? 1 : 0;
  }

  void judge() {
    tally_.rays += rays_.size();
    std::vector<u32> counts(rays_.size());
    std::vector<Hit> closest(rays_.size());
    renderer_.count(rays_, counts);
    renderer_.closest(rays_, closest);
    std::vector<Ray> some;
    for (std::size_t i = 0; i < rays_.size(); ++i) {
      const bool has_way_out = odd_[i] || counts[i] > 0;
      tally_.missed += has_way_out && !closest[i].found() ? 1 : 0;
      tally_.parity += (counts[i] % 2 != 0) != odd_[i] ? 1 : 0;
      if (closest[i].found()) judge_place(rays_[i], closest[i]);
      if (i % kListedOnceIn == 0) some.push_back(rays_[i]);
    }
    const AllHits all = renderer_.all(some);
    for (std::size_t i = 0; i < some.size(); ++i) {
      const auto hits = all.of(i);
      bool good = hits.size() == counts[i * kListedOnceIn];
      std::vector<u32> ids;
      for (std::size_t k = 0; k < hits.size(); ++k) {
        ids.push_back(hits[k].triangle);
        good = good && (k == 0 || in_order(some[i], hits[k - 1], hits[k]));
      }
      std::sort(ids.begin(), ids.end());
      good = good && std::adjacent_find(ids.begin(), ids.end()) == ids.end();
      tally_.twice += good ? 0 : 1;
    }
    rays_.clear();
    odd_.clear();
  }

  float magnitude() const { return prepared_of(renderer_).view.magnitude; }

  /// True if crossing `a` may be listed before crossing `b`. If a ray starts far away, several
  /// crossings may have the same t, in any order of ids.
  bool in_order(const Ray& ray, const Hit& a, const Hit& b) const {
    return is_far(ray, magnitude()) ? a.t <= b.t : precedes(a.t, a.triangle, b);
  }

  void judge_place(const Ray& ray, const Hit& hit) {
    const Corners& t = corners_[hit.triangle];
    const dvec3 direction(vec3(ray.direction));
    const dvec3 at = dvec3(vec3(ray.origin)) + direction * double{hit.t};
    double bound = kBound * reach_of(dvec3(vec3(ray_to_cast(ray, magnitude()).ray.origin)), t);
    if (is_far(ray, magnitude()))  // t along the original ray is rounded
      bound += 0x1p-23 * double{hit.t} * glm::length(direction);
    const double off = distance_to_triangle(at, t) / bound;
    tally_.worst = std::max(tally_.worst, off);
    tally_.impossible += off <= 1.0 ? 0 : 1;
  }

  double far_;
  const testing::ExactMesh exact_;
  Renderer renderer_;
  std::vector<Corners> corners_;
  double size_;
  testing::Random random_{1};
  vec3 place_;
  bool inside_ = false, want_inside_ = true;
  std::vector<Ray> rays_;
  std::vector<bool> odd_;
  Tally tally_;
};

}  // namespace

Tally operator+(const Tally& a, const Tally& b) {
  return {a.rays + b.rays,
          a.inside + b.inside,
          a.on_surface + b.on_surface,
          a.far + b.far,
          a.places + b.places,
          a.missed + b.missed,
          a.parity + b.parity,
          a.twice + b.twice,
          a.impossible + b.impossible,
          std::max(a.worst, b.worst)};
}

Tally try_edges(const Mesh& mesh, u64 rays, double far, const RendererOptions& where) {
  return Trials(mesh, far, where).run(rays);
}

}  // namespace ballotcast::detail::edges
