#include <algorithm>
#include <cstring>

#include "fuzz/checks.hpp"
#include "fuzz/target.hpp"
#include "image/linear/linear_files.hpp"

namespace ballotcast::detail::fuzz {

namespace {

constexpr u64 kMostEncoded = 4096;  // limit of pixels for encoding again

}  // namespace

/// The input is a PFM, HDR or OpenEXR file. If it can be read, a PFM of the picture must have the
/// same bits, and an HDR must be readable.
void run_linear(std::span<const u8> input) {
  read_or_refused([&] {
    const LinearImage image = decode_linear({input.begin(), input.end()}, "a.hdr");
    require(image.width > 0 && image.height > 0 &&
                image.pixels.size() == u64{image.width} * image.height,
            "a picture without all of its pixels");
    if (image.pixels.size() > kMostEncoded) return;
    const LinearImage same = decode_linear(encode_linear(image, "pfm"), "same.pfm");
    require(same.pixels.size() == image.pixels.size() &&
                std::memcmp(same.pixels.data(), image.pixels.data(),
                            image.pixels.size() * sizeof(Vec3f)) == 0,
            "a PFM that changes bits");
    const LinearImage rounded = decode_linear(encode_linear(image, "hdr"), "rounded.hdr");
    require(std::ranges::all_of(rounded.pixels, [](const Vec3f& p) { return p.x >= 0.0f; }),
            "an HDR with negative numbers");
  });
}

}  // namespace ballotcast::detail::fuzz
