#include "compare/picture_files.hpp"

#include <algorithm>

#include "compare/ids.hpp"
#include "image/codec.hpp"
#include "image/linear/linear_image.hpp"
#include "support/error.hpp"
#include "support/files/files.hpp"

namespace ballotcast::detail {

namespace {

/// A file's picture: of linear numbers or not.
struct AnyPicture {
  SampledImage sampled;
  std::optional<LinearImage> linear;
};

AnyPicture read_any(const std::string& path, bool ids) {
  const std::vector<u8> bytes = read_file(path);
  if (ids) return {ids_of(bytes, path), {}};
  if (begins_linear(bytes)) return {{}, decode_linear(bytes, path)};
  return {decode_picture(bytes, path), {}};
}

/// Of ids, the first that differs is named in place of the largest difference.
Comparison compare_ids(const PicturePair& pair) {
  Comparison out = compare_pair(pair);
  out.values.clear();
  out.max_error = 0;
  for (u64 i = 0; i < pair.pixels() && out.worst; ++i) {
    const u16 *const a = pair.reference.data() + 4 * i, *const b = pair.result.data() + 4 * i;
    if (std::equal(a, a + 4, b)) continue;
    out.worst = WorstPixel{static_cast<u32>(i % pair.width),
                           static_cast<u32>(i / pair.width),
                           {a[0], a[1], a[2], a[3]},
                           {b[0], b[1], b[2], b[3]}};
    break;
  }
  return out;
}

void refuse_two_kinds(const std::string& linear, const std::string& other) {
  throw InputError(linear + " has linear numbers, and " + other +
                   " has not: only pictures of the same kind can be compared");
}

}  // namespace

FileComparison compared_files(const std::string& reference, const std::string& result,
                              const FileCompareOptions& options) {
  AnyPicture a = read_any(reference, options.ids), b = read_any(result, options.ids);
  if (a.linear && !b.linear) refuse_two_kinds(reference, result);
  if (b.linear && !a.linear) refuse_two_kinds(result, reference);
  FileComparison out;
  if (a.linear) {
    LinearReport& linear = out.linear.emplace();
    linear.exposure = options.exposure ? *options.exposure : exposure_for(*a.linear);
    linear.reference = tone_mapped(*a.linear, linear.exposure);
    linear.result = tone_mapped(*b.linear, linear.exposure);
    a.sampled = sampled(linear.reference);
    b.sampled = sampled(linear.result);
  }
  out.reference = std::move(a.sampled);
  out.result = std::move(b.sampled);
  CompareOptions how{options.ignore, reference, result, {}, options.ignore_where};
  if (!options.ignore_where.empty()) how.ignore_where = read_picture(options.ignore_where);
  out.pair = paired(out.reference, out.result, how);
  out.are_ids = options.ids;
  out.comparison = options.ids ? compare_ids(out.pair) : compare_pair(out.pair);
  if (!a.linear) return out;
  out.linear->comparison = compare_linear(*a.linear, *b.linear, out.pair.left_out,
                                          options.block.value_or(kDefaultBlock));
  // Linear pictures may differ where they look the same.
  const LinearComparison& exact = out.linear->comparison;
  out.comparison.different = out.comparison.color_different = exact.different;
  out.comparison.same = exact.same() && !out.comparison.sizes_differ();
  return out;
}

}  // namespace ballotcast::detail

namespace ballotcast {

SampledImage read_picture(const std::string& path) {
  return detail::decode_picture(detail::read_file(path), path);
}

}  // namespace ballotcast
