// A suite with one case, for tests of suites.
#pragma once

#include <gtest/gtest.h>

#include "compare/suite/accept.hpp"
#include "compare/suite/run.hpp"
#include "image/codec.hpp"
#include "support/files/files.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {

inline constexpr const char* kQuad = "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0.2\nf 1 2 3\nf 1 3 4\n";
inline constexpr const char* kCase = R"({"name": "quad", "scene": "quad.obj", "shading": "normal",
  "camera": {"eye": [0, 0, 3], "look_at": [0, 0, 0]}, "size": [16, 9], "samples": 1)";

inline std::string suite_text(const std::string& cases) {
  return "{\"format\": \"ballotcast suite\", \"cases\": [" + cases + "]}";
}

/// Base of tests of a suite with one case, which is in its own folder.
class SuiteTest : public ::testing::Test {
 protected:
  SuiteTest() {
    folder.write("quad.obj", kQuad);
    write_case("}");
  }

  void write_case(const std::string& rest) {
    path = folder.write("suite.json", suite_text(kCase + rest));
  }
  SuiteRun run(const SuiteRequest& request = {}) {
    suite = load_suite(path);
    return run_suite(suite, request);
  }
  void accept_all(const std::string& reason = "looked at") {
    suite = load_suite(path);
    accept(suite, to_accept(suite, {"*"}), reason, "2026-01-31");
  }
  CaseVerdict verdict_of(const SuiteRun& run) { return run.results.at(0).judgement.verdict; }

  Image<Rgb8> golden() const {
    const Suite now = load_suite(path);
    const SampledImage old = read_png(now.beside(now.approved.at("quad").golden));
    Image<Rgb8> image{old.width, old.height, {}};
    for (std::size_t i = 0; i < old.samples.size(); i += 3)
      image.pixels.push_back({static_cast<u8>(old.samples[i]), static_cast<u8>(old.samples[i + 1]),
                              static_cast<u8>(old.samples[i + 2])});
    return image;
  }

  /// Approves `image`, which need not be what the renderer draws.
  void approve(const Image<Rgb8>& image) {
    suite = load_suite(path);
    Approval& approval = suite.approved.at("quad");
    write_file_atomically(suite.beside(approval.golden), encode_png(image));
    approval.pixels = fingerprint(sampled(image));
    const std::string text = text_of(suite);
    write_file_atomically(path, {text.begin(), text.end()});
  }

  /// Approves the present golden (approved) picture with one sample changed by `by`.
  void spoil_golden(u32 by) {
    Image<Rgb8> image = golden();
    u8& sample = image.pixels[70].g;
    sample = static_cast<u8>(sample >= by ? sample - by : sample + by);
    approve(image);
  }

  TempDir folder;
  std::string path;
  Suite suite;
};

}  // namespace ballotcast::detail
