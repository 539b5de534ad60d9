// Radiance HDR files: lines of text, then pixels in the RGBE format: three 8-bit mantissas with a
// common exponent. (Ward, "Real Pixels", Graphics Gems II, 1991; Larson and Shakespeare, "Rendering
// with Radiance", 1998; Radiance's manual, "File Formats".)
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <vector>

#include "ballotcast/error.hpp"
#include "ballotcast/types.hpp"
#include "image/linear/linear_files.hpp"
#include "image/picture_checks.hpp"
#include "math/portable.hpp"

namespace ballotcast::detail {

namespace {

/// A pixel: three mantissas and an exponent. Mantissa m with exponent e stands for m * 2^(e - 136);
/// e = 0 stands for black.
using Rgbe = std::array<u8, 4>;

/// The order of the pixels in a file. Lines may be rows or columns, and go up or down.
struct RgbeOrder {
  u32 lines = 0;
  u32 pixels = 0;              // number of pixels per line
  bool lines_are_rows = true;  // false: columns
  // true: the first line is at the top or on the right (-Y or -X comes first)
  bool lines_fall = true;
  bool pixels_fall = false;

  u32 width() const { return lines_are_rows ? pixels : lines; }
  u32 height() const { return lines_are_rows ? lines : pixels; }

  /// The index in the picture of a pixel of a line. In the file Y points up; in the picture the
  /// first row is the top row.
  u64 index_of(u32 line, u32 pixel) const {
    const auto along = [](u32 i, u32 count, bool falls) { return falls ? count - 1 - i : i; };
    const u32 first = along(line, lines, lines_fall), second = along(pixel, pixels, pixels_fall);
    const u32 x = lines_are_rows ? second : first, up = lines_are_rows ? first : second;
    return u64{height() - 1 - up} * width() + x;
  }
};

/// Reads lines of pixels: with run lengths per component (Radiance 1.4 and later), with run lengths
/// of whole pixels (older versions), or without run lengths.
class RgbeReader {
 public:
  /// The pixels begin at byte `at`. `name` is used in errors.
  RgbeReader(const std::vector<u8>& bytes, std::size_t at, const std::string& name)
      : bytes_(bytes), at_(at), name_(name) {}

  /// Throws InputError if the file is too short for that many lines, whichever encoding they have.
  void require_room_for(u32 lines, u32 pixels) const;

  /// Reads the next line. Throws InputError if it is damaged or cut off.
  void read_line(std::vector<Rgbe>& line);

 private:
  u8 next();
  Rgbe next_pixel();
  void read_components(std::vector<Rgbe>& line);
  void read_pixels(std::vector<Rgbe>& line);
  [[noreturn]] void refuse(const std::string& why) const;

  const std::vector<u8>& bytes_;
  std::size_t at_;
  const std::string& name_;
};

// Lines with a number of pixels in this range may have run lengths per component.
constexpr std::size_t kShortestPacked = 8, kLongestPacked = 0x7fff;
constexpr std::size_t kLongestRun = 127, kLongestCopy = 128;
// the shortest run; shorter ones are stored as copies, as Radiance does
constexpr std::size_t kShortestRun = 4;
constexpr u32 kRun = 128;  // a code above this begins a run

constexpr int kBias = 128, kMantissaBits = 8;

bool is_packable(std::size_t pixels) {
  return pixels >= kShortestPacked && pixels <= kLongestPacked;
}

/// The colour of a stored pixel, divided by the factors by which it was multiplied when it was
/// stored. Radiance itself adds half a step to each mantissa. Like most other programs, this
/// function does not, so that 0 stays 0.
Vec3f linear_of(const Rgbe& stored, const std::array<double, 3>& factors) {
  if (stored[3] == 0) return {0.0f, 0.0f, 0.0f};
  const double step = std::ldexp(1.0, stored[3] - kBias - kMantissaBits);
  return {static_cast<float>(stored[0] * step / factors[0]),
          static_cast<float>(stored[1] * step / factors[1]),
          static_cast<float>(stored[2] * step / factors[2])};
}

/// The pixel that is nearest to a colour: each mantissa is rounded to nearest, halves up, and the
/// largest is at least 128. NaN and negative numbers become 0; larger numbers become 255 * 2^119;
/// colours below 2^-128 become black.
Rgbe rgbe_of(const Vec3f& color) {
  const float most = std::ldexp(255.0f, 255 - kBias - kMantissaBits);
  const std::array<float, 3> kept = {clamp_to(color.x, 0.0f, most), clamp_to(color.y, 0.0f, most),
                                     clamp_to(color.z, 0.0f, most)};
  const float largest = *std::ranges::max_element(kept);
  int exponent = 0;
  std::frexp(largest, &exponent);
  const auto mantissa = [&](float value) {  // exact except for the rounding by floor
    return std::floor(std::ldexp(double{value}, kMantissaBits - exponent) + 0.5);
  };
  if (mantissa(largest) > 255.0) ++exponent;
  if (largest == 0.0f || exponent + kBias < 1) return {0, 0, 0, 0};
  return {static_cast<u8>(mantissa(kept[0])), static_cast<u8>(mantissa(kept[1])),
          static_cast<u8>(mantissa(kept[2])), static_cast<u8>(exponent + kBias)};
}

void RgbeReader::refuse(const std::string& why) const {
  refuse_damaged("HDR", name_, why + " at byte " + std::to_string(at_));
}

u8 RgbeReader::next() {
  if (at_ == bytes_.size()) refuse("its pixels are cut off");
  return bytes_[at_++];
}

Rgbe RgbeReader::next_pixel() {
  Rgbe pixel{};
  for (u8& channel : pixel) channel = next();
  return pixel;
}

void RgbeReader::require_room_for(u32 lines, u32 pixels) const {
  // The shortest possible encoding of a line is a pixel and a repetition of it.
  const u64 least = u64{lines} * (pixels == 1 ? 4 : 8);
  if (bytes_.size() - at_ < least)
    refuse("it claims " + std::to_string(lines) + " lines of pixels, too many for its " +
           std::to_string(bytes_.size() - at_) + " bytes of pixels");
}

void RgbeReader::read_line(std::vector<Rgbe>& line) {
  const u8* const head = bytes_.data() + at_;
  const bool is_packed = is_packable(line.size()) && bytes_.size() - at_ >= 4 && head[0] == 2 &&
                         head[1] == 2 && head[2] < 128;
  if (!is_packed) return read_pixels(line);
  if (const u32 length = head[2] * 256u + head[3]; length != line.size())
    refuse("a line of " + std::to_string(length) + " pixels, not " + std::to_string(line.size()) +
           ",");
  at_ += 4;
  read_components(line);
}

void RgbeReader::read_components(std::vector<Rgbe>& line) {
  for (std::size_t c = 0; c < 4; ++c)
    for (std::size_t i = 0; i < line.size();) {
      const u32 code = next();
      const bool is_run = code > kRun;
      const std::size_t count = is_run ? code - kRun : code;
      if (count == 0 || count > line.size() - i) refuse("a run that does not fit its line");
      u8 value = is_run ? next() : u8{0};
      for (const std::size_t end = i + count; i < end; ++i) line[i][c] = is_run ? value : next();
    }
}

void RgbeReader::read_pixels(std::vector<Rgbe>& line) {
  u32 shift = 0;  // grows with each consecutive repetition code
  for (std::size_t i = 0; i < line.size();) {
    const Rgbe pixel = next_pixel();
    if (pixel[0] != 1 || pixel[1] != 1 || pixel[2] != 1) {
      line[i++] = pixel;
      shift = 0;
      continue;
    }
    const u64 count = shift < 32 ? u64{pixel[3]} << shift : 0;
    if (i == 0 || count > line.size() - i) refuse("a repetition that does not fit its line");
    std::fill_n(line.begin() + static_cast<std::ptrdiff_t>(i), count, line[i - 1]);
    i += count;
    shift += 8;
  }
}

/// The number of consecutive pixels from `at` on with the same component `c`.
std::size_t run_at(const std::vector<Rgbe>& line, std::size_t at, std::size_t c) {
  std::size_t end = at + 1;
  while (end < line.size() && end - at < kLongestRun && line[end][c] == line[at][c]) ++end;
  return end - at;
}

void append_component(std::vector<u8>& bytes, const std::vector<Rgbe>& line, std::size_t c) {
  for (std::size_t at = 0; at < line.size();) {
    std::size_t copied = 0, run = 0;
    while (at + copied < line.size() && copied < kLongestCopy) {
      run = run_at(line, at + copied, c);
      if (run >= kShortestRun) break;
      copied = std::min(copied + run, kLongestCopy);
      run = 0;
    }
    if (copied != 0) bytes.push_back(static_cast<u8>(copied));
    for (const std::size_t end = at + copied; at < end; ++at) bytes.push_back(line[at][c]);
    if (run == 0) continue;
    bytes.push_back(static_cast<u8>(kRun + run));
    bytes.push_back(line[at][c]);
    at += run;
  }
}

/// Appends a line of pixels, with run lengths per component where the format allows them.
void append_line(std::vector<u8>& bytes, const std::vector<Rgbe>& line) {
  if (!is_packable(line.size())) {
    for (const Rgbe& pixel : line) bytes.insert(bytes.end(), pixel.begin(), pixel.end());
    return;
  }
  bytes.insert(bytes.end(),
               {2, 2, static_cast<u8>(line.size() >> 8), static_cast<u8>(line.size() & 255)});
  for (std::size_t c = 0; c < 4; ++c) append_component(bytes, line, c);
}

constexpr std::string_view kKnownFormat = "32-bit_rle_rgbe";

/// Parses `count` numbers, separated by blanks. Throws InputError if `text` has another form.
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

/// The contents of the text before the pixels.
struct HdrHeader {
  // factors by which the stored numbers were multiplied
  std::array<double, 3> factors = {1.0, 1.0, 1.0};
  RgbeOrder order;
  std::size_t size = 0;  // size of the header in bytes
};

class HeaderReader {
 public:
  HeaderReader(const std::vector<u8>& bytes, const std::string& name)
      : bytes_(bytes), name_(name) {}

  HdrHeader read() {
    HdrHeader header;
    line();  // skips the line with the name of the program, after #?
    for (std::string text = line(); !text.empty(); text = line()) read_line(text, header.factors);
    for (const double factor : header.factors)
      if (!(factor > 0.0) || !std::isfinite(factor))
        refuse_damaged("HDR", name_, "its EXPOSURE and COLORCORR are out of range");
    header.order = order_in(line());
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
    } else if (key == "EXPOSURE") {  // later EXPOSURE and COLORCORR lines multiply earlier ones
      const double factor = factors_in<1>(value, name_)[0];
      for (double& f : factors) f *= factor;
    } else if (key == "COLORCORR") {
      const auto more = factors_in<3>(value, name_);
      for (std::size_t c = 0; c < 3; ++c) factors[c] *= more[c];
    }
  }

  /// Parses the size and the order of the pixels, e.g. "-Y 768 +X 1024".
  RgbeOrder order_in(const std::string& text) const {
    const auto unknown = [&] {
      refuse_damaged("HDR", name_, "its size is '" + text + "', not like -Y 768 +X 1024");
    };
    RgbeOrder order;
    const char *at = text.data(), *const end = at + text.size();
    std::array<char, 2> axes{};
    for (u32 i = 0; i < 2; ++i) {
      if (end - at < 4 || (at[0] != '-' && at[0] != '+') || at[2] != ' ') unknown();
      axes[i] = at[1];
      (i == 0 ? order.lines_fall : order.pixels_fall) = at[0] == '-';
      const auto [next, error] = std::from_chars(at + 3, end, i == 0 ? order.lines : order.pixels);
      if (error != std::errc()) unknown();
      at = next;
      if (i == 0 && at != end) ++at;  // skips the blank
    }
    if (at != end || axes[0] + axes[1] != 'X' + 'Y' || (axes[0] != 'X' && axes[0] != 'Y'))
      unknown();
    order.lines_are_rows = axes[0] == 'Y';
    return order;
  }

  const std::vector<u8>& bytes_;
  const std::string& name_;
  std::size_t at_ = 0;
};

bool begins_hdr(const std::vector<u8>& bytes) { return begins_with(bytes, "#?"); }

LinearImage decode_hdr(const std::vector<u8>& bytes, const std::string& name) {
  const HdrHeader header = HeaderReader(bytes, name).read();
  const RgbeOrder& order = header.order;
  if (order.lines == 0 || order.pixels == 0)
    refuse_damaged("HDR", name, "a picture without pixels");
  require_plausible(order.width(), order.height(), bytes.size(), name);
  RgbeReader reader(bytes, header.size, name);
  reader.require_room_for(order.lines, order.pixels);
  LinearImage image{order.width(), order.height(),
                    std::vector<Vec3f>(u64{order.lines} * order.pixels)};
  std::vector<Rgbe> line(order.pixels);
  for (u32 l = 0; l < order.lines; ++l) {
    reader.read_line(line);
    for (u32 p = 0; p < order.pixels; ++p)
      image.pixels[order.index_of(l, p)] = linear_of(line[p], header.factors);
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

LinearFormat hdr_format() { return {"hdr", "", begins_hdr, decode_hdr, encode_hdr, nullptr}; }

}  // namespace ballotcast::detail
