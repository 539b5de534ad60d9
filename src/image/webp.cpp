// WebP files, read by libwebp. Only this file includes the library.
#include "ballotcast/error.hpp"
#include "image/codec.hpp"
#include "image/picture_checks.hpp"
#ifdef BALLOTCAST_HAS_WEBP
#include <webp/decode.h>
#endif

namespace ballotcast::detail {

#ifdef BALLOTCAST_HAS_WEBP

bool has_webp() { return true; }

Image<Rgba8> decode_webp(const std::vector<u8>& bytes, const std::string& name) {
  WebPBitstreamFeatures features{};
  if (WebPGetFeatures(bytes.data(), bytes.size(), &features) != VP8_STATUS_OK)
    refuse_damaged("WebP", name, "its header");
  if (features.has_animation != 0)
    throw InputError(name + ": an animated WebP; only still ones are read");
  const u32 width = static_cast<u32>(features.width), height = static_cast<u32>(features.height);
  require_plausible(width, height, bytes.size(), name);
  Image<Rgba8> image{width, height, std::vector<Rgba8>(u64{width} * height)};
  if (!WebPDecodeRGBAInto(bytes.data(), bytes.size(), &image.pixels.front().r,
                          image.pixels.size() * sizeof(Rgba8),
                          static_cast<int>(width * sizeof(Rgba8))))
    refuse_damaged("WebP", name, "its pixels are damaged or cut off");
  return image;
}

#else

bool has_webp() { return false; }

Image<Rgba8> decode_webp(const std::vector<u8>&, const std::string& name) {
  throw InputError(name + ": a WebP picture; this program was built without libwebp-dev");
}

#endif

}  // namespace ballotcast::detail
