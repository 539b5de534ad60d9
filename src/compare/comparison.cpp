#include "compare/comparison.hpp"

#include <algorithm>
#include <cstdlib>

namespace ballotcast::detail {

namespace {

/// Counts a pixel with RGBA samples `a` in the reference and `b` in the result.
void count_pixel(Comparison& out, u64 i, const u16* a, const u16* b) {
  u32 color = 0;
  for (int c = 0; c < 3; ++c) color = std::max(color, static_cast<u32>(std::abs(a[c] - b[c])));
  const u32 alpha = static_cast<u32>(std::abs(a[3] - b[3]));
  const u32 error = std::max(color, alpha);
  if (error == 0) return;
  out.color_different += color > 0;
  out.alpha_different += alpha > 0;
  for (std::size_t k = 0; k < kCountedDifferences.size(); ++k)
    out.over[k] += error > kCountedDifferences[k] * (out.largest / 255u);
  if (error <= out.max_error) return;
  out.max_error = error;
  out.worst = WorstPixel{static_cast<u32>(i % out.width),
                         static_cast<u32>(i / out.width),
                         {a[0], a[1], a[2], a[3]},
                         {b[0], b[1], b[2], b[3]}};
}

}  // namespace

Comparison compare_pair(const PicturePair& pair) {
  Comparison out;
  out.width = pair.width;
  out.height = pair.height;
  out.largest = pair.largest();
  out.pixels = pair.compared();
  out.left_out = pair.left_out_count;
  // Pixels that are left out do not count: a pair has made them equal in both pictures.
  for (u64 i = 0; i < pair.pixels(); ++i)
    count_pixel(out, i, pair.reference.data() + 4 * i, pair.result.data() + 4 * i);
  out.different = out.over[0];
  out.same = out.different == 0;
  for (const Metric& metric : metrics())
    out.values.push_back({&metric, out.same ? metric.of_equals() : metric.measure(pair)});
  return out;
}

}  // namespace ballotcast::detail

namespace ballotcast {

Comparison compare(const SampledImage& reference, const SampledImage& result,
                   const CompareOptions& options) {
  return detail::compare_pair(detail::paired(reference, result, options));
}

}  // namespace ballotcast
