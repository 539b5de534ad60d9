#include "image/codec.hpp"

#include <gtest/gtest.h>

#include <array>

#include "ballotcast/error.hpp"
#include "ballotcast/threads.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace codec_test {

Image<Rgb8> gradient(u32 width, u32 height) {
  Image<Rgb8> image{width, height, {}};
  for (u32 y = 0; y < height; ++y)
    for (u32 x = 0; x < width; ++x)
      image.pixels.push_back(
          {static_cast<u8>(x * 37), static_cast<u8>(y * 11), static_cast<u8>(x * y)});
  return image;
}

TEST(Codec, decodes_the_pixels_that_it_encoded) {
  for (const auto& [width, height] : {std::pair(1u, 1u), std::pair(7u, 3u), std::pair(130u, 65u)}) {
    const Image<Rgb8> image = gradient(width, height);
    const Image<Rgba8> back = decode_image(encode_png(image), "memory");
    ASSERT_EQ(back.width, width);
    ASSERT_EQ(back.height, height);
    for (std::size_t i = 0; i < image.pixels.size(); ++i) {
      EXPECT_EQ(back.pixels[i].r, image.pixels[i].r);
      EXPECT_EQ(back.pixels[i].g, image.pixels[i].g);
      EXPECT_EQ(back.pixels[i].b, image.pixels[i].b);
      EXPECT_EQ(back.pixels[i].a, 255);
    }
  }
}

TEST(Codec, encodes_equal_pictures_to_equal_bytes) {
  EXPECT_EQ(encode_png(gradient(50, 40)), encode_png(gradient(50, 40)));
}

TEST(Codec, encodes_large_pictures_in_pieces_and_to_the_same_bytes_with_any_number_of_threads) {
  // A row takes 1 + 3 * 256 bytes. So the heights give less than one piece of 2^18 bytes, about one
  // piece, and several pieces.
  for (const u32 height : {340u, 341u, 342u, 1500u}) {
    Image<Rgb8> image = gradient(256, height);
    // Half of the picture is noise, which does not compress; the other half compresses well.
    u32 state = 1;
    for (u32 i = 0; i < 256 * 100; ++i)
      image.pixels[i].g = static_cast<u8>((state = state * 1664525u + 1013904223u) >> 24);
    for (std::size_t i = image.pixels.size() / 2; i < image.pixels.size(); ++i)
      image.pixels[i] = {};
    std::vector<u8> one;
    with_threads(1, [&] { one = encode_png(image); });
    for (const u32 threads : {2u, 5u})
      with_threads(threads, [&] { EXPECT_TRUE(encode_png(image) == one) << threads; });
    const SampledImage back = decode_png(one, "memory");  // also checks lengths and checksums
    ASSERT_EQ(back.samples.size(), 3 * image.pixels.size());
    for (std::size_t i = 0; i < image.pixels.size(); ++i) {
      const Rgb8 p = image.pixels[i];
      ASSERT_TRUE(back.samples[3 * i] == p.r && back.samples[3 * i + 1] == p.g &&
                  back.samples[3 * i + 2] == p.b)
          << i;
    }
  }
}

TEST(Codec, refuses_to_encode_what_is_no_picture) {
  EXPECT_THROW(encode_png(Image<Rgb8>{}), UsageError);
  EXPECT_THROW(encode_png(Image<Rgb8>{2, 2, {{1, 2, 3}}}), UsageError);
}

TEST(Codec, names_the_file_that_is_no_picture) {
  const std::string text = "this is no picture at all";
  const auto message = [](const std::string& content) {
    return message_of<InputError>([&] { decode_image({content.begin(), content.end()}, "a.png"); });
  };
  EXPECT_TRUE(contains(message(text), "a.png")) << message(text);
  EXPECT_TRUE(contains(message(""), "empty")) << message("");
  const TempDir dir;
  EXPECT_THROW(read_picture_file(dir / "none.png"), InputError);
}

TEST(Codec, survives_a_picture_cut_off_anywhere) {
  const std::vector<u8> whole = encode_png(gradient(20, 20));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::vector<u8> part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    try {
      EXPECT_EQ(decode_image(part, "part").pixels.size(), 400u);
    } catch (const InputError&) {
    }
  }
}

TEST(Codec, refuses_a_header_that_claims_more_than_it_may) {
  std::vector<u8> bytes = encode_png(gradient(4, 4));
  bytes[16] = 0, bytes[17] = 1, bytes[18] = 0;  // the width in the header, big-endian: 0x10004
  const std::string message = message_of<InputError>([&] { decode_image(bytes, "huge.png"); });
  EXPECT_TRUE(contains(message, "huge.png")) << message;
}

/// A file: a lossless WebP of 3x2 pixels.
const std::vector<u8> kWebp = {82,  73,  70,  70,  76,  0,  0,   0,   87,  69,  66,  80,  86,  80,
                               56,  76,  64,  0,   0,   0,  47,  2,   64,  0,   16,  47,  160, 180,
                               109, 35,  56,  216, 239, 14, 29,  60,  92,  49,  13,  49,  159, 20,
                               194, 74,  174, 38,  0,   1,  198, 234, 224, 19,  95,  78,  2,   73,
                               27,  163, 239, 197, 79,  8,  183, 102, 71,  223, 166, 205, 127, 80,
                               200, 54,  2,   156, 218, 61, 68,  71,  114, 17,  253, 143, 245, 2};

TEST(Codec, reads_webp_and_refuses_parts_of_it) {
#ifdef BALLOTCAST_HAS_WEBP
  const Image<Rgba8> image = decode_image(kWebp, "six.webp");
  ASSERT_EQ(image.width, 3u);
  ASSERT_EQ(image.pixels.size(), 6u);
  const auto of = [&](std::size_t i) {
    const Rgba8 p = image.pixels[i];
    return std::array<int, 4>{p.r, p.g, p.b, p.a};
  };
  EXPECT_EQ(of(0), (std::array{10, 20, 30, 255}));
  EXPECT_EQ(of(3), (std::array{1, 2, 3, 128}));
  EXPECT_EQ(of(4), (std::array{200, 100, 0, 255}));
  for (std::ptrdiff_t size = 12; size < static_cast<std::ptrdiff_t>(kWebp.size()) - 2; ++size)
    EXPECT_THROW(decode_image({kWebp.begin(), kWebp.begin() + size}, "part.webp"), InputError)
        << size;
  std::vector<u8> huge = kWebp;
  // Sets the width and part of the height to all ones.
  huge[21] = 0xff, huge[22] = 0xff, huge[23] |= 0x3f;
  EXPECT_THROW(decode_image(huge, "huge.webp"), InputError);
#else
  EXPECT_TRUE(contains(message_of<InputError>([] { decode_image(kWebp, "six.webp"); }), "libwebp"));
#endif
}

TEST(Codec, decodes_pictures_that_are_compared_by_their_bytes) {
  const Image<Rgb8> image = gradient(9, 5);
  EXPECT_EQ(decode_picture(encode_png(image), "a").channels, 3u);
  const SampledImage jpeg = decode_picture(encode_jpeg(image, 100), "b");
  EXPECT_EQ(jpeg.channels, 4u);
  EXPECT_EQ(jpeg.samples.size(), 9u * 5u * 4u);
  const SampledImage again = decode_picture(encode_samples(jpeg), "c");
  EXPECT_EQ(again.samples, jpeg.samples);
  EXPECT_EQ(message_of<InputError>([] {
              decode_picture({'G', 'I', 'F', '8'}, "d.gif");
            }),
            "d.gif: not a picture; known: PNG, JPEG, WebP, BMP, PFM, Radiance HDR, OpenEXR");
  std::vector<u8> cut = encode_jpeg(image, 90);
  cut.resize(cut.size() / 2);
  EXPECT_TRUE(contains(message_of<InputError>([&] { decode_picture(cut, "e.jpg"); }), "e.jpg: "));
}

TEST(Codec, reads_a_targa_with_alpha) {
  // An uncompressed file of 2x1 pixels with 32 bits each. The top left pixel comes first.
  const std::vector<u8> bytes = {0, 0, 2, 0,  0,    0, 0, 0, 0, 0,  0,  0,  2,
                                 0, 1, 0, 32, 0x28, 3, 2, 1, 4, 30, 20, 10, 40};
  const Image<Rgba8> image = decode_image(bytes, "two.tga");
  ASSERT_EQ(image.pixels.size(), 2u);
  EXPECT_EQ(image.pixels[0].r, 1);
  EXPECT_EQ(image.pixels[1].b, 30);
  EXPECT_EQ(image.pixels[1].a, 40);
}

TEST(Codec, reads_a_bitmap_whose_rows_go_from_the_top_down) {
  // A bitmap of 1x2 pixels with 24 bits each. Its header first says height 2, then height -2. The
  // first row of pixels in the file is red.
  std::vector<u8> bmp = {'B', 'M', 62, 0, 0, 0, 0, 0,  0, 0, 54, 0, 0, 0, 40,  0, 0, 0,   1, 0, 0,
                         0,   2,   0,  0, 0, 1, 0, 24, 0, 0, 0,  0, 0, 8, 0,   0, 0, 0,   0, 0, 0,
                         0,   0,   0,  0, 0, 0, 0, 0,  0, 0, 0,  0, 0, 0, 255, 0, 0, 255, 0, 0};
  EXPECT_EQ(decode_image(bmp, "up.bmp").pixels[1].r, 255);
  bmp[22] = 0xfe, bmp[23] = bmp[24] = bmp[25] = 0xff;
  const Image<Rgba8> down = decode_image(bmp, "down.bmp");
  ASSERT_EQ(down.height, 2u);
  EXPECT_EQ(down.pixels[0].r, 255);
  EXPECT_EQ(down.pixels[1].g, 255);
  bmp[22] = 0, bmp[24] = 0;
  EXPECT_THROW(decode_image(bmp, "tall.bmp"), InputError);
}

TEST(Codec, refuses_a_bitmap_of_colors_beyond_its_palette) {
  const auto bmp = [](u8 bits, std::vector<u8> row) {  // 2x1 pixels, a palette of two colours
    std::vector<u8> bytes = {'B', 'M', 66, 0, 0, 0, 0, 0, 0, 0, 62, 0, 0, 0,   40,
                             0,   0,   0,  2, 0, 0, 0, 1, 0, 0, 0,  1, 0, bits};
    bytes.resize(54);
    for (const u8 part : {1, 2, 3, 0, 4, 5, 6, 0}) bytes.push_back(part);
    row.resize(4);
    bytes.insert(bytes.end(), row.begin(), row.end());
    return bytes;
  };
  EXPECT_EQ(decode_image(bmp(8, {1, 0}), "x.bmp").pixels[0].r, 6);
  EXPECT_EQ(decode_image(bmp(4, {0x01}), "x.bmp").pixels[1].b, 4);
  EXPECT_EQ(decode_image(bmp(1, {0x40}), "x.bmp").pixels[1].g, 5);
  for (const auto& [bits, row] : {std::pair(u8{8}, 0x0200), {u8{4}, 0x12}, {u8{8}, 0xff}}) {
    const std::vector<u8> bytes = bmp(bits, {static_cast<u8>(row), static_cast<u8>(row >> 8)});
    EXPECT_TRUE(contains(message_of<InputError>([&] { decode_image(bytes, "x.bmp"); }),
                         "x.bmp: damaged BMP (colour "));
  }
}

TEST(Codec, tells_of_a_gif_how_many_pictures_it_passes_over) {
  const auto gif = [](int pictures) {
    std::string file("GIF89a\1\0\1\0\x80\0\0\1\2\3\4\5\6", 19);
    for (int i = 0; i < pictures; ++i)
      file += std::string("!\xf9\4\0\1\0\0\0,\0\0\0\0\1\0\1\0\0\2\2\x44\1\0", 23);
    file += ';';
    return std::vector<u8>(file.begin(), file.end());
  };
  EXPECT_EQ(decode_image(gif(1), "x.gif").pixels[0].r, 1);
  EXPECT_EQ(not_shown_of(gif(1)), "");
  EXPECT_EQ(not_shown_of(gif(3)), "2 frames of an animation");
}

}  // namespace codec_test
}  // namespace ballotcast::detail
