// The functions of Renderer that answer queries about rays and points.
#include <algorithm>

#include "render/explain.hpp"
#include "render/internals.hpp"
#include "render/renderer_state.hpp"
#include "support/float_environment.hpp"

namespace ballotcast {

using namespace detail;

namespace detail {

void require_mask_of_each(u64 masks, u64 instances) {
  if (instances == 0) throw UsageError("masks are of instances, and the scene has none");
  if (masks != instances)
    throw UsageError(std::to_string(masks) + " masks for a scene that has " +
                     std::to_string(instances) + " instances");
}

void require_use_of_instances(const RayFilter& filter, u64 instances) {
  if (filter.has_masks() && instances == 0)
    throw UsageError("rays have masks, but the scene has no instances");
  if (filter.skips_instances() && instances == 0)
    throw UsageError("rays skip instances, but the scene has none");
}

void require_use_of_shapes(const Query& query, const SceneData& scene) {
  if (scene.shapes.empty()) return;
  if (query.info == &ClosestPoints::info)
    throw UsageError("closest points are not supported in a scene with shapes");
  if (query.info != &WindingNumbers::info &&
      !(query.info == &PointsInside::info && query.rule == InsideRule::winding))
    return;
  for (const Shape& shape : scene.shapes)
    if (is_flat(shape.kind))
      throw UsageError("winding numbers are not supported in a scene with a flat shape");
}

namespace {

/// Throws UsageError unless the number of results equals the number of items.
void require_as_many(const char* call, std::size_t count, const char* items_noun,
                     std::size_t results, const char* results_noun) {
  if (count != results)
    throw UsageError(std::string(call) + ": " + std::to_string(count) + " " + items_noun +
                     ", but room for " + std::to_string(results) + " " + results_noun);
}

/// Throws UsageError unless all worlds of a query exist.
void require_worlds(const RendererState& state, const Query& query) {
  const RayWorlds& worlds = query.worlds;
  const u32 count = state.prepared->arrays.world_count > 0 ? state.prepared->arrays.world_count : 1;
  const auto require = [count](u32 world, const std::string& owner) {
    if (world >= count)
      throw UsageError(owner + "world " + std::to_string(world) + ", but the scene has " +
                       std::to_string(count));
  };
  const bool points = query.is_about_points();
  if (!worlds.each) return require(worlds.all, points ? "points in " : "rays into ");
  for (std::size_t i = 0; i < query.count; ++i)
    require(worlds.each[i], (points ? "point " : "ray ") + std::to_string(i) + ": ");
}

/// Throws UsageError unless everything that `count` rays skip exists.
void require_skipped(const u32* skip, u64 count, u64 existing, const std::string& noun) {
  constexpr u32 none = kNoTriangle;
  static_assert(none == kNoInstance);
  for (u64 i = 0; skip && i < count; ++i)
    if (skip[i] >= existing && skip[i] != none)
      throw UsageError("ray " + std::to_string(i) + ": skips " + noun + " " +
                       std::to_string(skip[i]) + ", but the scene has " + std::to_string(existing));
}

/// Throws UsageError if the filter speaks of instances but there are none, or if a triangle or an
/// instance to skip does not exist.
void require_filter(const RendererState& state, const Query& query) {
  const RayFilter& filter = query.filter.rays;
  const u64 instances = state.scene.instance_count();
  require_use_of_instances(filter, instances);
  require_skipped(filter.skip, query.count, state.scene.triangle_count(), "triangle");
  require_skipped(filter.skip_instances, query.count, instances, "instance");
  if (!filter.skip_instances && filter.skip_instance != kNoInstance &&
      filter.skip_instance >= instances)
    throw UsageError("rays skip instance " + std::to_string(filter.skip_instance) +
                     ", but the scene has " + std::to_string(instances));
}

/// Completes a query with data of the renderer. Throws UsageError if the query is invalid.
Query checked(const RendererState& state, Query query) {
  require_worlds(state, query);
  require_filter(state, query);
  require_use_of_shapes(query, *state.scene.data());
  query.require(!state.must_follow);
  query.filter.instance_masks = state.masks_of_instances();
  if (query.has_sums()) {
    query.result_count = state.scene.triangle_count();
    const AtomicsPer per = query.choice->strategy->atomics_per;
    query.adds_per = per == AtomicsPer::lane ? AtomicsPer::lane : AtomicsPer::warp;
  }
  return query;
}

MemoryPlans plans_for(const RendererState& state, const Query& query) {
  if (!query.choice || state.parts.empty()) return plans_of_query(state.scene_memory, query);
  const auto in_parts = [&](u32 at_once) {
    return memory_of_cast_in_parts(query.count, *query.choice, at_once, query.filter.rays);
  };
  return plans_of(state.scene_memory, in_parts, query.count);
}

}  // namespace

CastCounts ask(Renderer& renderer, Query query, const CastOptions& options) {
  RendererState& state = RendererInternals::of(renderer);
  const CastChoice choice(options, state.device.backend->auto_loop());
  if (query.info->answered_by != AnsweredBy::walk) query.choice = &choice;
  query = checked(state, query);
  const DefaultFloats floats;
  CastCounts counts;
  state.work_within_memory(plans_for(state, query), [&] {
    // Discards the sums of an attempt that ran out of memory.
    if (query.has_sums()) std::fill_n(query.results_as<u64>(), query.result_count, u64{0});
    counts = state.resident->answer(query);
  });
  return counts;
}

AllHits ask_for_all_crossings(Renderer& renderer, const Query& counting) {
  RendererState& state = RendererInternals::of(renderer);
  const Query query = checked(state, counting);
  Query storing = query;
  storing.info = &Crossings::info;
  const DefaultFloats floats;
  AllHits out;
  state.work_within_memory(plans_of_query(state.scene_memory, storing),
                           [&] { out = state.resident->all_crossings(query); });
  return out;
}

}  // namespace detail

namespace {

/// A query about rays for a row of kernels/queries/queries.hpp.
template <class Row>
Query about_rays(Span<const Ray> rays, typename Row::Result* results, const RayWorlds& worlds,
                 const RayFilter& filter) {
  Query asked = query<Row>(rays.data(), rays.size(), worlds, results);
  asked.filter.rays = filter;
  return asked;
}

template <class Point>
void test_inside(Renderer& renderer, Span<const Point> points, Span<std::uint8_t> inside,
                 InsideRule rule, const RayWorlds& worlds) {
  require_as_many("contains", points.size(), "points", inside.size(), "answers");
  Query asked = query<PointsInside>(points.data(), points.size(), worlds, inside.data());
  asked.rule = rule;
  ask(renderer, asked);
}

template <class Point>
void wind(Renderer& renderer, Span<const Point> points, Span<double> numbers,
          const RayWorlds& worlds) {
  require_as_many("winding_numbers", points.size(), "points", numbers.size(), "numbers");
  ask(renderer, query<WindingNumbers>(points.data(), points.size(), worlds, numbers.data()));
}

}  // namespace

CastCounts Renderer::closest(Span<const Ray> rays, Span<Hit> hits, const CastOptions& options,
                             const RayWorlds& worlds, const RayFilter& filter) {
  require_as_many("cast", rays.size(), "rays", hits.size(), "hits");
  return ask(*this, about_rays<ClosestHits>(rays, hits.data(), worlds, filter), options);
}

CastCounts Renderer::any(Span<const Ray> rays, Span<Hit> hits, const CastOptions& options,
                         const RayWorlds& worlds, const RayFilter& filter) {
  require_as_many("cast", rays.size(), "rays", hits.size(), "hits");
  return ask(*this, about_rays<AnyHits>(rays, hits.data(), worlds, filter), options);
}

void Renderer::count(Span<const Ray> rays, Span<std::uint32_t> counts, const RayWorlds& worlds,
                     const RayFilter& filter) {
  require_as_many("count", rays.size(), "rays", counts.size(), "counts");
  ask(*this, about_rays<CrossingCounts>(rays, counts.data(), worlds, filter));
}

CastCounts Renderer::hits_per_triangle(Span<const Ray> rays, Span<std::uint64_t> counts,
                                       const CastOptions& options, const RayWorlds& worlds,
                                       const RayFilter& filter) {
  require_as_many("hits_per_triangle", state_->scene.triangle_count(), "triangles", counts.size(),
                  "counts");
  return ask(*this, about_rays<HitsPerTriangle>(rays, counts.data(), worlds, filter), options);
}

AllHits Renderer::all(Span<const Ray> rays, const RayWorlds& worlds, const RayFilter& filter) {
  return ask_for_all_crossings(*this, about_rays<CrossingCounts>(rays, nullptr, worlds, filter));
}

HitExplanation Renderer::explain(const Ray& ray, bool any, std::uint32_t world,
                                 const RayFilter& filter) {
  checked(*state_, about_rays<ClosestHits>({&ray, 1}, nullptr, {world, nullptr}, filter));
  const RayKind kind = any ? RayKind::any : RayKind::closest;
  const ExplainReport report = explained(*this, ray, kind, world, filter);
  const Explanation& e = report.explanation;
  HitExplanation out{ray, e.hit, e.nodes(), e.leaves(), e.instances(), {}, "", ""};
  for (const auto& step : e.steps) {
    if (const auto* shape = std::get_if<ExplainedShape>(&step))
      for (const ExplainedCrossing& c : shape->crossings)
        out.tested.push_back({shape->id, double{c.t} + e.shift, c.u, c.v, c.taken, c.verdict});
    const auto* leaf = std::get_if<ExplainedLeaf>(&step);
    if (leaf == nullptr) continue;
    for (const ExplainedTriangle& t : leaf->triangles)
      out.tested.push_back({t.triangle, double{t.t} + e.shift, t.u, t.v, t.taken, t.verdict});
  }
  out.text = explain_text(report);
  out.json = explain_json(report);
  return out;
}

void Renderer::closest_points(Span<const Vec3f> points, Span<Nearest> nearest, float max_distance,
                              const RayWorlds& worlds) {
  require_as_many("closest_points", points.size(), "points", nearest.size(), "closest points");
  Query asked = query<ClosestPoints>(points.data(), points.size(), worlds, nearest.data());
  asked.max_distance = max_distance;
  ask(*this, asked);
}

void Renderer::contains(Span<const Vec3d> points, Span<std::uint8_t> inside, InsideRule rule,
                        const RayWorlds& worlds) {
  test_inside(*this, points, inside, rule, worlds);
}
void Renderer::contains(Span<const Vec3f> points, Span<std::uint8_t> inside, InsideRule rule,
                        const RayWorlds& worlds) {
  test_inside(*this, points, inside, rule, worlds);
}

void Renderer::winding_numbers(Span<const Vec3d> points, Span<double> numbers,
                               const RayWorlds& worlds) {
  wind(*this, points, numbers, worlds);
}
void Renderer::winding_numbers(Span<const Vec3f> points, Span<double> numbers,
                               const RayWorlds& worlds) {
  wind(*this, points, numbers, worlds);
}

}  // namespace ballotcast
