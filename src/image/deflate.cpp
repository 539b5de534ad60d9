#include "image/deflate.hpp"

#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <new>

#include "support/parallel.hpp"

namespace ballotcast::detail {
namespace {

constexpr u64 kPiece = 1 << 18;   // bytes
constexpr u64 kWindow = 1 << 15;  // bytes; how far back deflate looks
constexpr int kLevel = 6;         // zlib's own choice between speed and size

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

}  // namespace

std::vector<u8> deflated(std::span<const u8> bytes) try {
  const u64 count = std::max<u64>(1, (bytes.size() + kPiece - 1) / kPiece);
  std::vector<Piece> pieces(count);
  std::atomic<bool> failed = false;
  for_each_index(count, [&](u64 i) {
    const u64 begin = i * kPiece, end = std::min<u64>(begin + kPiece, bytes.size());
    if (!compress(bytes, begin, end, pieces[i])) failed = true;
  });
  if (failed) return {};
  std::vector<u8> out = {0x78, 0x9c};  // deflate with a window of 32 KiB, zlib's own level
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

}  // namespace ballotcast::detail
