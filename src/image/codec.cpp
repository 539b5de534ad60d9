#include "image/codec.hpp"

#include <stb/stb_image.h>
#include <stb/stb_image_write.h>

#include <climits>
#include <cstring>
#include <memory>

#include "image/png_chunks.hpp"
#include "support/error.hpp"
#include "support/files.hpp"

namespace ballotcast {
namespace {

constexpr int kLargestSide = 1 << 15;

std::string failure() {
  const char* reason = stbi_failure_reason();
  return reason ? reason : "unknown format";
}

/// Throws InputError for bytes whose header is no picture's, or a picture's that is too large.
/// Comes before decoding: a few bytes can claim a picture that fills all memory.
void require_decodable(const std::vector<u8>& bytes, const std::string& name) {
  if (bytes.empty()) throw InputError(name + ": empty file");
  if (bytes.size() > INT_MAX) throw InputError(name + ": too large for a picture");
  int width = 0, height = 0, channels = 0;
  if (!stbi_info_from_memory(bytes.data(), static_cast<int>(bytes.size()), &width, &height,
                             &channels))
    throw InputError(name + ": not a picture that can be read (" + failure() + ")");
  if (width <= 0 || height <= 0 || width > kLargestSide || height > kLargestSide)
    throw InputError(name + ": " + std::to_string(width) + "x" + std::to_string(height) +
                     " pixels; the most is " + std::to_string(kLargestSide) + " a side");
}

/// The samples of a picture; `decode` is stb's loader of 8 or 16 bits a Sample.
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

std::vector<u8> encode_png(const Image<Rgb8>& image) {
  const u64 row = u64{image.width} * 3;
  if (image.width == 0 || image.height == 0 || image.pixels.size() != row / 3 * image.height)
    throw UsageError("a picture of " + std::to_string(image.width) + "x" +
                     std::to_string(image.height) + " pixels can't be made a PNG");
  // The encoder counts bytes, one of filter a row included, in an int.
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

Image<Rgba8> decode_image(const std::vector<u8>& bytes, const std::string& name) {
  require_decodable(bytes, name);
  const int size = static_cast<int>(bytes.size());
  int width = 0, height = 0, channels = 0;
  const std::unique_ptr<stbi_uc, void (*)(void*)> decoded(
      stbi_load_from_memory(bytes.data(), size, &width, &height, &channels, 4), stbi_image_free);
  if (!decoded) throw InputError(name + ": damaged picture (" + failure() + ")");
  Image<Rgba8> image;
  image.width = static_cast<u32>(width);
  image.height = static_cast<u32>(height);
  image.pixels.resize(u64{image.width} * image.height);
  std::memcpy(image.pixels.data(), decoded.get(), image.pixels.size() * sizeof(Rgba8));
  return image;
}

Image<Rgba8> read_image(const std::string& path) { return decode_image(read_file(path), path); }

SampledImage decode_png(const std::vector<u8>& bytes, const std::string& name) {
  if (bytes.empty()) throw InputError(name + ": empty file");
  require_whole_png(bytes, name);
  require_decodable(bytes, name);
  const int size = static_cast<int>(bytes.size());
  return stbi_is_16_bit_from_memory(bytes.data(), size) != 0
             ? samples_of<stbi_us>(bytes, name, stbi_load_16_from_memory)
             : samples_of<stbi_uc>(bytes, name, stbi_load_from_memory);
}

SampledImage read_png(const std::string& path) { return decode_png(read_file(path), path); }

}  // namespace ballotcast
