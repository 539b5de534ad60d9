// OpenEXR files, read and written by the OpenEXR library. Only this file includes the library.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "ballotcast/error.hpp"
#include "image/linear/linear_files.hpp"
#include "image/picture_checks.hpp"
#ifdef BALLOTCAST_HAS_OPENEXR
#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfInputPart.h>
#include <ImfMultiPartInputFile.h>
#include <ImfOutputFile.h>
#include <ImfStringAttribute.h>
#endif

namespace ballotcast::detail {

#ifdef BALLOTCAST_HAS_OPENEXR

namespace {

constexpr u32 kMultipart = 1u << 12;  // a bit of the version field
constexpr std::size_t kLongestName = 255;
// Files that need more bytes of pixels at once to decode them are refused, because a small file can
// claim so many that memory is exhausted.
constexpr u64 kLargestChunk = u64{1} << 29;

/// Attributes for which the library uses the size of the type and ignores the size that the file
/// states. If the two sizes differ, the library would read other attributes than the check here.
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

/// Reads texts and numbers of the header.
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

/// Those values in the header of a part of the file that this program checks.
struct Header {
  u64 width = 0, height = 0;  // size of the stored picture in pixels
  u64 channels = 0;
  u64 lines_at_once = 1;  // number of lines that are compressed together
  u64 tile_width = 0, tile_height = 0;
};

/// The number of lines that are compressed together, for a compression code of OpenEXR.
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
  constexpr std::size_t kRest = 16;  // number of bytes after a channel's name
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
bool read_attribute(Reader& reader, Header& header) {
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
  if (key == "dataWindow" && type == "box2i") read_window(reader, header.width, header.height);
  if (key == "displayWindow" && type == "box2i") read_window(reader, ignored_width, ignored_height);
  if (type == "chlist") {
    header.channels = channels_in(reader);
    if (reader.at != begin + size)
      refuse_damaged("OpenEXR picture", reader.name,
                     "its attribute " + key + " has " + std::to_string(size) + " bytes");
  }
  if (key == "compression" && size == 1) header.lines_at_once = lines_of(reader.bytes[begin]);
  if (key == "tiles" && type == "tiledesc") {
    header.tile_width = reader.number();
    header.tile_height = reader.number();
  }
  reader.at = begin + size;
  return true;
}

void require_moderate(const Header& header, const std::string& name) {
  constexpr u64 kBytes = 4, kLargestTile = 1 << 15;
  if (header.tile_width > kLargestTile || header.tile_height > kLargestTile)
    refuse_damaged("OpenEXR picture", name,
                   "tiles of " + std::to_string(header.tile_width) + "x" +
                       std::to_string(header.tile_height) + " pixels");
  const u64 chunk = std::max(header.width * std::min(header.lines_at_once, header.height),
                             header.tile_width * header.tile_height);
  if (header.channels != 0 && chunk > kLargestChunk / kBytes / header.channels)
    refuse_damaged("OpenEXR picture", name,
                   "blocks of " + std::to_string(chunk) + " pixels with " +
                       std::to_string(header.channels) + " channels are too large");
}

/// Throws InputError, with a text that begins with `name`, unless the headers of all parts are
/// complete, with attributes inside the file, pictures that require_plausible allows, and channels
/// and tiles that fit into moderate memory. (OpenEXR documentation, "OpenEXR File Layout".) The
/// library allocates what a header claims, so this is called before it reads the file.
void require_sound_exr_header(const std::vector<u8>& bytes, const std::string& name) {
  Reader reader{bytes, name};
  reader.number();  // skips the magic number
  const bool is_multipart = (reader.number() & kMultipart) != 0;
  do {
    Header header;
    while (read_attribute(reader, header)) {
    }
    require_moderate(header, name);
    // In a file with several parts, an empty header ends the list of headers.
    if (is_multipart && reader.at == bytes.size())
      refuse_damaged("OpenEXR picture", name, "it is cut off in its header");
  } while (is_multipart && bytes[reader.at] != 0);
}

constexpr char kNameInErrors[] = "picture";
constexpr int kNoThreads = 0;  // number of threads besides the calling thread

/// A file in memory, for reading.
class Source final : public Imf::IStream {
 public:
  explicit Source(const std::vector<u8>& bytes) : IStream(kNameInErrors), bytes_(bytes) {}

  bool read(char to[], int count) override {
    const u64 n = static_cast<u64>(count);
    if (at_ > bytes_.size() || n > bytes_.size() - at_) throw Iex::InputExc("it is cut off");
    std::memcpy(to, bytes_.data() + at_, n);
    at_ += n;
    return at_ < bytes_.size();
  }
  std::uint64_t tellg() override { return at_; }
  void seekg(std::uint64_t to) override { at_ = to; }

 private:
  const std::vector<u8>& bytes_;
  u64 at_ = 0;
};

/// A file in memory, for writing.
class Target final : public Imf::OStream {
 public:
  explicit Target(std::vector<u8>& bytes) : OStream(kNameInErrors), bytes_(bytes) {}

  void write(const char from[], int count) override {
    const u64 n = static_cast<u64>(count);
    bytes_.resize(std::max<u64>(bytes_.size(), at_ + n));
    std::memcpy(bytes_.data() + at_, from, n);
    at_ += n;
  }
  std::uint64_t tellp() override { return at_; }
  void seekp(std::uint64_t to) override { at_ = to; }

 private:
  std::vector<u8>& bytes_;
  u64 at_ = 0;
};

/// The name of the only channel; "" if there are several.
std::string only_channel(const Imf::ChannelList& channels) {
  const auto first = channels.begin();
  auto second = first;
  return first != channels.end() && ++second == channels.end() ? first.name() : "";
}

/// The channel of a grey picture: Y, or the only channel, such as a depth; "" if the picture has R,
/// G and B. Throws InputError for other channels.
std::string grey_channel(const Imf::ChannelList& channels, const std::string& name) {
  const auto has = [&](const char* channel) { return channels.findChannel(channel) != nullptr; };
  if (has("R") && has("G") && has("B")) return "";
  if (has("Y") && !has("RY") && !has("BY")) return "Y";
  if (const std::string only = only_channel(channels); !only.empty()) return only;
  std::string list;
  for (auto row = channels.begin(); row != channels.end(); ++row)
    list.append(list.empty() ? "" : ", ").append(row.name());
  throw InputError(name + ": an OpenEXR picture with the channels " + list +
                   "; R, G and B, or Y, or an only one, are read");
}

u64 side(int low, int high) { return static_cast<u64>(std::int64_t{high} - low + 1); }

/// A black picture with the size of a window.
template <class Pixel>
Image<Pixel> zeros(const Imath::Box2i& window) {
  Image<Pixel> image{static_cast<u32>(side(window.min.x, window.max.x)),
                     static_cast<u32>(side(window.min.y, window.max.y)),
                     {}};
  image.pixels.assign(u64{image.width} * image.height, Pixel{});
  return image;
}

/// Reads the pixels of the data window.
LinearImage stored_pixels(Imf::InputPart& part, const std::string& name) {
  const std::string grey = grey_channel(part.header().channels(), name);
  const Imath::Box2i& window = part.header().dataWindow();
  LinearImage image = zeros<Vec3f>(window);
  Imf::FrameBuffer frame;
  const auto add = [&](const char* channel, float& first) {
    frame.insert(channel, Imf::Slice::Make(Imf::FLOAT, &first, window, sizeof(Vec3f),
                                           sizeof(Vec3f) * image.width));
  };
  add(grey.empty() ? "R" : grey.c_str(), image.pixels[0].x);
  if (grey.empty()) add("G", image.pixels[0].y);
  if (grey.empty()) add("B", image.pixels[0].z);
  part.setFrameBuffer(frame);
  part.readPixels(window.min.y, window.max.y);
  if (!grey.empty())
    for (Vec3f& pixel : image.pixels) pixel = {pixel.x, pixel.x, pixel.x};
  return image;
}

/// Reads the values of the only channel in the data window: integers, or the bits of floats.
Image<u32> stored_numbers(Imf::InputPart& part, const std::string& name) {
  const Imf::ChannelList& channels = part.header().channels();
  const std::string only = only_channel(channels);
  if (only.empty()) throw InputError(name + ": an OpenEXR picture with several channels");
  const Imf::PixelType stored = channels.findChannel(only.c_str())->type;
  const Imath::Box2i& window = part.header().dataWindow();
  Image<u32> image = zeros<u32>(window);
  Imf::FrameBuffer frame;
  frame.insert(
      only, Imf::Slice::Make(stored == Imf::UINT ? Imf::UINT : Imf::FLOAT, &image.pixels[0], window,
                             sizeof(u32), sizeof(u32) * image.width));
  part.setFrameBuffer(frame);
  part.readPixels(window.min.y, window.max.y);
  return image;
}

/// The picture of the display window: the stored pixels, and zeros where nothing is stored.
template <class Pixel>
Image<Pixel> shown_pixels(Image<Pixel> stored, const Imath::Box2i& data,
                          const Imath::Box2i& shown) {
  if (data == shown) return stored;
  Image<Pixel> image = zeros<Pixel>(shown);
  const std::int64_t left = std::max(data.min.x, shown.min.x),
                     right = std::int64_t{std::min(data.max.x, shown.max.x)} + 1;
  for (std::int64_t y = std::max(data.min.y, shown.min.y);
       y <= std::min(data.max.y, shown.max.y) && left < right; ++y)
    std::copy_n(stored.pixels.begin() + (y - data.min.y) * stored.width + (left - data.min.x),
                right - left,
                image.pixels.begin() + (y - shown.min.y) * image.width + (left - shown.min.x));
  return image;
}

/// Decodes the display window of a file's first part. `stored` reads the pixels of its data window.
template <class Pixel>
Image<Pixel> decoded(const std::vector<u8>& bytes, const std::string& name,
                     Image<Pixel> (*stored)(Imf::InputPart& part, const std::string& name)) {
  require_sound_exr_header(bytes, name);
  try {
    Source source(bytes);
    Imf::MultiPartInputFile file(source, kNoThreads);
    Imf::InputPart part(file, 0);
    // The header in the file was checked before. This checks the values that the library has read.
    for (const Imath::Box2i& window : {part.header().dataWindow(), part.header().displayWindow()})
      require_plausible(side(window.min.x, window.max.x), side(window.min.y, window.max.y),
                        bytes.size(), name);
    return shown_pixels(stored(part, name), part.header().dataWindow(),
                        part.header().displayWindow());
  } catch (const Iex::BaseExc& error) {
    refuse_damaged("OpenEXR picture", name, error.what());
  }
}

LinearImage decode_exr(const std::vector<u8>& bytes, const std::string& name) {
  return decoded(bytes, name, stored_pixels);
}

Image<u32> numbers_of_exr(const std::vector<u8>& bytes, const std::string& name) {
  return decoded(bytes, name, stored_numbers);
}

std::vector<u8> encode_exr(const LinearImage& image) {
  return encode_exr_channels(image.width, image.height, channels_of(image));
}

}  // namespace

std::vector<u8> encode_exr_channels(u32 width, u32 height,
                                    const std::vector<ImageChannel>& channels,
                                    const std::vector<std::pair<std::string, std::string>>& texts) {
  std::vector<u8> bytes;
  try {
    Imf::Header header(static_cast<int>(width), static_cast<int>(height));
    header.compression() = Imf::ZIP_COMPRESSION;
    for (const auto& [name, text] : texts) header.insert(name, Imf::StringAttribute(text));
    Imf::FrameBuffer frame;
    for (const ImageChannel& channel : channels) {
      const Imf::PixelType type = channel.is_integer ? Imf::UINT : Imf::FLOAT;
      header.channels().insert(channel.name, Imf::Channel(type));
      frame.insert(channel.name, Imf::Slice::Make(type, channel.first, header.dataWindow(),
                                                  channel.step, channel.step * width));
    }
    Target target(bytes);
    Imf::OutputFile file(target, header, kNoThreads);
    file.setFrameBuffer(frame);
    file.writePixels(static_cast<int>(height));
  } catch (const Iex::BaseExc& error) {
    throw UsageError("a picture of " + std::to_string(width) + "x" + std::to_string(height) +
                     " pixels can't be stored as OpenEXR: " + error.what());
  }
  return bytes;
}

#else

std::vector<u8> encode_exr_channels(u32, u32, const std::vector<ImageChannel>&,
                                    const std::vector<std::pair<std::string, std::string>>&) {
  throw UsageError(std::string(exr_format().absent));
}

#endif

LinearFormat exr_format() {
  const auto is_exr = [](const std::vector<u8>& bytes) {
    return begins_with(bytes, "\x76\x2f\x31\x01");
  };
#ifdef BALLOTCAST_HAS_OPENEXR
  return {"exr", "", is_exr, decode_exr, encode_exr, numbers_of_exr};
#else
  constexpr std::string_view kAbsent =
      "OpenEXR is not built in; this program was built without libopenexr-dev";
  return {"exr", kAbsent, is_exr, nullptr, nullptr, nullptr};
#endif
}

}  // namespace ballotcast::detail
