#include <csetjmp>
#include <cstdio>
#include <cstdlib>

#include "image/codec.hpp"
// jpeglib.h needs cstdio, which must be included before it.
#include <jpeglib.h>

#include "ballotcast/error.hpp"
#include "image/picture_checks.hpp"

namespace ballotcast::detail {
namespace {

// The largest number of scans of a progressive JPEG that are decoded. A malicious file may have so
// many that decoding takes hours.
constexpr int kMostScans = 500;

/// libjpeg's error handler. It must not return to libjpeg, so it jumps to the last setjmp(back). No
/// object with a destructor may be created between the setjmp and the jump.
struct ErrorHandler {
  jpeg_error_mgr base;
  std::jmp_buf back;
  char why[JMSG_LENGTH_MAX];

  static ErrorHandler& of(j_common_ptr info) { return *reinterpret_cast<ErrorHandler*>(info->err); }
  /// Treats warnings of libjpeg as errors, because after a warning libjpeg fills pixels with
  /// made-up values.
  static void on_message(j_common_ptr info, int level) {
    if (level < 0) on_error(info);
  }
  [[noreturn]] static void on_error(j_common_ptr info) {
    info->err->format_message(info, of(info).why);
    std::longjmp(of(info).back, 1);
  }
  static void on_progress(j_common_ptr info) {
    if (info->is_decompressor &&
        reinterpret_cast<j_decompress_ptr>(info)->input_scan_number > kMostScans) {
      std::snprintf(of(info).why, sizeof of(info).why, "more than %d scans", kMostScans);
      std::longjmp(of(info).back, 1);
    }
  }
};

/// The colour of a CMYK pixel. Adobe programs store inverted inks.
Rgba8 from_inks(const u8* inks, bool inverted) {
  const auto without = [&](int i) { return u32{inverted ? inks[i] : 255u - inks[i]}; };
  const auto light = [&](int i) { return static_cast<u8>((without(i) * without(3) + 127) / 255); };
  return {light(0), light(1), light(2), 255};
}

/// A libjpeg decoder with its error handler and progress monitor.
struct Decoder {
  jpeg_decompress_struct info{};
  ErrorHandler errors{};
  jpeg_progress_mgr progress{};
  std::vector<u8> row;
  Image<Rgba8> image;

  Decoder() {
    info.err = jpeg_std_error(&errors.base);
    errors.base.error_exit = ErrorHandler::on_error;
    errors.base.emit_message = ErrorHandler::on_message;
    jpeg_create_decompress(&info);
    progress.progress_monitor = ErrorHandler::on_progress;
    info.progress = &progress;
  }
  Decoder(const Decoder&) = delete;
  ~Decoder() { jpeg_destroy_decompress(&info); }

  /// Reads the header. Returns false and sets errors.why if the file is damaged.
  bool read_header(const std::vector<u8>& bytes) {
    if (setjmp(errors.back) != 0) return false;
    jpeg_mem_src(&info, bytes.data(), bytes.size());
    jpeg_read_header(&info, TRUE);
    info.out_color_space = info.num_components == 4   ? JCS_CMYK
                           : info.num_components == 1 ? JCS_GRAYSCALE
                                                      : JCS_RGB;
    info.dct_method = JDCT_ISLOW;
    return true;
  }

  bool read_pixels() {
    if (setjmp(errors.back) != 0) return false;
    jpeg_start_decompress(&info);
    while (info.output_scanline < info.output_height) {
      Rgba8* const to = image.pixels.data() + u64{info.output_scanline} * image.width;
      JSAMPROW into = row.data();
      jpeg_read_scanlines(&info, &into, 1);
      for (u32 x = 0; x < image.width; ++x) {
        const u8* const from = into + u64{x} * static_cast<u32>(info.output_components);
        to[x] = info.output_components == 4   ? from_inks(from, info.saw_Adobe_marker)
                : info.output_components == 1 ? Rgba8{from[0], from[0], from[0], 255}
                                              : Rgba8{from[0], from[1], from[2], 255};
      }
    }
    jpeg_finish_decompress(&info);
    return true;
  }
};

/// A libjpeg encoder with its error handler and its output.
struct Encoder {
  jpeg_compress_struct info{};
  ErrorHandler errors{};
  unsigned char* bytes = nullptr;  // libjpeg allocates this array with malloc
  unsigned long count = 0;

  Encoder() {
    info.err = jpeg_std_error(&errors.base);
    errors.base.error_exit = ErrorHandler::on_error;
    jpeg_create_compress(&info);
  }
  Encoder(const Encoder&) = delete;
  ~Encoder() {
    jpeg_destroy_compress(&info);
    std::free(bytes);
  }

  bool encode(const Image<Rgb8>& image, int quality) {
    if (setjmp(errors.back) != 0) return false;
    jpeg_mem_dest(&info, &bytes, &count);
    info.image_width = image.width;
    info.image_height = image.height;
    info.input_components = 3;
    info.in_color_space = JCS_RGB;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, quality, TRUE);
    info.dct_method = JDCT_FASTEST;
    jpeg_start_compress(&info, TRUE);
    while (info.next_scanline < info.image_height) {
      const Rgb8* const from = image.pixels.data() + u64{info.next_scanline} * image.width;
      // libjpeg only reads the row, but its parameter is not const.
      auto* row = reinterpret_cast<JSAMPROW>(const_cast<Rgb8*>(from));
      jpeg_write_scanlines(&info, &row, 1);
    }
    jpeg_finish_compress(&info);
    return true;
  }
};

}  // namespace

bool begins_jpeg(const std::vector<u8>& bytes) {
  return bytes.size() > 2 && bytes[0] == 0xff && bytes[1] == 0xd8 && bytes[2] == 0xff;
}

Image<Rgba8> decode_jpeg(const std::vector<u8>& bytes, const std::string& name) {
  Decoder decoder;
  const auto refuse = [&] { refuse_damaged("JPEG", name, decoder.errors.why); };
  if (!decoder.read_header(bytes)) refuse();
  const u32 width = decoder.info.image_width, height = decoder.info.image_height;
  require_plausible(width, height, bytes.size(), name);
  decoder.image = {width, height, std::vector<Rgba8>(u64{width} * height)};
  decoder.row.resize(u64{width} * 4);
  if (!decoder.read_pixels()) refuse();
  return std::move(decoder.image);
}

std::vector<u8> encode_jpeg(const Image<Rgb8>& image, u32 quality) {
  if (image.pixels.empty() || image.width > JPEG_MAX_DIMENSION || image.height > JPEG_MAX_DIMENSION)
    throw UsageError("a JPEG has 1 to " + std::to_string(JPEG_MAX_DIMENSION) +
                     " pixels per side, not " + std::to_string(image.width) + "x" +
                     std::to_string(image.height));
  Encoder encoder;
  if (!encoder.encode(image, static_cast<int>(quality)))
    throw OutputError("a JPEG can't be encoded (" + std::string(encoder.errors.why) + ")");
  return {encoder.bytes, encoder.bytes + encoder.count};
}

}  // namespace ballotcast::detail
