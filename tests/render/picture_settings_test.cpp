// The table of settings: each text is read back, and a wrong one is refused by name.
#include "render/picture_settings.hpp"

#include <gtest/gtest.h>

#include <map>

#include "support/error.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace picture_settings_test {

TEST(PictureSettings, are_read_back_from_their_texts) {
  const std::map<std::string_view, std::string> other = {
      {"shade", "normal"},       {"spp", "7"},        {"bounces", "3"},
      {"exposure", "0.1"},       {"smooth", "fast"},  {"fireflies", "keep"},
      {"white-balance", "2700"}, {"light", "camera"}, {"background", "#0080ff"},
      {"sides", "front"}};
  EXPECT_EQ(picture_settings().size(), other.size());
  for (const PictureSetting& row : picture_settings()) {
    RenderSettings settings;
    row.set(settings, "it", other.at(row.name));
    EXPECT_EQ(row.text(settings), other.at(row.name)) << row.name;
    RenderSettings again;
    for (const PictureSetting& each : picture_settings())
      if (const std::string text = each.text(settings); !text.empty() && text != "0")
        each.set(again, "it", text);
    for (const PictureSetting& each : picture_settings())
      EXPECT_EQ(each.text(again), each.text(settings)) << row.name << ", " << each.name;
  }
}

TEST(PictureSettings, refuse_wrong_texts) {
  for (const PictureSetting& row : picture_settings()) {
    RenderSettings settings;
    const std::string why =
        message_of<UsageError>([&] { row.set(settings, "--" + std::string(row.name), "x y"); });
    EXPECT_NE(why.find("'x y'"), why.npos) << why;
    EXPECT_EQ(row.text(settings), row.text(RenderSettings())) << row.name << ": nothing is set";
  }
}

}  // namespace picture_settings_test
}  // namespace ballotcast::detail
