#define TINYBVH_IMPLEMENTATION
#define NO_DOUBLE_PRECISION_SUPPORT
#define NO_CUSTOM_GEOMETRY
#include <tiny_bvh.h>

#include <cmath>

#include "bench/rays/peers.hpp"
#include "support/stopwatch.hpp"

namespace ballotcast::detail {

namespace {

/// The corners of all triangles, as tinybvh wants them.
std::vector<tinybvh::bvhvec4> corners_of(const Mesh& mesh) {
  std::vector<tinybvh::bvhvec4> corners;
  corners.reserve(3 * mesh.triangles.size());
  for (const uvec3& triangle : mesh.triangles)
    for (const u32 vertex : {triangle.x, triangle.y, triangle.z}) {
      const vec3& at = mesh.positions[vertex];
      corners.emplace_back(at.x, at.y, at.z, 0.0f);
    }
  return corners;
}

/// `Tree` is one of tinybvh's layouts.
template <class Tree>
class TinyBvh final : public Peer {
 public:
  /// `splits`: its builder with spatial splits, else the fast one.
  TinyBvh(const Mesh& mesh, bool splits) : corners_(corners_of(mesh)) {
    const Stopwatch watch;
    const auto count = static_cast<u32>(mesh.triangles.size());
    if (splits)
      tree_.BuildHQ(corners_.data(), count);
    else
      tree_.Build(corners_.data(), count);
    build_ms_ = watch.milliseconds();
  }

  void cast(const RaySet& set, Hit* hits) override {
    cast_by_peer(set, hits, [&](const Ray& ray) {
      return set.kind == RayKind::any ? any(ray) : closest(ray);
    });
  }

  double build_ms() const override { return build_ms_; }

 private:
  /// Its rays begin at t = 0 and have directions of length 1.
  struct ItsRay {
    tinybvh::Ray ray;
    float length;

    explicit ItsRay(const Ray& ours) {
      const vec3 direction = ours.direction, from = vec3(ours.origin) + ours.t_min * direction;
      length = glm::length(direction);
      ray = tinybvh::Ray({from.x, from.y, from.z}, {direction.x, direction.y, direction.z},
                         std::fmin((ours.t_max - ours.t_min) * length, BVH_FAR));
    }
  };

  Hit closest(const Ray& ours) const {
    ItsRay its(ours);
    const float reach = its.ray.hit.t;
    tree_.Intersect(its.ray);
    const auto& hit = its.ray.hit;
    if (!(hit.t < reach)) return miss_of(ours);
    return {ours.t_min + hit.t / its.length, hit.prim, hit.u, hit.v};
  }

  Hit any(const Ray& ours) const { return answer_of(ours, tree_.IsOccluded(ItsRay(ours).ray)); }

  const std::vector<tinybvh::bvhvec4> corners_;  // the tree refers to them
  Tree tree_;
  double build_ms_ = 0.0;
};

/// Appends a layout with each of two builders.
template <class Tree>
void add_modes(std::string_view name, std::string_view name_with_splits,
               std::vector<PeerMode>& modes) {
  for (const bool splits : {false, true})
    modes.push_back({splits ? name_with_splits : name, [splits](const Mesh& mesh) {
                       return std::make_unique<TinyBvh<Tree>>(mesh, splits);
                     }});
}

}  // namespace

std::vector<PeerMode> tinybvh_modes() {
  std::vector<PeerMode> modes;
  add_modes<tinybvh::BVH>("bvh2", "bvh2-high", modes);
#if defined(BVH_USESSE) || defined(BVH_USENEON)
  add_modes<tinybvh::BVH4_CPU>("bvh4", "bvh4-high", modes);
#endif
#if defined(BVH_USEAVX2)
  add_modes<tinybvh::BVH8_CPU>("bvh8", "bvh8-high", modes);
#endif
  return modes;
}

}  // namespace ballotcast::detail
