// PFM files: a header of text, then floats, the bottom row first. (Debevec, "PFM Portable FloatMap
// Image Format"; Netpbm's manual page pfm(5).)
#include <cmath>

#include "ballotcast/error.hpp"
#include "image/linear/linear_files.hpp"
#include "image/picture_checks.hpp"
#include "support/numbers.hpp"

namespace ballotcast::detail {

namespace {

constexpr std::size_t kLongestWord = 40;

bool begins_pfm(const std::vector<u8>& bytes) {
  return begins_with(bytes, "PF") || begins_with(bytes, "Pf");
}

/// Reads the words of the header.
struct PfmHeader {
  const std::vector<u8>& bytes;
  const std::string& name;
  std::size_t at = 0;  // position after the last word and one blank

  bool is_blank() const {
    const u8 c = bytes[at];
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
  }

  std::string word(const char* what) {
    while (at < bytes.size() && is_blank()) ++at;
    std::string text;
    while (at < bytes.size() && !is_blank() && text.size() < kLongestWord)
      text += static_cast<char>(bytes[at++]);
    if (at == bytes.size()) refuse_damaged("PFM", name, "it is cut off in its header");
    if (!is_blank())
      refuse_damaged("PFM", name, std::string(what) + " '" + text + "...' is too long");
    ++at;  // skips exactly one blank, because the next byte may be the first of the pixels
    return text;
  }

  template <class Number>
  Number number(const char* what) {
    const std::string text = word(what);
    const std::optional<Number> value = parsed<Number>(text);
    if (!value)
      refuse_damaged(
          "PFM", name,
          std::string(what) + " is '" + text + "' at byte " + std::to_string(at - 1 - text.size()));
    return *value;
  }
};

float float_at(const u8* from, bool is_little) {
  u32 bits = 0;
  for (u32 i = 0; i < 4; ++i) bits |= u32{from[i]} << 8 * (is_little ? i : 3 - i);
  return float_of(bits);
}

LinearImage decode_pfm(const std::vector<u8>& bytes, const std::string& name) {
  PfmHeader header{bytes, name};
  const std::string kind = header.word("the kind");
  if (kind != "PF" && kind != "Pf")
    throw InputError(name + ": a PFM of the unknown kind '" + kind + "'; known: PF, Pf");
  const u32 width = header.number<u32>("the width"), height = header.number<u32>("the height");
  const float scale = header.number<float>("the scale");
  if (!std::isfinite(scale) || scale == 0.0f)
    refuse_damaged("PFM", name, "its scale is 0 or no finite number");
  if (width == 0 || height == 0) refuse_damaged("PFM", name, "a picture without pixels");
  require_plausible(width, height, bytes.size(), name);
  const u64 channels = kind == "PF" ? 3 : 1, row = width * channels * 4;
  if (bytes.size() - header.at != row * height)
    refuse_damaged("PFM", name,
                   "its pixels take " + std::to_string(row * height) + " bytes from byte " +
                       std::to_string(header.at) + " on, but the file ends after " +
                       std::to_string(bytes.size() - header.at));
  // A negative scale means little-endian floats.
  const bool is_little = scale < 0.0f;
  const float factor = magnitude_of(scale);
  const auto value = [&](const u8* from) {
    const float stored = float_at(from, is_little);
    // a multiplication by 1 could change the bits of a NaN
    return factor == 1.0f ? stored : stored * factor;
  };
  LinearImage image{width, height, std::vector<Vec3f>(u64{width} * height)};
  const u8* from = bytes.data() + header.at;
  for (u64 y = height; y-- > 0;)
    for (u64 x = 0; x < width; ++x, from += 4 * channels)
      image.pixels[y * width + x] = {value(from), value(from + (channels == 3 ? 4 : 0)),
                                     value(from + (channels == 3 ? 8 : 0))};
  return image;
}

Image<u32> numbers_of_pfm(const std::vector<u8>& bytes, const std::string& name) {
  const LinearImage image = decode_pfm(bytes, name);
  if (bytes[1] != 'f') throw InputError(name + ": a PFM with three channels; one is needed");
  Image<u32> out{image.width, image.height, {}};
  out.pixels.reserve(image.pixels.size());
  for (const Vec3f& pixel : image.pixels) out.pixels.push_back(bits_of(pixel.x));
  return out;
}

std::vector<u8> encode_pfm(const LinearImage& image) {
  return encode_pfm_of(image.width, image.height, 3, [&](u64 pixel, u32 channel) {
    const Vec3f& p = image.pixels[pixel];
    return channel == 0 ? p.x : channel == 1 ? p.y : p.z;
  });
}

}  // namespace

LinearFormat pfm_format() {
  return {"pfm", "", begins_pfm, decode_pfm, encode_pfm, numbers_of_pfm};
}

}  // namespace ballotcast::detail
