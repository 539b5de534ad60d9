#include "image/png_chunks.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>

#include "support/error.hpp"

namespace ballotcast::detail {

namespace {

constexpr std::array<u8, 8> kSignature = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
constexpr std::size_t kFrame = 12;  // bytes of a chunk besides its data: length, type, checksum

u32 big_endian(const u8* bytes) {
  return u32{bytes[0]} << 24 | u32{bytes[1]} << 16 | u32{bytes[2]} << 8 | u32{bytes[3]};
}

}  // namespace

bool begins_png(const std::vector<u8>& bytes) {
  return bytes.size() >= kSignature.size() &&
         std::equal(kSignature.begin(), kSignature.end(), bytes.begin());
}

void require_whole_png(const std::vector<u8>& bytes, const std::string& name) {
  if (!begins_png(bytes)) throw InputError(name + ": no PNG");
  for (std::size_t at = kSignature.size(); bytes.size() - at >= kFrame;) {
    const u8* chunk = bytes.data() + at;
    const std::size_t length = big_endian(chunk);
    if (length > bytes.size() - at - kFrame) break;
    const std::string type(chunk + 4, chunk + 8);
    const u32 sum = static_cast<u32>(::crc32_z(0, chunk + 4, length + 4));
    if (sum != big_endian(chunk + 8 + length))
      throw InputError(name + ": damaged PNG (wrong checksum of its part at byte " +
                       std::to_string(at) + ")");
    if (type == "IEND") return;
    at += kFrame + length;
  }
  throw InputError(name + ": damaged PNG (it is cut off)");
}

}  // namespace ballotcast::detail
