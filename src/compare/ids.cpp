#include "compare/ids.hpp"

#include "image/codec.hpp"
#include "image/linear/linear_image.hpp"
#include "image/png.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {

namespace {

/// The ids of a PNG. `alpha` does not count.
std::vector<u32> ids_of_png(const SampledImage& image, const std::string& name) {
  const bool is_grey = image.channels < 3;
  if (!is_grey && image.depth != 8)
    throw InputError(name +
                     ": colours of 16 bits are no ids; known: grey of 8 or 16 bits, and "
                     "colours of 8 bits");
  std::vector<u32> ids;
  for (std::size_t i = 0; i < image.samples.size(); i += image.channels) {
    const u16* const p = image.samples.data() + i;
    ids.push_back(is_grey ? p[0] : u32{p[0]} << 16 | u32{p[1]} << 8 | p[2]);
  }
  return ids;
}

SampledImage picture_of(u32 width, u32 height, const std::vector<u32>& ids) {
  SampledImage out{width, height, 3, 16, {}};
  out.samples.reserve(3 * ids.size());
  for (const u32 id : ids)
    for (const u32 sample : {id >> 16, id & 0xffff, 0u})
      out.samples.push_back(static_cast<u16>(sample));
  return out;
}

}  // namespace

SampledImage ids_of(const std::vector<u8>& bytes, const std::string& name) {
  if (begins_png(bytes)) {
    const SampledImage image = decode_png(bytes, name);
    return picture_of(image.width, image.height, ids_of_png(image, name));
  }
  const Image<u32> numbers = decode_numbers(bytes, name);
  return picture_of(numbers.width, numbers.height, numbers.pixels);
}

Image<Rgb8> colors_of(const SampledImage& ids) {
  Image<Rgb8> out{ids.width, ids.height, {}};
  for (std::size_t i = 0; i < ids.samples.size(); i += ids.channels) {
    const u32 id = id_in(ids.samples.data() + i);
    // Neighbouring ids get far colours: a multiplication by 2^32 over the golden ratio.
    const u32 mixed = id * 2654435769u;
    const auto byte = [&](u32 shift) {
      return static_cast<u8>(64 + (mixed >> shift & 0xff) * 3 / 4);
    };
    out.pixels.push_back(id == 0             ? Rgb8{0, 0, 0}
                         : id == 0xffffffffu ? Rgb8{96, 96, 96}
                                             : Rgb8{byte(24), byte(16), byte(8)});
  }
  return out;
}

}  // namespace ballotcast::detail
