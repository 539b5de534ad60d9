#include "render/framing/lookout.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "ballotcast/error.hpp"
#include "kernels/shadings/shading.hpp"
#include "math/sampling.hpp"
#include "math/trig.hpp"
#include "render/framing/framing.hpp"

namespace ballotcast::detail {

namespace {

// Positions in the scene's box are tried. From each of them, rays are first cast into some
// directions, to find out whether the position is indoors.
constexpr u32 kAcross = 6, kUpward = 4, kPlaces = kAcross * kAcross * kUpward;
constexpr u32 kFirstDirections = 16, kDirections = 32;
// A position is indoors if at least these fractions of the directions hit something, and hit a
// front
constexpr double kLeastHits = 0.9, kLeastFronts = 0.9;
// Difference between the indices of positions that are tried one after the other; it has no factor
// in common with kPlaces, and is large, so that the first positions are spread over the box
constexpr std::size_t kStride = 25;
// Number of positions indoors that an interior must have
constexpr std::size_t kLeastIndoors = kPlaces / 2;
constexpr u32 kHeadings = 16;          // number of level directions of the camera at each position
constexpr std::size_t kFinalists = 8;  // number of views for which a small picture is cast
constexpr u32 kFinalRows = 14;
// Distances as fractions of the scene's diagonal: a front closer than kClose spoils a view, and a
// front at kFar has half of the best rating (worth_of).
constexpr double kClose = 0.03, kFar = 0.25;

/// Evenly distributed directions on the sphere.
std::vector<vec3> directions(u32 count) {
  std::vector<vec3> all;
  for (u32 i = 0; i < count; ++i) {
    const vec2 sample = sample_2d(0u, i, 0u);
    const float height = 1.0f - 2.0f * sample.x;
    const float radius = std::sqrt(std::max(0.0f, 1.0f - height * height));
    const SinCos angle = sincos_turns(double{sample.y});
    all.emplace_back(radius * static_cast<float>(angle.cos), height,
                     radius * static_cast<float>(angle.sin));
  }
  return all;
}

/// The positions where the camera is tried: a grid in the box, relative to the scene's origin, with
/// fewer positions along `up` than across.
std::vector<dvec3> places_in(const Aabb& box, dvec3 up) {
  const double x = std::abs(up.x), y = std::abs(up.y), z = std::abs(up.z);
  const int upward = y >= x && y >= z ? 1 : x > z ? 0 : 2;
  u32 counts[] = {kAcross, kAcross, kAcross};
  counts[upward] = kUpward;
  const dvec3 low(box.low), extent(box.extent());
  const auto share = [](u32 i, u32 count) { return (i + 0.5) / count; };
  std::vector<dvec3> places;
  for (u32 k = 0; k < counts[2]; ++k)
    for (u32 j = 0; j < counts[1]; ++j)
      for (u32 i = 0; i < counts[0]; ++i)
        places.push_back(low + dvec3(extent.x * share(i, counts[0]), extent.y * share(j, counts[1]),
                                     extent.z * share(k, counts[2])));
  return places;
}

/// The closest hits of rays from a position into these directions.
PreviewHits look_around(ResidentScene& resident, dvec3 place, const std::vector<vec3>& around) {
  PreviewHits out;
  for (const vec3 direction : around)
    out.rays.push_back({vec3(place), 0.0f, direction, unbounded()});
  out.cast(resident);
  return out;
}

/// The result of a ray: the distance of a front, or kBack, or kNothing.
constexpr float kBack = -1.0f, kNothing = -2.0f;
std::vector<float> seen_by(const PreparedScene& scene, const PreviewHits& rays) {
  std::vector<float> seen;
  for (std::size_t i = 0; i < rays.rays.size(); ++i) {
    const Ray& ray = rays.rays[i];
    const Hit& hit = rays.hits[i];
    seen.push_back(!hit.found()                             ? kNothing
                   : surface_at(scene.view, ray, hit).front ? distance_of(ray, hit)
                                                            : kBack);
  }
  return seen;
}

bool is_indoors(const std::vector<float>& seen) {
  const auto count = [&](float value) {
    return static_cast<double>(std::count(seen.begin(), seen.end(), value));
  };
  const double all = static_cast<double>(seen.size()), found = all - count(kNothing);
  return found >= kLeastHits * all && found - count(kBack) >= kLeastFronts * found;
}

/// The positions that are indoors. Empty if the scene is not an interior.
std::vector<dvec3> places_indoors(const PreparedScene& scene, ResidentScene& resident) {
  const std::vector<dvec3> places = places_in(scene.bounds, up_of(*scene.scene));
  const std::vector<vec3> around = directions(kFirstDirections);
  std::vector<dvec3> indoors;
  for (std::size_t i = 0; i < places.size(); ++i) {
    // Most scenes are not interiors, so this loop usually ends early.
    if (indoors.size() + places.size() - i < kLeastIndoors) return {};
    const dvec3 place = places[i * kStride % places.size()];
    if (is_indoors(seen_by(scene, look_around(resident, place, around)))) indoors.push_back(place);
  }
  if (indoors.size() < kLeastIndoors) return {};
  return indoors;
}

/// The contribution of a ray with the result `seen` to the rating of a view, from -1 to 1. `size`
/// is the scene's diagonal.
double worth_of(float seen, double size) {
  if (seen == kNothing) return 0.0;
  const double distance = double{seen};
  if (distance < kClose * size) return -1.0;
  return distance / (distance + kFar * size);
}

struct View {
  Camera camera;
  double worth;
};

/// Sorts views by rating, the best first. Equal views keep their order.
void sort_views(std::vector<View>& views) {
  std::stable_sort(views.begin(), views.end(),
                   [](const View& a, const View& b) { return a.worth > b.worth; });
}

/// The level views from positions indoors, the best first. If the sky lights some of these
/// positions, unlit positions are left out, because they may be cavities inside walls.
std::vector<View> views_from(const PreparedScene& scene, ResidentScene& resident,
                             const std::vector<dvec3>& places) {
  const dvec3 up(default_camera(*scene.scene).up), side = horizontal_side(up);
  const dvec3 front = glm::cross(side, up);
  const double size = double{scene.view.diagonal};
  const std::vector<vec3> around = directions(kDirections);
  std::vector<View> lit, dark;
  for (const dvec3& place : places) {
    const PreviewHits hits = look_around(resident, place, around);
    const std::vector<float> seen = seen_by(scene, hits);
    const bool is_lit = std::find(seen.begin(), seen.end(), kNothing) != seen.end() ||
                        share_of_sky(scene, resident, hits, 1) > 0.0;
    const dvec3 eye = scene.scene->origin + place;
    for (u32 heading = 0; heading < kHeadings; ++heading) {
      const SinCos angle = sincos_turns(static_cast<double>(heading) / kHeadings);
      const dvec3 ahead = front * -angle.cos + side * angle.sin;
      double worth = 0.0, weights = 0.0;
      for (u32 k = 0; k < kDirections; ++k) {
        const double weight = std::max(0.0, glm::dot(dvec3(around[k]), ahead) - 0.5);
        worth += weight * worth_of(seen[k], size);
        weights += weight;
      }
      (is_lit ? lit : dark).push_back({{eye, eye + ahead * (kFar * size), up}, worth / weights});
    }
  }
  std::vector<View>& views = lit.empty() ? dark : lit;
  sort_views(views);
  return views;
}

}  // namespace

const std::vector<dvec3>& Lookout::places() {
  if (places_) return *places_;
  // Skipped if it would take too long.
  const bool is_quick = preview_scale(scene_, double{kPlaces} * kDirections) == 1.0;
  return places_.emplace(is_quick ? places_indoors(scene_, resident_) : std::vector<dvec3>());
}

const std::vector<Camera>& Lookout::finalists() {
  if (finalists_) return *finalists_;
  const std::vector<View> views = views_from(scene_, resident_, places());
  finalists_.emplace();
  for (std::size_t i = 0; i < std::min(views.size(), kFinalists); ++i)
    finalists_->push_back(views[i].camera);
  return *finalists_;
}

std::optional<Camera> Lookout::camera(const Camera& outside, double aspect, double fov) {
  if (places().empty() || share_of_sky(scene_, resident_, outside) < kLeastSky) return {};
  const u32 columns = std::max(1u, static_cast<u32>(kFinalRows * std::min(aspect, 4.0)));
  std::vector<View> views;
  for (Camera camera : finalists()) {
    camera.fov = fov;
    const PreviewHits picture =
        cast_preview(resident_, make_view(camera, scene_.scene->origin, columns, kFinalRows),
                     columns, kFinalRows);
    views.push_back({camera, 0.0});
    for (const float seen : seen_by(scene_, picture))
      views.back().worth += worth_of(seen, double{scene_.view.diagonal});
  }
  sort_views(views);
  return views.front().camera;
}

namespace {

// The size of the small picture that share_of_sky casts.
constexpr u32 kColumns = 48, kRows = 27;
constexpr u32 kRaysToSky = 4;  // from each visible point
constexpr u32 kMostGlass = 8;  // largest number of panes and balls of glass in front of each other

/// Replaces hits on glass by the hits behind the glass.
void look_through_glass(const PreparedScene& scene, ResidentScene& resident, PreviewHits& seen) {
  const SceneView& view = scene.view;
  for (u32 round = 0; round < kMostGlass; ++round) {
    std::vector<std::size_t> through_glass;
    PreviewHits behind;
    for (std::size_t i = 0; i < seen.hits.size(); ++i) {
      if (!seen.hits[i].found()) continue;
      const TrianglePlace place = place_of(view, seen.hits[i].triangle);
      if (material_of(view, place).transmission == Transmission::none) continue;
      const Surface s = surface_at(view, seen.rays[i], seen.hits[i], place);
      through_glass.push_back(i);
      behind.rays.push_back(leaving(view, s, vec3(seen.rays[i].direction), unbounded()));
    }
    if (through_glass.empty()) return;
    behind.cast(resident);
    for (std::size_t k = 0; k < through_glass.size(); ++k) {
      seen.rays[through_glass[k]] = behind.rays[k];
      seen.hits[through_glass[k]] = behind.hits[k];
    }
  }
}

/// Rays from the visible points, with directions distributed like uniform light from all sides.
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
  return scene.has_emitters() && !(is_given(scene.sun) && is_given(scene.sky));
}

bool is_lamplit_room(Framing& framing) {
  const PreparedScene& scene = framing.scene();
  if (!scene.scene->has_emitters() || scene.bounds.empty()) return false;
  try {
    return share_of_sky(scene, framing.resident(), framing.camera(16.0 / 9.0)) < kLeastSky;
  } catch (const InputError&) {  // the scene is too large for a camera that sees all of it
    return false;
  }
}

void put_out_daylight(const SceneData& scene, FrameSettings& frame) {
  frame.no_sun = !is_given(scene.sun);
  frame.no_sky = !is_given(scene.sky);
}

}  // namespace ballotcast::detail
