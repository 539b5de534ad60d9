// Pictures of linear floats in memory; reading and writing PFM, HDR and OpenEXR files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ballotcast/api.hpp"
#include "ballotcast/image.hpp"
#include "ballotcast/types.hpp"

namespace ballotcast {

/// A picture of linear RGB: values are proportional to light. Values may be above 1; in a picture
/// from a file, they may also be negative, infinite or NaN.
using LinearImage = Image<Vec3f>;

/// Reads a PFM, Radiance HDR or OpenEXR file. The first bytes of the file decide its format, not
/// its name. Grey becomes RGB. Values stay as they are stored, with two exceptions: the values of a
/// PFM are multiplied by the magnitude of its scale, and the values of an HDR are divided by its
/// EXPOSURE and COLORCORR. From an OpenEXR file, the channels R, G and B, or Y, of the first part
/// are read; pixels of the display window that the file does not store are 0. Throws InputError,
/// which names the path, if the file is of another kind, damaged or cut off, has more than 2^15
/// pixels per side or 2^29 in all, or if it is OpenEXR and the library was built without OpenEXR.
BALLOTCAST_API LinearImage read_linear(const std::string& path);

/// The bytes of a file with the format `format`: pfm, hdr or exr. Throws UsageError if the format
/// is unknown or not built in, or if the picture is empty or does not have as many pixels as its
/// size says.
///
/// pfm and exr (32-bit floats, ZIP) keep every bit. hdr rounds: the error of a number is at most
/// 1/256 of the largest number of its pixel, negative numbers and NaN become 0, numbers above 255 *
/// 2^119 are clamped to that, and pixels below 2^-128 become 0. The same picture gives the same
/// bytes; for exr, as long as OpenEXR and zlib stay the same.
BALLOTCAST_API std::vector<std::uint8_t> encode_linear(const LinearImage& image,
                                                       std::string_view format);

/// Writes a file in the format that the end of `path` names: .pfm, .hdr or .exr. The file appears
/// complete or not at all. Throws the same errors as encode_linear, and OutputError, which names
/// the path, if the file can't be written.
BALLOTCAST_API void write_linear(const std::string& path, const LinearImage& image);

}  // namespace ballotcast
