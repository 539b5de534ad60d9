// The table of settings of casts: each text is read back, and a wrong one is refused by name.
#include "render/cast_settings.hpp"

#include <gtest/gtest.h>

#include <map>

#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace cast_settings_test {

TEST(CastSettings, are_read_back_from_their_texts) {
  const std::map<std::string_view, std::string> other = {
      {"device", "cpu:0"},   {"strict_devices", "on"}, {"max_memory", "4096"},
      {"partition", "auto"}, {"pipeline", "queue"},    {"atomics", "naive"},
      {"loop", "host:3"},    {"layout", "bvh2"},       {"builder", "ploc-reinserted/12"},
      {"block_size", "64"},  {"threads", "7"}};
  EXPECT_EQ(cast_settings().size(), other.size());
  for (const CastSetting& row : cast_settings()) {
    CastSettings settings;
    EXPECT_NE(row.text(settings), other.at(row.key)) << row.key;
    row.set(settings, "it", other.at(row.key));
    EXPECT_EQ(row.text(settings), other.at(row.key)) << row.key;
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

}  // namespace cast_settings_test
}  // namespace ballotcast::detail
