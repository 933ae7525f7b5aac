#include "server/http/target.h"

#include <gtest/gtest.h>

#include "server/http/response_head.h"

namespace tracebraid::http {
namespace {

TEST(Target, SplitsPathAndQuery) {
  const auto target = parse_target("/api/v1/files?path=a%20b&root=x+y&empty=&flag#ignored");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->segments, (std::vector<std::string>{"api", "v1", "files"}));
  EXPECT_EQ(*target->find("path"), "a b");
  EXPECT_EQ(*target->find("root"), "x y");
  EXPECT_EQ(*target->find("empty"), "");
  EXPECT_EQ(*target->find("flag"), "");
  EXPECT_EQ(target->find("none"), nullptr);
}

TEST(Target, KeepsAnEncodedSlashInItsSegment) {
  const auto target = parse_target("/a%2Fb/..");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->segments, (std::vector<std::string>{"a/b", ".."}));
}

TEST(Target, RefusesMalformedOnes) {
  for (const char* text : {"", "a", "*", "/%", "/%4", "/%zz", "/%00", "/?a=%00", "/?%=1"})
    EXPECT_FALSE(parse_target(text)) << text;
}

TEST(Target, EachPrefixOfATargetIsParsedOrRefused) {
  const std::string_view text = "/api/v1/files?path=a%20b&root=%C3%A9";
  for (size_t size = 0; size <= text.size(); ++size) {
    const auto target = parse_target(text.substr(0, size));
    if (target) {
      EXPECT_EQ(text[0], '/');
    }
  }
}

TEST(ResponseHead, SaysTheLengthOrChunks) {
  const Response response{.type = "text/csv", .headers = {{"A", "b"}}};
  EXPECT_EQ(response_head(response, 3, true, false),
            "HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nA: b\r\nContent-Length: 3\r\n"
            "Connection: close\r\n\r\n");
  EXPECT_EQ(response_head(response, std::nullopt, false, false),
            "HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nA: b\r\nTransfer-Encoding: chunked\r\n"
            "Connection: keep-alive\r\n\r\n");
  EXPECT_EQ(response_head({.status = 204}, 0, false, false),
            "HTTP/1.1 204 No Content\r\nConnection: keep-alive\r\n\r\n");
}

}  // namespace
}  // namespace tracebraid::http
