#include "format/common/json_document.h"

#include <gtest/gtest.h>

namespace tracebraid {
namespace {

TEST(JsonDocument, NumbersBeyond64BitsAreReal) {
  Input input(
      R"({"a": 18446744073709552000, "b": [-99999999999999999999, 7], "c": "18446744073709552000\""})");
  JsonDocument document;
  ASSERT_TRUE(parse_document(input, document));
  EXPECT_EQ(json_number(json_member(document.root, "a")), 18446744073709552000.0);
  const std::vector<JsonValue> items = json_items(json_member(document.root, "b"));
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(json_number(items[0]), -1e20);
  EXPECT_EQ(json_integer(items[1]), 7);
  EXPECT_EQ(json_text(json_member(document.root, "c")), "18446744073709552000\"");
}

TEST(JsonDocument, MissingIsNothing) {
  Input input(R"({"a": null, "b": 1.5})");
  JsonDocument document;
  ASSERT_TRUE(parse_document(input, document));
  EXPECT_TRUE(json_is_null(json_member(document.root, "a")));
  EXPECT_TRUE(json_is_null(json_member(document.root, "x")));
  EXPECT_FALSE(json_integer(json_member(document.root, "b")));
  EXPECT_FALSE(json_text(json_member(json_member(document.root, "b"), "c")));
  EXPECT_TRUE(json_items(json_member(document.root, "b")).empty());
}

TEST(JsonDocument, DamageIsAnError) {
  for (const std::string_view text : {std::string_view(), std::string_view(R"({"a": [1, 2)")}) {
    Input input(text);
    JsonDocument document;
    EXPECT_FALSE(parse_document(input, document));
  }
}

}  // namespace
}  // namespace tracebraid
