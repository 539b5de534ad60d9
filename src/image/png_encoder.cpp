#include "image/png_encoder.hpp"

#include <algorithm>
#include <climits>
#include <cstdlib>

#include "image/deflate.hpp"

namespace {

/// What stb calls to compress; it frees the result. Null if memory runs out.
unsigned char* compress_for_stb(unsigned char* data, int size, int* compressed_size, int) {
  const auto bytes = ballotcast::detail::deflated({data, static_cast<std::size_t>(size)});
  if (bytes.empty() || bytes.size() > INT_MAX) return nullptr;
  auto* out = static_cast<unsigned char*>(std::malloc(bytes.size()));
  if (out) std::copy(bytes.begin(), bytes.end(), out);
  *compressed_size = static_cast<int>(bytes.size());
  return out;
}

}  // namespace

// Static, because Debian's library of stb has functions of the same names.
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#define STBIW_ZLIB_COMPRESS compress_for_stb
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

namespace ballotcast::detail {

std::vector<u8> png_of_rgb(u32 width, u32 height, const u8* rgb) {
  std::vector<u8> bytes;
  const auto append = [](void* context, void* data, int size) {
    const auto* from = static_cast<const u8*>(data);
    auto& to = *static_cast<std::vector<u8>*>(context);
    to.insert(to.end(), from, from + size);
  };
  const int row = static_cast<int>(width) * 3;
  if (!stbi_write_png_to_func(append, &bytes, static_cast<int>(width), static_cast<int>(height), 3,
                              rgb, row))
    return {};
  return bytes;
}

}  // namespace ballotcast::detail
