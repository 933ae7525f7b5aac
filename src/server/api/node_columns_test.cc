#include "server/api/node_columns.h"

#include <gtest/gtest.h>

namespace tracebraid::api {
namespace {

TEST(NodeColumns, RepeatedValuesAreListedOnce) {
  NodeColumns columns;
  for (int node = 0; node < 4; ++node) {
    columns.add("node", std::to_string(node));
    columns.add("type", node == 2 ? R"("track")" : R"("thread")");
    columns.add("linked", "[]");
    columns.end_node();
  }
  EXPECT_EQ(
      std::move(columns).finish(),
      R"({"node":[0,1,2,3],"type":{"values":["thread","track"],"at":[0,0,1,0]},"linked":{"values":[[]]}})");
}

TEST(NodeColumns, APageWithoutNodesHasNoColumns) { EXPECT_EQ(NodeColumns().finish(), "{}"); }

}  // namespace
}  // namespace tracebraid::api
