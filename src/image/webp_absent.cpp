// In place of webp.cpp, if libwebp is not there.
#include "image/codec.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {

bool has_webp() { return false; }

Image<Rgba8> decode_webp(const std::vector<u8>&, const std::string& name) {
  throw InputError(name + ": a WebP picture; this program was built without libwebp-dev");
}

}  // namespace ballotcast::detail
