// The results of casting and drawing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ballotcast/api.hpp"
#include "ballotcast/image.hpp"
#include "ballotcast/linear_image.hpp"
#include "ballotcast/options.hpp"
#include "ballotcast/ray.hpp"

namespace ballotcast {

/// Counts of the work of a cast. With the same options, they are equal on all devices that cast the
/// same number of rays at a time.
struct CastCounts {
  std::uint64_t rays = 0;  ///< rays that were cast
  /// The number of passes, summed over all batches of rays. In a pass, each ray that is not
  /// finished goes on to its next leaf. A pipeline that casts a batch by one kernel counts one pass
  /// per batch.
  std::uint64_t passes = 0;
  /// The sum of the counter over all passes. What the counter counts depends on the strategy
  /// (CastOptions::atomics); 0 if the strategy or the pipeline counts nothing.
  std::uint64_t counter = 0;

  /// Adds the counts of another cast.
  void add(const CastCounts& other) {
    rays += other.rays;
    passes += other.passes;
    counter += other.counter;
  }
};

/// The total time of one kind of work.
struct StageTime {
  std::string name;           ///< name of the stage: closest hits, shade, film, ...
  double milliseconds = 0.0;  ///< summed over the whole frame
};

/// A picture, and how it was made.
struct Frame {
  Image<Rgb8> image;  ///< the picture
  /// The linear numbers that the picture was made of: the mean over the samples of each pixel. In
  /// `lit` they are radiance, before exposure and highlight compression; in other shadings they are
  /// the numbers that are encoded as colours. Empty unless RenderSettings::keep_linear is set.
  LinearImage linear;
  /// The settings of the picture, with every default filled in (Renderer::resolved). If the
  /// exposure was chosen automatically from the picture, `settings.exposure` is absent; see
  /// `exposure`.
  RenderSettings settings;
  /// The hits of the camera rays; empty unless RenderSettings::keep_hits is set. Sample s of pixel
  /// (x, y) has hits[(y * width + x) * samples + s].
  std::vector<Hit> hits;
  CastCounts counts;      ///< summed over all casts
  float exposure = 1.0f;  ///< the exposure that the picture was made with
  /// The share of all light, from 0 to 1, that was taken from fireflies and not spread over other
  /// pixels; see RenderSettings::keep_fireflies.
  double light_lost = 0.0;
  /// The colour of light that looks white in the picture: linear, with luminance 1. (1, 1, 1) in
  /// other shadings than `lit`.
  Vec3f white{1.0f, 1.0f, 1.0f};
  /// The share of the surfaces in the picture that no light reaches, from 0 to 1. 0 if the exposure
  /// was not chosen from the picture.
  float unlit = 0.0f;
  std::vector<StageTime> stages;  ///< the time of each stage
};

/// Numbers about each pixel of a picture: see Renderer::outputs.
struct PixelNumbers {
  std::string name;                   ///< a name of outputs()
  std::vector<std::string> channels;  ///< "Z", or "X", "Y" and "Z"
  std::uint32_t width = 0;            ///< pixels per row
  std::uint32_t height = 0;           ///< rows; row 0 is the top
  /// Channel c of pixel p is floats[p * channels.size() + c]. Empty if the numbers are integers.
  std::vector<float> floats;
  std::vector<std::int32_t> integers;  ///< like `floats`, for indices and counts; -1 means none
};

/// The properties of a surface at the point of a hit: see Renderer::surfaces.
struct SurfacePoint {
  Vec3d position;  ///< in world units
  Vec3f normal;    ///< normal interpolated between the corners, as the mesh states it; length 1
  Vec3f geometric_normal;  ///< normal of the triangle, by the order of its corners; length 1
  float texcoord[2];    ///< texture coordinates; (0, 0) is the lower left; 0 if the mesh has none
  Vec3f vertex_color;   ///< linear RGB; white if the mesh has no vertex colours
  Vec3f texture_color;  ///< linear RGB of the colour texture; white if there is none
  Vec3f color;          ///< linear RGB: the material's colour times vertex_color and texture_color
  Vec3f emission;       ///< linear radiance in RGB, texture included
  float roughness;      ///< from 0 to 1, texture included
  float metallic;       ///< from 0 to 1, texture included
  float opacity;  ///< from 0 to 1, texture and vertices included; below 0.5 the point is a hole
  std::uint32_t material;  ///< index into Scene::material_names()
};

/// All hits of many rays.
struct AllHits {
  /// Where the hits of each ray begin in `hits`. There is one element more than there are rays; the
  /// last is the number of all hits.
  std::vector<std::uint64_t> starts;
  std::vector<Hit> hits;  ///< hits of ray i are hits[starts[i]] to hits[starts[i + 1] - 1]

  /// The hits of one ray, sorted by t and then by id. If a ray starts far away, many of its hits
  /// may have the same t; these are sorted by their distance from a point near the scene.
  Span<const Hit> of(std::size_t ray) const {
    return {hits.data() + starts[ray], static_cast<std::size_t>(starts[ray + 1] - starts[ray])};
  }
};

/// The 64-bit FNV-1a hash of all hits, as 16 hexadecimal digits. For each hit, the words t,
/// triangle, u and v are hashed, lowest byte first.
BALLOTCAST_API std::string hash_of(Span<const Hit> hits);

}  // namespace ballotcast
