// Mattes of objects and materials by name: J. Friedman and A. Jones, Fully Automatic ID Mattes with
// Support for Motion Blur and Transparency, 2015; "Cryptomatte Specification", version 1.2.0,
// Psyop.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ballotcast/frame.hpp"
#include "image/linear/linear_image.hpp"
#include "scene/scene.hpp"

namespace ballotcast::detail {

/// MurmurHash3_x86_32 with seed 0, by Austin Appleby, which is in the public domain.
u32 murmur3(std::string_view text);

/// The float with the bits of a hash. The bits are changed so that it is not 0, infinite, NaN or
/// denormal.
float id_of_hash(u32 hash);

/// What the regions of a matte are: objects or materials.
enum class Matte { object, material };

/// The ranks of a matte: for each pixel, six pairs of an id and a share, for the names that cover
/// most of the pixel. Also the texts that an OpenEXR file has beside them.
struct MatteLayers {
  std::string name;          // CryptoObject, CryptoMaterial
  std::vector<float> ranks;  // kRanks pairs of id and share for each pixel
  std::vector<std::pair<std::string, std::string>> texts;

  static constexpr u32 kRanks = 6;

  /// The channels as OpenEXR files have them: CryptoObject00.R and so on.
  std::vector<ImageChannel> channels() const;
};

/// The matte of a picture that has kept its hits, `samples` for each of `pixels`.
MatteLayers matte_of(const SceneData& scene, Matte kind, const std::vector<Hit>& hits, u64 pixels);

}  // namespace ballotcast::detail
