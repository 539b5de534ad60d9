#include "bench/rays/peer_casters.hpp"
#include "bench/rays/tinybvh_tree.hpp"
#include "support/stopwatch.hpp"

namespace ballotcast::detail {

namespace {

/// The vertices of all triangles in tinybvh's format.
std::vector<vec4> corners_of(const Mesh& mesh) {
  std::vector<vec4> corners;
  corners.reserve(3 * mesh.triangles.size());
  for (const uvec3& triangle : mesh.triangles)
    for (const u32 vertex : {triangle.x, triangle.y, triangle.z})
      corners.emplace_back(mesh.positions[vertex], 0.0f);
  return corners;
}

class TinyBvh final : public Peer {
 public:
  TinyBvh(const Mesh& mesh, const tinybvh_peer::Mode& mode) : corners_(corners_of(mesh)) {
    const Stopwatch watch;
    tree_ = mode.build(&corners_.data()->x, static_cast<u32>(mesh.triangles.size()));
    build_ms_ = watch.milliseconds();
  }

  void take(const RaySet& set) override {
    set_ = set;
    hits_.resize(set.rays.size());
  }

  void cast() override {
    for_each_range<u32>(static_cast<u32>(hits_.size()), 1024, [&](u32 begin, u32 end) {
      for (u32 i = begin; i < end; ++i) hits_[i] = hit_of(set_.rays[i]);
    });
  }

  std::vector<Hit> hits() const override { return hits_; }

  double build_ms() const override { return build_ms_; }

 private:
  /// Converts a ray to one that begins at t = 0, as tinybvh needs.
  static tinybvh_peer::PlainRay plain(const Ray& ray) {
    const vec3 direction = ray.direction, from = vec3(ray.origin) + ray.t_min * direction;
    return {
        {from.x, from.y, from.z}, {direction.x, direction.y, direction.z}, ray.t_max - ray.t_min};
  }

  Hit hit_of(const Ray& ray) const {
    if (!peers_take(ray)) return miss_of(ray);
    return set_.kind == RayKind::any ? answer_of(ray, tree_->any(plain(ray))) : closest(ray);
  }

  Hit closest(const Ray& ray) const {
    const tinybvh_peer::PlainHit hit = tree_->closest(plain(ray));
    if (!hit.found) return miss_of(ray);
    return {ray.t_min + hit.t / glm::length(vec3(ray.direction)), hit.triangle, hit.u, hit.v};
  }

  const std::vector<vec4> corners_;  // the tree refers to these
  std::unique_ptr<tinybvh_peer::Tree> tree_;
  double build_ms_ = 0.0;
  RaySet set_;
  std::vector<Hit> hits_;
};

}  // namespace

std::vector<PeerMode> tinybvh_modes() {
  std::vector<PeerMode> modes;
  for (const tinybvh_peer::Mode& mode : tinybvh_peer::modes())
    modes.push_back(
        {mode.name, [mode](const Mesh& mesh) { return std::make_unique<TinyBvh>(mesh, mode); }});
  return modes;
}

}  // namespace ballotcast::detail
