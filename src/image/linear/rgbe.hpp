// The pixels of Radiance HDR files: RGBE and its run lengths.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "ballotcast/types.hpp"
#include "math/portable.hpp"

namespace ballotcast::detail {

/// A pixel: three mantissas and an exponent. Mantissa m with exponent e stands for m * 2^(e - 136);
/// e = 0 stands for black.
using Rgbe = std::array<u8, 4>;

/// The colour of a stored pixel, divided by the factors that it was multiplied by. Radiance itself
/// adds half a step to each mantissa; like most other programs, this does not, so that 0 stays 0.
Vec3f linear_of(const Rgbe& stored, const std::array<double, 3>& factors);

/// The pixel that is nearest to a colour: each mantissa is rounded to nearest, halves up, and the
/// largest is at least 128. NaN and negative numbers become 0; numbers above 255 * 2^119 become
/// that; colours below 2^-128 become black.
Rgbe rgbe_of(const Vec3f& color);

/// The order of the pixels in a file. Lines may be rows or columns, and go up or down.
struct RgbePlaces {
  u32 lines = 0;
  u32 pixels = 0;              // per line
  bool lines_are_rows = true;  // false: columns
  bool lines_fall = true;      // true: -Y or -X comes first
  bool pixels_fall = false;

  u32 width() const { return lines_are_rows ? pixels : lines; }
  u32 height() const { return lines_are_rows ? lines : pixels; }

  /// The index in the picture of a pixel of a line. Y points up in the file, and rows of the
  /// picture go down.
  u64 index_of(u32 line, u32 pixel) const {
    const auto along = [](u32 i, u32 count, bool falls) { return falls ? count - 1 - i : i; };
    const u32 first = along(line, lines, lines_fall), second = along(pixel, pixels, pixels_fall);
    const u32 x = lines_are_rows ? second : first, up = lines_are_rows ? first : second;
    return u64{height() - 1 - up} * width() + x;
  }
};

/// Reads lines of pixels: with run lengths per component (Radiance 1.4 and later), with run lengths
/// of whole pixels (older), or without.
class RgbeReader {
 public:
  /// The pixels begin at byte `at`. `name` is used in errors.
  RgbeReader(const std::vector<u8>& bytes, std::size_t at, const std::string& name)
      : bytes_(bytes), at_(at), name_(name) {}

  /// Throws InputError if the file is too short for that many lines, however they are stored.
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

/// Appends a line of pixels, with run lengths per component where the format allows them.
void append_line(std::vector<u8>& bytes, const std::vector<Rgbe>& line);

}  // namespace ballotcast::detail
