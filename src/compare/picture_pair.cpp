#include "compare/picture_pair.hpp"

#include <algorithm>

#include "ballotcast/error.hpp"
#include "image/picture_checks.hpp"

namespace ballotcast::detail {

std::string size_of(const PictureSize& size) {
  return std::to_string(size.width) + "x" + std::to_string(size.height);
}

std::string size_of(const SampledImage& image) {
  return size_of(PictureSize{image.width, image.height});
}

namespace {

/// The samples of the top left part of `image` as RGBA with `depth` bits.
std::vector<u16> rgba_of(const SampledImage& image, u32 depth, u32 width, u32 height) {
  const u32 scale = image.depth == depth ? 1 : 257;
  const u16 opaque = depth == 16 ? 65535 : 255;
  const bool has_alpha = image.channels % 2 == 0;
  const bool is_grey = image.channels < 3;
  std::vector<u16> out;
  out.reserve(u64{width} * height * 4);
  for (u64 y = 0; y < height; ++y) {
    const u16* pixel = image.samples.data() + y * image.width * image.channels;
    for (u32 x = 0; x < width; ++x, pixel += image.channels) {
      for (u32 c = 0; c < 3; ++c) out.push_back(static_cast<u16>(pixel[is_grey ? 0 : c] * scale));
      out.push_back(has_alpha ? static_cast<u16>(pixel[image.channels - 1] * scale) : opaque);
    }
  }
  return out;
}

/// Marks pixel `i` as left out, and copies it from the reference to the result, so that metrics
/// that look at neighbouring pixels see no difference there.
void leave_out(PicturePair& pair, u64 i) {
  if (pair.left_out[i]) return;
  pair.left_out[i] = true;
  ++pair.left_out_count;
  std::copy_n(pair.reference.begin() + static_cast<std::ptrdiff_t>(4 * i), 4,
              pair.result.begin() + static_cast<std::ptrdiff_t>(4 * i));
}

/// Leaves out the pixels of a rectangle.
void leave_out(PicturePair& pair, const Rectangle& area) {
  const std::string words = std::to_string(area.x) + "," + std::to_string(area.y) + "," +
                            std::to_string(area.width) + "," + std::to_string(area.height);
  if (area.width == 0 || area.height == 0)
    throw UsageError("ignored rectangle " + words + " contains no pixel");
  const u64 right = u64{area.x} + area.width, bottom = u64{area.y} + area.height;
  const auto reaches_beyond = [&](const PictureSize& size) {
    return right > size.width || bottom > size.height;
  };
  if (reaches_beyond(pair.reference_size) && reaches_beyond(pair.result_size))
    throw UsageError("ignored rectangle " + words + " extends beyond the picture of " +
                     size_of(pair.reference_size) + " pixels");
  for (u32 y = area.y; y < std::min<u64>(bottom, pair.height); ++y)
    for (u32 x = area.x; x < std::min<u64>(right, pair.width); ++x)
      leave_out(pair, u64{y} * pair.width + x);
}

/// Leaves out the pixels where options.ignore_where is neither black nor wholly transparent.
void leave_out_where(PicturePair& pair, const CompareOptions& options) {
  const SampledImage& where = options.ignore_where;
  require_whole(where, options.ignore_where_name);
  const PictureSize size{where.width, where.height};
  if (!(size == pair.reference_size) && !(size == pair.result_size))
    throw InputError(options.ignore_where_name + " has " + size_of(size) +
                     " pixels, and the pictures that it is for " + size_of(pair.reference_size));
  const std::vector<u16> rgba = rgba_of(where, where.depth, pair.width, pair.height);
  for (u64 i = 0; i < pair.pixels(); ++i) {
    const u16* const p = rgba.data() + 4 * i;
    if ((p[0] | p[1] | p[2]) != 0 && p[3] != 0) leave_out(pair, i);
  }
}

}  // namespace

PicturePair paired(const SampledImage& reference, const SampledImage& result,
                   const CompareOptions& options) {
  require_whole(reference, options.reference_name);
  require_whole(result, options.result_name);
  PicturePair pair;
  pair.reference_size = {reference.width, reference.height};
  pair.result_size = {result.width, result.height};
  pair.width = std::min(reference.width, result.width);
  pair.height = std::min(reference.height, result.height);
  pair.depth = std::max(reference.depth, result.depth);
  pair.reference = rgba_of(reference, pair.depth, pair.width, pair.height);
  pair.result = rgba_of(result, pair.depth, pair.width, pair.height);
  pair.left_out.assign(pair.pixels(), false);
  for (const Rectangle& area : options.ignore) leave_out(pair, area);
  if (!options.ignore_where.samples.empty()) leave_out_where(pair, options);
  if (pair.compared() == 0) throw UsageError("no pixel is left to compare: all are ignored");
  for (u64 i = 0; i < pair.pixels() && pair.is_opaque; ++i)
    pair.is_opaque =
        pair.reference[4 * i + 3] == pair.largest() && pair.result[4 * i + 3] == pair.largest();
  return pair;
}

std::vector<float> backgrounds_of(const PicturePair& pair) {
  return pair.is_opaque ? std::vector<float>{0.0f} : std::vector<float>{0.0f, 1.0f};
}

}  // namespace ballotcast::detail
