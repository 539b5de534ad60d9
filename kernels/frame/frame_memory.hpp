// The memory that a frame takes on the machine while it is drawn. backends/device/memory_plan.cpp
// runs the same code beforehand to measure how much that is.
#pragma once

#include <algorithm>
#include <utility>

#include "kernels/frame/film.hpp"
#include "kernels/frame/frame_settings.hpp"
#include "kernels/pipelines/machine.hpp"
#include "kernels/shadings/shading.hpp"
#include "kernels/smooth/sums.hpp"

namespace ballotcast::detail {

/// How a frame is cut into ranges (PathRange). A range has at most `at_once` paths, but at least
/// one sample of each pixel in one row of tiles (pixel_tiles.hpp). The size of ranges never changes
/// a pixel, because samples are added up in a fixed order.
struct FrameCut {
  u32 width;
  u32 rows;     // rows of the picture per range
  u32 samples;  // samples per pixel per range
  // True if soft light is smoothed. Smoothing needs the whole film at once.
  bool smooth;
  bool smooths_here;  // false if only some rows are drawn: then another machine smooths
  u32 film_rows;      // rows of the film that are kept in memory

  FrameCut(const FrameSettings& s, const ShadingInfo& info, u32 at_once)
      : width(s.width),
        smooth(info.soft_light() && s.smooth != Smoothing::off),
        smooths_here(smooth && s.rows == 0u) {
    const u64 band_paths = u64{s.width} * kTileSide * s.samples;
    const u64 bands = std::max<u64>(1, at_once / band_paths);
    rows = static_cast<u32>(std::min<u64>(s.rows_to_draw(), bands * kTileSide));
    samples = std::min(s.samples, std::max(1u, at_once / (s.width * rows)));
    film_rows = smooth ? s.rows_to_draw() : rows;
  }

  u32 paths() const { return width * rows * samples; }
  /// The number of ranges.
  u64 ranges(const FrameSettings& s) const {
    return u64{blocks_for(s.rows_to_draw(), rows)} * blocks_for(s.samples, samples);
  }
  u32 film_pixels() const { return width * film_rows; }
  /// False for rows that another machine smooths: their pixels are computed there.
  bool has_pixels() const { return !smooth || smooths_here; }
  u32 patches() const { return smooths_here ? kPatches * film_pixels() : 0u; }
  u32 strips() const { return smooths_here ? strips_of(width, film_rows) : 0u; }
};

template <class Machine, class T>
using BufferOf = decltype(std::declval<Machine&>().template make<T>(0));

/// The memory of the paths of one range.
template <class Machine>
struct PathMemory {
  template <class T>
  using Buffer = BufferOf<Machine, T>;

  Buffer<Ray> rays, occlusion_rays;
  Buffer<Hit> hits, occlusion_hits;
  Buffer<u32> visits, casts;
  Buffer<Unoccluded> unoccluded;
  Buffer<Carried> carried;
  Buffer<u32> since_shown;
  Buffer<LightSum> sharp, lamp, ambient;  // sums of light by kind
  Buffer<Feature> features;

  PathMemory(Machine& m, const FrameCut& cut, const ShadingInfo& info)
      : rays(m.template make<Ray>(cut.paths())),
        occlusion_rays(m.template make<Ray>(cut.paths())),
        hits(m.template make<Hit>(cut.paths())),
        occlusion_hits(m.template make<Hit>(info.occlusion() ? cut.paths() : 0)),
        visits(m.template make<u32>(info.visits() ? cut.paths() : 0)),
        casts(m.template make<u32>(cut.paths())),
        unoccluded(m.template make<Unoccluded>(cut.paths())),
        carried(m.template make<Carried>(cut.paths())),
        since_shown(m.template make<u32>(cut.paths())),
        sharp(m.template make<LightSum>(cut.paths())),
        lamp(m.template make<LightSum>(cut.smooth ? cut.paths() : 0)),
        ambient(m.template make<LightSum>(cut.smooth ? cut.paths() : 0)),
        features(m.template make<Feature>(cut.smooth ? cut.paths() : 0)) {}

  PathArrays view() {
    const auto or_null = [](auto& b) { return b.size() ? b.data() : nullptr; };
    return {rays.data(),
            hits.data(),
            or_null(visits),
            occlusion_rays.data(),
            occlusion_hits.data(),
            unoccluded.data(),
            carried.data(),
            since_shown.data(),
            {sharp.data(), or_null(lamp), or_null(ambient)},
            casts.data(),
            or_null(features)};
  }
};

/// The memory of the film and of the smoothing filter. All of it is allocated before the first ray
/// is cast, so that a frame that does not fit fails early.
template <class Machine>
struct FilmMemory {
  template <class T>
  using Buffer = BufferOf<Machine, T>;

  Buffer<Quad> block;  // the memory of FilmArrays
  // Arrays of the filter, computed from the sums of the film:
  Buffer<Quad> surfaces;                   // the memory of PatchSurfaces
  Buffer<Quad> lamp, ambient, scratch[2];  // the memory of PatchLights
  Buffer<u32> second;                      // the pixels that have a second patch
  Buffer<FireflySums> lost;                // one per kind of light and strip (smooth/sums.hpp)
  Buffer<double> sums;                     // one per strip of the film
  Buffer<Rgb8> codes;

  FilmMemory(Machine& m, const FrameCut& cut)
      : block(m.template make<Quad>(FilmArrays::quads_for(cut.film_pixels(), cut.smooth))),
        surfaces(m.template make<Quad>(PatchSurfaces::quads_for(cut.patches()))),
        lamp(m.template make<Quad>(PatchLights::quads_for(cut.patches()))),
        ambient(m.template make<Quad>(PatchLights::quads_for(cut.patches()))),
        scratch{m.template make<Quad>(PatchLights::quads_for(cut.patches())),
                m.template make<Quad>(PatchLights::quads_for(cut.patches()))},
        second(m.template make<u32>(cut.smooths_here ? words_of_second_patches(cut.film_pixels())
                                                     : 0)),
        lost(m.template make<FireflySums>(kSmoothKinds * cut.strips())),
        sums(m.template make<double>(cut.strips())),
        codes(m.template make<Rgb8>(cut.has_pixels() ? cut.film_pixels() : 0)) {}
};

}  // namespace ballotcast::detail
