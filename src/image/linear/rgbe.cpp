#include "image/linear/rgbe.hpp"

#include <algorithm>
#include <cmath>

#include "image/limits.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {

namespace {

// Lines of these lengths may have run lengths per component.
constexpr std::size_t kShortestPacked = 8, kLongestPacked = 0x7fff;
constexpr std::size_t kLongestRun = 127, kLongestCopy = 128;
constexpr std::size_t kShortestRun = 4;  // shorter runs are stored as copies, like Radiance's
constexpr u32 kRun = 128;                // a code above this is a run

constexpr int kBias = 128, kMantissaBits = 8;

bool is_packable(std::size_t pixels) {
  return pixels >= kShortestPacked && pixels <= kLongestPacked;
}

/// The number of pixels from `at` on that have the same component `c`.
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

}  // namespace

Vec3f linear_of(const Rgbe& stored, const std::array<double, 3>& factors) {
  if (stored[3] == 0) return {0.0f, 0.0f, 0.0f};
  const double step = std::ldexp(1.0, stored[3] - kBias - kMantissaBits);
  return {static_cast<float>(stored[0] * step / factors[0]),
          static_cast<float>(stored[1] * step / factors[1]),
          static_cast<float>(stored[2] * step / factors[2])};
}

Rgbe rgbe_of(const Vec3f& color) {
  const float most = std::ldexp(255.0f, 255 - kBias - kMantissaBits);
  const std::array<float, 3> kept = {clamp_to(color.x, 0.0f, most), clamp_to(color.y, 0.0f, most),
                                     clamp_to(color.z, 0.0f, most)};
  const float largest = *std::ranges::max_element(kept);
  int exponent = 0;
  std::frexp(largest, &exponent);
  const auto mantissa = [&](float value) {  // exact up to the rounding by floor
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
  for (u8& part : pixel) part = next();
  return pixel;
}

void RgbeReader::require_room_for(u32 lines, u32 pixels) const {
  // The shortest line is a pixel and its repetition.
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
  u32 shift = 0;  // grows with each repetition that follows another
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

void append_line(std::vector<u8>& bytes, const std::vector<Rgbe>& line) {
  if (!is_packable(line.size())) {
    for (const Rgbe& pixel : line) bytes.insert(bytes.end(), pixel.begin(), pixel.end());
    return;
  }
  bytes.insert(bytes.end(),
               {2, 2, static_cast<u8>(line.size() >> 8), static_cast<u8>(line.size() & 255)});
  for (std::size_t c = 0; c < 4; ++c) append_component(bytes, line, c);
}

}  // namespace ballotcast::detail
