// Tests that the page of compared pictures contains every PNG once and all data, escapes all texts,
// and loads nothing from other places.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "compare/pictures_page.hpp"

namespace ballotcast::detail {
namespace page_test {

using nlohmann::json;

std::size_t count_of(const std::string& text, const std::string& words) {
  std::size_t count = 0;
  for (std::size_t at = text.find(words); at != text.npos; at = text.find(words, at + 1)) ++count;
  return count;
}

/// The JSON data of a page.
json data_of(const std::string& page) {
  const std::string begin = "<script type=\"application/json\" id=\"data\">";
  const std::size_t from = page.find(begin) + begin.size();
  return json::parse(page.substr(from, page.find("</script>", from) - from));
}

/// The content of picture number `number` in a page, or "none".
std::string picture_in(const std::string& page, std::size_t number) {
  const std::string begin =
      "<script type=\"text/plain\" id=\"picture-" + std::to_string(number) + "\">";
  const std::size_t at = page.find(begin);
  if (at == page.npos) return "none";
  const std::size_t from = at + begin.size();
  return page.substr(from, page.find("</script>", from) - from);
}

std::vector<u8> bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

PageCase case_called(const std::string& name) {
  PageCase c;
  c.name = name;
  c.verdict = "different";
  c.outcome = PageOutcome::failed;
  return c;
}

TEST(PicturesPage, holds_each_picture_once) {
  PagePictures pictures;
  for (const std::string name : {"a", "b"}) {
    PageCase c = case_called(name);
    c.pictures.reference = bytes_of("the same bytes");
    c.pictures.result = bytes_of("the bytes of " + name);
    pictures.cases.push_back(c);
  }
  const std::string page = pictures_page(pictures);
  EXPECT_EQ(count_of(page, "id=\"picture-"), 3u);
  const json data = data_of(page);
  EXPECT_EQ(data["cases"][0]["pictures"]["reference"], data["cases"][1]["pictures"]["reference"]);
  EXPECT_NE(data["cases"][0]["pictures"]["result"], data["cases"][1]["pictures"]["result"]);
}

TEST(PicturesPage, writes_pictures_as_base64) {
  PagePictures pictures;
  for (const std::string bytes : {"", "f", "fo", "foo", "\xff\xfe\xfd\xfc"}) {
    pictures.cases.push_back(case_called("case " + bytes));
    pictures.cases.back().pictures.difference = bytes_of(bytes);
  }
  const std::string page = pictures_page(pictures);
  const std::vector<std::string> expected = {"Zg==", "Zm8=", "Zm9v", "//79/A=="};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(picture_in(page, i), expected[i]);
  EXPECT_EQ(picture_in(page, expected.size()), "none");
  EXPECT_TRUE(data_of(page)["cases"][0]["pictures"]["difference"].is_null());
}

TEST(PicturesPage, the_result_may_be_the_reference) {
  PagePictures pictures;
  pictures.cases = {case_called("said"), case_called("found"), case_called("absent")};
  for (PageCase& c : pictures.cases) c.pictures.reference = bytes_of("bytes");
  pictures.cases[0].pictures.result_is_reference = true;
  pictures.cases[1].pictures.result = bytes_of("bytes");
  const json cases = data_of(pictures_page(pictures))["cases"];
  EXPECT_EQ(cases[0]["pictures"]["result"], cases[0]["pictures"]["reference"]);
  EXPECT_EQ(cases[1]["pictures"]["result"], cases[1]["pictures"]["reference"]);
  EXPECT_TRUE(cases[2]["pictures"]["result"].is_null());
}

TEST(PicturesPage, holds_all_that_is_known) {
  PageCase c = case_called("the case");
  c.why = "Because.";
  c.needed = "--max-error 3";
  c.axes = {{"scene", "atrium"}, {"block_size", "256"}};
  c.numbers = {{"FLIP", "0.01", "at most 0.001", false}};
  c.checks = {{"counter", "12", "13", false}};
  c.worst = PagePixel{3, 4, "1 2 3", "4 5 6"};
  c.history = {{"2026-01-02", "New light", "0.2.0", "aa", "bb", "One pixel."}};
  c.approval = {"case", "accept case --reason=", " --", "/home"};
  PagePictures pictures;
  pictures.title = "Title";
  pictures.summary = "In short.";
  pictures.facts = {{"device", "GPU"}};
  pictures.notes = {"A note."};
  pictures.cases = {c};
  const json expected = json::parse(R"({
    "title": "Title", "summary": "In short.", "facts": [["device", "GPU"]], "notes": ["A note."], "cases": [{
      "name": "the case", "verdict": "different", "outcome": "failed", "why": "Because.",
      "needed": "--max-error 3",
      "axes": [["scene", "atrium"], ["block_size", "256"]],
      "pictures": {"reference": null, "result": null, "difference": null, "flip": null},
      "numbers": [{"name": "FLIP", "value": "0.01", "limit": "at most 0.001", "kept": false}],
      "checks": [{"name": "counter", "expected": "12", "got": "13", "same": false}],
      "worst": {"x": 3, "y": 4, "reference": "1 2 3", "result": "4 5 6"},
      "approval": {"of": "case", "before": "accept case --reason=", "after": " --", "folder": "/home"},
      "history": [{"date": "2026-01-02", "reason": "New light", "version": "0.2.0",
                   "before": "aa", "after": "bb", "what": "One pixel."}]}]})");
  EXPECT_EQ(data_of(pictures_page(pictures)), expected);
}

TEST(PicturesPage, shows_the_command_of_approval_without_scripts) {
  PagePictures pictures;
  pictures.cases = {case_called("a"), case_called("b")};
  pictures.cases[0].approval = {"a", "ballotcast accept 'my <suite>' a --reason=", "", "/my home"};
  const std::string page = pictures_page(pictures);
  const std::size_t from = page.find("<noscript>");
  const std::string plain = page.substr(from, page.find("</noscript>") - from);
  EXPECT_EQ(count_of(plain, "<code>ballotcast accept 'my &lt;suite&gt;' a --reason='...'</code>"),
            1u);
  EXPECT_EQ(count_of(plain, "<code>/my home</code>"), 1u);
  EXPECT_TRUE(data_of(page)["cases"][1]["approval"].is_null());
}

TEST(PicturesPage, words_cannot_break_out) {
  const std::string harm = "</script></noscript><script>harm()</script><!--{{script}}\"'\xff";
  PagePictures pictures;
  pictures.title = harm;
  pictures.facts = {{harm, harm}};
  pictures.notes = {harm};
  pictures.cases = {case_called(harm)};
  pictures.cases[0].why = pictures.cases[0].verdict = harm;
  pictures.cases[0].axes = {{harm, harm}};
  pictures.cases[0].approval = {harm, harm, harm, harm};
  const std::string page = pictures_page(pictures);
  EXPECT_EQ(count_of(page, "harm()</script>"), 0u);
  EXPECT_EQ(count_of(page, "<!--"), count_of(pictures_page({}), "<!--"));
  EXPECT_EQ(count_of(page, "</script>"), count_of(pictures_page({}), "</script>"));
  EXPECT_EQ(count_of(page, "</noscript>"), 1u);
  EXPECT_EQ(data_of(page)["cases"][0]["name"],
            "</script></noscript><script>harm()</script><!--{{script}}\"'\uFFFD");
}

TEST(PicturesPage, lists_its_cases_without_scripts) {
  PagePictures pictures;
  pictures.cases = {case_called("a < b")};
  pictures.cases[0].why = "Why not.";
  EXPECT_EQ(count_of(pictures_page(pictures), "<li>a &lt; b: failed, different. Why not.</li>"),
            1u);
}

TEST(PicturesPage, tells_what_is_to_be_reviewed_from_what_failed) {
  PagePictures pictures;
  pictures.cases = {case_called("a")};
  pictures.cases[0].outcome = PageOutcome::to_review;
  const std::string page = pictures_page(pictures);
  EXPECT_EQ(data_of(page)["cases"][0]["outcome"], "to review");
  EXPECT_EQ(count_of(page, "<li>a: to review, different</li>"), 1u);
}

/// A case that compares two pictures of four pixels. They differ by 5 in one sample.
PageCase compared_case() {
  SampledImage reference{2, 2, 3, 8, std::vector<u16>(12, 100)}, result = reference;
  result.samples[4] = 105;
  const PicturePair pair = paired(reference, result, {});
  PageCase page = case_called("a");
  add_comparison(page, pair, compare_pair(pair));
  return page;
}

const PageNumber* number_called(const PageCase& page, const std::string& name) {
  for (const PageNumber& number : page.numbers)
    if (number.name == name) return &number;
  return nullptr;
}

TEST(PicturesPage, tells_each_number_once_with_its_limit) {
  PageCase page = compared_case();
  const std::size_t rows = page.numbers.size();
  EXPECT_EQ(number_called(page, "max"), nullptr);
  set_limit(page, "max error", "5", "at most 2", false);
  set_limit(page, "percent different", "25", "at most 30", true);
  set_limit(page, "flip", "0.123456", "at most 0.5", true);
  set_limit(page, "max_error", "5", "from 0 to 9", true);  // the name of the limit in suite files
  EXPECT_EQ(page.numbers.size(), rows);
  const PageNumber* largest = number_called(page, "largest difference");
  ASSERT_NE(largest, nullptr);
  EXPECT_EQ(largest->value, "5 of 255");
  EXPECT_EQ(largest->limit, "at most 2, from 0 to 9");
  EXPECT_FALSE(largest->kept);
  EXPECT_EQ(number_called(page, "pixels that differ")->value, "1 of 4 (25 %)");
  EXPECT_EQ(number_called(page, "pixels that differ")->limit, "at most 30 %");
  EXPECT_EQ(number_called(page, "flip")->value, "0.123456");
}

TEST(PicturesPage, refers_to_nothing_outside) {
  const std::string page = pictures_page({});
  for (const char* attribute : {"src", "href", "action"})
    for (const char* quote : {"", "\"", "'"})
      for (const char* scheme : {"", "http:", "https:", "ftp:"})
        EXPECT_EQ(count_of(page, std::string(attribute) + "=" + quote + scheme + "//"), 0u)
            << attribute << quote << scheme;
  EXPECT_EQ(count_of(page, "http:"), 0u);
  EXPECT_EQ(count_of(page, "https:"), 0u);
  EXPECT_EQ(count_of(page, "@import"), 0u);
  EXPECT_EQ(count_of(page, "url("), 0u);
  EXPECT_EQ(count_of(page, "default-src 'none'"), 1u);
}

}  // namespace page_test
}  // namespace ballotcast::detail
