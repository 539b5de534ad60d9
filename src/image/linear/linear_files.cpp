#include "image/linear/linear_files.hpp"

#include <algorithm>
#include <array>

#include "ballotcast/error.hpp"
#include "image/picture_checks.hpp"
#include "support/files/files.hpp"
#include "support/float_environment.hpp"
#include "support/text.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

namespace {

const std::array<LinearFormat, 3>& formats() {
  static const std::array<LinearFormat, 3> table = {pfm_format(), hdr_format(), exr_format()};
  return table;
}

const LinearFormat* format_of(const std::vector<u8>& bytes) {
  const auto found = std::ranges::find_if(formats(), [&](auto& row) { return row.begins(bytes); });
  return found == formats().end() ? nullptr : &*found;
}

/// The format of a file. Throws InputError if the format is unknown or not built in.
const LinearFormat& readable_format_of(const std::vector<u8>& bytes, const std::string& name) {
  if (bytes.empty()) throw InputError(name + ": empty file");
  const LinearFormat* const format = format_of(bytes);
  if (!format)
    throw InputError(name + ": no picture with linear numbers; known: PFM, Radiance HDR, OpenEXR");
  if (!format->absent.empty()) throw InputError(name + ": " + std::string(format->absent));
  return *format;
}

std::vector<u8> encode(const LinearImage& image, const LinearFormat& format) {
  require_built_in(format, "a picture as " + std::string(format.name));
  require_whole(image, "the picture");
  const DefaultFloats floats;
  return format.encode(image);
}

}  // namespace

std::vector<ImageChannel> channels_of(const LinearImage& image) {
  const Vec3f& first = image.pixels[0];
  std::vector<ImageChannel> all = {
      {"R", &first.x, sizeof first}, {"G", &first.y, sizeof first}, {"B", &first.z, sizeof first}};
  if (!image.alpha.empty()) all.push_back({"A", image.alpha.data(), sizeof(float)});
  return all;
}

bool begins_linear(const std::vector<u8>& bytes) { return format_of(bytes) != nullptr; }

LinearImage decode_linear(const std::vector<u8>& bytes, const std::string& name) {
  const LinearFormat& format = readable_format_of(bytes, name);
  const DefaultFloats floats;
  return format.decode(bytes, name);
}

Image<u32> decode_numbers(const std::vector<u8>& bytes, const std::string& name) {
  const LinearFormat& format = readable_format_of(bytes, name);
  if (!format.numbers) throw InputError(name + ": this kind of picture has no exact numbers");
  const DefaultFloats floats;
  return format.numbers(bytes, name);
}

const LinearFormat* linear_format_of(const std::string& path) {
  const std::string name = lowered(path);
  for (const LinearFormat& format : formats())
    if (name.ends_with("." + std::string(format.name))) return &format;
  return nullptr;
}

void require_built_in(const LinearFormat& format, const std::string& what) {
  if (!format.absent.empty()) throw UsageError(what + ": " + std::string(format.absent));
}

}  // namespace ballotcast::detail

namespace ballotcast {

using namespace detail;

LinearImage read_linear(const std::string& path) { return decode_linear(read_file(path), path); }

std::vector<std::uint8_t> encode_linear(const LinearImage& image, std::string_view format) {
  const auto found = std::ranges::find(formats(), format, &LinearFormat::name);
  if (found == formats().end()) throw_unknown("format", format, names_of(formats()));
  return encode(image, *found);
}

void write_linear(const std::string& path, const LinearImage& image) {
  const LinearFormat* const format = linear_format_of(path);
  if (!format)
    throw UsageError("'" + path + "': linear pictures are written as .pfm, .hdr or .exr");
  write_file_atomically(path, encode(image, *format));
}

}  // namespace ballotcast
