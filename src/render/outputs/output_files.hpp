// The files for a picture, its outputs and its hits.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ballotcast/api.hpp"
#include "ballotcast/frame.hpp"
#include "math/ray.hpp"
#include "render/outputs/outputs.hpp"

namespace ballotcast::detail {

/// The outputs that were asked for, in the order of the table, each once.
class BALLOTCAST_API WantedOutputs {
 public:
  WantedOutputs() = default;
  /// Throws UsageError for unknown names.
  explicit WantedOutputs(const std::vector<std::string>& names);

  bool has(std::string_view name) const;
  /// True if a picture must be drawn: for its colour (the default), its alpha or mattes.
  bool draws() const;
  /// True if the picture must keep its hits.
  bool needs_hits() const { return has(kObjectMatte) || has(kMaterialMatte); }
  /// True if only the colour is asked for.
  bool only_colour() const { return rows_.size() == 1 && has(kColourOutput); }
  /// The names of the outputs that are computed, not drawn.
  std::vector<std::string> computed() const;
  const std::vector<const OutputInfo*>& rows() const { return rows_; }

 private:
  std::vector<const OutputInfo*> rows_{&output_called(kColourOutput)};
};

/// The file of each output, in the order of WantedOutputs::rows. An OpenEXR file contains all
/// outputs. Otherwise the colour is in `path`, and the others are in files beside it: the depth of
/// picture.png is in picture.depth.pfm. A single output of any kind is in `path`.
std::vector<std::string> paths_of(const WantedOutputs& wanted, const std::string& path);

/// The name of each output, and its file.
std::vector<std::pair<std::string, std::string>> files_of(const WantedOutputs& wanted,
                                                          const std::string& path);

/// Throws UsageError if a file can't hold an output: numbers need .exr or .pfm, and a PFM holds
/// indices only up to 2^24.
void require_holders(const WantedOutputs& wanted, const std::string& path);
void require_exact(const WantedOutputs& wanted, const std::string& path, const SceneData& scene);

/// The background of a picture whose alpha is wanted: transparent. Throws UsageError if another
/// background is stated.
BALLOTCAST_API std::string background_with_alpha(const std::string& stated);

struct EncodedFile {
  std::string path;
  std::vector<u8> bytes;
};

/// Encodes all files. `frame` is the picture of `scene`, if it was drawn; `computed` are the
/// numbers of wanted.computed(). A picture for .exr, .pfm or .hdr must have kept its linear
/// numbers. A picture for mattes must have kept its hits.
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

/// The content of a hits file. Throws UsageError unless there are width * height * samples hits.
std::vector<u8> encode_hits(u32 width, u32 height, u32 samples, const std::vector<Hit>& hits);

}  // namespace ballotcast::detail
