#include "render/visible.hpp"

#include <algorithm>
#include <vector>

#include "backends/cpu/cpu_backend.hpp"

namespace ballotcast::detail {

namespace {

constexpr u32 kGridSide = 64;  // longer side of a coarse grid of rays, which is tried first
constexpr u64 kRaysAtOnce = 1 << 16;

/// Casts rays through pixel centres of a picture, on the CPU.
class PixelCaster {
 public:
  PixelCaster(const PreparedScene& scene, const CameraView& view)
      : resident_(cpu_upload(scene)), view_(view) {}

  /// Casts the ray through every `step`-th pixel of every `step`-th row. Returns true if one hits.
  bool any_hits(u32 width, u32 height, u32 step) {
    for (u32 y = step / 2; y < height; y += step)
      for (u32 x = step / 2; x < width; x += step) {
        rays_.push_back(ray_through(view_, float(x) + 0.5f, float(y) + 0.5f));
        if (rays_.size() == kRaysAtOnce && one_hits()) return true;
      }
    return one_hits();
  }

 private:
  /// Casts the collected rays and clears the list. Returns true if at least one ray hits.
  bool one_hits() {
    std::vector<Hit> hits(rays_.size());
    resident_->cast(RayKind::any, rays_.data(), hits.data(), nullptr, rays_.size(), {});
    rays_.clear();
    return std::ranges::any_of(hits, [](const Hit& hit) { return hit.found(); });
  }

  std::unique_ptr<ResidentScene> resident_;
  CameraView view_;
  std::vector<Ray> rays_;
};

}  // namespace

bool sees_anything(const PreparedScene& scene, const Camera& camera, u32 width, u32 height) {
  if (scene.bounds.empty()) return false;
  PixelCaster caster(scene, make_view(camera, scene.scene->origin, width, height));
  const u32 step = std::max(1u, std::max(width, height) / kGridSide);
  return (step > 1 && caster.any_hits(width, height, step)) || caster.any_hits(width, height, 1);
}

}  // namespace ballotcast::detail
