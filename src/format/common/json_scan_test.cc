#include "format/common/json_scan.h"

#include <gtest/gtest.h>

namespace tracebraid {
namespace {

TEST(JsonScan, WalksThroughWhatIsEntered) {
  JsonScan scan(R"({"a": [1, [2, "x"], {}], "b\n": {"c": null}, "d": 2.5e1})");
  std::string_view key;
  ASSERT_TRUE(scan.enter('{'));
  ASSERT_TRUE(scan.next_member(key));
  EXPECT_EQ(key, "a");
  ASSERT_TRUE(scan.enter('['));
  ASSERT_TRUE(scan.next_item());
  EXPECT_EQ(scanned_integer(scan.take()), 1);
  ASSERT_TRUE(scan.next_item());
  EXPECT_EQ(scan.take().raw, R"([2, "x"])");
  ASSERT_TRUE(scan.next_item());
  ASSERT_TRUE(scan.enter('{'));
  EXPECT_FALSE(scan.next_member(key));
  EXPECT_FALSE(scan.next_item());
  ASSERT_TRUE(scan.next_member(key));
  EXPECT_EQ(key, "b\n");
  EXPECT_FALSE(scan.enter('['));  // an object: it is taken
  ASSERT_TRUE(scan.next_member(key));
  EXPECT_EQ(scanned_number(scan.take()), 25.0);
  EXPECT_FALSE(scan.next_member(key));
  EXPECT_FALSE(scan.is_cut() || scan.is_bad());
}

TEST(JsonScan, DamageEndsIt) {
  JsonScan bad("[1 2]");
  ASSERT_TRUE(bad.enter('['));
  ASSERT_TRUE(bad.next_item());
  bad.take();
  EXPECT_FALSE(bad.next_item());
  EXPECT_TRUE(bad.is_bad());
  EXPECT_FALSE(bad.enter('['));
  for (const std::string_view text : {"", "[", "[1", "[1,", "[\"x", "[{\"a\"", "[{\"a\":1"}) {
    JsonScan cut(text);
    if (cut.enter('['))
      while (cut.next_item()) cut.take();
    EXPECT_TRUE(cut.is_cut()) << text;
  }
}

TEST(JsonScan, OfACutContainerTheRestCounts) {
  const JsonFields fields(R"({"a": 1, "list": [10, 20, 3)");
  EXPECT_TRUE(fields.is_cut());
  JsonScan list(fields["list"].raw);
  ASSERT_TRUE(list.enter('['));
  int64_t sum = 0;
  while (list.next_item()) sum += scanned_integer(list.take()).value_or(0);
  EXPECT_EQ(sum, 30);
}

TEST(JsonFields, OthersAreNone) {
  EXPECT_TRUE(JsonFields("[1]").all().empty());
  const JsonFields fields(R"({"a": "x\ty", "a": 2, "b": 1.5, "c": 1e999})");
  EXPECT_EQ(scanned_text(fields["a"]), "x\ty");
  EXPECT_FALSE(scanned_integer(fields["a"]));
  EXPECT_FALSE(scanned_integer(fields["b"]));
  EXPECT_FALSE(scanned_number(fields["c"]));
  EXPECT_FALSE(fields["d"].is_given());
  EXPECT_EQ(scanned_text(fields["d"]), "");
}

TEST(JsonFile, TextOfAnotherKindIsAnError) {
  for (const std::string_view text : {"", "{}", "[1]", "x", "{\"a\" 1}"}) {
    Input input(text);
    EXPECT_FALSE(open_json(input)) << text;
  }
  Input input("\xEF\xBB\xBF{\"a\": 1}");
  EXPECT_TRUE(open_json(input));
}

}  // namespace
}  // namespace tracebraid
