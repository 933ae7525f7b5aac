// Macros of the standard library against plain SQL, on random input.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "engine/connection.h"
#include "engine/trace.h"
#include "query/compile/rows_test.h"

namespace tracebraid {
namespace {

class LibraryMacros : public testing::Test {
 protected:
  static std::unique_ptr<TraceConnection> connect() {
    Progress progress;
    const auto trace =
        Trace::open(*Engine::create({.threads = 1}), std::span<const std::string>(), {}, progress);
    EXPECT_TRUE(trace) << trace.error().message;
    auto opened = TraceConnection::open(*trace);
    EXPECT_TRUE(opened) << opened.error().message;
    return *std::move(opened);
  }
  std::string rows(const std::string& sql) {
    TextRows sink;
    const Result<> ran = connection->run(sql, sink);
    return ran ? sink.text : sink.text + "error: " + ran.error().message;
  }
  int64_t below(int64_t end) { return std::uniform_int_distribution<int64_t>(0, end - 1)(random); }

  // Adds children of [begin, end) to `sql`, in turn with children of their own.
  void add_children(std::string& sql, int64_t root, const std::string& parent, int64_t begin,
                    int64_t end, int level) {
    for (int64_t at = begin; at < end;) {
      const int64_t ts = at + below(end - at), stop = ts + below(end - ts + 1);
      const int64_t id = next_id_++;
      sql += fmt::format("INSERT INTO child VALUES ({}, {}, {}, {}, {});", root, id, parent, ts,
                         stop - ts);
      if (level < 3 && below(3) > 0)
        add_children(sql, root, std::to_string(id), ts, stop, level + 1);
      at = std::max(stop, at + 1) + below(3);
    }
  }
  // Fills root(id, ts, dur) and child(root_id, id, parent_id, ts, dur). A child has a larger id
  // than its parent.
  void fill_trees() {
    std::string sql =
        "DROP TABLE IF EXISTS root; CREATE TABLE root(id, ts, dur);"
        "DROP TABLE IF EXISTS child; CREATE TABLE child(root_id, id, parent_id, ts, dur);";
    next_id_ = 100;
    for (int64_t root = 0; root < below(5); ++root) {
      const int64_t ts = below(20), dur = below(15);
      sql += fmt::format("INSERT INTO root VALUES ({}, {}, {});", root, ts, dur);
      if (below(5) > 0) add_children(sql, root, "NULL", ts, ts + dur, 0);
    }
    ASSERT_EQ(rows(sql), "");
  }

  // The rows of `flattened` (root_id, id, ts, dur), a row for each unit of time.
  static std::string by_point(std::string_view flattened) {
    return fmt::format(
        "WITH RECURSIVE point(t) AS (SELECT 0 UNION ALL SELECT t + 1 FROM point WHERE t < 60) "
        "SELECT root_id, t, id FROM {} JOIN point ON t >= ts AND t < ts + dur ORDER BY 1, 2, 3",
        flattened);
  }
  // The expected rows: at each moment of a root the largest id of its children that are open.
  // `belongs` tells which those are.
  static std::string innermost(std::string_view roots, std::string_view belongs) {
    return fmt::format(
        "WITH RECURSIVE point(t) AS (SELECT 0 UNION ALL SELECT t + 1 FROM point WHERE t < 60) "
        "SELECT r.id AS root_id, t, coalesce((SELECT max(c.id) FROM child AS c WHERE {} "
        "AND c.ts <= t AND t < c.ts + c.dur), r.id) AS id "
        "FROM {} AS r JOIN point ON t >= r.ts AND t < r.ts + r.dur ORDER BY 1, 2, 3",
        belongs, roots);
  }

  std::mt19937 random{1};
  std::unique_ptr<TraceConnection> connection = connect();

 private:
  int64_t next_id_ = 0;
};

TEST_F(LibraryMacros, FlattenedIntervalsAreTheInnermost) {
  ASSERT_EQ(rows("INCLUDE PERFETTO MODULE intervals.overlap"), "");
  for (int round = 0; round < 30; ++round) {
    fill_trees();
    EXPECT_EQ(
        rows(by_point("_intervals_flatten!(_intervals_merge_root_and_children!(root, child))")),
        rows(innermost("root", "c.root_id = r.id")))
        << round;
    // Roots that cut the intervals; the key is the tree.
    const std::string cutting =
        "(SELECT 50 + id AS id, id AS root_id, ts + 2 AS ts, dur - 3 AS dur FROM root "
        "UNION ALL SELECT 60 + id, id, ts + 1, dur / 2 FROM root)";
    EXPECT_EQ(
        rows(by_point("_intervals_flatten!(_intervals_merge_root_and_children_by_intersection!(" +
                      cutting + ", child, root_id))")),
        rows(innermost(cutting, "c.root_id = r.root_id")))
        << round;
  }
}

TEST_F(LibraryMacros, RootsAndChildrenAreRowsOfEach) {
  ASSERT_EQ(rows("INCLUDE PERFETTO MODULE intervals.overlap;"
                 "CREATE TABLE r AS SELECT 1 AS id, 0 AS ts, 10 AS dur UNION ALL SELECT 2, 20, 5 "
                 "UNION ALL SELECT 3, 30, 0;"
                 "CREATE TABLE c AS SELECT 1 AS root_id, 7 AS id, NULL AS parent_id, 2 AS ts, "
                 "3 AS dur UNION ALL SELECT 1, 8, 7, 3, 0"),
            "");
  EXPECT_EQ(rows("SELECT * FROM _intervals_merge_root_and_children!(r, c) ORDER BY root_id"),
            "root_id, root_ts, root_dur, id, parent_id, ts, dur\n"
            "1, 0, 10, 7, NULL, 2, 3\n2, 20, 5, NULL, NULL, NULL, NULL\n--\n");
  EXPECT_EQ(rows("SELECT * FROM _intervals_merge_root_and_children_by_intersection!("
                 "(SELECT *, 1 AS k FROM r), (SELECT id, parent_id, 0 AS ts, 4 AS dur, 1 AS k "
                 "FROM c WHERE id = 7), k) ORDER BY root_id"),
            "root_id, root_ts, root_dur, id, parent_id, ts, dur, k\n"
            "1, 0, 10, 7, 1, 0, 4, 1\n2, 20, 5, NULL, NULL, NULL, NULL, 1\n--\n");
}

TEST_F(LibraryMacros, TreesKeepTheRowsOfTheirTable) {
  ASSERT_EQ(rows("INCLUDE PERFETTO MODULE std.trees.table_conversion;"
                 "CREATE TABLE t AS SELECT 1 AS id, NULL AS parent_id, 'a' AS n, 1.5 AS v "
                 "UNION ALL SELECT 2, 1, NULL, 2"),
            "");
  EXPECT_EQ(rows("SELECT * FROM _tree_to_table!(_tree_from_table!(t, (n, v)), (n, v))"),
            "id, parent_id, n, v\n1, NULL, 'a', 1.5r\n2, 1, NULL, 2\n--\n");
}

}  // namespace
}  // namespace tracebraid
