// Tests the table of settings of casts: the text of each value is read back, and a wrong value is
// refused with the name of its setting.
#include <gtest/gtest.h>

#include "helpers/setting_values.hpp"
#include "render/setting_tables.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace cast_settings_test {

TEST(CastSettings, are_read_back_from_their_texts) {
  for (const CastSetting& row : cast_settings()) {
    CastSettings settings;
    EXPECT_NE(row.text(settings), testing::other_value(row)) << row.key;
    row.set(settings, "it", testing::other_value(row));
    EXPECT_EQ(row.text(settings), testing::other_value(row)) << row.key;
    for (const std::string_view value : row.all) {
      row.set(settings, "it", std::string(value));
      EXPECT_EQ(row.text(settings), value) << row.key;
    }
  }
}

TEST(CastSettings, refuse_wrong_texts) {
  for (const CastSetting& row : cast_settings()) {
    CastSettings settings;
    const std::string why =
        message_of<UsageError>([&] { row.set(settings, "--" + std::string(row.name), "x y"); });
    EXPECT_NE(why.find("'x y'"), why.npos) << why;
    EXPECT_EQ(row.text(settings), row.text(CastSettings())) << row.key << ": nothing is set";
  }
}

TEST(CastSettings, say_which_block_sizes_there_are) {
  const CastSetting& row = cast_setting("block_size");
  for (const char* wrong : {"0", "33", "1056", "4294967296", "-32", ""}) {
    CastSettings settings;
    EXPECT_EQ(
        message_of<UsageError>([&] { row.set(settings, "--block-size", wrong); }),
        "--block-size needs a multiple of 32 from 32 to 1024, not '" + std::string(wrong) + "'");
  }
}

}  // namespace cast_settings_test
}  // namespace ballotcast::detail
