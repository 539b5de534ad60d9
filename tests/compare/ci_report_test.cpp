#include "compare/ci_report.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace ballotcast::detail {
namespace ci_report_test {

const std::vector<CiResult> kResults = {
    {"g", "one", CiOutcome::passed, "same", "", "a.png", 1500.0},
    {"g", "two, of: 3", CiOutcome::failed, "different", "50% <\"more\">\nthan", "b,1.png", 0.0},
    {"g", "three", CiOutcome::skipped, "skipped", "no device", "c.png", 0.0}};

TEST(CiReport, as_junit_counts_and_escapes) {
  EXPECT_EQ(junit_xml("a & b", kResults, 2000.0),
            R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="3" failures="1" errors="0" skipped="1" time="2.000">
  <testsuite name="a &amp; b" tests="3" failures="1" errors="0" skipped="1" time="2.000">
    <testcase classname="g" name="one" time="1.500"/>
    <testcase classname="g" name="two, of: 3" time="0.000"><failure type="different" )"
            R"(message="50% &lt;&quot;more&quot;&gt;&#10;than">50% &lt;&quot;more&quot;&gt;)"
            R"(&#10;than</failure></testcase>
    <testcase classname="g" name="three" time="0.000"><skipped message="no device"/></testcase>
  </testsuite>
</testsuites>
)");
}

TEST(CiReport, annotates_failures_alone_in_one_line_each) {
  ::unsetenv("GITHUB_WORKSPACE");
  EXPECT_EQ(github_annotations(kResults),
            "::error file=b%2C1.png,title=two%2C of%3A 3::different: 50%25 <\"more\">%0Athan\n");
}

TEST(CiReport, names_files_as_the_checkout_does) {
  const std::filesystem::path here = std::filesystem::current_path();
  ::setenv("GITHUB_WORKSPACE", here.parent_path().c_str(), 1);
  const std::string name = here.filename().string();
  const std::string text =
      github_annotations({{"g", "n", CiOutcome::failed, "t", "m", "x.png", 0.0},
                          {"g", "n", CiOutcome::failed, "t", "m", "/elsewhere/x.png", 0.0}});
  ::unsetenv("GITHUB_WORKSPACE");
  EXPECT_EQ(text, "::error file=" + name + "/x.png,title=n::t: m\n" +
                      "::error file=/elsewhere/x.png,title=n::t: m\n");
}

}  // namespace ci_report_test
}  // namespace ballotcast::detail
