#include "compare/picture_pair.hpp"

#include <algorithm>

#include "image/checks.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {

std::string size_of(const SampledImage& image) {
  return std::to_string(image.width) + "x" + std::to_string(image.height);
}

namespace {

/// The samples of `image` as RGBA with `depth` bits.
std::vector<u16> rgba_of(const SampledImage& image, u32 depth) {
  const u32 scale = image.depth == depth ? 1 : 257;
  const u16 opaque = depth == 16 ? 65535 : 255;
  const bool has_alpha = image.channels % 2 == 0;
  const bool is_grey = image.channels < 3;
  std::vector<u16> out;
  out.reserve(u64{image.width} * image.height * 4);
  for (std::size_t at = 0; at < image.samples.size(); at += image.channels) {
    const u16* pixel = image.samples.data() + at;
    for (u32 c = 0; c < 3; ++c) out.push_back(static_cast<u16>(pixel[is_grey ? 0 : c] * scale));
    out.push_back(has_alpha ? static_cast<u16>(pixel[image.channels - 1] * scale) : opaque);
  }
  return out;
}

/// Leaves out the pixels of a rectangle. The result gets the reference's pixels there, so that
/// metrics that look at neighbouring pixels see no difference either.
void leave_out(PicturePair& pair, const Rectangle& part) {
  const std::string words = std::to_string(part.x) + "," + std::to_string(part.y) + "," +
                            std::to_string(part.width) + "," + std::to_string(part.height);
  if (part.width == 0 || part.height == 0)
    throw UsageError("allowed rectangle " + words + " contains no pixel");
  if (u64{part.x} + part.width > pair.width || u64{part.y} + part.height > pair.height)
    throw UsageError("allowed rectangle " + words + " extends beyond the picture of " +
                     std::to_string(pair.width) + "x" + std::to_string(pair.height) + " pixels");
  for (u32 y = part.y; y < part.y + part.height; ++y)
    for (u32 x = part.x; x < part.x + part.width; ++x) {
      const u64 i = u64{y} * pair.width + x;
      if (pair.left_out[i]) continue;
      pair.left_out[i] = true;
      ++pair.left_out_count;
      std::copy_n(pair.reference.begin() + static_cast<std::ptrdiff_t>(4 * i), 4,
                  pair.result.begin() + static_cast<std::ptrdiff_t>(4 * i));
    }
}

}  // namespace

PicturePair paired(const SampledImage& reference, const SampledImage& result,
                   const CompareOptions& options) {
  require_whole(reference, options.reference_name);
  require_whole(result, options.result_name);
  if (reference.width != result.width || reference.height != result.height)
    throw InputError(options.reference_name + " has " + size_of(reference) + " pixels, " +
                     options.result_name + " has " + size_of(result) +
                     ": only pictures of the same size can be compared");
  PicturePair pair;
  pair.width = reference.width;
  pair.height = reference.height;
  pair.depth = std::max(reference.depth, result.depth);
  pair.reference = rgba_of(reference, pair.depth);
  pair.result = rgba_of(result, pair.depth);
  pair.left_out.assign(pair.pixels(), false);
  for (const Rectangle& part : options.allow) leave_out(pair, part);
  if (pair.compared() == 0) throw UsageError("the allowed rectangles leave no pixel to compare");
  for (u64 i = 0; i < pair.pixels() && pair.is_opaque; ++i)
    pair.is_opaque =
        pair.reference[4 * i + 3] == pair.largest() && pair.result[4 * i + 3] == pair.largest();
  return pair;
}

std::vector<float> backgrounds_of(const PicturePair& pair) {
  return pair.is_opaque ? std::vector<float>{0.0f} : std::vector<float>{0.0f, 1.0f};
}

}  // namespace ballotcast::detail
