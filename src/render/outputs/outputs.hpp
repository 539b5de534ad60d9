// The table of outputs, which are numbers per pixel that a picture can have in addition to its
// colour; the files for a picture, its outputs and its hits; and Cryptomattes.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backends/scene/prepared_scene.hpp"
#include "ballotcast/api.hpp"
#include "ballotcast/frame.hpp"
#include "image/linear/linear_files.hpp"
#include "math/ray_hit.hpp"
#include "scene/scene_data.hpp"

namespace ballotcast::detail {

/// A pixel's centre ray and its hit. If the ray misses, place and surface are undefined.
struct PixelHit {
  const PreparedScene& scene;
  const Ray& ray;
  const Hit& hit;
  const HitFilter& filter;  // the filter of the picture
  TrianglePlace place;
  Surface surface;
};

/// A row of the table. Either the output is drawn with the picture, or one of two functions
/// computes it from the pixel's centre ray.
struct BALLOTCAST_API OutputInfo {
  std::string_view name;  // in names of channels and keys, - is replaced by _
  std::string_view summary;
  std::vector<std::string> channels;
  float background;  // the value where the ray hits nothing
  // Writes one number per channel. Not called for misses.
  void (*floats)(const PixelHit& pixel, float* to);
  i32 (*integer)(const PixelHit& pixel);
  bool everywhere = false;  // true if the functions are also called for misses

  bool is_drawn() const { return !floats && !integer; }
  std::string key() const;
};

/// The names of the rows that are drawn with the picture.
inline constexpr std::string_view kColourOutput = "colour", kAlphaOutput = "alpha",
                                  kObjectMatte = "crypto-object",
                                  kMaterialMatte = "crypto-material";

const std::vector<OutputInfo>& output_table();

/// The row called `name`. The name may have _ in place of -, and colour may be written color.
/// Throws UsageError, which lists the rows.
BALLOTCAST_API const OutputInfo& output_called(std::string_view name);

/// Throws UsageError if PixelNumbers for these rows would take too much memory.
void require_moderate_outputs(u32 width, u32 height, const std::vector<const OutputInfo*>& rows);

/// The outputs that were requested, in the order of the table, without repetitions.
class BALLOTCAST_API WantedOutputs {
 public:
  WantedOutputs() = default;
  /// Throws UsageError for unknown names.
  explicit WantedOutputs(const std::vector<std::string>& names);

  bool has(std::string_view name) const;
  /// True if a picture must be drawn, for its colour (the default), its alpha or Cryptomattes.
  bool draws() const;
  /// True if the picture must store its hits.
  bool needs_hits() const { return has(kObjectMatte) || has(kMaterialMatte); }
  /// True if only the colour is requested.
  bool only_colour() const { return rows_.size() == 1 && has(kColourOutput); }
  /// The names of the outputs that are computed from centre rays and not drawn.
  std::vector<std::string> computed() const;
  const std::vector<const OutputInfo*>& rows() const { return rows_; }

 private:
  std::vector<const OutputInfo*> rows_{&output_called(kColourOutput)};
};

/// The file of each output, in the order of WantedOutputs::rows. An OpenEXR file contains all
/// outputs. Otherwise the colour is in `path`, and the others are in files beside it: the depth of
/// picture.png is in picture.depth.pfm. If there is only one output, it is in `path`.
std::vector<std::string> paths_of(const WantedOutputs& wanted, const std::string& path);

/// The name of each output, and its file.
std::vector<std::pair<std::string, std::string>> files_of(const WantedOutputs& wanted,
                                                          const std::string& path);

/// These throw UsageError if the format of a file does not support an output: numbers need .exr or
/// .pfm (require_holders), and a PFM holds indices only up to 2^24 (require_exact).
void require_holders(const WantedOutputs& wanted, const std::string& path);
void require_exact(const WantedOutputs& wanted, const std::string& path, const SceneData& scene);

/// The background of a picture with the output alpha: transparent. Throws UsageError if another
/// background is given.
BALLOTCAST_API std::string background_with_alpha(const std::string& background);

struct EncodedFile {
  std::string path;
  std::vector<u8> bytes;
};

/// Encodes all files. `frame` is the picture of `scene`, if it was drawn; `computed` are the
/// numbers of wanted.computed(). For .exr, .pfm or .hdr, the picture must contain its linear
/// numbers; for Cryptomattes, it must contain its hits.
std::vector<EncodedFile> encoded_files(const WantedOutputs& wanted, const std::string& path,
                                       const SceneData& scene, const Frame& frame,
                                       const std::vector<PixelNumbers>& computed);

// Hits files: the hits of all camera rays of a picture, for other programs.
//
// All numbers are little-endian. There is no padding.
//
//   offset  type      what
//   0       8 bytes   "BCHITS\r\n"; a transfer that converts line ends would change it
//   8       u32       version: 1
//   12      u32       width of the picture in pixels
//   16      u32       height
//   20      u32       samples per pixel
//   24      u64       count: width * height * samples
//   32      count records of 16 bytes; record (y * width + x) * samples + s belongs to sample s of
//           pixel (x, y), with y from the top:
//             +0    f32   t, in lengths of the ray's direction; infinity for a miss
//             +4    u32   the triangle's number, 0xffffffff for a miss
//             +8    f32   u: the point is (1 - u - v) * a + u * b + v * c
//             +12   f32   v

/// Encodes a hits file. Throws UsageError unless there are width * height * samples hits.
std::vector<u8> encode_hits(u32 width, u32 height, u32 samples, const std::vector<Hit>& hits);

// Cryptomattes of objects and materials: J. Friedman and A. Jones, Fully Automatic ID Mattes with
// Support for Motion Blur and Transparency, 2015; "Cryptomatte Specification", version 1.2.0,
// Psyop.

/// MurmurHash3_x86_32 with seed 0, by Austin Appleby, which is in the public domain.
u32 murmur3(std::string_view text);

/// The float whose bits are a hash, which is changed so that the float is not 0, infinite, NaN or
/// denormal.
float id_of_hash(u32 hash);

/// The kind of regions of a Cryptomatte.
enum class Matte { object, material };

/// The ranks of a Cryptomatte: for each pixel, six pairs of an id and a fraction, for the names
/// that cover most of the pixel. Also the texts that belong to it in the header of an OpenEXR file.
struct MatteLayers {
  std::string name;          // CryptoObject, CryptoMaterial
  std::vector<float> ranks;  // kRanks pairs of id and fraction for each pixel
  std::vector<std::pair<std::string, std::string>> texts;

  static constexpr u32 kRanks = 6;

  /// The channels in the form of OpenEXR files: CryptoObject00.R and so on.
  std::vector<ImageChannel> channels() const;
};

/// The Cryptomatte of a picture that contains its hits, with the same number of hits for each of
/// `pixels`.
MatteLayers matte_of(const SceneData& scene, Matte kind, const std::vector<Hit>& hits, u64 pixels);

}  // namespace ballotcast::detail
