#include "export/row_nouns.h"

#include <gtest/gtest.h>

#include "tables/store.h"

namespace tracebraid {
namespace {

TEST(RowNouns, CountsInPlainWords) {
  EXPECT_EQ(not_exported(1, "__intrinsic_json_event_color"), "not exported: 1 colour of an event");
  EXPECT_EQ(not_exported(1204, "__intrinsic_json_event_color"),
            "not exported: 1204 colours of events");
  EXPECT_EQ(counted_rows(1, "of_the_user"), "1 row of of_the_user");
  EXPECT_EQ(counted_rows(2, "of_the_user"), "2 rows of of_the_user");
}

TEST(RowNouns, EveryTableHasWords) {
  const Store store;
  size_t tables = 0;
  for (const TableView& table : store.views()) {
    ++tables;
    EXPECT_EQ(counted_rows(1, table.name).find("of " + std::string(table.name)), std::string::npos)
        << table.name;
    EXPECT_NE(counted_rows(1, table.name).substr(2), counted_rows(2, table.name).substr(2));
  }
  EXPECT_GT(tables, 50U);
}

}  // namespace
}  // namespace tracebraid
