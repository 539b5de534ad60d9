// Tests the table of settings of pictures: the text of each value is read back, and a wrong value
// is refused with the name of its setting.
#include <gtest/gtest.h>

#include "ballotcast/error.hpp"
#include "helpers/setting_values.hpp"
#include "render/setting_tables.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace picture_settings_test {

TEST(PictureSettings, are_read_back_from_their_texts) {
  for (const PictureSetting& row : picture_settings()) {
    RenderSettings settings;
    row.set(settings, "it", testing::other_value(row));
    EXPECT_EQ(row.text(settings), testing::other_value(row)) << row.name;
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
