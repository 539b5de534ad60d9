#include <gtest/gtest.h>

#include "helpers/png_bytes.hpp"
#include "image/codec.hpp"
#include "support/error.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace {

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

}  // namespace
}  // namespace ballotcast::detail
