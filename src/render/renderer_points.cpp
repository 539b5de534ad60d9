// The calls of a Renderer that answer questions about points.
#include <algorithm>

#include "render/point_order.hpp"
#include "render/requirements.hpp"
#include "support/float_environment.hpp"

namespace ballotcast {

using namespace detail;

namespace {

std::vector<Vec3d> doubles(Span<const Vec3f> points) {
  std::vector<Vec3d> out;
  out.reserve(points.size());
  for (const Vec3f& p : points) out.emplace_back(p.x, p.y, p.z);
  return out;
}

/// Winding numbers add up the scene's triangles themselves, some of which are new before the tree
/// follows.
void require_followed(const RendererState& state) {
  if (state.must_follow)
    throw UsageError("winding numbers: vertices or transforms were set; call follow() first");
}

/// Answers a question about each point. Throws UsageError unless its world exists. `memory(count,
/// at_once)`: what that needs. `answer(WorldPoints, results, count)` answers some of them.
template <class Result, class Point, class Memory, class Answer>
void answer_points(RendererState& state, Span<const Point> points, const RayWorlds& worlds,
                   Memory memory, Answer answer, Result* results) {
  require_worlds(state, points.size(), worlds, "point", "points in ");
  const DefaultFloats floats;
  // Parts of a batch, so that the sorted copies stay small.
  for (std::size_t first = 0; first < points.size(); first += kPathsAtOnce) {
    const std::size_t count = std::min<std::size_t>(kPathsAtOnce, points.size() - first);
    const PointsAlongCurve<Point> sorted({points.data() + first, count}, worlds.from(first),
                                         state.prepared->bounds);
    std::vector<Result> found(count);
    state.work_within_memory(
        [&](u32 at_once) { return memory(count, at_once); },
        [&] {
          answer(WorldPoints<Point>{sorted.points().data(), sorted.worlds()}, found.data(), count);
        });
    sorted.put_back(found, results + first);
  }
}

}  // namespace

void Renderer::closest_points(Span<const Vec3f> points, Span<Nearest> nearest, float max_distance,
                              const RayWorlds& worlds) {
  require_as_many("closest_points", points.size(), "points", nearest.size(), "closest points");
  if (!(max_distance >= 0.0f)) throw UsageError("closest_points: max_distance must be 0 or more");
  answer_points<Nearest>(
      *state_, points, worlds, memory_of_closest_points,
      [&](const WorldPoints<Vec3f>& some, Nearest* found, u64 count) {
        state_->resident->closest_points(some, max_distance, found, count);
      },
      nearest.data());
}

void Renderer::contains(Span<const Vec3d> points, Span<std::uint8_t> inside, InsideRule rule,
                        const RayWorlds& worlds) {
  require_as_many("contains", points.size(), "points", inside.size(), "answers");
  if (rule == InsideRule::winding) require_followed(*state_);
  answer_points<u8>(
      *state_, points, worlds, memory_of_inside,
      [&](const WorldPoints<Vec3d>& some, u8* found, u64 count) {
        state_->resident->contains(some, rule, found, count);
      },
      inside.data());
}

void Renderer::contains(Span<const Vec3f> points, Span<std::uint8_t> inside, InsideRule rule,
                        const RayWorlds& worlds) {
  contains(doubles(points), inside, rule, worlds);
}

void Renderer::winding_numbers(Span<const Vec3d> points, Span<double> numbers,
                               const RayWorlds& worlds) {
  require_as_many("winding_numbers", points.size(), "points", numbers.size(), "numbers");
  require_followed(*state_);
  answer_points<double>(
      *state_, points, worlds, memory_of_inside,
      [&](const WorldPoints<Vec3d>& some, double* found, u64 count) {
        state_->resident->winding_numbers(some, found, count);
      },
      numbers.data());
}

void Renderer::winding_numbers(Span<const Vec3f> points, Span<double> numbers,
                               const RayWorlds& worlds) {
  winding_numbers(doubles(points), numbers, worlds);
}

}  // namespace ballotcast
