// PicturePair: two pictures, converted to a common format so that they can be compared.
#pragma once

#include <string>
#include <vector>

#include "ballotcast/compare.hpp"
#include "image/picture.hpp"

namespace ballotcast::detail {

/// Two pictures in a common format: the part that both have, from the top left corner. If their
/// sizes are equal, this is the whole of both. Both are RGBA with samples from 0 to largest(). Grey
/// is copied to red, green and blue, missing alpha is opaque, and 8 bits become 16 (times 257) if
/// the other picture has 16. Pictures that differ only in format become equal; all other
/// differences stay. Sample c of pixel i (row by row) is [4 * i + c].
struct PicturePair {
  u32 width = 0;
  u32 height = 0;
  PictureSize reference_size, result_size;  // sizes of the whole pictures
  u32 depth = 8;  // bits per sample in both: the larger depth of the two pictures
  std::vector<u16> reference;
  std::vector<u16> result;  // samples of the result; left-out pixels are copies of the reference's
  std::vector<bool> left_out;  // for each pixel: true if it is not compared
  u64 left_out_count = 0;      // number of left-out pixels
  bool is_opaque = true;       // true if all pixels of both pictures have full alpha

  u64 pixels() const { return u64{width} * height; }
  u64 compared() const { return pixels() - left_out_count; }
  u16 largest() const { return depth == 16 ? 65535 : 255; }
  /// The number of sample steps that make 1/255 of the range: 1 with 8 bits, 257 with 16 bits.
  u32 steps_of_255th() const { return largest() / 255u; }
  /// The number of channels that can differ: 4 with alpha, 3 if both pictures are opaque.
  u32 channels() const { return is_opaque ? 3 : 4; }
};

/// The size as text: "320x180".
std::string size_of(const SampledImage& image);

std::string size_of(const PictureSize& size);

/// Converts two pictures to a common format. Throws UsageError if a rectangle of options.ignore is
/// empty or reaches outside of both pictures, or if no pixel is left to compare. Throws InputError
/// if options.ignore_where has the size of neither picture.
PicturePair paired(const SampledImage& reference, const SampledImage& result,
                   const CompareOptions& options);

/// The grey backgrounds (0 black, 1 white) over which the pictures must be compared to find all
/// visible differences. Opaque pictures hide the background, so one is enough for them.
std::vector<float> backgrounds_of(const PicturePair& pair);

/// The colour of a pixel over a background, as sRGB codes from 0 to 1.
struct SeenColor {
  float r, g, b;
};

/// The colour of a pixel over a grey background. `rgba` holds samples from 0 to `largest`. Blends
/// sRGB codes, as picture viewers do.
inline SeenColor seen_over(float background, const u16* rgba, float largest) {
  const float alpha = static_cast<float>(rgba[3]) / largest;
  const auto blended = [&](u16 code) {
    return static_cast<float>(code) / largest * alpha + background * (1.0f - alpha);
  };
  return {blended(rgba[0]), blended(rgba[1]), blended(rgba[2])};
}

}  // namespace ballotcast::detail
