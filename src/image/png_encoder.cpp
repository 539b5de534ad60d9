#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdlib>
#include <new>
#include <span>

#include "image/png.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

constexpr u64 kPiece = 1 << 18;   // bytes of a piece; smaller pieces would make larger files
constexpr u64 kWindow = 1 << 15;  // bytes; the distance to which deflate can refer back
constexpr int kLevel = 6;         // zlib's default trade-off between speed and size

struct Piece {
  std::vector<u8> bytes;
  uLong checksum = 0;
};

/// Compresses bytes[begin, end) as a part of a raw deflate stream.
bool compress(std::span<const u8> bytes, u64 begin, u64 end, Piece& out) {
  z_stream stream{};
  if (deflateInit2(&stream, kLevel, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    return false;
  const u64 before = std::min(begin, kWindow);
  if (before != 0)
    deflateSetDictionary(&stream, bytes.data() + begin - before, static_cast<uInt>(before));
  const uInt size = static_cast<uInt>(end - begin);
  out.bytes.resize(deflateBound(&stream, size) + 16);  // a flush adds at most 6 bytes
  stream.next_in = const_cast<Bytef*>(bytes.data() + begin);
  stream.avail_in = size;
  stream.next_out = out.bytes.data();
  stream.avail_out = static_cast<uInt>(out.bytes.size());
  const bool is_last = end == bytes.size();
  const int result = deflate(&stream, is_last ? Z_FINISH : Z_SYNC_FLUSH);
  const bool whole = stream.avail_in == 0 && result == (is_last ? Z_STREAM_END : Z_OK);
  out.bytes.resize(stream.total_out);
  deflateEnd(&stream);
  out.checksum = adler32(adler32(0, nullptr, 0), bytes.data() + begin, size);
  return whole;
}

/// Compresses `bytes` to the zlib format (RFC 1950). The result does not depend on the number of
/// threads. It is empty if there is not enough memory.
///
/// The input is cut into pieces that are compressed in parallel:
///
///     | piece 0 | piece 1 | piece 2 |     each piece is compressed with the 32 KiB before it as
///           <----- 32 KiB             dictionary, and its output ends at a whole byte
std::vector<u8> deflated(std::span<const u8> bytes) try {
  const u64 count = std::max<u64>(1, (bytes.size() + kPiece - 1) / kPiece);
  std::vector<Piece> pieces(count);
  std::atomic<bool> failed = false;
  for_each_index(count, [&](u64 i) {
    const u64 begin = i * kPiece, end = std::min<u64>(begin + kPiece, bytes.size());
    if (!compress(bytes, begin, end, pieces[i])) failed = true;
  });
  if (failed) return {};
  // the zlib header: deflate with a window of 32 KiB, default level
  std::vector<u8> out = {0x78, 0x9c};
  uLong checksum = adler32(0, nullptr, 0);
  for (u64 i = 0; i < count; ++i) {
    out.insert(out.end(), pieces[i].bytes.begin(), pieces[i].bytes.end());
    const u64 size = std::min<u64>(kPiece, bytes.size() - i * kPiece);
    checksum = adler32_combine(checksum, pieces[i].checksum, static_cast<z_off_t>(size));
  }
  for (const int shift : {24, 16, 8, 0}) out.push_back(static_cast<u8>(checksum >> shift));
  return out;
} catch (const std::bad_alloc&) {
  return {};
}

}  // namespace

}  // namespace ballotcast::detail

namespace {

/// The compression function that stb calls. stb frees the result. Null if there is not enough
/// memory.
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

std::vector<u8> png_of(u32 width, u32 height, u32 channels, const u8* samples) {
  std::vector<u8> bytes;
  const auto append = [](void* context, void* data, int size) {
    const auto* from = static_cast<const u8*>(data);
    auto& to = *static_cast<std::vector<u8>*>(context);
    to.insert(to.end(), from, from + size);
  };
  const int wide = static_cast<int>(width), per_pixel = static_cast<int>(channels);
  if (!stbi_write_png_to_func(append, &bytes, wide, static_cast<int>(height), per_pixel, samples,
                              wide * per_pixel))
    return {};
  return bytes;
}

}  // namespace ballotcast::detail
