#include "assemble/args/unlisted_args.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace tracebraid {
namespace {

constexpr bool kListed = false, kUnlisted = true;

struct Leaf {
  std::string_view path;
  ArgType type;
  bool is_unlisted;
};

// Returns the paths that stay.
std::string rest_of(const std::vector<Leaf>& leaves) {
  std::vector<ArgRow> rows(leaves.size());
  for (uint32_t i = 0; i < rows.size(); ++i) {
    rows[i].key = i;
    rows[i].type = leaves[i].type;
    rows[i].unlisted = leaves[i].is_unlisted;
  }
  const auto path_of = [&](const ArgRow& row) { return leaves[row.key].path; };
  drop_contradictions(rows, path_of);
  std::string rest;
  for (const ArgRow& row : rows) rest += std::string(path_of(row)) + ' ';
  return rest;
}

TEST(UnlistedArgs, ListedLeavesStay) {
  using enum ArgType;
  EXPECT_EQ(rest_of({{"a", Null, kUnlisted}, {"a", Int, kListed}}), "a ");
  EXPECT_EQ(rest_of({{"a.b", Null, kUnlisted}, {"a", Int, kListed}}), "a ");
  EXPECT_EQ(rest_of({{"a", Int, kUnlisted}, {"a.b", Int, kListed}}), "a.b ");
  EXPECT_EQ(rest_of({{"a[0]", Null, kUnlisted}, {"a.b", Int, kListed}}), "a.b ");
  EXPECT_EQ(rest_of({{"a.b", Int, kListed}, {"a[\"b\"]", Int, kUnlisted}}), "a.b a[\"b\"] ");
}

TEST(UnlistedArgs, TheLastUnlistedLeafStays) {
  using enum ArgType;
  EXPECT_EQ(rest_of({{"a", Null, kUnlisted}, {"a.b", Null, kUnlisted}}), "a.b ");
  EXPECT_EQ(rest_of({{"a.b", Null, kUnlisted}, {"a", Null, kUnlisted}}), "a ");
}

TEST(UnlistedArgs, EmptyContainersGiveWayToTheirMembers) {
  using enum ArgType;
  EXPECT_EQ(rest_of({{"a.b", Null, kUnlisted}, {"a", EmptyObject, kUnlisted}}), "a.b ");
  EXPECT_EQ(rest_of({{"a", EmptyArray, kUnlisted}, {"a[0]", Int, kListed}}), "a[0] ");
  EXPECT_EQ(rest_of({{"a", EmptyArray, kUnlisted}, {"b", EmptyObject, kUnlisted}}), "a b ");
}

}  // namespace
}  // namespace tracebraid
