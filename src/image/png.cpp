#include "image/png.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>

#include "ballotcast/error.hpp"
#include "image/picture_checks.hpp"

namespace ballotcast::detail {

namespace {

constexpr std::array<u8, 8> kSignature = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
constexpr std::size_t kFrame = 12;  // bytes of a chunk besides its data: length, type, checksum
constexpr std::size_t kHeaderLength = 13;                   // length of the data of IHDR in bytes
constexpr std::size_t kHeaderData = kSignature.size() + 8;  // position of the data of IHDR

u32 big_endian(const u8* bytes) {
  return u32{bytes[0]} << 24 | u32{bytes[1]} << 16 | u32{bytes[2]} << 8 | u32{bytes[3]};
}

/// A chunk of the file.
struct Chunk {
  std::size_t at;  // position in the file
  std::string type;
  std::span<const u8> data;
  u32 sum;  // checksum as stored in the file
};

/// Calls visit(chunk) for each complete chunk after the signature, up to and including IEND.
/// Returns true if there was an IEND.
template <class Visit>
bool for_each_chunk(const std::vector<u8>& bytes, Visit visit) {
  for (std::size_t at = kSignature.size(); bytes.size() - at >= kFrame;) {
    const u8* head = bytes.data() + at;
    const std::size_t length = big_endian(head);
    if (length > bytes.size() - at - kFrame) return false;
    const Chunk chunk{at, {head + 4, head + 8}, {head + 8, length}, big_endian(head + 8 + length)};
    visit(chunk);
    if (chunk.type == "IEND") return true;
    at += kFrame + length;
  }
  return false;
}

void require_sum(const Chunk& chunk, const std::string& name) {
  const u32 sum = static_cast<u32>(::crc32_z(0, chunk.data.data() - 4, chunk.data.size() + 4));
  if (sum != chunk.sum)
    refuse_damaged("PNG", name, "wrong checksum of the chunk at byte " + std::to_string(chunk.at));
}

void read_header(const Chunk& chunk, PngOutline& outline, const std::string& name) {
  if (chunk.type == "CgBI")
    throw InputError(name +
                     ": a PNG in Apple's own variant, which other programs can't read; convert it "
                     "back (pngcrush -revert-iphone-optimizations)");
  if (chunk.type != "IHDR" || chunk.data.size() != kHeaderLength)
    refuse_damaged("PNG", name, "no header");
  const u8* data = chunk.data.data();
  outline.width = big_endian(data);
  outline.height = big_endian(data + 4);
  outline.depth = data[8];
  outline.color_type = data[9];
  constexpr std::array<u32, 5> kDepths = {1, 2, 4, 8, 16}, kTypes = {0, 2, 3, 4, 6};
  const auto is_one = [](const auto& all, u32 value) {
    return std::find(all.begin(), all.end(), value) != all.end();
  };
  if (!is_one(kDepths, outline.depth) || !is_one(kTypes, outline.color_type))
    refuse_damaged("PNG", name, "its header has invalid values");
  if (outline.width == 0 || outline.height == 0)
    throw InputError(name + ": a picture without pixels");
}

/// Counts the frames of an animated PNG. Each frame begins with an fcTL chunk. If an fcTL chunk
/// comes before the pixels (IDAT), the picture itself is the first frame.
struct FrameCount {
  u32 controls = 0;
  bool has_pixels = false, has_more = false, first_is_picture = false;

  void note(const std::string& type) {
    if (type == "IDAT") {
      first_is_picture = first_is_picture || (!has_pixels && controls != 0);
      has_pixels = true;
    }
    controls += type == "fcTL" ? 1 : 0;
    has_more = has_more || type == "fdAT";
  }
  u32 more() const { return has_more ? std::max(1u, controls - (first_is_picture ? 1 : 0)) : 0; }
};

/// An upper bound of the size, in bytes, of the decompressed pixels of a PNG with this header,
/// interlaced or not.
u64 most_bytes_of_pixels(const PngOutline& outline) {
  const u64 row = (u64{outline.width} * outline.channels() * outline.depth + 7) / 8 + 1;
  return 2 * row * outline.height + (1 << 16);
}

}  // namespace

bool begins_png(const std::vector<u8>& bytes) {
  return bytes.size() >= kSignature.size() &&
         std::equal(kSignature.begin(), kSignature.end(), bytes.begin());
}

PngOutline outline_of_png(const std::vector<u8>& bytes, const std::string& name) {
  if (!begins_png(bytes)) throw InputError(name + ": not a PNG file");
  PngOutline outline;
  FrameCount frames;
  const bool whole = for_each_chunk(bytes, [&](const Chunk& chunk) {
    require_sum(chunk, name);
    if (chunk.at == kSignature.size()) read_header(chunk, outline, name);
    if (chunk.type == "PLTE") outline.palette_size = static_cast<u32>(chunk.data.size() / 3);
    outline.is_keyed = outline.is_keyed || chunk.type == "tRNS";
    frames.note(chunk.type);
  });
  if (!whole) refuse_damaged("PNG", name, "it is cut off");
  outline.more_frames = frames.more();
  return outline;
}

void require_whole_pixels(const std::vector<u8>& bytes, const PngOutline& outline,
                          const std::string& name) {
  z_stream stream{};
  if (::inflateInit(&stream) != Z_OK) throw InputError(name + ": zlib can't start");
  const std::unique_ptr<z_stream, int (*)(z_streamp)> guard(&stream, ::inflateEnd);
  std::vector<u8> room(1 << 18);
  const u64 most = most_bytes_of_pixels(outline);
  u64 filled = 0;
  int status = Z_OK;
  for_each_chunk(bytes, [&](const Chunk& chunk) {
    if (chunk.type != "IDAT" || status == Z_STREAM_END) return;
    stream.next_in = const_cast<u8*>(chunk.data.data());
    stream.avail_in = static_cast<uInt>(chunk.data.size());
    do {
      stream.next_out = room.data();
      stream.avail_out = static_cast<uInt>(room.size());
      status = ::inflate(&stream, Z_NO_FLUSH);
      filled += room.size() - stream.avail_out;
      if (filled > most) refuse_damaged("PNG", name, "more pixels than its header says");
      if (status == Z_DATA_ERROR && stream.msg && stream.msg == std::string("incorrect data check"))
        refuse_damaged("PNG", name, "wrong checksum of its pixels");
      if (status != Z_OK && status != Z_BUF_ERROR && status != Z_STREAM_END)
        refuse_damaged(
            "PNG", name,
            std::string("its pixels: ") + (stream.msg ? stream.msg : "can't be inflated"));
    } while (status == Z_OK && (stream.avail_in != 0 || stream.avail_out == 0));
  });
  if (status != Z_STREAM_END) refuse_damaged("PNG", name, "its pixels are cut off");
}

std::vector<u8> palette_taken_for_grey(std::vector<u8> bytes) {
  constexpr std::size_t kColorType = 9;
  bytes[kHeaderData + kColorType] = 0;
  std::vector<std::size_t> keys;
  for_each_chunk(bytes, [&](const Chunk& chunk) {
    if (chunk.type == "tRNS") keys.push_back(chunk.at);
  });
  for (const std::size_t at : keys) bytes[at + 4] = 'x';  // decoders skip unknown chunks
  return bytes;
}

}  // namespace ballotcast::detail
