#include "scene/texture_maps.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "support/parallel.hpp"

namespace ballotcast::detail {

namespace {

/// True if most pixels are clearly no grey.
bool has_colors(const Picture<Rgba8>& image) {
  constexpr int kClearly = 24;  // JPEGs of grey pictures are a little coloured
  std::size_t colored = 0;
  for (const Rgba8 c : image.pixels)
    if (std::max({c.r, c.g, c.b}) - std::min({c.r, c.g, c.b}) > kClearly) ++colored;
  return 2 * colored > image.pixels.size();
}

/// A component of a unit vector as a byte.
u8 coded(double component) { return static_cast<u8>(std::floor(component * 127.5 + 128.0)); }

}  // namespace

void make_opacity(Picture<Rgba8>& image) {
  for (const Rgba8& pixel : image.pixels)
    if (pixel.a != 255) return;
  for (Rgba8& pixel : image.pixels) pixel.a = pixel.r;
}

void make_normals(Picture<Rgba8>& image) {
  if (has_colors(image)) return;
  constexpr double kSlope = 4.0;  // of a step from black to white over one pixel
  const u32 width = image.width, height = image.height;
  const Array<Rgba8> heights = std::move(image.pixels);
  image.pixels.resize(heights.size());
  for_each_index(height, [&](u32 y) {
    const u64 row = u64{y} * width, above = u64{y == 0 ? height - 1 : y - 1} * width,
              below = u64{y + 1 == height ? 0 : y + 1} * width;
    for (u32 x = 0; x < width; ++x) {
      const u32 left = x == 0 ? width - 1 : x - 1, right = x + 1 == width ? 0 : x + 1;
      const double scale = kSlope / (2.0 * 255.0);
      const double slope_x = (heights[row + right].g - heights[row + left].g) * scale,
                   slope_y = (heights[above + x].g - heights[below + x].g) * scale;
      const double length = std::sqrt(slope_x * slope_x + slope_y * slope_y + 1.0);
      image.pixels[row + x] = {coded(-slope_x / length), coded(-slope_y / length),
                               coded(std::min(1.0 / length, 0.996)), 255};
    }
  });
}

double roughness_of(double exponent) { return std::sqrt(std::sqrt(2.0 / (exponent + 2.0))); }

void make_roughness(Picture<Rgba8>& image, double exponent) {
  for (Rgba8& pixel : image.pixels)
    pixel.g = static_cast<u8>(std::floor(roughness_of(exponent * pixel.g / 255.0) * 255.0 + 0.5));
}

}  // namespace ballotcast::detail
