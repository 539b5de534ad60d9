// Radiance HDR files: lines of text, then pixels as RGBE, which is three mantissas of 8 bits with a
// common exponent. (Ward, "Real Pixels", Graphics Gems II, 1991; Larson and Shakespeare, "Rendering
// with Radiance", 1998; Radiance's manual, "File Formats".)
#include <array>
#include <charconv>
#include <cmath>

#include "image/limits.hpp"
#include "image/linear/formats.hpp"
#include "image/linear/rgbe.hpp"
#include "image/magic.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {

namespace {

constexpr std::string_view kKnownFormat = "32-bit_rle_rgbe";

/// The numbers in `text`, separated by blanks; as many as `count`.
template <std::size_t count>
std::array<double, count> factors_in(std::string_view text, const std::string& name) {
  std::array<double, count> values{};
  const char *at = text.data(), *const end = at + text.size();
  for (double& value : values) {
    while (at != end && (*at == ' ' || *at == '\t')) ++at;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || !(value > 0.0) || !std::isfinite(value))
      refuse_damaged("HDR", name, "'" + std::string(text) + "' is no factor above 0");
    at = next;
  }
  return values;
}

/// What the text before the pixels says.
struct HdrHeader {
  std::array<double, 3> factors = {1.0, 1.0, 1.0};  // that the stored numbers were multiplied by
  RgbePlaces places;
  std::size_t size = 0;  // in bytes
};

class HeaderReader {
 public:
  HeaderReader(const std::vector<u8>& bytes, const std::string& name)
      : bytes_(bytes), name_(name) {}

  HdrHeader read() {
    HdrHeader header;
    line();  // the program's name, after #?
    for (std::string text = line(); !text.empty(); text = line()) read_line(text, header.factors);
    for (const double factor : header.factors)
      if (!(factor > 0.0) || !std::isfinite(factor))
        refuse_damaged("HDR", name_, "its EXPOSURE and COLORCORR are out of range");
    header.places = places_in(line());
    header.size = at_;
    return header;
  }

 private:
  std::string line() {
    std::string text;
    while (at_ < bytes_.size() && bytes_[at_] != '\n') text += static_cast<char>(bytes_[at_++]);
    if (at_ == bytes_.size()) refuse_damaged("HDR", name_, "it is cut off in its header");
    ++at_;
    if (text.ends_with('\r')) text.pop_back();
    return text;
  }

  void read_line(std::string_view text, std::array<double, 3>& factors) const {
    const std::size_t equals = text.find('=');
    if (equals == text.npos) return;
    const std::string_view key = text.substr(0, equals), value = text.substr(equals + 1);
    if (key == "FORMAT") {
      const std::size_t first = std::min(value.find_first_not_of(" \t"), value.size());
      const std::string format(value.substr(first, value.find_last_not_of(" \t") + 1 - first));
      if (format != kKnownFormat)
        throw InputError(name_ + ": an HDR of the format '" + format +
                         "', which is not read; only " + std::string(kKnownFormat) + " is");
    } else if (key == "EXPOSURE") {  // each EXPOSURE and COLORCORR adds to those before it
      const double factor = factors_in<1>(value, name_)[0];
      for (double& f : factors) f *= factor;
    } else if (key == "COLORCORR") {
      const auto more = factors_in<3>(value, name_);
      for (std::size_t c = 0; c < 3; ++c) factors[c] *= more[c];
    }
  }

  /// The size and the order of the pixels, e.g. "-Y 768 +X 1024".
  RgbePlaces places_in(const std::string& text) const {
    const auto unknown = [&] {
      refuse_damaged("HDR", name_, "its size is '" + text + "', not like -Y 768 +X 1024");
    };
    RgbePlaces places;
    const char *at = text.data(), *const end = at + text.size();
    std::array<char, 2> axes{};
    for (u32 i = 0; i < 2; ++i) {
      if (end - at < 4 || (at[0] != '-' && at[0] != '+') || at[2] != ' ') unknown();
      axes[i] = at[1];
      (i == 0 ? places.lines_fall : places.pixels_fall) = at[0] == '-';
      const auto [next, error] =
          std::from_chars(at + 3, end, i == 0 ? places.lines : places.pixels);
      if (error != std::errc()) unknown();
      at = next;
      if (i == 0 && at != end) ++at;  // the blank
    }
    if (at != end || axes[0] + axes[1] != 'X' + 'Y' || (axes[0] != 'X' && axes[0] != 'Y'))
      unknown();
    places.lines_are_rows = axes[0] == 'Y';
    return places;
  }

  const std::vector<u8>& bytes_;
  const std::string& name_;
  std::size_t at_ = 0;
};

bool begins_hdr(const std::vector<u8>& bytes) { return begins_with(bytes, "#?"); }

LinearImage decode_hdr(const std::vector<u8>& bytes, const std::string& name) {
  const HdrHeader header = HeaderReader(bytes, name).read();
  const RgbePlaces& places = header.places;
  if (places.lines == 0 || places.pixels == 0)
    refuse_damaged("HDR", name, "a picture without pixels");
  require_plausible(places.width(), places.height(), bytes.size(), name);
  RgbeReader reader(bytes, header.size, name);
  reader.require_room_for(places.lines, places.pixels);
  LinearImage image{places.width(), places.height(),
                    std::vector<Vec3f>(u64{places.lines} * places.pixels)};
  std::vector<Rgbe> line(places.pixels);
  for (u32 l = 0; l < places.lines; ++l) {
    reader.read_line(line);
    for (u32 p = 0; p < places.pixels; ++p)
      image.pixels[places.index_of(l, p)] = linear_of(line[p], header.factors);
  }
  return image;
}

std::vector<u8> encode_hdr(const LinearImage& image) {
  const std::string header = "#?RADIANCE\nFORMAT=" + std::string(kKnownFormat) + "\n\n-Y " +
                             std::to_string(image.height) + " +X " + std::to_string(image.width) +
                             "\n";
  std::vector<u8> bytes(header.begin(), header.end());
  std::vector<Rgbe> line(image.width);
  for (u64 y = 0; y < image.height; ++y) {
    for (u64 x = 0; x < image.width; ++x) line[x] = rgbe_of(image.pixels[y * image.width + x]);
    append_line(bytes, line);
  }
  return bytes;
}

}  // namespace

LinearFormat hdr_format() { return {"hdr", "", begins_hdr, decode_hdr, encode_hdr}; }

}  // namespace ballotcast::detail
