#include <algorithm>
#include <vector>

#include "backends/cpu/cpu_machine.hpp"
#include "kernels/pipelines/machine.hpp"
#include "math/simd.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

constexpr i32 kTileWidth = 64,
              kTileHeight = 32;  // in patches, multiples of 8; a tile's patches fit into L2
constexpr i32 kEight = 8;

struct SurfaceLanes {
  VectorLanes normal;
  Lanes8 samples;
  VectorLanes position;
  Lanes8 pixels_per_unit;
};

struct LightLanes {
  VectorLanes half[2];
  Lanes8 variance;

  LightLanes where(Ints8 mask) const {
    return {{half[0].where(mask), half[1].where(mask)}, variance.where(mask)};
  }
};

SurfaceLanes in_all(const PatchSurface& s) {
  return {VectorLanes(s.normal), Lanes8(s.samples), VectorLanes(s.position),
          Lanes8(s.pixels_per_unit)};
}
LightLanes in_all(const PatchLight& l) {
  return {{VectorLanes(l.half[0]), VectorLanes(l.half[1])}, Lanes8(l.variance)};
}

LightSums<float, vec3> lane_of(const LightSums<Lanes8, VectorLanes>& sums, u32 k) {
  LightSums<float, vec3> out;
  for (u32 half = 0; half < 2u; ++half) {
    const LightPlane<Lanes8, VectorLanes>& p = sums.planes[half];
    out.planes[half] = {p.weights.v[k],  p.x.v[k],          p.y.v[k],
                        p.xx.v[k],       p.xy.v[k],         p.yy.v[k],
                        p.light.lane(k), p.light_x.lane(k), p.light_y.lane(k)};
    out.variances[half] = sums.variances[half].v[k];
  }
  return out;
}

/// The first patches of a tile of the picture and of its surroundings, as a structure of arrays:
/// the first components of all normals, then all second components, and so on. So the values of
/// eight neighbours are one vector. Where there is no patch, all numbers are 0.
///
///        left                          The tile begins at (left, top) of the picture. The border
///      +--------------------+          around it is as wide as the radius.
///      |   +------------+   |
///  top |   |    tile    |   |
///      |   +------------+   |
///      +--------------------+
///
class TilePatches {
 public:
  explicit TilePatches(i32 radius)
      : radius_(radius),
        stride_(kTileWidth + 2 * radius),
        size_(static_cast<std::size_t>(stride_) *
              static_cast<std::size_t>(kTileHeight + 2 * radius)),
        numbers_(kNumbers * size_) {}

  void fill(const PatchGrid& grid, PatchLights in, PatchLights guide, i32 left, i32 top) {
    for (i32 y = -radius_; y < kTileHeight + radius_; ++y)
      for (i32 x = -radius_; x < kTileWidth + radius_; ++x) {
        PatchSurface surface{vec3(0.0f), 0.0f, vec3(0.0f), 0.0f};
        PatchLight light{{vec3(0.0f), vec3(0.0f)}, 0.0f}, its_guide = light;
        if (is_inside(left + x, grid.width) && is_inside(top + y, grid.height)) {
          const u32 pixel = static_cast<u32>(top + y) * grid.width + static_cast<u32>(left + x);
          surface = grid.surfaces.read(pixel);
          if (surface.samples > 0.0f) {
            light = in.read(pixel);
            its_guide = guide.read(pixel);
          } else {
            surface.samples = 0.0f;
          }
        }
        float* to = numbers_.data() + place(x, y);
        const auto put = [&](float number) {
          *to = number;
          to += size_;
        };
        const auto put_vector = [&](vec3 v) { put(v.x), put(v.y), put(v.z); };
        put(surface.samples);
        put_vector(surface.normal);
        put_vector(surface.position);
        put(surface.pixels_per_unit);
        for (const PatchLight& each : {light, its_guide}) {
          put_vector(each.half[0]);
          put_vector(each.half[1]);
          put(each.variance);
        }
      }
  }

  /// Each of these functions returns one number of eight patches: of the patch at (x, y) of the
  /// tile, and of the next seven.
  Lanes8 samples(i32 x, i32 y) const { return number(0, x, y); }
  SurfaceLanes surface(i32 x, i32 y) const {
    return {vector(1, x, y), samples(x, y), vector(4, x, y), number(7, x, y)};
  }
  LightLanes light(i32 x, i32 y) const { return light_from(8, x, y); }
  LightLanes guide(i32 x, i32 y) const { return light_from(15, x, y); }

 private:
  static constexpr std::size_t kNumbers = 22;

  static bool is_inside(i32 at, u32 size) { return at >= 0 && at < static_cast<i32>(size); }
  std::size_t place(i32 x, i32 y) const {
    return static_cast<std::size_t>((y + radius_) * stride_ + x + radius_);
  }
  Lanes8 number(std::size_t which, i32 x, i32 y) const {
    return Lanes8::load(numbers_.data() + which * size_ + place(x, y));
  }
  VectorLanes vector(std::size_t first, i32 x, i32 y) const {
    return {number(first, x, y), number(first + 1, x, y), number(first + 2, x, y)};
  }
  LightLanes light_from(std::size_t first, i32 x, i32 y) const {
    return {{vector(first, x, y), vector(first + 3, x, y)}, number(first + 6, x, y)};
  }

  const i32 radius_, stride_;
  const std::size_t size_;
  std::vector<float> numbers_;
};

/// Smooths the first patches of a tile.
class TileSmoother {
 public:
  TileSmoother(const PatchGrid& grid, PatchLights in, PatchLights guide, i32 radius,
               PatchLights out)
      : grid_(grid), in_(in), guide_(guide), radius_(radius), out_(out), patches_(radius) {}

  void smooth(i32 left, i32 top) {
    left_ = left, top_ = top;
    patches_.fill(grid_, in_, guide_, left, top);
    const i32 right = std::min(kTileWidth, static_cast<i32>(grid_.width) - left);
    const i32 bottom = std::min(kTileHeight, static_cast<i32>(grid_.height) - top);
    for (i32 y = 0; y < bottom; ++y)
      for (i32 x = 0; x < right; x += kEight) smooth_eight(x, y);
  }

 private:
  using Sums = LightSums<Lanes8, VectorLanes>;

  /// Eight neighbouring patches. Each is the centre of its own window.
  struct Middle {
    i32 x, y;  // position of the first patch in the tile
    SurfaceLanes surface;
    LightLanes guide;
  };

  void smooth_eight(i32 x, i32 y) {
    const Middle own{x, y, patches_.surface(x, y), patches_.guide(x, y)};
    const u32 there = true_lanes(own.surface.samples > Lanes8(0.0f));
    if (there == 0u) return;
    Sums sums;
    const i32 first = std::max(-radius_, -(top_ + y));
    const i32 last = std::min(radius_, static_cast<i32>(grid_.height) - 1 - (top_ + y));
    for (i32 dy = first; dy <= last; ++dy) {
      add_first_patches(own, dy, sums);
      add_second_patches(own, dy, sums);
    }
    for (i32 k = 0; k < kEight; ++k) {
      if ((there >> k & 1u) == 0u) continue;
      const u32 pixel = pixel_at(x + k, y);
      out_.write(pixel, SmoothLight::result(lane_of(sums, k), in_.read(pixel), radius_));
    }
  }

  void add_first_patches(const Middle& own, i32 dy, Sums& sums) const {
    const float y = static_cast<float>(dy);
    for (i32 dx = -radius_; dx <= radius_; ++dx) {
      const float x = static_cast<float>(dx), near = SmoothLight::nearness(x, y, inverse_width_);
      if (!(near > 0.0f)) continue;
      const i32 at_x = own.x + dx, at_y = own.y + dy;
      const Ints8 there = patches_.samples(at_x, at_y) > Lanes8(0.0f);
      if (true_lanes(there) == 0u) continue;
      // Where there is no patch, weight and light are 0, so the sums do not change.
      const Lanes8 base =
          SmoothLight::base_weight(own.surface, patches_.surface(at_x, at_y), Lanes8(near),
                                   Lanes8(distance_in_pixels(dx, dy)));
      sums.add(own.guide, patches_.light(at_x, at_y), patches_.guide(at_x, at_y), base.where(there),
               Lanes8(x), Lanes8(y));
    }
  }

  /// Adds the second patches in row `dy` of the eight windows to `sums`. Pixels with a second patch
  /// are rare, so each second patch is processed separately, with its values in all lanes.
  void add_second_patches(const Middle& own, i32 dy, Sums& sums) const {
    const i32 width = static_cast<i32>(grid_.width);
    const i32 begin = std::max(0, left_ + own.x - radius_);
    const i32 end = std::min(width, left_ + own.x + kEight + radius_);
    for (i32 from = begin; from < end; from += kMostBits) {
      const u32 count = static_cast<u32>(std::min(kMostBits, end - from));
      const u32 row = static_cast<u32>((top_ + own.y + dy) * width + from);
      for (u32 bits = grid_.second_patches(row, count); bits != 0u; bits &= bits - 1u) {
        const u32 bit = lowest_bit(bits);
        add_second_patch(own, dy, from + static_cast<i32>(bit),
                         patch_index(row + bit, 1u, grid_.pixels()), sums);
      }
    }
  }

  /// Adds a second patch to those of the eight windows that contain it. `column` is the patch's
  /// column in the picture.
  void add_second_patch(const Middle& own, i32 dy, i32 column, u32 index, Sums& sums) const {
    const Lanes8 x = Lanes8(static_cast<float>(column - left_ - own.x)) - kCounted;
    const Lanes8 y(static_cast<float>(dy));
    const Lanes8 near = SmoothLight::nearness(x, y, Lanes8(inverse_width_));
    const Ints8 there =
        (near > Lanes8(0.0f)) & (magnitude_of(x) <= Lanes8(static_cast<float>(radius_)));
    if (true_lanes(there) == 0u) return;
    const Lanes8 base = SmoothLight::base_weight(own.surface, in_all(grid_.surfaces.read(index)),
                                                 near, magnitude_of(x) + magnitude_of(y));
    // Where the patch does not count, its light must be set to 0, in addition to its weight,
    // because infinite light times a weight of 0 would be NaN.
    sums.add(own.guide, in_all(in_.read(index)).where(there),
             in_all(guide_.read(index)).where(there), base.where(there), x, y);
  }

  u32 pixel_at(i32 x, i32 y) const {
    return static_cast<u32>(top_ + y) * grid_.width + static_cast<u32>(left_ + x);
  }

  static constexpr i32 kMostBits = 31;  // number of usable bits of PatchGrid::second_patches
  const Lanes8 kCounted{Floats8{0.0f, 1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f, 7.0f}};

  const PatchGrid& grid_;
  const PatchLights in_, guide_;
  const i32 radius_;
  const PatchLights out_;
  const float inverse_width_ = SmoothLight::inverse_width_of(radius_);
  TilePatches patches_;
  i32 left_ = 0, top_ = 0;  // position of the tile
};

}  // namespace

void smooth_in_lanes(const PatchGrid& grid, PatchLights in, PatchLights guide, i32 radius,
                     PatchLights out) {
  const u32 across = blocks_for(grid.width, static_cast<u32>(kTileWidth));
  const u32 down = blocks_for(grid.height, static_cast<u32>(kTileHeight));
  for_each_range<u32>(across * down, 1, [&](u32 begin, u32 end) {
    TileSmoother smoother(grid, in, guide, radius, out);
    for (u32 tile = begin; tile < end; ++tile)
      smoother.smooth(static_cast<i32>(tile % across) * kTileWidth,
                      static_cast<i32>(tile / across) * kTileHeight);
  });
  for_each_range<u32>(grid.pixels(), 1024, [&](u32 begin, u32 end) {
    for (u32 i = begin; i < end; ++i)
      SmoothLight::item(grid.pixels() + i, grid, in, guide, radius, out);
  });
}

}  // namespace ballotcast::detail
