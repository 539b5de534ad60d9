#include "image/linear/exr_header.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "image/limits.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {

namespace {

constexpr u32 kMultipart = 1u << 12;  // a flag of the version
constexpr std::size_t kLongestName = 255;
constexpr u64 kLargestChunk = u64{1} << 29;  // bytes of pixels that are decoded at once

/// The attributes of which the library reads as many bytes as their type has, whatever size the
/// file states. If the two differ, it would see other attributes than the check here.
struct FixedSize {
  std::string_view type;
  u32 size;
};
constexpr FixedSize kFixedSizes[] = {{"box2i", 16},
                                     {"box2f", 16},
                                     {"chromaticities", 32},
                                     {"compression", 1},
                                     {"deepImageState", 1},
                                     {"double", 8},
                                     {"envmap", 1},
                                     {"float", 4},
                                     {"int", 4},
                                     {"keycode", 28},
                                     {"lineOrder", 1},
                                     {"m33d", 72},
                                     {"m33f", 36},
                                     {"m44d", 128},
                                     {"m44f", 64},
                                     {"rational", 8},
                                     {"tiledesc", 9},
                                     {"timecode", 8},
                                     {"v2d", 16},
                                     {"v2f", 8},
                                     {"v2i", 8},
                                     {"v3d", 24},
                                     {"v3f", 12},
                                     {"v3i", 12}};

/// Reads the header's words and numbers.
struct Reader {
  const std::vector<u8>& bytes;
  const std::string& name;
  std::size_t at = 0;

  u32 number() {
    if (bytes.size() - at < 4)
      refuse_damaged("OpenEXR picture", name, "it is cut off in its header");
    u32 value = 0;
    for (u32 i = 0; i < 4; ++i) value |= u32{bytes[at++]} << 8 * i;
    return value;
  }

  std::string word() {
    std::string text;
    while (at < bytes.size() && bytes[at] != 0 && text.size() <= kLongestName)
      text += static_cast<char>(bytes[at++]);
    if (at == bytes.size()) refuse_damaged("OpenEXR picture", name, "it is cut off in its header");
    if (text.size() > kLongestName)
      refuse_damaged("OpenEXR picture", name, "a name in its header is too long");
    ++at;
    return text;
  }
};

/// What is checked of a part.
struct Part {
  u64 width = 0, height = 0;  // of the stored pixels
  u64 channels = 0;
  u64 lines_at_once = 1;  // that are compressed together
  u64 tile_width = 0, tile_height = 0;
};

/// The most lines that are compressed together, by the number of the compression.
u64 lines_of(u8 compression) {
  constexpr u64 lines[] = {1, 1, 1, 16, 32, 16, 32, 32, 32, 256};
  return compression < std::size(lines) ? lines[compression] : 256;
}

void read_window(Reader& reader, u64& width, u64& height) {
  std::int64_t corners[4];
  for (std::int64_t& corner : corners) corner = static_cast<i32>(reader.number());
  const std::int64_t w = corners[2] - corners[0] + 1, h = corners[3] - corners[1] + 1;
  if (w <= 0 || h <= 0) refuse_damaged("OpenEXR picture", reader.name, "a picture without pixels");
  width = static_cast<u64>(w);
  height = static_cast<u64>(h);
  require_plausible(width, height, reader.bytes.size(), reader.name);
}

u64 channels_in(Reader& reader) {
  constexpr std::size_t kRest = 16;  // bytes after a channel's name
  u64 count = 0;
  while (!reader.word().empty()) {
    if (reader.bytes.size() - reader.at < kRest)
      refuse_damaged("OpenEXR picture", reader.name, "its channels are cut off");
    reader.at += kRest;
    ++count;
  }
  return count;
}

/// Reads one attribute. Returns false at the end of the header.
bool read_attribute(Reader& reader, Part& part) {
  const std::string key = reader.word();
  if (key.empty()) return false;
  const std::string type = reader.word();
  const u32 size = reader.number();
  const std::size_t begin = reader.at;
  if (size > reader.bytes.size() - begin)
    refuse_damaged("OpenEXR picture", reader.name, "its attribute " + key + " is cut off");
  for (const FixedSize& row : kFixedSizes)
    if (row.type == type && row.size != size)
      refuse_damaged("OpenEXR picture", reader.name,
                     "its attribute " + key + " has " + std::to_string(size) + " bytes");
  u64 ignored_width = 0, ignored_height = 0;
  if (key == "dataWindow" && type == "box2i") read_window(reader, part.width, part.height);
  if (key == "displayWindow" && type == "box2i") read_window(reader, ignored_width, ignored_height);
  if (type == "chlist") {
    part.channels = channels_in(reader);
    if (reader.at != begin + size)
      refuse_damaged("OpenEXR picture", reader.name,
                     "its attribute " + key + " has " + std::to_string(size) + " bytes");
  }
  if (key == "compression" && size == 1) part.lines_at_once = lines_of(reader.bytes[begin]);
  if (key == "tiles" && type == "tiledesc") {
    part.tile_width = reader.number();
    part.tile_height = reader.number();
  }
  reader.at = begin + size;
  return true;
}

void require_moderate(const Part& part, const std::string& name) {
  constexpr u64 kBytes = 4, kLargestTile = 1 << 15;
  if (part.tile_width > kLargestTile || part.tile_height > kLargestTile)
    refuse_damaged("OpenEXR picture", name,
                   "tiles of " + std::to_string(part.tile_width) + "x" +
                       std::to_string(part.tile_height) + " pixels");
  const u64 chunk = std::max(part.width * std::min(part.lines_at_once, part.height),
                             part.tile_width * part.tile_height);
  if (part.channels != 0 && chunk > kLargestChunk / kBytes / part.channels)
    refuse_damaged("OpenEXR picture", name,
                   "blocks of " + std::to_string(chunk) + " pixels with " +
                       std::to_string(part.channels) + " channels are too large");
}

}  // namespace

void require_sound_exr_header(const std::vector<u8>& bytes, const std::string& name) {
  Reader reader{bytes, name};
  reader.number();  // the magic number
  const bool is_multipart = (reader.number() & kMultipart) != 0;
  do {
    Part part;
    while (read_attribute(reader, part)) {
    }
    require_moderate(part, name);
    // Headers of several parts end with an empty one.
    if (is_multipart && reader.at == bytes.size())
      refuse_damaged("OpenEXR picture", name, "it is cut off in its header");
  } while (is_multipart && bytes[reader.at] != 0);
}

}  // namespace ballotcast::detail
