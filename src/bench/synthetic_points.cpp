#include "bench/synthetic_points.hpp"

#include <algorithm>
#include <charconv>

#include "ballotcast/error.hpp"

namespace ballotcast::detail {

namespace {

HitPattern pattern_called(const std::string& name) {
  const auto names = lane_patterns();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw_unknown("lanes", name, names);
  return static_cast<HitPattern>(found - names.begin());
}

/// Sets the work and the number of its steps from "flag", "fmaN" or "memory". Throws UsageError for
/// another text.
void set_work(SyntheticCase& c, const std::string& text) {
  const std::string_view fma = FmaWork::info.name;
  if (text == FlagWork::info.name || text == MemoryWork::info.name) {
    c.work = text == FlagWork::info.name ? FlagWork::info.name : MemoryWork::info.name;
    return;
  }
  u32 steps = 0;
  const char* begin = text.data() + std::min(fma.size(), text.size());
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), steps);
  if (text.rfind(fma, 0) != 0 || error != std::errc() || end != text.data() + text.size() ||
      steps < 1 || steps > 1000000)
    throw UsageError("unknown work '" + text +
                     "'; known: flag, fmaN (N fused multiply-adds per ray, e.g. fma200), memory");
  c.work = fma;
  c.steps = steps;
}

u32 count_at(const Values& point, const std::string& name) {
  return static_cast<u32>(value_at<u64>(point, name));
}

}  // namespace

std::vector<std::string_view> lane_patterns() { return {"random", "coherent", "one-per-block"}; }

Values SyntheticPoint::axes() const {
  return {{"work", work},
          {"lanes", lanes},
          {"hit_probability", hit_probability},
          {"rays", u64{rays}},
          {"block_size", u64{block_size}},
          {"shards", u64{shards}},
          {"ragged", u64{ragged}},
          {"items", u64{items}},
          {"payload_bytes", u64{payload_bytes}},
          {"bins", u64{bins}}};
}

u32 differences(const SyntheticPoint& a, const SyntheticPoint& b) {
  const Values of_a = a.axes(), of_b = b.axes();
  u32 count = 0;
  for (std::size_t i = 0; i < of_a.size(); ++i) count += of_a[i] != of_b[i] ? 1u : 0u;
  return count;
}

SyntheticCase case_of(const SyntheticPoint& point) {
  SyntheticCase c;
  set_work(c, point.work);
  c.pattern = pattern_called(point.lanes);
  c.probability = point.hit_probability;
  c.rays = point.rays;
  c.block_size = point.block_size;
  c.shards = point.shards;
  c.ragged = point.ragged;
  c.items = point.items;
  c.payload_bytes = point.payload_bytes;
  c.bins = point.bins;
  return c;
}

std::vector<SyntheticPoint> combined(const AtomicsRequest& request, const SyntheticPoint& base) {
  Axes bases;
  for (const auto& [name, value] : base.axes()) bases.push_back({name, {value}});
  std::vector<SyntheticPoint> points;
  for (const Values& at : product(with_given(bases, request.axes)))
    points.push_back({value_at<std::string>(at, "work"), value_at<std::string>(at, "lanes"),
                      value_at<double>(at, "hit_probability"), count_at(at, "rays"),
                      count_at(at, "block_size"), count_at(at, "shards"), count_at(at, "ragged"),
                      count_at(at, "items"), count_at(at, "payload_bytes"), count_at(at, "bins")});
  return points;
}

std::vector<SyntheticPoint> placed(const AtomicsRequest& request, const SyntheticPoint& base) {
  AtomicsRequest own;
  for (const Axis& axis : request.axes)
    if (axis.name == "rays" || axis.name == "block_size") own.axes.push_back(axis);
  return combined(own, base);
}

std::vector<SyntheticPoint> swept(const SyntheticPoint& base, const std::vector<u32>& rays) {
  std::vector<SyntheticPoint> points;
  const auto with = [&](const std::string& work, auto change) {
    SyntheticPoint point = base;
    point.work = work;
    change(point);
    if (std::find(points.begin(), points.end(), point) == points.end()) points.push_back(point);
  };
  using Point = SyntheticPoint;
  for (const char* work : {"flag", "fma200", "fma2000", "memory"}) {
    for (const double p : {0.01, 0.1, 0.5, 1.0})
      with(work, [&](Point& q) { q.hit_probability = p; });
    for (const u32 n : rays) with(work, [&](Point& q) { q.rays = n; });
    with(work, [](Point& q) { q.lanes = "coherent"; });
  }
  for (const u32 n : {32u, 64u, 128u, 256u, 512u, 1024u})
    with("flag", [&](Point& q) { q.block_size = n; });
  with("fma200", [](Point& q) { q.ragged = 8; });
  return points;
}

}  // namespace ballotcast::detail
