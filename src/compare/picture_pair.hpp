// Two pictures side by side, in one form: what everything here compares.
#pragma once

#include <string>
#include <vector>

#include "ballotcast/compare.hpp"
#include "image/image.hpp"

namespace ballotcast::detail {

/// Two pictures of one size, both RGBA with samples from 0 to largest(): grey is repeated, missing
/// alpha is opaque, and 8 bits become 16 (times 257) where the other picture has 16. No two
/// different pictures become the same thereby, but for the form they were in. Sample c of pixel i
/// (row by row) is [4 * i + c].
struct PicturePair {
  u32 width = 0;
  u32 height = 0;
  u32 depth = 8;  // bits a sample, of the deeper of the two
  std::vector<u16> reference;
  std::vector<u16> result;     // the reference's, where left out
  std::vector<bool> left_out;  // a pixel each
  u64 left_out_count = 0;      // pixels
  bool is_opaque = true;       // has every pixel of both its full alpha?

  u64 pixels() const { return u64{width} * height; }
  u64 compared() const { return pixels() - left_out_count; }
  u16 largest() const { return depth == 16 ? 65535 : 255; }
  /// How many of the deeper picture's steps are one 255th.
  u32 steps_of_255th() const { return largest() / 255u; }
  /// Channels that can differ: alpha counts as the fourth unless both pictures are opaque.
  u32 channels() const { return is_opaque ? 3 : 4; }
};

/// "320x180".
std::string size_of(const SampledImage& image);

/// Brings two pictures to one form. Throws InputError naming both when their sizes differ, and
/// UsageError when a rectangle is empty or reaches outside, or no pixel is left to compare.
PicturePair paired(const SampledImage& reference, const SampledImage& result,
                   const CompareOptions& options);

/// The grey backgrounds (0 black, 1 white) over which a viewer would have to look at the pictures
/// to see all that differs: one for opaque ones, which hide it.
std::vector<float> backgrounds_of(const PicturePair& pair);

/// A pixel's colour over a background, in sRGB codes from 0 to 1.
struct SeenColor {
  float r, g, b;
};

/// The colour of the pixel with RGBA samples `rgba` up to `largest` over a grey background. Blended
/// as viewers do, in sRGB codes.
inline SeenColor seen_over(float background, const u16* rgba, float largest) {
  const float alpha = static_cast<float>(rgba[3]) / largest;
  const auto blended = [&](u16 code) {
    return static_cast<float>(code) / largest * alpha + background * (1.0f - alpha);
  };
  return {blended(rgba[0]), blended(rgba[1]), blended(rgba[2])};
}

}  // namespace ballotcast::detail
