#include "render/framing/interior.hpp"

#include <algorithm>
#include <vector>

#include "kernels/shadings/shading.hpp"
#include "math/sampling.hpp"
#include "render/framing/framing.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {

namespace {

// Of the small picture that share_of_sky casts.
constexpr u32 kColumns = 48, kRows = 27;
constexpr u32 kRaysToSky = 4;  // from each point that is seen
constexpr u32 kMostGlass = 8;  // panes and balls of glass one behind the other

/// Replaces hits on glass by those behind it.
void look_through_glass(const PreparedScene& scene, ResidentScene& resident, PreviewHits& seen) {
  const SceneView& view = scene.view;
  for (u32 round = 0; round < kMostGlass; ++round) {
    std::vector<std::size_t> which;
    PreviewHits on;
    for (std::size_t i = 0; i < seen.hits.size(); ++i) {
      if (!seen.hits[i].found()) continue;
      const Place place = place_of(view, seen.hits[i].triangle);
      if (material_of(view, place).transmission == Transmission::none) continue;
      const Surface s = surface_at(view, seen.rays[i], seen.hits[i], place);
      which.push_back(i);
      on.rays.push_back(leaving(view, s, vec3(seen.rays[i].direction), unbounded()));
    }
    if (which.empty()) return;
    on.cast(resident);
    for (std::size_t k = 0; k < which.size(); ++k) {
      seen.rays[which[k]] = on.rays[k];
      seen.hits[which[k]] = on.hits[k];
    }
  }
}

/// Rays from the points that are seen, into the directions from which even light comes.
std::vector<Ray> rays_to_sky(const SceneView& view, const PreviewHits& seen, u32 rays_each) {
  std::vector<Ray> rays;
  for (u32 i = 0; i < seen.hits.size(); ++i) {
    if (!seen.hits[i].found()) continue;
    const Surface s = surface_at(view, seen.rays[i], seen.hits[i]);
    for (u32 k = 0; k < rays_each; ++k)
      rays.push_back(
          leaving(view, s, cosine_direction(s.geometric_normal, sample_2d(i, k, 0u)), unbounded()));
  }
  return rays;
}

}  // namespace

double share_of_sky(const PreparedScene& scene, ResidentScene& resident, const Camera& camera) {
  const double shrink = preview_scale(scene, double{kColumns} * kRows * (1.0 + kRaysToSky));
  const u32 columns = std::max(1u, static_cast<u32>(kColumns * shrink));
  const u32 rows = std::max(1u, static_cast<u32>(kRows * shrink));
  const CameraView view = make_view(camera, scene.scene->origin, columns, rows);
  return share_of_sky(scene, resident, cast_preview(resident, view, columns, rows), kRaysToSky);
}

double share_of_sky(const PreparedScene& scene, ResidentScene& resident, PreviewHits seen,
                    u32 rays_each) {
  look_through_glass(scene, resident, seen);
  PreviewHits upward{rays_to_sky(scene.view, seen, rays_each), {}};
  if (upward.rays.empty()) return 1.0;
  upward.cast(resident);
  look_through_glass(scene, resident, upward);
  const auto open = std::count_if(upward.hits.begin(), upward.hits.end(),
                                  [](const Hit& hit) { return !hit.found(); });
  return static_cast<double>(open) / static_cast<double>(upward.hits.size());
}

bool may_be_lamplit(const SceneData& scene) {
  return scene.has_emitters() && !(is_stated(scene.sun) && is_stated(scene.sky));
}

bool is_lamplit_room(Framing& framing) {
  const PreparedScene& scene = framing.scene();
  if (!scene.scene->has_emitters() || scene.bounds.empty()) return false;
  try {
    return share_of_sky(scene, framing.resident(), framing.camera(16.0 / 9.0)) < kLeastSky;
  } catch (const InputError&) {  // it is too large to be seen as a whole
    return false;
  }
}

void put_out_daylight(const SceneData& scene, FrameSettings& frame) {
  frame.no_sun = !is_stated(scene.sun);
  frame.no_sky = !is_stated(scene.sky);
}

}  // namespace ballotcast::detail
