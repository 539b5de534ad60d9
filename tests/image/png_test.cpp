#include <gtest/gtest.h>

#include "ballotcast/error.hpp"
#include "helpers/png_bytes.hpp"
#include "image/codec.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace png_test {

using testing::png_bytes;
using testing::png_chunk;
using Samples = std::vector<u16>;

/// The bytes as a string, which may contain zeros.
std::string bytes(std::initializer_list<int> values) {
  std::string out;
  for (const int value : values) out += static_cast<char>(value);
  return out;
}

void expect_form(const SampledImage& image, u32 width, u32 height, u32 channels, u32 depth) {
  EXPECT_EQ(image.width, width);
  EXPECT_EQ(image.height, height);
  EXPECT_EQ(image.channels, channels);
  EXPECT_EQ(image.depth, depth);
}

TEST(Png, keeps_8_bit_samples_of_every_number_of_channels) {
  const std::pair<u32, u32> types[] = {{0, 1}, {4, 2}, {2, 3}, {6, 4}};
  for (const auto& [type, channels] : types) {
    std::string line;
    Samples expected;
    for (u32 i = 0; i < 2 * channels; ++i) {
      line += static_cast<char>(250 - 30 * i);
      expected.push_back(static_cast<u16>(250 - 30 * i));
    }
    const SampledImage image = decode_png(png_bytes(2, 8, type, {line}), "x.png");
    expect_form(image, 2, 1, channels, 8);
    EXPECT_EQ(image.samples, expected);
  }
}

TEST(Png, keeps_both_bytes_of_16_bit_samples) {
  const std::string line = bytes({0x12, 0x34, 0x00, 0x01, 0xff, 0xfe, 0x80, 0x00});
  const Samples expected = {0x1234, 0x0001, 0xfffe, 0x8000};
  const SampledImage rgba = decode_png(png_bytes(1, 16, 6, {line}), "x.png");
  expect_form(rgba, 1, 1, 4, 16);
  EXPECT_EQ(rgba.samples, expected);
  const SampledImage grey = decode_png(png_bytes(4, 16, 0, {line}), "x.png");
  expect_form(grey, 4, 1, 1, 16);
  EXPECT_EQ(grey.samples, expected);
}

TEST(Png, spreads_grey_of_few_bits) {
  const SampledImage one = decode_png(png_bytes(8, 1, 0, {bytes({0b10100001})}), "x.png");
  expect_form(one, 8, 1, 1, 8);
  EXPECT_EQ(one.samples, (Samples{255, 0, 255, 0, 0, 0, 0, 255}));
  const SampledImage two = decode_png(png_bytes(4, 2, 0, {bytes({0b00011011})}), "x.png");
  EXPECT_EQ(two.samples, (Samples{0, 85, 170, 255}));
  const SampledImage four = decode_png(png_bytes(2, 4, 0, {bytes({0x1e})}), "x.png");
  EXPECT_EQ(four.samples, (Samples{17, 238}));
}

TEST(Png, looks_up_palettes_and_transparent_colors) {
  const std::string palette = png_chunk("PLTE", bytes({1, 2, 3, 40, 50, 60}));
  const SampledImage plain = decode_png(png_bytes(2, 8, 3, {bytes({1, 0})}, palette), "x.png");
  expect_form(plain, 2, 1, 3, 8);
  EXPECT_EQ(plain.samples, (Samples{40, 50, 60, 1, 2, 3}));
  const SampledImage clear = decode_png(
      png_bytes(2, 8, 3, {bytes({1, 0})}, palette + png_chunk("tRNS", bytes({7}))), "x.png");
  expect_form(clear, 2, 1, 4, 8);
  EXPECT_EQ(clear.samples, (Samples{40, 50, 60, 255, 1, 2, 3, 7}));
  const SampledImage keyed = decode_png(
      png_bytes(2, 16, 0, {bytes({0, 9, 1, 9})}, png_chunk("tRNS", bytes({1, 9}))), "x.png");
  expect_form(keyed, 2, 1, 2, 16);
  EXPECT_EQ(keyed.samples, (Samples{0x0009, 65535, 0x0109, 0}));
}

TEST(Png, is_what_was_encoded) {
  const Image<Rgb8> image{2, 2, {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {255, 0, 128}}};
  const SampledImage back = decode_png(encode_png(image), "x.png"), expected = sampled(image);
  expect_form(back, 2, 2, 3, 8);
  expect_form(expected, 2, 2, 3, 8);
  EXPECT_EQ(back.samples, expected.samples);
}

TEST(Png, refuses_what_is_no_png_and_names_it) {
  const TempDir dir;
  const std::string text = dir.write("text.png", "P6 1 1 255\nabc");
  EXPECT_TRUE(contains(message_of<InputError>([&] { read_png(text); }), text));
  const std::string empty = dir.write("empty.png", "");
  EXPECT_TRUE(contains(message_of<InputError>([&] { read_png(empty); }), "empty"));
  EXPECT_THROW(read_png(dir / "none.png"), InputError);
  const std::vector<u8> targa = {0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0, 1, 2, 3};
  EXPECT_THROW(decode_png(targa, "x.tga"), InputError);
}

TEST(Png, refuses_every_file_cut_off_or_with_a_bit_flipped) {
  const std::vector<u8> whole = png_bytes(3, 8, 2, {"abcdefghi", "jklmnopqr"});
  ASSERT_NO_THROW(decode_png(whole, "whole"));
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_THROW(
        decode_png({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}, "part"),
        InputError)
        << size;
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::vector<u8> damaged = whole;
    damaged[bit / 8] ^= static_cast<u8>(1u << bit % 8);
    EXPECT_THROW(decode_png(damaged, "damaged"), InputError) << bit;
  }
}

/// A PNG whose header claims the given size, but that contains only one row of pixels.
std::vector<u8> claiming(u32 width, u32 height, u32 depth, u32 type) {
  std::vector<u8> png = png_bytes(1, depth, type, {std::string(8, 'x')});
  std::string header;
  for (const u32 side : {width, height})
    for (const u32 shift : {24u, 16u, 8u, 0u}) header += static_cast<char>(side >> shift & 0xff);
  header += bytes({static_cast<int>(depth), static_cast<int>(type), 0, 0, 0});
  const std::string chunk = png_chunk("IHDR", header);
  std::copy(chunk.begin(), chunk.end(), png.begin() + 8);
  return png;
}

TEST(Png, too_large_is_told_with_size_and_limit) {
  struct Case {
    u32 width, height, depth, type;
    const char* words;
  };
  for (const Case& c :
       {Case{40000, 2, 8, 2, "40000x2 pixels; the limit is 32768 per side"},
        Case{32768, 32768, 8, 0,
             "32768x32768 pixels; the limit is 32768 per side and 536870912 in"},
        Case{20000, 20000, 8, 2,
             "20000x20000 pixels; the limit is 32768 per side and 357913941 in"},
        Case{20000, 20000, 8, 3,
             "20000x20000 pixels; the limit is 32768 per side and 268435456 in"},
        Case{20000, 20000, 8, 6,
             "20000x20000 pixels; the limit is 32768 per side and 268435456 in"},
        Case{20000, 20000, 16, 6, "the limit is 32768 per side and 268435455 in all"}}) {
    const std::vector<u8> png = claiming(c.width, c.height, c.depth, c.type);
    const std::string message = message_of<InputError>([&] { decode_png(png, "x.png"); });
    EXPECT_TRUE(contains(message, "x.png: picture too large: ")) << message;
    EXPECT_TRUE(contains(message, c.words)) << message;
  }
  // A texture is 8-bit RGBA, but a file with 16 bits is first decoded to 16 bits. So the limit of
  // 16-bit pictures applies.
  const std::vector<u8> grey = claiming(32768, 16384, 16, 0);
  EXPECT_TRUE(contains(message_of<InputError>([&] { decode_image(grey, "x.png"); }),
                       "32768x16384 pixels; the limit is 32768 per side and 268435455 in all"));
}

TEST(Png, checksum_of_the_pixels_is_looked_at) {
  // `with` replaces the pixel data and corrects the checksum of the chunk. So only the checksum
  // inside the pixel data can be wrong.
  const std::vector<u8> good = png_bytes(3, 8, 2, {"abcdefghi"});
  const std::string file(good.begin(), good.end());
  const std::size_t begin = file.find("IDAT") + 4;
  const std::string pixels = file.substr(begin, file.find("IEND") - 8 - begin);
  const auto with = [&](const std::string& data) {
    const std::string all =
        file.substr(0, begin - 8) + png_chunk("IDAT", data) + png_chunk("IEND", "");
    const std::vector<u8> png(all.begin(), all.end());
    return message_of<InputError>([&] { decode_png(png, "x.png"); });
  };
  std::string other_sum = pixels;
  other_sum.back() = static_cast<char>(other_sum.back() ^ 1);
  EXPECT_EQ(with(other_sum), "x.png: damaged PNG (wrong checksum of its pixels)");
  EXPECT_EQ(with(pixels.substr(0, pixels.size() - 1)),
            "x.png: damaged PNG (its pixels are cut off)");
  EXPECT_TRUE(contains(with("no zlib"), "x.png: damaged PNG (its pixels: "));
  std::string zeros(1 << 20, '\0');
  uLongf size = ::compressBound(zeros.size());
  std::string packed(size, '\0');
  ::compress(reinterpret_cast<Bytef*>(packed.data()), &size,
             reinterpret_cast<const Bytef*>(zeros.data()), zeros.size());
  EXPECT_EQ(with(packed.substr(0, size)), "x.png: damaged PNG (more pixels than its header says)");
}

TEST(Png, colors_beyond_the_palette_are_refused) {
  const std::string palette = png_chunk("PLTE", bytes({1, 2, 3, 40, 50, 60, 7, 8, 9}));
  const std::string keyed = palette + png_chunk("tRNS", bytes({9}));
  EXPECT_NO_THROW(decode_png(png_bytes(2, 8, 3, {bytes({2, 1})}, palette), "x.png"));
  EXPECT_NO_THROW(decode_png(png_bytes(4, 2, 3, {bytes({0b00011000})}, palette), "x.png"));
  const std::pair<std::vector<u8>, const char*> wrong[] = {
      {png_bytes(2, 8, 3, {bytes({0, 1}), bytes({0, 3})}, palette), "pixel 1,1 has colour 3 of"},
      {png_bytes(2, 8, 3, {bytes({255, 1})}, keyed), "pixel 0,0 has colour 255 of"},
      {png_bytes(3, 4, 3, {bytes({0x12, 0xf0})}, palette), "pixel 2,0 has colour 15 of"},
      {png_bytes(4, 2, 3, {bytes({0b00011011})}, keyed), "pixel 3,0 has colour 3 of"}};
  for (const auto& [png, words] : wrong) {
    const std::string message = message_of<InputError>([&] { decode_png(png, "x.png"); });
    EXPECT_TRUE(contains(
        message, std::string("x.png: damaged PNG (") + words + " a palette that ends at 2)"))
        << message;
    EXPECT_THROW(decode_image(png, "x.png"), InputError);
  }
}

/// A PNG of one pixel with an animation of `frames` frames. `with_the_picture`: true if the picture
/// itself is a frame of the animation.
std::vector<u8> animated(int frames, bool with_the_picture) {
  const std::string control(26, '\0');
  std::string extra = png_chunk("acTL", bytes({0, 0, 0, frames, 0, 0, 0, 0}));
  if (with_the_picture) extra += png_chunk("fcTL", control);
  const std::vector<u8> still = png_bytes(1, 8, 0, {"x"}, extra);
  std::string file(still.begin(), still.end() - 12);
  for (int i = 0; i < frames; ++i)
    file += png_chunk("fcTL", control) + png_chunk("fdAT", bytes({0, 0, 0, i, 1, 2, 3}));
  file += png_chunk("IEND", "");
  return {file.begin(), file.end()};
}

TEST(Png, animations_are_not_compared_and_textures_say_what_they_pass_over) {
  for (const bool first : {false, true}) {
    EXPECT_EQ(message_of<InputError>([&] { decode_png(animated(2, first), "x.png"); }),
              "x.png: an animated PNG, with 2 more frames than its picture; only still ones are "
              "compared");
    EXPECT_EQ(decode_image(animated(1, first), "x.png").pixels[0].g, 'x');
    EXPECT_EQ(not_shown_of(animated(1, first)), "1 frame of an animation");
    EXPECT_NO_THROW(decode_png(animated(0, first), "x.png"));
    EXPECT_EQ(not_shown_of(animated(0, first)), "");
  }
}

TEST(Png, of_apple_s_own_kind_is_refused_by_name) {
  const std::vector<u8> png = png_bytes(1, 8, 0, {"x"});
  std::string file(png.begin(), png.end());
  file.insert(8, png_chunk("CgBI", bytes({0x50, 0, 0x20, 2})));
  EXPECT_TRUE(contains(message_of<InputError>([&] {
                         decode_png({file.begin(), file.end()}, "x.png");
                       }),
                       "Apple"));
}

}  // namespace png_test
}  // namespace ballotcast::detail
