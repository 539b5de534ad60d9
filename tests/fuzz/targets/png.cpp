#include "compare/comparison.hpp"
#include "fuzz/checks.hpp"
#include "fuzz/target.hpp"
#include "image/codec.hpp"

namespace ballotcast::detail::fuzz {

namespace {

constexpr u64 kMostCompared = 256;  // limit of pixels for comparing

}  // namespace

/// The input is a PNG. If it can be read, comparing the picture with itself must find no
/// difference.
void run_png(std::span<const u8> input) {
  read_or_refused([&] {
    const SampledImage image = decode_png({input.begin(), input.end()}, "a.png");
    require(image.samples.size() == u64{image.width} * image.height * image.channels,
            "a picture without all of its samples");
    if (u64{image.width} * image.height > kMostCompared) return;
    require(compare_pair(paired(image, image, {})).same, "a picture that differs from itself");
  });
}

}  // namespace ballotcast::detail::fuzz
