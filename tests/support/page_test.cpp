// Tests that filling a page does not replace placeholders inside inserted values, and that inserted
// texts are escaped.
#include "support/page.hpp"

#include <gtest/gtest.h>

namespace ballotcast::detail {
namespace page_test {

TEST(Page, fills_every_place) {
  const PageFiles files = {"<a>{{title}}</a>{{style}}{{script}}{{data}}{{title}}.", "S", "J"};
  EXPECT_EQ(filled_page(files, {{"title", "T"}, {"data", "D"}}), "<a>T</a>SJDT.");
}

TEST(Page, does_not_look_through_what_it_puts_in) {
  const PageFiles files = {"{{title}}{{data}}", "S", "J"};
  EXPECT_EQ(filled_page(files, {{"title", "{{script}}"}, {"data", "{{title}}"}}),
            "{{script}}{{title}}");
}

TEST(Page, words_cannot_become_markup) {
  EXPECT_EQ(escaped_html("<b title=\"a & b\">"), "&lt;b title=&quot;a &amp; b&quot;&gt;");
}

TEST(Page, nothing_ends_a_script_element) {
  EXPECT_EQ(inside_script("\"</script><!--\""), "\"\\u003c/script>\\u003c!--\"");
}

}  // namespace page_test
}  // namespace ballotcast::detail
