#include "image/codec.hpp"

#include <stb/stb_image.h>
#include <stb/stb_image_write.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <memory>
#include <string_view>

#include "image/jpeg.hpp"
#include "image/limits.hpp"
#include "image/png_chunks.hpp"
#include "support/error.hpp"
#include "support/files.hpp"

namespace ballotcast::detail {
namespace {

constexpr u64 kLargestSide = 1 << 15;
constexpr u64 kMostPixels = u64{1} << 29;
constexpr u64 kMostPixelsOfByte = 1 << 14;  // twice what a PNG of zeros reaches
constexpr u64 kLargestFile = INT_MAX;       // stb counts bytes in an int
constexpr u64 kSmall = 1 << 16;             // pixels; pictures up to this size are always accepted

std::string failure() {
  const char* reason = stbi_failure_reason();
  return reason ? reason : "unknown format";
}

bool begins(const std::vector<u8>& bytes, std::string_view with) {
  return bytes.size() >= with.size() &&
         std::equal(with.begin(), with.end(), bytes.begin(),
                    [](char a, u8 b) { return static_cast<u8>(a) == b; });
}

/// Throws InputError unless the header is that of a picture kind that stb may decode here.
void require_decodable(const std::vector<u8>& bytes, const std::string& name) {
  if (bytes.size() > kLargestFile) throw InputError(name + ": too large for a picture");
  // Picture kinds that the project does not promise to read; and anything else that begins like a
  // JPEG, at which stb would try its own JPEG decoder.
  for (const std::string_view other : {"\x53\x80\xf6\x34", "#?", "P5", "P6", "8BPS", "\xff"})
    if (begins(bytes, other)) throw InputError(name + ": not a kind of picture that is read");
  int width = 0, height = 0, channels = 0;
  if (!stbi_info_from_memory(bytes.data(), static_cast<int>(bytes.size()), &width, &height,
                             &channels))
    throw InputError(name + ": not a picture that can be read (" + failure() + ")");
  if (width <= 0 || height <= 0) throw InputError(name + ": a picture without pixels");
  require_plausible(static_cast<u64>(width), static_cast<u64>(height), bytes.size(), name);
}

/// The bytes as stb reads them. Past their end stb gets zeros and may decode them as pixels, so
/// `ran_out` records that.
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
  static void skip(void* user, int count) {  // a negative count goes back
    Stream& s = of(user);
    const auto to = static_cast<std::int64_t>(s.at) + count;
    const auto end = static_cast<std::int64_t>(s.bytes.size());
    if (to > end) s.ran_out = true;
    s.at = static_cast<std::size_t>(std::clamp<std::int64_t>(to, 0, end));
  }
  static int at_end(void* user) { return of(user).at == of(user).bytes.size() ? 1 : 0; }
};

/// The samples of a picture. `decode` is stb's loader for samples of 8 or 16 bits.
template <class Sample, class Decode>
SampledImage samples_of(const std::vector<u8>& bytes, const std::string& name, Decode decode) {
  int width = 0, height = 0, channels = 0;
  const std::unique_ptr<Sample, void (*)(void*)> decoded(
      decode(bytes.data(), static_cast<int>(bytes.size()), &width, &height, &channels, 0),
      stbi_image_free);
  if (!decoded) throw InputError(name + ": damaged picture (" + failure() + ")");
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

void require_plausible(u64 width, u64 height, u64 bytes, const std::string& name) {
  const std::string size = std::to_string(width) + "x" + std::to_string(height);
  if (width > kLargestSide || height > kLargestSide || width * height > kMostPixels)
    throw InputError(name + ": " + size + " pixels; the most is " + std::to_string(kLargestSide) +
                     " a side and " + std::to_string(kMostPixels) + " in all");
  if (width * height > kSmall && width * height / kMostPixelsOfByte > bytes)
    throw InputError(name + ": damaged picture (" + size + " pixels are said to be in " +
                     std::to_string(bytes) + " bytes)");
}

Image<Rgba8> decode_image(const std::vector<u8>& bytes, const std::string& name) {
  if (bytes.empty()) throw InputError(name + ": empty file");
  if (begins_jpeg(bytes)) return decode_jpeg(bytes, name);
  if (begins_png(bytes)) require_whole_png(bytes, name);
  require_decodable(bytes, name);
  constexpr stbi_io_callbacks kCallbacks = {Stream::read, Stream::skip, Stream::at_end};
  Stream stream{bytes};
  int width = 0, height = 0, channels = 0;
  const std::unique_ptr<stbi_uc, void (*)(void*)> decoded(
      stbi_load_from_callbacks(&kCallbacks, &stream, &width, &height, &channels, 4),
      stbi_image_free);
  if (!decoded) throw InputError(name + ": damaged picture (" + failure() + ")");
  if (stream.ran_out) throw InputError(name + ": damaged picture (it is cut off)");
  Image<Rgba8> image;
  image.width = static_cast<u32>(width);
  image.height = static_cast<u32>(height);
  image.pixels.resize(u64{image.width} * image.height);
  std::memcpy(image.pixels.data(), decoded.get(), image.pixels.size() * sizeof(Rgba8));
  return image;
}

Image<Rgba8> read_image(const std::string& path) {
  return decode_image(read_file(path, kLargestFile), path);
}

SampledImage decode_png(const std::vector<u8>& bytes, const std::string& name) {
  if (bytes.empty()) throw InputError(name + ": empty file");
  require_whole_png(bytes, name);
  require_decodable(bytes, name);
  const int size = static_cast<int>(bytes.size());
  return stbi_is_16_bit_from_memory(bytes.data(), size) != 0
             ? samples_of<stbi_us>(bytes, name, stbi_load_16_from_memory)
             : samples_of<stbi_uc>(bytes, name, stbi_load_from_memory);
}

}  // namespace ballotcast::detail

namespace ballotcast {

using namespace detail;

std::vector<u8> encode_png(const Image<Rgb8>& image) {
  const u64 row = u64{image.width} * 3;
  if (image.width == 0 || image.height == 0 || image.pixels.size() != row / 3 * image.height)
    throw UsageError("a picture of " + std::to_string(image.width) + "x" +
                     std::to_string(image.height) + " pixels can't be made a PNG");
  // The encoder counts bytes in an int, including one filter byte per row.
  if ((row + 1) * image.height > INT_MAX / 2)
    throw UsageError("a picture of " + std::to_string(image.width) + "x" +
                     std::to_string(image.height) + " pixels is too large for a PNG");
  std::vector<u8> bytes;
  const auto append = [](void* context, void* data, int size) {
    const auto* from = static_cast<const u8*>(data);
    auto& to = *static_cast<std::vector<u8>*>(context);
    to.insert(to.end(), from, from + size);
  };
  if (!stbi_write_png_to_func(append, &bytes, static_cast<int>(image.width),
                              static_cast<int>(image.height), 3, image.pixels.data(),
                              static_cast<int>(row)))
    throw OutputError("not enough memory to encode a PNG");
  return bytes;
}

void write_png(const std::string& path, const Image<Rgb8>& image) {
  write_file_atomically(path, encode_png(image));
}

SampledImage read_png(const std::string& path) { return decode_png(read_file(path), path); }

SampledImage sampled(const Image<Rgb8>& image) {
  SampledImage out{image.width, image.height, 3, 8, {}};
  out.samples.reserve(image.pixels.size() * 3);
  for (const Rgb8& pixel : image.pixels)
    for (const u8 sample : {pixel.r, pixel.g, pixel.b}) out.samples.push_back(sample);
  return out;
}

}  // namespace ballotcast
