#include "server/api/json_body.h"

#include <gtest/gtest.h>

namespace tracebraid::api {
namespace {

JsonValue parsed(std::string_view text) {
  const Result<JsonValue> value = parse_json(text);
  EXPECT_TRUE(value) << text;
  return value ? *value : JsonValue();
}

TEST(JsonBody, ReadsMembers) {
  const JsonValue json = parsed(
      R"({"text":"é\u0000x","int":-9223372036854775808,"digits":"9007199254740993","real":2.5,)"
      R"("yes":true,"none":null,"list":[1,"a",{}],"object":{"a":1}})");
  EXPECT_EQ(*json.member("text").text(), std::string("\u00e9\0x", 4));
  EXPECT_EQ(*json.member("int").integer(), INT64_MIN);
  EXPECT_EQ(*json.member("digits").integer(), 9007199254740993);
  EXPECT_EQ(*json.member("real").real(), 2.5);
  EXPECT_TRUE(*json.member("yes").truth());
  EXPECT_FALSE(json.member("none").is_given());
  EXPECT_FALSE(json.member("missing").is_given());
  EXPECT_EQ(json.member("list").elements().size(), 3U);
  EXPECT_EQ(json.member("object").members().size(), 1U);
  EXPECT_EQ(*json.member("missing").integer(7), 7);
}

TEST(JsonBody, ErrorsNameThePath) {
  const JsonValue json = parsed(R"({"inputs":[{"path":1}],"n":"x"})");
  const Result<std::string> wrong = json.member("inputs").elements()[0].member("path").text();
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::Usage);
  EXPECT_TRUE(wrong.error().message.starts_with("inputs[0].path:")) << wrong.error().message;
  EXPECT_FALSE(json.member("n").integer());
  EXPECT_FALSE(json.member("n").require(JsonValue::Kind::Array));
  EXPECT_FALSE(json.member("missing").text());
}

TEST(JsonBody, RefusesWhatIsNoObject) {
  for (const char* text : {"", "1", "[1]", "\"x\"", "null", "{", "{\"a\":}", "{}x", "{\"a\":1,}",
                           "{\"a\":\"\xff\"}", "{\"a\":1e}", "nul"})
    EXPECT_FALSE(parse_json(text)) << text;
}

TEST(JsonBody, DeepNestingIsNoStackOverflow) {
  const std::string deep = "{\"a\":" + std::string(100'000, '[');
  EXPECT_FALSE(parse_json(deep));
  std::string closed = "{\"a\":" + std::string(500, '[') + std::string(500, ']') + "}";
  if (const Result<JsonValue> value = parse_json(closed)) {
    EXPECT_TRUE(value->member("a").is_given());
  }
}

}  // namespace
}  // namespace tracebraid::api
