#include "image/codec.hpp"

#include <stb/stb_image.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

#include "ballotcast/error.hpp"
#include "image/color.hpp"
#include "image/picture_checks.hpp"
#include "image/png.hpp"
#include "support/files/files.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {
namespace {

constexpr u64 kLargestFile = INT_MAX;  // stb counts bytes in an int

std::string failure() {
  const char* reason = stbi_failure_reason();
  return reason ? reason : "unknown format";
}

constexpr u32 kRgba = 4;  // channels

bool begins_webp(const std::vector<u8>& bytes) {
  return begins_with(bytes, "RIFF") && bytes.size() >= 12 &&
         std::string_view(reinterpret_cast<const char*>(bytes.data()) + 8, 4) == "WEBP";
}

/// Throws InputError if a PNG is larger than require_plausible allows or than the decoder can
/// handle: stb counts bytes in an int and samples up to 2^30. `channels` is the number of samples
/// per pixel after decoding; 0 means as many as in the file.
void require_size_of_png(const PngOutline& png, u32 channels, u64 bytes, const std::string& name) {
  const u32 stored = png.has_palette() ? kRgba : png.channels();
  const u32 decoded = channels != 0 ? channels : std::min(kRgba, stored + (png.is_keyed ? 1 : 0));
  const u64 most =
      std::min((u64{1} << 30) / stored, u64{INT_MAX} / (u64{decoded} * (png.depth == 16 ? 2 : 1)));
  require_plausible(png.width, png.height, bytes, name, std::min(kMostPixelsRead, most));
}

/// Throws InputError if a pixel has a colour index beyond the palette, because the decoder would
/// then read memory behind the palette.
void require_colors(const std::vector<u8>& bytes, const PngOutline& png, const std::string& name) {
  if (!png.has_palette() || png.depth > 8 || png.palette_size >= 1u << png.depth) return;
  const std::vector<u8> grey = palette_taken_for_grey(bytes);
  int width = 0, height = 0, channels = 0;
  const std::unique_ptr<stbi_uc, void (*)(void*)> decoded(
      stbi_load_from_memory(grey.data(), static_cast<int>(grey.size()), &width, &height, &channels,
                            1),
      stbi_image_free);
  if (!decoded) return;  // the decoder reports other damage
  // the difference of two neighbouring shades of grey
  const u32 step = 255u / ((1u << png.depth) - 1);
  for (u64 i = 0; i < u64{png.width} * png.height; ++i)
    if (const u32 color = decoded.get()[i] / step; color >= png.palette_size)
      throw InputError(name + ": damaged PNG (pixel " + std::to_string(i % png.width) + "," +
                       std::to_string(i / png.width) + " has colour " + std::to_string(color) +
                       " of a palette that ends at " + std::to_string(png.palette_size - 1) + ")");
}

/// Checks those properties of a PNG that the decoder does not check, and throws InputError if one
/// is wrong. `channels` is the number of samples per pixel that the decoder will return; 0 means as
/// many as in the file.
PngOutline checked_png(const std::vector<u8>& bytes, u32 channels, const std::string& name) {
  const PngOutline png = outline_of_png(bytes, name);
  require_size_of_png(png, channels, bytes.size(), name);
  require_whole_pixels(bytes, png, name);
  if (bytes.size() <= kLargestFile) require_colors(bytes, png, name);
  return png;
}

/// Throws InputError unless the header belongs to a format that is decoded by stb in this program.
void require_decodable(const std::vector<u8>& bytes, const std::string& name) {
  if (bytes.size() > kLargestFile) throw InputError(name + ": too large for a picture");
  // Formats that stb can read, but that are not supported here. The last entry is any other file
  // that begins like a JPEG, because stb would try its own JPEG decoder.
  for (const std::string_view other : {"\x53\x80\xf6\x34", "#?", "P5", "P6", "8BPS", "\xff"})
    if (begins_with(bytes, other)) throw InputError(name + ": unsupported kind of picture");
  int width = 0, height = 0, channels = 0;
  if (!stbi_info_from_memory(bytes.data(), static_cast<int>(bytes.size()), &width, &height,
                             &channels))
    throw InputError(name + ": unreadable picture (" + failure() + ")");
  // A BMP whose first row is the top row has a negative height.
  const u64 rows = static_cast<u64>(std::abs(std::int64_t{height}));
  if (width <= 0 || rows == 0) throw InputError(name + ": a picture without pixels");
  require_plausible(static_cast<u64>(width), rows, bytes.size(), name);
}

/// Throws InputError if a pixel of a BMP has a colour index beyond the palette. The size of the
/// palette is computed from the header as the decoder computes it.
void require_colors_of_bmp(const std::vector<u8>& bytes, const std::string& name) {
  if (!begins_with(bytes, "BM")) return;
  const auto number = [&](std::size_t at, u32 size) {
    u32 value = 0;
    for (u32 i = 0; i < size && at + i < bytes.size(); ++i) value |= u32{bytes[at + i]} << (8 * i);
    return value;
  };
  constexpr u32 kFileHeader = 14, kOldHeader = 12, kOldHeaderToDecoder = 24;
  const std::int64_t pixels = number(10, 4), header = number(kFileHeader, 4);
  const bool is_old = header == kOldHeader;
  const u32 bits = number(is_old ? 24 : 28, 2);
  if (bits != 1 && bits != 4 && bits != 8) return;
  const std::int64_t colors = is_old ? (pixels - kFileHeader - kOldHeaderToDecoder) / 3
                                     : (pixels - kFileHeader - header) / 4;
  if (colors >= 1 << bits) return;
  const u64 width = number(18, is_old ? 2 : 4), size = is_old ? 2 : 4;
  const std::int64_t height = static_cast<i32>(number(18 + size, static_cast<u32>(size)));
  const u64 row = (width * bits + 31) / 32 * 4;
  for (u64 y = 0; y < static_cast<u64>(std::abs(height)); ++y)
    for (u64 x = 0; x < width; ++x) {
      const u64 at = static_cast<u64>(pixels) + y * row + x * bits / 8;
      if (at >= bytes.size()) return;  // the file is truncated, which the decoder will report
      const u32 color = bytes[at] >> (8 - bits - x * bits % 8) & ((1u << bits) - 1);
      if (color >= colors)
        throw InputError(name + ": damaged BMP (colour " + std::to_string(color) +
                         " is used, of a palette of " +
                         std::to_string(std::max(colors, std::int64_t{0})) + ")");
    }
}

/// The number of pictures in a GIF file (GIF89a specification, clauses 17 to 27).
u32 frames_of_gif(const std::vector<u8>& bytes) {
  const auto at = [&](std::size_t i) { return i < bytes.size() ? bytes[i] : u8{0}; };
  const auto palette = [&](std::size_t flags) {
    return (at(flags) & 0x80) != 0 ? std::size_t{3} << ((at(flags) & 7) + 1) : 0;
  };
  const auto after_blocks = [&](std::size_t i) {
    while (at(i) != 0) i += at(i) + 1u;
    return i + 1;
  };
  u32 frames = 0;
  for (std::size_t i = 13 + palette(10); i < bytes.size();) {
    if (at(i) == 0x21) {  // an extension
      i = after_blocks(i + 2);
    } else if (at(i) == 0x2c) {
      ++frames;
      i = after_blocks(i + 11 + palette(i + 9));
    } else {
      break;
    }
  }
  return frames;
}

/// Passes the bytes of a file to stb. At the end of the file stb continues with zeros, which it may
/// decode as pixels. So `ran_out` records whether stb has read beyond the end.
struct Stream {
  const std::vector<u8>& bytes;
  std::size_t at = 0;
  bool ran_out = false;

  static Stream& of(void* user) { return *static_cast<Stream*>(user); }
  static int read(void* user, char* to, int count) {
    Stream& s = of(user);
    const std::size_t left = s.bytes.size() - s.at;
    const std::size_t got = std::min(static_cast<std::size_t>(count), left);
    if (got == 0) s.ran_out = true;
    std::copy_n(s.bytes.begin() + static_cast<std::ptrdiff_t>(s.at), got, to);
    s.at += got;
    return static_cast<int>(got);
  }
  static void skip(void* user, int count) {  // a negative count moves back
    Stream& s = of(user);
    const auto to = static_cast<std::int64_t>(s.at) + count;
    const auto end = static_cast<std::int64_t>(s.bytes.size());
    if (to > end) s.ran_out = true;
    s.at = static_cast<std::size_t>(std::clamp<std::int64_t>(to, 0, end));
  }
  static int at_end(void* user) { return of(user).at == of(user).bytes.size() ? 1 : 0; }
};

/// Decodes the samples of a picture. `decode` is stb's loader for samples of 8 or 16 bits.
template <class Sample, class Decode>
SampledImage samples_of(const std::vector<u8>& bytes, const std::string& name, Decode decode) {
  int width = 0, height = 0, channels = 0;
  const std::unique_ptr<Sample, void (*)(void*)> decoded(
      decode(bytes.data(), static_cast<int>(bytes.size()), &width, &height, &channels, 0),
      stbi_image_free);
  if (!decoded) refuse_damaged("picture", name, failure());
  SampledImage image{static_cast<u32>(width),
                     static_cast<u32>(height),
                     static_cast<u32>(channels),
                     8 * sizeof(Sample),
                     {}};
  image.samples.assign(decoded.get(),
                       decoded.get() + u64{image.width} * image.height * image.channels);
  return image;
}

}  // namespace

Image<Rgba8> decode_image(const std::vector<u8>& bytes, const std::string& name) {
  if (bytes.empty()) throw InputError(name + ": empty file");
  if (begins_jpeg(bytes)) return decode_jpeg(bytes, name);
  if (begins_webp(bytes)) return decode_webp(bytes, name);
  if (begins_png(bytes)) checked_png(bytes, kRgba, name);
  require_decodable(bytes, name);
  require_colors_of_bmp(bytes, name);
  constexpr stbi_io_callbacks kCallbacks = {Stream::read, Stream::skip, Stream::at_end};
  Stream stream{bytes};
  int width = 0, height = 0, channels = 0;
  const std::unique_ptr<stbi_uc, void (*)(void*)> decoded(
      stbi_load_from_callbacks(&kCallbacks, &stream, &width, &height, &channels, 4),
      stbi_image_free);
  if (!decoded) refuse_damaged("picture", name, failure());
  if (stream.ran_out) refuse_damaged("picture", name, "it is cut off");
  Image<Rgba8> image;
  image.width = static_cast<u32>(width);
  image.height = static_cast<u32>(height);
  image.pixels.resize(u64{image.width} * image.height);
  std::memcpy(image.pixels.data(), decoded.get(), image.pixels.size() * sizeof(Rgba8));
  return image;
}

std::vector<u8> read_picture_file(const std::string& path) { return read_file(path, kLargestFile); }

std::string not_shown_of(const std::vector<u8>& bytes) {
  u32 frames = 0;
  if (begins_png(bytes)) frames = outline_of_png(bytes, "").more_frames;
  if (begins_with(bytes, "GIF")) frames = std::max(1u, frames_of_gif(bytes)) - 1;
  return frames == 0 ? "" : counted(frames, "frame") + " of an animation";
}

SampledImage decode_png(const std::vector<u8>& bytes, const std::string& name) {
  if (bytes.empty()) throw InputError(name + ": empty file");
  const PngOutline png = checked_png(bytes, 0, name);
  if (png.more_frames != 0)
    throw InputError(name + ": an animated PNG, with " + counted(png.more_frames, "more frame") +
                     " than its picture; only still ones are compared");
  require_decodable(bytes, name);
  const int size = static_cast<int>(bytes.size());
  return stbi_is_16_bit_from_memory(bytes.data(), size) != 0
             ? samples_of<stbi_us>(bytes, name, stbi_load_16_from_memory)
             : samples_of<stbi_uc>(bytes, name, stbi_load_from_memory);
}

SampledImage decode_picture(const std::vector<u8>& bytes, const std::string& name) {
  if (bytes.empty()) throw InputError(name + ": empty file");
  if (begins_png(bytes)) return decode_png(bytes, name);
  if (!begins_jpeg(bytes) && !begins_webp(bytes) && !begins_with(bytes, "BM"))
    throw InputError(name +
                     ": not a picture; known: PNG, JPEG, WebP, BMP, PFM, Radiance HDR, OpenEXR");
  const Image<Rgba8> image = decode_image(bytes, name);
  SampledImage out{image.width, image.height, kRgba, 8, {}};
  out.samples.reserve(image.pixels.size() * kRgba);
  for (const Rgba8& p : image.pixels)
    for (const u8 sample : {p.r, p.g, p.b, p.a}) out.samples.push_back(sample);
  return out;
}

std::vector<u8> encode_samples(const SampledImage& image) {
  const std::vector<u8> samples(image.samples.begin(), image.samples.end());
  std::vector<u8> bytes = png_of(image.width, image.height, image.channels, samples.data());
  if (bytes.empty()) throw OutputError("not enough memory to encode a PNG");
  return bytes;
}

}  // namespace ballotcast::detail

namespace ballotcast {

using namespace detail;

std::vector<u8> encode_png(const Image<Rgb8>& image) {
  const u32 channels = image.alpha.empty() ? 3u : 4u;
  const u64 row = u64{image.width} * channels, pixels = u64{image.width} * image.height;
  if (image.width == 0 || image.height == 0 || image.pixels.size() != pixels ||
      (channels == 4u && image.alpha.size() != pixels))
    throw UsageError("a picture of " + std::to_string(image.width) + "x" +
                     std::to_string(image.height) + " pixels can't be stored as PNG");
  // The encoder counts bytes in an int, including one filter byte per row.
  if ((row + 1) * image.height > INT_MAX / 2)
    throw UsageError("a picture of " + std::to_string(image.width) + "x" +
                     std::to_string(image.height) + " pixels is too large for a PNG");
  static_assert(sizeof(Rgb8) == 3);
  std::vector<u8> with_alpha(channels == 4u ? pixels * 4u : 0u);
  for (u64 i = 0; i < with_alpha.size() / 4u; ++i) {
    const Rgb8 p = image.pixels[i];
    const u8 samples[] = {p.r, p.g, p.b, plain_code(image.alpha[i])};
    std::copy_n(samples, 4, with_alpha.data() + 4u * i);
  }
  std::vector<u8> bytes = png_of(image.width, image.height, channels,
                                 with_alpha.empty() ? &image.pixels.front().r : with_alpha.data());
  if (bytes.empty()) throw OutputError("not enough memory to encode a PNG");
  return bytes;
}

void write_png(const std::string& path, const Image<Rgb8>& image) {
  write_file_atomically(path, encode_png(image));
}

SampledImage read_png(const std::string& path) { return decode_png(read_file(path), path); }

SampledImage sampled(const Image<Rgb8>& image) {
  require_whole(image, "the picture");
  SampledImage out{image.width, image.height, image.alpha.empty() ? 3u : 4u, 8, {}};
  out.samples.reserve(image.pixels.size() * out.channels);
  for (std::size_t i = 0; i < image.pixels.size(); ++i) {
    const Rgb8 pixel = image.pixels[i];
    for (const u8 sample : {pixel.r, pixel.g, pixel.b}) out.samples.push_back(sample);
    if (out.channels == 4u) out.samples.push_back(plain_code(image.alpha[i]));
  }
  return out;
}

}  // namespace ballotcast
