// Reads and writes picture files; encode_png and read_png are public. Only codec.cpp
// includes stb_image, only jpeg.cpp libjpeg, and only webp.cpp libwebp.
#pragma once

#include <string>
#include <vector>

#include "ballotcast/api.hpp"
#include "image/picture.hpp"

namespace ballotcast::detail {

/// Decodes a PNG, JPEG, WebP, BMP, TGA or GIF (first frame) in memory. The format is detected from
/// the bytes, not from the name. 16-bit samples are reduced to 8 bits. `name` is used in errors.
/// Throws InputError if the file has another format, if the picture is truncated or damaged, or if
/// it is larger than require_plausible allows.
Image<Rgba8> decode_image(const std::vector<u8>& bytes, const std::string& name);

/// Describes what decode_image ignores in a picture, for example "2 frames of an animation"; "" if
/// it ignores nothing.
std::string not_shown_of(const std::vector<u8>& bytes);

/// Returns the bytes of a picture file. Throws InputError, which names the path, if the file can't
/// be read or is too large.
std::vector<u8> read_picture_file(const std::string& path);

/// Decodes a PNG in memory to its exact samples: no rounding, no gamma, no colour profile. Palettes
/// become RGB. Transparent colours become an alpha channel. Grey with fewer than 8 bits is scaled
/// to the range 0 to 255. `name` is used in errors. Throws InputError if the bytes are not a PNG,
/// or if the PNG is damaged (all checksums are checked), animated or too large.
SampledImage decode_png(const std::vector<u8>& bytes, const std::string& name);

/// Decodes a PNG as decode_png does, or a JPEG, WebP or BMP to 8 bits with alpha. `name` is used in
/// errors. Throws InputError if the file has another format or is damaged.
BALLOTCAST_API SampledImage decode_picture(const std::vector<u8>& bytes, const std::string& name);

/// The bytes of a PNG of a picture with 8 bits per sample.
std::vector<u8> encode_samples(const SampledImage& image);

/// True if the bytes begin like a JPEG file.
bool begins_jpeg(const std::vector<u8>& bytes);

/// Decodes a JPEG in memory: grey, YCbCr, RGB, CMYK or YCCK. Alpha is 255. Throws InputError, with
/// a text that begins with `name`, if the JPEG is damaged, cut off, or larger than
/// require_plausible allows.
Image<Rgba8> decode_jpeg(const std::vector<u8>& bytes, const std::string& name);

/// True if the program was built with libwebp.
bool has_webp();

/// Decodes a WebP in memory. Throws InputError as decode_jpeg does, and also if the WebP is
/// animated or the program was built without libwebp.
Image<Rgba8> decode_webp(const std::vector<u8>& bytes, const std::string& name);

/// Encodes a picture as a JPEG that is fast to encode and small, for pictures that are seen only
/// for a moment: colours have half the resolution, and the fast transform is used. `quality` is 1
/// to 100. Throws UsageError if the picture is empty or has more than 65500 pixels per side.
std::vector<u8> encode_jpeg(const Image<Rgb8>& image, u32 quality);

}  // namespace ballotcast::detail
