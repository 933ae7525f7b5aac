#include "json/member_scan.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tracebraid::json {
namespace {

// "key=value" of each member; only "key" if `takes_values` is false.
std::vector<std::string> members_of(std::string_view object, bool takes_values = true) {
  std::vector<std::string> all;
  MemberScan members(object);
  while (members.next()) {
    all.emplace_back(members.key().raw);
    if (takes_values) all.back().append("=").append(members.value().raw);
  }
  return all;
}

using Texts = std::vector<std::string>;

TEST(MemberScan, MembersInOrder) {
  const std::string_view object = R"({"a": 1, "b": "x", "c": {"d": [1, "}"]}, "e": null} "f")";
  EXPECT_EQ(members_of(object), (Texts{"a=1", "b=x", R"(c={"d": [1, "}"]})", "e=null"}));
  EXPECT_EQ(members_of(object, false), (Texts{"a", "b", "c", "e"}));
}

TEST(MemberScan, AcceptsExtraCommasAndEscapedKeys) {
  EXPECT_EQ(members_of(R"({,, "a" : 1 ,,"b":2,})"), (Texts{"a=1", "b=2"}));
  MemberScan members(R"({"\u0070h":1})");
  ASSERT_TRUE(members.next());
  EXPECT_TRUE(members.key().escaped);
  EXPECT_EQ(members.key().raw, R"(\u0070h)");
}

TEST(MemberScan, NoMembers) {
  for (const std::string_view object :
       {"{}", "{ }", "{,}", "{", "{ ", "{]", "{1:2}", "{\"a", "{\"a\""})
    EXPECT_EQ(members_of(object), Texts{}) << object;
}

TEST(MemberScan, StopsAtErrors) {
  EXPECT_EQ(members_of(R"({"a":1,"b":)"), Texts{"a=1"});
  EXPECT_EQ(members_of(R"({"a":1,"b":[1,)"), (Texts{"a=1", "b="}));
  EXPECT_EQ(members_of(R"({"a":1,"b":tru e,"c":2})"), (Texts{"a=1", "b="}));
  EXPECT_EQ(members_of(R"({"a":1 "b":2})"), Texts{"a=1"});
  MemberScan members(R"({"a":)"
                     "1");
  ASSERT_TRUE(members.next());
  EXPECT_FALSE(members.next());
  EXPECT_FALSE(members.next());
}

TEST(MemberScan, PositionAfterTheObject) {
  const std::string_view object = R"({"a":1}  )";
  MemberScan members(object);
  while (members.next()) continue;
  EXPECT_EQ(members.position() - object.data(), 7);
}

}  // namespace
}  // namespace tracebraid::json
