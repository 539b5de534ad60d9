// Writes a page of made-up cases, to look at, and for tests in a browser.
// Usage: make_page FILE [--many COUNT | --review]
//   --many: COUNT cases, each with its own small pictures
//   --review: one case that is to be reviewed
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

#include "ballotcast/error.hpp"
#include "compare/pictures_page.hpp"
#include "support/files/files.hpp"
#include "support/png.hpp"

namespace ballotcast::detail {

namespace {

using testing::PngPicture;
using Bytes = std::vector<u8>;
using Color = std::array<double, 3>;

/// A picture whose samples are number(x, y, channel).
Bytes made(PngPicture picture, const std::function<u32(u32 x, u32 y, u32 channel)>& number) {
  for (u32 y = 0; y < picture.height; ++y)
    for (u32 x = 0; x < picture.width; ++x)
      for (u32 c = 0; c < testing::channels_of(picture); ++c)
        picture.numbers.push_back(static_cast<u16>(number(x, y, c)));
  return testing::png_of(picture);
}

/// The colour, from 0 to 1, at a place of a picture with a ball over a chequered floor. `light`
/// rotates the light.
Color scene_at(double x, double y, double light) {
  const double bx = (x - 0.42) / 0.27, by = (y - 0.48) / 0.27 * 0.5625, r = bx * bx + by * by;
  if (r < 1.0) {
    const double z = std::sqrt(1.0 - r);
    const double lit = bx * std::cos(light) * -0.6 - by * 0.6 + z * 0.5;
    const double shine = std::pow(std::max(0.0, lit), 24.0) * 0.7;
    const double c = 0.08 + 0.85 * std::max(0.0, lit);
    return {c * 0.9 + shine, c * 0.42 + shine, c * 0.2 + shine};
  }
  if (y > 0.55) {
    const double depth = 0.25 / (y - 0.5);
    const int cell = static_cast<int>(std::floor((x - 0.5) * depth * 8)) +
                     static_cast<int>(std::floor(depth * 4));
    const double shadow = std::hypot((x - 0.5) / 0.34, (y - 0.86) / 0.09) < 1.0 ? 0.35 : 1.0;
    const double c = (cell % 2 == 0 ? 0.8 : 0.3) * shadow;
    return {c, c * 0.97, c * 0.9};
  }
  return {0.45 + 0.35 * y, 0.6 + 0.3 * y, 0.85};
}

/// True if the place lies in the flaw of the result, which is a small disc at the edge of the ball.
bool is_flawed(double x, double y) { return std::hypot(x - 0.62, (y - 0.3) * 0.5625) < 0.035; }

u32 level(double value, u32 most) {
  return static_cast<u32>(std::lround(std::min(1.0, std::max(0.0, value)) * most));
}

Bytes scene_picture(u32 width, u32 height, u8 depth, bool flawed, double light) {
  const u32 most = (1u << depth) - 1;
  PngPicture picture{.width = width, .height = height, .depth = depth};
  for (u32 py = 0; py < height; ++py)
    for (u32 px = 0; px < width; ++px) {
      const double x = (px + 0.5) / width, y = (py + 0.5) / height;
      Color color = scene_at(x, y, light);
      if (flawed && is_flawed(x, y)) color = {color[1], color[0] * 0.8, color[2] * 0.4};
      for (const double c : color) picture.numbers.push_back(static_cast<u16>(level(c, most)));
    }
  return testing::png_of(picture);
}

/// A picture of the flaw in `scene_picture`: white on black, or as a heat map.
Bytes flaw_picture(u32 width, u32 height, bool heat) {
  return made({.width = width, .height = height}, [&](u32 px, u32 py, u32 c) {
    const double x = (px + 0.5) / width, y = (py + 0.5) / height;
    const double far = std::hypot(x - 0.62, (y - 0.3) * 0.5625) / 0.035;
    if (!heat) return far < 1.0 ? level(1.2 - far, 255) : 0u;
    const double t = std::exp(-far * far);
    return level(c == 0 ? t * 1.6 : c == 1 ? t * t : 0.25 * (1.0 - t) + 0.05, 255);
  });
}

PageWords axes_of(const std::string& scene, const std::string& shading, const std::string& pipeline,
                  const std::string& size) {
  return {{"scene", scene},   {"shading", shading},   {"camera", "1"},
          {"device", "cuda"}, {"pipeline", pipeline}, {"atomics", "warp-ballot"},
          {"layout", "bvh2"}, {"block_size", "256"},  {"size", size}};
}

PageCase different_case() {
  PageCase c;
  c.name = "atrium-path-wavefront-640x360";
  c.verdict = "different";
  c.outcome = PageOutcome::failed;
  c.why =
      "1,132 pixels differ, 0.49 % of the picture; at most 0.01 % may. FLIP is 0.0132; at most "
      "0.001.";
  c.axes = axes_of("atrium", "path", "wavefront", "640x360");
  c.pictures = {scene_picture(640, 360, 8, false, 0.4), scene_picture(640, 360, 8, true, 0.4),
                false, flaw_picture(640, 360, false), flaw_picture(640, 360, true)};
  c.numbers = {{"pixels that differ", "1,132 of 230,400 (0.49 %)", "at most 0.01 %", false},
               {"largest step", "19 of 255", "at most 2", false},
               {"FLIP, mean", "0.0132", "at most 0.001", false},
               {"PSNR", "38.2 dB", "at least 60 dB", false},
               {"SSIM", "0.9991", "", true}};
  c.checks = {{"pixels hash", "6f1d5e0cbb21f7a4", "a9930c71d4e8852b", false},
              {"hits hash", "c0ffee1234567890", "c0ffee1234567890", true},
              {"counter", "230400", "230399", false},
              {"rays", "921600", "921600", true}};
  c.worst = PagePixel{397, 108, "36 17 8", "17 29 3"};
  c.history = {{"2026-03-02", "Paths end by roulette from the fourth bounce on", "0.3.1",
                "11c2ab09d3e4f501", "6f1d5e0cbb21f7a4",
                "different: 41,220 of 230,400 pixels differ, by up to 9 of 255; FLIP 0.0207."},
               {"2026-01-15", "First picture", "0.1.0", "", "11c2ab09d3e4f501",
                "new: the first picture, 640x360."}};
  c.approval = {"atrium", "ballotcast accept 'my suite/suite.json' atrium --reason=", "",
                "/home/me/project"};
  return c;
}

/// Pictures with 16 bits per sample. Red is 257x + y, green 65535 - 3y, and blue 12345. In the
/// result, one column has a blue of 12346.
PageCase deep_case() {
  const auto picture = [](u32 blue) {
    return made({.width = 96, .height = 64, .depth = 16}, [=](u32 x, u32 y, u32 c) {
      return c == 0 ? 257 * x + y : c == 1 ? 65535 - 3 * y : x == 40 ? blue : 12345;
    });
  };
  PageCase c;
  c.name = "slivers-depth-16bit";
  c.verdict = "within limits";
  c.why = "64 pixels differ by 1 of 65,535; the limit is 4.";
  c.axes = axes_of("slivers", "depth", "megakernel", "96x64");
  c.pictures.reference = picture(12345);
  c.pictures.result = picture(12346);
  c.pictures.difference = made({.width = 960, .height = 640}, [](u32 x, u32 y, u32 c2) {
    return x == 400 && y == 7 && c2 == 2 ? 3 : 0;
  });
  c.numbers = {{"largest step", "1 of 65,535", "at most 4", true}};
  c.worst = PagePixel{40, 0, "10280 65535 12345", "10280 65535 12346"};
  return c;
}

/// RGBA pictures that fade out to the right. Red is x, green 2y, blue 100 (in the result 101), and
/// alpha 255 - 4x.
PageCase alpha_case() {
  const auto picture = [](u32 blue) {
    return made({.width = 64, .height = 48, .color = 6}, [=](u32 x, u32 y, u32 c) {
      return c == 0 ? x : c == 1 ? 2 * y : c == 2 ? blue : 255 - 4 * x;
    });
  };
  PageCase c;
  c.name = "glass-alpha";
  c.verdict = "different";
  c.outcome = PageOutcome::failed;
  c.why = "All 3,072 pixels differ by 1.";
  c.axes = axes_of("glass", "flat", "megakernel", "64x48");
  c.pictures.reference = picture(100);
  c.pictures.result = picture(101);
  return c;
}

/// Other kinds of PNG: a palette with alpha, 2 bits of grey, 16 bits of grey and alpha, a
/// transparent colour, and a file that is cut off.
std::vector<PageCase> kinds_cases() {
  std::vector<PageCase> cases(3);
  PngPicture palette{.width = 30, .height = 20, .depth = 4, .color = 3};
  palette.palette = {10, 20, 30, 200, 100, 50, 0, 255, 128};
  palette.tRNS = {255, 77};
  cases[0].name = "kind-palette";
  cases[0].pictures.reference = made(palette, [](u32 x, u32 y, u32) { return (x + y) % 3; });
  cases[0].pictures.result = made({.width = 30, .height = 20, .depth = 2, .color = 0},
                                  [](u32 x, u32 y, u32) { return (x + y) % 4; });
  cases[0].verdict = "tolerance not needed";
  cases[0].why = "The picture has been the same for 12 runs: the limit of 2 can go.";
  cases[1].name = "kind-grey-alpha";
  cases[1].verdict = "within limits";
  cases[1].pictures.reference =
      made({.width = 30, .height = 20, .depth = 16, .color = 4},
           [](u32 x, u32 y, u32 c) { return c == 0 ? 1000 * x + y : 65535 - 2000 * y; });
  PngPicture see_through{.width = 30, .height = 20};
  see_through.tRNS = {0, 1, 0, 2, 0, 3};
  cases[1].pictures.result = made(see_through, [](u32 x, u32 y, u32 c) { return 5 * x + y + c; });
  cases[2].name = "kind-cut-off";
  cases[2].verdict = "error";
  cases[2].outcome = PageOutcome::failed;
  cases[2].why = "The result's file is damaged.";
  cases[2].pictures.reference = cases[0].pictures.reference;
  cases[2].pictures.result = scene_picture(64, 36, 8, false, 0.4);
  cases[2].pictures.result.resize(300);
  return cases;
}

PageCase same_case(const std::string& scene, double light) {
  PageCase c;
  c.name = scene + "-ambient-megakernel-320x180";
  c.verdict = "same";
  c.axes = axes_of(scene, "ambient", "megakernel", "320x180");
  c.pictures.reference = scene_picture(320, 180, 8, false, light);
  c.pictures.result_is_reference = true;
  c.checks = {{"pixels hash", "01d5e0cbb21f7a46", "01d5e0cbb21f7a46", true},
              {"hits hash", "ffee1234567890c0", "ffee1234567890c0", true}};
  return c;
}

/// A case whose texts would run scripts if they were not escaped.
PageCase hostile_case() {
  const std::string harm =
      "</script><script>document.title='harmed'</script><!--<img src=x "
      "onerror=\"document.title='harmed'\">";
  PageCase c;
  c.name = "hostile " + harm;
  c.verdict = "same";
  c.why = harm + " {{script}} ]]> \\u003c \x80\xff \u2028 end";
  c.axes = {{"scene", harm}};
  c.pictures.reference = scene_picture(32, 18, 8, false, 0.4);
  c.pictures.result = c.pictures.reference;
  c.numbers = {{harm, harm, harm, true}};
  c.checks = {{harm, harm, harm, true}};
  c.history = {{harm, harm, harm, harm, harm, harm}};
  c.approval = {harm, harm, harm, harm};
  return c;
}

std::vector<PageCase> sample_cases() {
  std::vector<PageCase> cases = {same_case("cornell", 0.2), same_case("terrain", 0.9),
                                 different_case(), deep_case(), alpha_case()};
  for (PageCase& c : kinds_cases()) cases.push_back(std::move(c));
  PageCase fresh = same_case("blob", 1.4);
  fresh.name = "blob-normals-new";
  fresh.verdict = "new";
  fresh.why = "There is no golden picture yet; accept this one to make it so.";
  fresh.pictures.result = std::move(fresh.pictures.reference);
  fresh.pictures.reference.clear();
  fresh.pictures.result_is_reference = false;
  fresh.checks.clear();
  cases.push_back(fresh);
  PageCase changed = same_case("furniture", 2.0);
  changed.verdict = "changed input";
  changed.outcome = PageOutcome::failed;
  changed.why = "The scene's file isn't the one that the golden picture was made of.";
  changed.pictures.result_is_reference = false;
  changed.checks = {{"scene hash", "77aa0cbb21f7a4d1", "e8852ba9930c71d4", false}};
  cases.push_back(changed);
  PageCase skipped;
  skipped.name = "sponza-path-wavefront-1920x1080";
  skipped.verdict = "skipped";
  skipped.outcome = PageOutcome::skipped;
  skipped.why = "The scene is not here.";
  skipped.axes = axes_of("sponza", "path", "wavefront", "1920x1080");
  cases.push_back(skipped);
  cases.push_back(hostile_case());
  return cases;
}

std::vector<PageCase> many_cases(u32 count) {
  const PageCase different = different_case(), same = same_case("scene", 0.4);
  std::vector<PageCase> cases;
  for (u32 i = 0; i < count; ++i) {
    const double light = 3.0 * i / count;
    const bool flawed = i % 10 == 3;
    PageCase c = flawed ? different : same;
    c.name = "case-" + std::to_string(i) + "-" + c.name;
    c.pictures = {scene_picture(160, 90, 8, false, light), {}, !flawed, {}, {}};
    if (flawed) {
      c.pictures.result = scene_picture(160, 90, 8, true, light);
      c.pictures.difference = flaw_picture(160, 90, false);
      c.worst = PagePixel{99, 27, "36 17 8", "17 29 3"};
    }
    cases.push_back(std::move(c));
  }
  return cases;
}

/// The page that `compare` writes if no limits are set: its only case differs, which is not a
/// failure.
PagePictures page_to_review() {
  PagePictures page;
  page.title = "a.png and b.png: different";
  page.summary = "1,132 of 230,400 pixels differ; no limit was set.";
  page.cases = {different_case()};
  page.cases[0].outcome = PageOutcome::to_review;
  page.cases[0].why = "";
  for (PageNumber& number : page.cases[0].numbers) number = {number.name, number.value, "", true};
  return page;
}

PagePictures sample_page(u32 many) {
  PagePictures page;
  page.title = "Pictures of the suite \"small\" <on> one GPU";
  page.facts = {{"device", "NVIDIA H200"},
                {"version", "0.4.0"},
                {"commit", "0123456789ab"},
                {"command", "ballotcast compare --suite scenes/suite.json --report page.html"},
                {"date", "2026-04-01 12:00"},
                {"suite_file", "scenes/suite.json"},
                {"suite_hash", "9d5f0ab3c1e2d477"}};
  page.notes = {"Pictures were made twice; both times they were the same.",
                "A note with <i>markup</i>."};
  page.cases = many > 0 ? many_cases(many) : sample_cases();
  return page;
}

}  // namespace

}  // namespace ballotcast::detail

int main(int count, char** arguments) {
  using namespace ballotcast;
  using namespace ballotcast::detail;
  const bool many = count == 4 && std::string(arguments[2]) == "--many";
  const bool review = count == 3 && std::string(arguments[2]) == "--review";
  if (count != 2 && !many && !review) {
    std::fputs("usage: make_page FILE [--many COUNT | --review]\n", stderr);
    return 2;
  }
  try {
    const std::string text =
        pictures_page(review ? page_to_review()
                             : sample_page(many ? static_cast<u32>(std::atoi(arguments[3])) : 0));
    write_file_atomically(arguments[1], {text.begin(), text.end()});
  } catch (const Error& error) {
    std::fprintf(stderr, "make_page: %s\n", error.what());
    return 1;
  }
  return 0;
}
