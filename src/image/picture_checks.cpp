#include "image/picture_checks.hpp"

#include <algorithm>

namespace ballotcast::detail {

namespace {

constexpr u64 kLargestSide = 1 << 15;
// pixels per byte of a file; twice the ratio of a PNG that is all zeros
constexpr u64 kMostPixelsOfByte = 1 << 14;
// a picture with at most this number of pixels is plausible for any file size
constexpr u64 kSmall = 1 << 16;

void require_count(const std::string& name, std::uint32_t width, std::uint32_t height,
                   std::uint64_t per_pixel, std::size_t count, const char* unit) {
  const std::uint64_t pixels = std::uint64_t{width} * height;
  if (pixels == 0 || count / per_pixel != pixels || count % per_pixel != 0)
    throw UsageError(name + " is not a whole picture: " + std::to_string(width) + "x" +
                     std::to_string(height) + " pixels, but " + std::to_string(count) + " " + unit);
}

}  // namespace

void require_plausible(u64 width, u64 height, u64 bytes, const std::string& name, u64 most) {
  const std::string size = std::to_string(width) + "x" + std::to_string(height);
  if (width > kLargestSide || height > kLargestSide || width * height > most)
    throw InputError(name + ": picture too large: " + size + " pixels; the limit is " +
                     std::to_string(kLargestSide) + " per side and " + std::to_string(most) +
                     " in all");
  if (width * height > kSmall && width * height / kMostPixelsOfByte > bytes)
    throw InputError(name + ": damaged picture (it claims " + size + " pixels in " +
                     std::to_string(bytes) + " bytes)");
}

void require_whole(const SampledImage& image, const std::string& name) {
  if (image.channels < 1 || image.channels > 4)
    throw UsageError(name + " has " + std::to_string(image.channels) +
                     " channels; a picture has 1 to 4");
  if (image.depth != 8 && image.depth != 16)
    throw UsageError(name + " has samples of " + std::to_string(image.depth) +
                     " bits; a picture has 8 or 16");
  require_count(name, image.width, image.height, image.channels, image.samples.size(), "samples");
  if (image.depth == 8 && std::ranges::any_of(image.samples, [](auto s) { return s > 255; }))
    throw UsageError(name + " has 8-bit samples above 255");
}

namespace {

template <class Picture>
void require_one_per_pixel(const Picture& image, const std::string& name) {
  require_count(name, image.width, image.height, 1, image.pixels.size(), "pixels");
  if (!image.alpha.empty())
    require_count(name, image.width, image.height, 1, image.alpha.size(), "alphas");
}

}  // namespace

void require_whole(const Image<Rgb8>& image, const std::string& name) {
  require_one_per_pixel(image, name);
}

void require_whole(const LinearImage& image, const std::string& name) {
  require_one_per_pixel(image, name);
}

}  // namespace ballotcast::detail
