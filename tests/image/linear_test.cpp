// Tests PFM, HDR and OpenEXR files: which values are kept exactly or rounded, and which files are
// refused.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "ballotcast/error.hpp"
#include "image/linear/linear_files.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace linear_test {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

bool has_exr() { return linear_format_of("a.exr")->absent.empty(); }

std::vector<std::string> formats() {
  std::vector<std::string> all = {"pfm", "hdr"};
  if (has_exr()) all.emplace_back("exr");
  return all;
}

/// A picture with values over many orders of magnitude and runs of equal pixels. It is the same on
/// every machine.
LinearImage picture(u32 width, u32 height) {
  LinearImage image{width, height, {}};
  u32 state = 7;
  const auto value = [&] {
    state = state * 1664525u + 1013904223u;
    return std::ldexp(static_cast<float>(state >> 8), static_cast<int>(state % 31u) - 36);
  };
  Vec3f pixel(0.0f, 0.0f, 0.0f);
  while (image.pixels.size() < u64{width} * height) {
    if ((state >> 13) % 3u != 0u) pixel = {value(), value(), value()};
    if (state % 11u == 0u) pixel = {0.0f, 0.0f, 0.0f};
    state = state * 1664525u + 1013904223u;
    image.pixels.push_back(pixel);
  }
  return image;
}

LinearImage decoded(const std::string& text) {
  return decode_linear({text.begin(), text.end()}, "a picture");
}

std::string refusal(const std::string& text) {
  return message_of<InputError>([&] { decoded(text); });
}

void expect_same_bits(const LinearImage& a, const LinearImage& b) {
  ASSERT_EQ(a.width, b.width);
  ASSERT_EQ(a.height, b.height);
  ASSERT_EQ(a.pixels.size(), b.pixels.size());
  EXPECT_EQ(std::memcmp(a.pixels.data(), b.pixels.data(), a.pixels.size() * sizeof(Vec3f)), 0);
}

/// The four bytes of a pixel in an HDR file.
std::string rgbe(int r, int g, int b, int e) {
  return {static_cast<char>(r), static_cast<char>(g), static_cast<char>(b), static_cast<char>(e)};
}

const std::string kHdr = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n";

TEST(Linear, pfm_and_exr_keep_every_bit) {
  LinearImage image = picture(13, 37);
  image.pixels[3] = {-1.5f, kInfinity, -kInfinity};
  image.pixels[4] = {kNan, -0.0f, std::numeric_limits<float>::denorm_min()};
  image.pixels[5].x = float_of(0xffc12345u);  // a NaN with a sign and other bits
  for (const std::string& format : formats())
    if (format != "hdr") {
      SCOPED_TRACE(format);
      const std::vector<u8> bytes = encode_linear(image, format);
      expect_same_bits(decode_linear(bytes, "memory"), image);
      EXPECT_EQ(bytes, encode_linear(image, format));
    }
}

TEST(Linear, hdr_keeps_each_number_to_a_256th_of_the_pixels_largest) {
  for (const u32 width : {1u, 7u, 8u, 9u, 200u, 1000u}) {
    const LinearImage image = picture(width, 5);
    const LinearImage back = decode_linear(encode_linear(image, "hdr"), "memory");
    ASSERT_EQ(back.width, width);
    ASSERT_EQ(back.height, 5u);
    for (std::size_t i = 0; i < image.pixels.size(); ++i) {
      const Vec3f a = image.pixels[i], b = back.pixels[i];
      const float most = std::max({a.x, a.y, a.z}) / 256.0f;
      ASSERT_LE(std::abs(a.x - b.x), most);
      ASSERT_LE(std::abs(a.y - b.y), most);
      ASSERT_LE(std::abs(a.z - b.z), most);
    }
    // Writing a rounded picture again changes no bit.
    expect_same_bits(decode_linear(encode_linear(back, "hdr"), "memory"), back);
  }
}

TEST(Linear, hdr_rounds_to_nearest_and_clamps) {
  const LinearImage image{8,
                          1,
                          {{1.0f, 0.5f, 0.25f},
                           {0.99999994f, 0.0f, 0.0f},  // rounds up to the next exponent
                           {-1.0f, kNan, 2.0f},
                           {kInfinity, 0.0f, 0.0f},
                           {3e38f, 3e38f, 1.0f},
                           {1e-39f, 0.0f, 0.0f},
                           {std::ldexp(1.0f, -128), 0.0f, 0.0f},
                           {1.0f + 3.0f / 256.0f, 1.0f / 256.0f, 0.99f / 256.0f}}};
  const std::vector<Vec3f> expected = {{1.0f, 0.5f, 0.25f},
                                       {1.0f, 0.0f, 0.0f},
                                       {0.0f, 0.0f, 2.0f},
                                       {std::ldexp(255.0f, 119), 0.0f, 0.0f},
                                       {std::ldexp(255.0f, 119), std::ldexp(255.0f, 119), 0.0f},
                                       {0.0f, 0.0f, 0.0f},
                                       {std::ldexp(1.0f, -128), 0.0f, 0.0f},
                                       {1.0f + 4.0f / 256.0f, 2.0f / 256.0f, 0.0f}};
  const LinearImage back = decode_linear(encode_linear(image, "hdr"), "memory");
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(back.pixels[i], expected[i]) << i;
}

TEST(Linear, reads_pfm_of_both_byte_orders_grey_and_with_a_scale) {
  // 2x2 pixels. The bottom row comes first.
  const std::string big("\x3f\x80\x00\x00\x40\x00\x00\x00\x40\x40\x00\x00\x40\x80\x00\x00", 16);
  const LinearImage grey = decoded("Pf\n2 2\n1.0\n" + big);
  EXPECT_EQ(grey.pixels[0], Vec3f(3.0f, 3.0f, 3.0f));
  EXPECT_EQ(grey.pixels[1], Vec3f(4.0f, 4.0f, 4.0f));
  EXPECT_EQ(grey.pixels[2], Vec3f(1.0f, 1.0f, 1.0f));
  EXPECT_EQ(decoded("Pf 2 2 0.5 " + big).pixels[1].x, 2.0f);
  const std::string little("\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40", 12);
  EXPECT_EQ(decoded("PF\r\n1 1\n-1\n" + little).pixels[0], Vec3f(1.0f, 2.0f, 3.0f));
  EXPECT_EQ(decoded("PF\n1\n1\n-2.0\n" + little).pixels[0], Vec3f(2.0f, 4.0f, 6.0f));
}

TEST(Linear, refuses_damaged_pfm) {
  EXPECT_TRUE(contains(refusal("PF4\n1 1\n-1\n"), "unknown kind 'PF4'"));
  EXPECT_TRUE(contains(refusal("PF\n1 x\n-1\n    "), "the height is 'x' at byte 5"));
  EXPECT_TRUE(contains(refusal("PF\n-1 1\n-1\n    "), "the width is '-1'"));
  EXPECT_TRUE(contains(refusal("PF\n1 1\n0\n123456789abc"), "scale"));
  EXPECT_TRUE(contains(refusal("PF\n1 1\nnan\n123456789abc"), "scale"));
  EXPECT_TRUE(contains(refusal("PF\n0 1\n-1\n"), "without pixels"));
  EXPECT_TRUE(contains(refusal("PF\n1 1\n-1\n123456789ab"), "12 bytes from byte 10"));
  EXPECT_TRUE(contains(refusal("PF\n1 1\n-1\n123456789abcd"), "ends after 13"));
  EXPECT_TRUE(contains(refusal("PF\n30000 30000\n-1\n123"), "too large"));
  EXPECT_TRUE(contains(refusal("PF\n9000 9000\n-1\n123"), "claims 9000x9000"));
  EXPECT_TRUE(contains(refusal("PF\n4294967297 1\n-1\n123"), "the width is"));
  EXPECT_TRUE(contains(refusal("PF\n" + std::string(100, '1') + " 1\n"), "too long"));
}

TEST(Linear, reads_old_run_lengths_and_pixels_without_any) {
  // The old run-length encoding: a pixel is repeated 3 times, then another 2 + 1 * 256 times.
  const std::string old = rgbe(128, 0, 0, 129) + rgbe(1, 1, 1, 3) + rgbe(0, 128, 0, 129) +
                          rgbe(1, 1, 1, 2) + rgbe(1, 1, 1, 1);
  const LinearImage image = decoded(kHdr + "-Y 1 +X 263\n" + old);
  for (u32 x = 0; x < 4; ++x) EXPECT_EQ(image.pixels[x], Vec3f(1.0f, 0.0f, 0.0f));
  for (u32 x = 4; x < 263; ++x) EXPECT_EQ(image.pixels[x], Vec3f(0.0f, 1.0f, 0.0f));
  const LinearImage flat =
      decoded("#?RGBE\n\n-Y 1 +X 2\n" + rgbe(64, 2, 2, 130) + rgbe(9, 9, 9, 0));
  EXPECT_EQ(flat.pixels[0], Vec3f(1.0f, 0.03125f, 0.03125f));
  EXPECT_EQ(flat.pixels[1], Vec3f(0.0f, 0.0f, 0.0f));
}

TEST(Linear, divides_by_every_exposure_and_color_correction) {
  const LinearImage image = decoded(
      "#?RADIANCE\n# a comment\r\nEXPOSURE= 2\nFORMAT=32-bit_rle_rgbe\nEXPOSURE=4.0\n"
      "COLORCORR=1 2 4\nVIEW= -vtv\n\n-Y 1 +X 1\n" +
      rgbe(128, 128, 128, 129));
  EXPECT_EQ(image.pixels[0], Vec3f(0.125f, 0.0625f, 0.03125f));
}

TEST(Linear, reads_all_eight_orders_of_pixels) {
  // The picture has the rows 1 2, then 3 4, then 5 6.
  const auto pixels = [](std::initializer_list<int> values) {
    std::string text;
    for (const int value : values) text += rgbe(value, 0, 0, 136);
    return text;
  };
  const std::pair<std::string, std::string> files[] = {
      {"-Y 3 +X 2", pixels({1, 2, 3, 4, 5, 6})}, {"-Y 3 -X 2", pixels({2, 1, 4, 3, 6, 5})},
      {"+Y 3 +X 2", pixels({5, 6, 3, 4, 1, 2})}, {"+Y 3 -X 2", pixels({6, 5, 4, 3, 2, 1})},
      {"+X 2 -Y 3", pixels({1, 3, 5, 2, 4, 6})}, {"-X 2 -Y 3", pixels({2, 4, 6, 1, 3, 5})},
      {"+X 2 +Y 3", pixels({5, 3, 1, 6, 4, 2})}, {"-X 2 +Y 3", pixels({6, 4, 2, 5, 3, 1})}};
  for (const auto& [size, text] : files) {
    SCOPED_TRACE(size);
    const LinearImage image = decoded(kHdr + size + "\n" + text);
    ASSERT_EQ(image.width, 2u);
    ASSERT_EQ(image.height, 3u);
    for (u32 i = 0; i < 6; ++i) EXPECT_EQ(image.pixels[i].x, static_cast<float>(i + 1));
  }
}

TEST(Linear, refuses_damaged_hdr) {
  const std::string line = kHdr + "-Y 1 +X 8\n";
  EXPECT_TRUE(contains(refusal("#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 1\n1234"),
                       "'32-bit_rle_xyze'"));
  EXPECT_TRUE(contains(refusal("#?RADIANCE\nEXPOSURE=0\n\n-Y 1 +X 1\n1234"), "factor"));
  EXPECT_TRUE(contains(refusal("#?RADIANCE\nEXPOSURE=1e200\nEXPOSURE=1e200\n\n-Y 1 +X 1\n1234"),
                       "out of range"));
  EXPECT_TRUE(contains(refusal("#?RADIANCE\n"), "cut off in its header"));
  for (const char* size : {"-Y 1 +Z 1", "-Y 1 +Y 1", "Y 1 X 1", "-Y 1", "-Y 1 +X 1 ", "-Y -1 +X 1"})
    EXPECT_TRUE(contains(refusal(kHdr + size + "\n12345678"), "its size is")) << size;
  EXPECT_TRUE(contains(refusal(kHdr + "-Y 0 +X 1\n"), "without pixels"));
  EXPECT_TRUE(contains(refusal(kHdr + "-Y 40000 +X 1\n1234"), "too large"));
  EXPECT_TRUE(contains(refusal(kHdr + "-Y 8000 +X 8000\n1234"), "claims 8000x8000"));
  EXPECT_TRUE(contains(refusal(kHdr + "-Y 100 +X 9\n1234"), "too many"));
  EXPECT_TRUE(contains(refusal(line + rgbe(2, 2, 0, 9) + "12345678"), "a line of 9 pixels"));
  EXPECT_TRUE(contains(refusal(line + rgbe(2, 2, 0, 8) +
                               "\x89"
                               "1234567"),
                       "does not fit"));
  EXPECT_TRUE(contains(refusal(line + rgbe(2, 2, 0, 8) + std::string(8, '\0')), "does not fit"));
  EXPECT_TRUE(contains(refusal(line + rgbe(2, 2, 0, 8) +
                               "\x88"
                               "1"
                               "\x88"
                               "1"),
                       "cut off at byte"));
  EXPECT_TRUE(contains(refusal(line + rgbe(1, 1, 1, 8) + "1234"), "does not fit"));
  EXPECT_TRUE(contains(refusal(line + "1234" + rgbe(1, 1, 1, 8)), "does not fit"));
  EXPECT_TRUE(contains(refusal(line + "123412341234"), "cut off"));
}

TEST(Linear, survives_files_cut_off_or_changed_anywhere) {
  for (const std::string& format : formats()) {
    const std::vector<u8> whole = encode_linear(picture(20, 20), format);
    for (std::size_t size = 0; size < whole.size(); size += 1 + size / 200) {
      const std::vector<u8> part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      EXPECT_THROW(decode_linear(part, "part"), InputError) << format << " " << size;
    }
    for (std::size_t at = 0; at < std::min<std::size_t>(whole.size(), 600); ++at) {
      std::vector<u8> changed = whole;
      changed[at] = static_cast<u8>(changed[at] ^ (1u << at % 8));
      try {
        const LinearImage image = decode_linear(changed, "changed");
        EXPECT_EQ(image.pixels.size(), u64{image.width} * image.height);
      } catch (const InputError&) {
      }
    }
  }
}

TEST(Linear, exr_says_what_it_can_not_read) {
  if (!has_exr()) {
    EXPECT_TRUE(contains(refusal("\x76\x2f\x31\x01"), "built without libopenexr-dev"));
    EXPECT_THROW(encode_linear(picture(2, 2), "exr"), UsageError);
    GTEST_SKIP() << "OpenEXR is not built in";
  }
  std::vector<u8> bytes = encode_linear(picture(4, 4), "exr");
  std::string text(bytes.begin(), bytes.end());
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string copy = text;
    copy.replace(copy.find(from), from.size(), to);
    return copy;
  };
  const auto window = [](int x0, int y0, int x1, int y1) {
    std::string out;
    for (const int corner : {x0, y0, x1, y1})
      for (int i = 0; i < 4; ++i) out += static_cast<char>(static_cast<u32>(corner) >> 8 * i);
    return out;
  };
  const std::string data("dataWindow\0box2i\0\x10\0\0\0", 21),
      shown("displayWindow\0box2i\0\x10\0\0\0", 24);
  const std::string old = window(0, 0, 3, 3);
  EXPECT_TRUE(contains(refusal(replaced(std::string("R\0\x02", 3), std::string("Q\0\x02", 3))),
                       "channels B, G, Q"));
  EXPECT_TRUE(contains(refusal(replaced(data + old, data + window(0, 0, 70000, 3))), "too large"));
  EXPECT_TRUE(
      contains(refusal(replaced(data + old, data + window(0, 0, -1, 3))), "without pixels"));
  EXPECT_TRUE(contains(refusal(replaced(data + old, data + window(-2147483647, 0, 2147483647, 3))),
                       "too large"));
  EXPECT_TRUE(contains(
      refusal(replaced(std::string("chlist\0", 7), std::string("chlist\0\xff", 8))), "OpenEXR"));
  // A list of channels that seems to hold the attributes after it would hide them from the check.
  EXPECT_TRUE(
      contains(refusal(replaced(std::string("chlist\0\x37", 8), std::string("chlist\0\xcf", 8))),
               "its attribute channels has 207 bytes"));
  EXPECT_TRUE(
      contains(refusal(replaced(std::string("box2i\0\x10", 7), std::string("box2i\0\x11", 7))),
               "its attribute dataWindow has 17 bytes"));
  // First a display window that is larger than the stored pixels, then a smaller one.
  const LinearImage image = picture(4, 4);
  const LinearImage wide = decoded(replaced(shown + old, shown + window(-1, -2, 3, 4)));
  ASSERT_EQ(wide.width, 5u);
  ASSERT_EQ(wide.height, 7u);
  EXPECT_EQ(wide.pixels[0], Vec3f(0.0f, 0.0f, 0.0f));
  EXPECT_EQ(wide.pixels[2 * 5 + 1], image.pixels[0]);
  EXPECT_EQ(wide.pixels[5 * 5 + 4], image.pixels[15]);
  const LinearImage part = decoded(replaced(shown + old, shown + window(1, 2, 2, 2)));
  ASSERT_EQ(part.pixels.size(), 2u);
  EXPECT_EQ(part.pixels[1], image.pixels[10]);
}

std::string little(u32 value) {
  std::string bytes;
  for (u32 i = 0; i < 4; ++i) bytes += static_cast<char>(value >> 8 * i);
  return bytes;
}

/// An OpenEXR file of 2x1 pixels with one channel. The two numbers have the bits `first` and
/// `second`. `type` is 0 for integers, 2 for floats.
std::string exr_of(const std::string& channel, u32 type, u32 first, u32 second) {
  const auto attribute = [](const std::string& name, const std::string& kind,
                            const std::string& data) {
    return name + '\0' + kind + '\0' + little(static_cast<u32>(data.size())) + data;
  };
  const std::string window = little(0) + little(0) + little(1) + little(0),
                    one = little(0x3f800000);
  const std::string channels =
      channel + '\0' + little(type) + little(0) + little(1) + little(1) + '\0';
  const std::string header =
      little(20000630) + little(2) + attribute("channels", "chlist", channels) +
      attribute("compression", "compression", std::string(1, '\0')) +
      attribute("dataWindow", "box2i", window) + attribute("displayWindow", "box2i", window) +
      attribute("lineOrder", "lineOrder", std::string(1, '\0')) +
      attribute("pixelAspectRatio", "float", one) +
      attribute("screenWindowCenter", "v2f", little(0) + little(0)) +
      attribute("screenWindowWidth", "float", one) + '\0';
  const u32 place = static_cast<u32>(header.size()) + 8;
  return header + little(place) + little(0) + little(0) + little(8) + little(first) +
         little(second);
}

TEST(Linear, numbers_of_one_channel_keep_every_bit) {
  const auto numbers = [](const std::string& text) {
    return decode_numbers({text.begin(), text.end()}, "ids").pixels;
  };
  using Two = std::vector<u32>;
  EXPECT_EQ(numbers("Pf\n2 1\n-1\n" + little(7) + little(0xfffffffe)), (Two{7, 0xfffffffe}));
  const auto why = [&](const std::string& text) {
    return message_of<InputError>([&] { numbers(text); });
  };
  EXPECT_TRUE(contains(why("PF\n1 1\n-1\n" + std::string(12, 'x')), "three channels"));
  EXPECT_TRUE(contains(why(kHdr + "-Y 1 +X 1\n1234"), "no exact numbers"));
  if (!has_exr()) GTEST_SKIP() << "OpenEXR is not built in";
  EXPECT_EQ(numbers(exr_of("object", 0, 16777217, 0xffffffff)), (Two{16777217, 0xffffffff}));
  EXPECT_EQ(numbers(exr_of("object", 2, 0x3f800000, 0x7fc00001)), (Two{0x3f800000, 0x7fc00001}));
  const LinearImage depth = decoded(exr_of("Z", 2, 0x3f800000, 0x40000000));
  EXPECT_EQ(depth.pixels[1], Vec3f(2.0f, 2.0f, 2.0f)) << "any only channel is a grey picture";
  const std::vector<u8> colors = encode_linear(picture(2, 2), "exr");
  EXPECT_TRUE(contains(why({colors.begin(), colors.end()}), "several channels"));
}

TEST(Linear, files_are_written_by_their_names_and_read_by_their_bytes) {
  const TempDir dir;
  const LinearImage image = picture(6, 4);
  write_linear(dir / "a.PFM", image);
  expect_same_bits(read_linear(dir / "a.PFM"), image);
  write_linear(dir / "b.hdr", image);
  std::filesystem::rename(dir / "b.hdr", dir / "b.exr");
  EXPECT_EQ(read_linear(dir / "b.exr").height, 4u);
  EXPECT_THROW(write_linear(dir / "c.png", image), UsageError);
  EXPECT_THROW(encode_linear(image, "png"), UsageError);
  EXPECT_THROW(encode_linear(LinearImage{}, "pfm"), UsageError);
  EXPECT_THROW(encode_linear(LinearImage{2, 2, {}}, "pfm"), UsageError);
  const std::string text = dir.write("text.hdr", "no picture");
  const std::string message = message_of<InputError>([&] { read_linear(text); });
  EXPECT_TRUE(contains(message, text) && contains(message, "known: PFM")) << message;
  EXPECT_TRUE(contains(refusal(""), "empty"));
}

}  // namespace linear_test
}  // namespace ballotcast::detail
