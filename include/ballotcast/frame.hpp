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

/// Counts of the work of a cast. With the same options, they are the same on every device that
/// casts as many rays at a time.
struct CastCounts {
  std::uint64_t rays = 0;  ///< rays that were cast
  /// The number of passes, summed over all batches of rays. In a pass, each ray that is not
  /// finished goes on to its next leaf. A pipeline that casts a batch in one kernel counts 1 for
  /// it.
  std::uint64_t passes = 0;
  /// The sum of the counter over all passes. What it counts depends on the strategy; 0 if the
  /// strategy or the pipeline counts nothing.
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
  /// exposure was chosen from the picture, it is absent here; see `exposure`.
  RenderSettings settings;
  /// The hits of the camera rays; empty unless RenderSettings::keep_hits is set. Sample s of pixel
  /// (x, y) has hits[(y * width + x) * samples + s].
  std::vector<Hit> hits;
  CastCounts counts;      ///< summed over all casts
  float exposure = 1.0f;  ///< the exposure that the picture was made with
  /// The share of all light that was taken from fireflies and not given back elsewhere; see
  /// RenderSettings::keep_fireflies.
  double light_lost = 0.0;
  /// The colour of light that looks white in the picture: linear, with luminance 1. White in other
  /// shadings than `lit`.
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
  std::vector<std::int32_t> integers;  ///< the same for indices and counts; -1 is none
};

/// The properties of a surface at the point of a hit: see Renderer::surfaces.
struct SurfacePoint {
  Vec3d position;          ///< in world units
  Vec3f normal;            ///< interpolated between the corners, as the mesh has it; length 1
  Vec3f geometric_normal;  ///< that of the triangle, by the order of its corners; length 1
  float texcoord[2];       ///< (0, 0) is the lower left of a texture; 0 if the mesh has none
  Vec3f vertex_color;      ///< linear; white if the mesh has none
  Vec3f texture_color;     ///< linear, of the texture for the colour; white if there is none
  Vec3f color;             ///< linear: the colour of the material, times the two above
  Vec3f emission;          ///< linear radiance, texture included
  float roughness;         ///< texture included, as in metallic
  float metallic;          ///< 0 or 1, or in between
  float opacity;           ///< texture and vertices included; below 0.5 the point is cut out
  std::uint32_t material;  ///< an index into Scene::material_names()
};

/// All hits of many rays.
struct AllHits {
  /// Where the hits of each ray begin in `hits`. There is one element more than there are rays; the
  /// last is the number of all hits.
  std::vector<std::uint64_t> starts;
  std::vector<Hit> hits;  ///< those of ray i: from hits[starts[i]] to before hits[starts[i + 1]]

  /// The hits of one ray, sorted by t and then by id. If a ray starts far away, many of its hits
  /// may have the same t; these are sorted by their distance from a point near the scene.
  Span<const Hit> of(std::size_t ray) const {
    return {hits.data() + starts[ray], static_cast<std::size_t>(starts[ray + 1] - starts[ray])};
  }
};

/// The 64-bit FNV-1a hash of all hits, as 16 hexadecimal digits. Of each hit it takes the words t,
/// triangle, u and v, lowest byte first.
BALLOTCAST_API std::string hash_of(Span<const Hit> hits);

}  // namespace ballotcast
