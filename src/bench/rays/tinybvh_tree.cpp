#include "bench/rays/tinybvh_tree.hpp"

#include <cmath>

#define TINYBVH_IMPLEMENTATION
#define NO_DOUBLE_PRECISION_SUPPORT
#define NO_CUSTOM_GEOMETRY
#include <tiny_bvh.h>

namespace ballotcast::detail::tinybvh_peer {

namespace {

template <class Its>
class TreeOf final : public Tree {
 public:
  /// If `splits`, uses tinybvh's builder with spatial splits, else the fast one.
  TreeOf(const float* corners, std::uint32_t count, bool splits) {
    const auto* its_corners = reinterpret_cast<const tinybvh::bvhvec4*>(corners);
    if (splits)
      tree_.BuildHQ(its_corners, count);
    else
      tree_.Build(its_corners, count);
  }

  PlainHit closest(const PlainRay& ray) const override {
    tinybvh::Ray its = its_ray(ray);
    const float reach = its.hit.t;
    tree_.Intersect(its);
    return {its.hit.t < reach, its.hit.t, its.hit.u, its.hit.v, its.hit.prim};
  }

  bool any(const PlainRay& ray) const override { return tree_.IsOccluded(its_ray(ray)); }

 private:
  static tinybvh::Ray its_ray(const PlainRay& ray) {
    const float *o = ray.origin, *d = ray.direction;
    const float reach = ray.reach * std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    return tinybvh::Ray({o[0], o[1], o[2]}, {d[0], d[1], d[2]}, std::fmin(reach, BVH_FAR));
  }

  Its tree_;
};

template <class Its, bool kSplits>
std::unique_ptr<Tree> build(const float* corners, std::uint32_t count) {
  return std::make_unique<TreeOf<Its>>(corners, count, kSplits);
}

constexpr Mode kModes[] = {
    {"bvh2", build<tinybvh::BVH, false>},      {"bvh2-high", build<tinybvh::BVH, true>},
#if defined(BVH_USESSE)  // on other processors, its traversal ends the program
    {"bvh4", build<tinybvh::BVH4_CPU, false>}, {"bvh4-high", build<tinybvh::BVH4_CPU, true>},
#endif
#if defined(BVH_USEAVX2)
    {"bvh8", build<tinybvh::BVH8_CPU, false>}, {"bvh8-high", build<tinybvh::BVH8_CPU, true>},
#endif
};

}  // namespace

std::span<const Mode> modes() { return kModes; }

}  // namespace ballotcast::detail::tinybvh_peer
