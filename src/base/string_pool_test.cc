#include "base/string_pool.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

namespace tracebraid {
namespace {

TEST(StringPool, EqualTextsShareAnId) {
  StringPool pool;
  const StringId a = pool.intern("render");
  const StringId b = pool.intern("parse");
  EXPECT_NE(a, b);
  EXPECT_EQ(pool.intern("render"), a);
  EXPECT_EQ(pool.get(a), "render");
  EXPECT_EQ(pool.size(), 2U);
}

TEST(StringPool, HoldsEmptyTextAndNulBytes) {
  StringPool pool;
  const StringId empty = pool.intern("");
  const StringId nul = pool.intern(std::string_view("a\0b", 3));
  EXPECT_EQ(pool.get(empty), "");
  EXPECT_EQ(pool.get(nul).size(), 3U);
  EXPECT_EQ(pool.find(std::string_view("a\0b", 3)), nul);
}

TEST(StringPool, FindDoesNotAdd) {
  StringPool pool;
  EXPECT_FALSE(pool.find("x"));
  pool.intern("y");
  EXPECT_FALSE(pool.find("x"));
  EXPECT_EQ(pool.size(), 1U);
}

TEST(StringPool, AdoptMapsEveryString) {
  StringPool pool;
  const StringId shared = pool.intern("shared");
  StringPool other;
  const std::string large(1 << 20, 'x');
  const StringId only = other.intern("only there");
  const StringId twice = other.intern("shared");
  const StringId big = other.intern(large);
  const std::vector<StringId> ids = pool.adopt(std::move(other));
  EXPECT_EQ(ids[twice.row], shared);
  EXPECT_EQ(pool.get(ids[only.row]), "only there");
  EXPECT_EQ(pool.get(ids[big.row]), large);
  EXPECT_EQ(pool.get(pool.intern("after")), "after");
}

TEST(StringPool, AgreesWithAMap) {
  std::mt19937 random(7);
  StringPool pool;
  std::map<std::string, StringId> expected;
  for (int i = 0; i < 20000; ++i) {
    std::string text = std::to_string(random() % 5000);
    if (i % 7 == 0) text.assign(random() % 600, static_cast<char>('a' + i % 26));
    const StringId id = pool.intern(text);
    const auto [at, added] = expected.try_emplace(text, id);
    EXPECT_EQ(at->second, id);
  }
  for (const auto& [text, id] : expected) EXPECT_EQ(pool.get(id), text);
  EXPECT_EQ(pool.size(), expected.size());
}

}  // namespace
}  // namespace tracebraid
