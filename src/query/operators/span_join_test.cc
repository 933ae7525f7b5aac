// Span joins against a definition that looks at each moment, on random intervals.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "query/compile/rows_test.h"
#include "query/operators/span_sweep.h"

namespace tracebraid {
namespace {

struct Row {
  int64_t ts, dur, part;  // part -1: NULL
  int64_t id;
};

bool covers(const Row& row, int64_t moment) {
  return row.ts <= moment && moment < row.ts + row.dur;
}
bool meet(const Row& a, const Row& b) {
  if (a.dur < 0 || b.dur < 0) return false;
  return a.ts == b.ts || covers(a, b.ts) || covers(b, a.ts);
}

// Appends the parts of `row` that no row of `others` covers.
void add_uncovered(const Row& row, const std::vector<Row>& others, bool is_left,
                   std::vector<std::string>& lines) {
  const auto add = [&](int64_t ts, int64_t dur) {
    lines.push_back(is_left ? fmt::format("{}, {}, {}, {}, NULL", ts, dur, row.part, row.id)
                            : fmt::format("{}, {}, {}, NULL, {}", ts, dur, row.part, row.id));
  };
  if (row.dur <= 0) {
    if (std::ranges::none_of(others, [&](const Row& other) { return meet(row, other); }))
      add(row.ts, row.dur);
    return;
  }
  int64_t begin = row.ts;
  for (int64_t moment = row.ts; moment <= row.ts + row.dur; ++moment) {
    const bool is_end = moment == row.ts + row.dur;
    const bool is_covered = std::ranges::any_of(
        others, [&](const Row& other) { return other.dur > 0 && covers(other, moment); });
    const bool is_cut = std::ranges::any_of(
        others, [&](const Row& other) { return other.dur >= 0 && other.ts == moment; });
    if ((is_end || is_covered || is_cut) && begin < moment) add(begin, moment - begin);
    if (is_covered)
      begin = moment + 1;
    else if (is_cut)
      begin = moment;
  }
}

std::vector<std::string> expected(SpanJoin join, const std::vector<Row>& a,
                                  const std::vector<Row>& b) {
  std::vector<std::string> lines;
  const auto of_part = [](const std::vector<Row>& rows, int64_t part) {
    std::vector<Row> found;
    std::ranges::copy_if(rows, std::back_inserter(found),
                         [&](const Row& row) { return row.part == part; });
    return found;
  };
  for (const Row& left : a) {
    if (left.part < 0) continue;
    for (const Row& right : of_part(b, left.part)) {
      if (!meet(left, right)) continue;
      const int64_t ts = std::max(left.ts, right.ts);
      lines.push_back(fmt::format("{}, {}, {}, {}, {}", ts,
                                  std::min(left.ts + left.dur, right.ts + right.dur) - ts,
                                  left.part, left.id, right.id));
    }
    if (join != SpanJoin::Inner) add_uncovered(left, of_part(b, left.part), true, lines);
  }
  for (const Row& right : b)
    if (join == SpanJoin::Outer && right.part >= 0)
      add_uncovered(right, of_part(a, right.part), false, lines);
  std::ranges::sort(lines);
  return lines;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = text.find('\n') + 1, end = 0; (end = text.find('\n', at)) != std::string::npos;
       at = end + 1)
    if (const std::string line = text.substr(at, end - at); line != "--") lines.push_back(line);
  return lines;
}

struct Stored {
  Column<int64_t> ts, dur, id;
  Column<OptInt> part;
  TableView view(std::string_view name, std::string_view id_name) const {
    return {
        name,
        "",
        ts.size(),
        {column_view("ts", "", Order::None, ts), column_view("dur", "", Order::None, dur),
         column_view("part", "", Order::None, part), column_view(id_name, "", Order::None, id)}};
  }
};

class SpanJoins : public testing::TestWithParam<int> {
 protected:
  std::mt19937 random{static_cast<unsigned>(GetParam())};
  int64_t below(int64_t end) { return std::uniform_int_distribution<int64_t>(0, end - 1)(random); }

  // Disjoint within a part, or not.
  std::vector<Row> rows(bool is_disjoint) {
    std::vector<Row> made;
    const int64_t count = below(12);
    int64_t ends[4] = {0, 0, 0, 0};
    for (int64_t id = 0; id < count; ++id) {
      const int64_t part = below(4) - 1;
      int64_t dur = std::max<int64_t>(0, below(9) - 2);
      if (!is_disjoint && below(10) == 0) dur = -1;
      int64_t ts = is_disjoint ? ends[part + 1] + below(4) : below(20);
      ends[part + 1] = ts + dur + (dur == 0 ? 1 : 0);
      made.push_back({ts, dur, part, id});
    }
    std::ranges::shuffle(made, random);
    return made;
  }
  static void store(const std::vector<Row>& rows, Stored& stored) {
    for (const Row& row : rows) {
      stored.ts.append(row.ts);
      stored.dur.append(row.dur);
      stored.id.append(row.id);
      stored.part.append({row.part < 0 ? OptInt::kNull : row.part});
    }
  }
};

TEST_P(SpanJoins, EqualTheDefinition) {
  for (int round = 0; round < 20; ++round) {
    const bool is_disjoint = round % 2 == 0;
    const std::vector<Row> a = rows(is_disjoint), b = rows(is_disjoint);
    Stored stored_a, stored_b;
    store(a, stored_a);
    store(b, stored_b);
    const StringPool strings;
    auto connection = connect_to({stored_a.view("a", "x"), stored_b.view("b", "y")}, strings, {},
                                 "CREATE VIEW c AS SELECT ts + 0 AS ts, dur, part, y FROM b;");
    ASSERT_TRUE(connection);
    for (const auto& [join, name] :
         {std::pair(SpanJoin::Inner, "span_join"), std::pair(SpanJoin::Left, "SPAN_LEFT_JOIN"),
          std::pair(SpanJoin::Outer, "span_outer_join")}) {
      const std::vector<std::string> wanted = expected(join, a, b);
      // Table b is read column by column, view c through SQLite.
      for (const char* other : {"b", "c"}) {
        const std::string sql = fmt::format(
            "DROP TABLE IF EXISTS s; CREATE VIRTUAL TABLE s USING {}(a PARTITIONED part, {} "
            "partitioned Part);",
            name, other);
        ASSERT_EQ(rows_of(*connection, sql), "");
        std::vector<std::string> found = lines_of(rows_of(*connection, "SELECT * FROM s"));
        std::ranges::sort(found);
        EXPECT_EQ(found, wanted);
        EXPECT_EQ(rows_of(*connection, "SELECT * FROM s"),
                  rows_of(*connection, "SELECT * FROM s ORDER BY part, ts"));
        EXPECT_EQ(rows_of(*connection,
                          "SELECT p.part, x, y FROM (VALUES (2), (0), (1), (7)) q "
                          "JOIN s p ON p.part = q.column1 ORDER BY 1, ts, dur, 2, 3"),
                  rows_of(*connection, "SELECT part, x, y FROM s ORDER BY 1, ts, dur, 2, 3"));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, SpanJoins, testing::Range(0, 4));

// One input without partitions meets every partition of the other.
TEST_P(SpanJoins, ReplayAnInputWithoutPartitions) {
  for (int round = 0; round < 10; ++round) {
    const std::vector<Row> a = rows(true);
    std::vector<Row> u = rows(true);
    std::erase_if(u, [](const Row& row) { return row.part != 0; });
    Stored stored_a, stored_u;
    store(a, stored_a);
    store(u, stored_u);
    const StringPool strings;
    auto connection = connect_to({stored_a.view("a", "x"), stored_u.view("u0", "y")}, strings, {},
                                 "CREATE VIEW u AS SELECT ts, dur, y FROM u0;");
    ASSERT_TRUE(connection);
    std::vector<Row> replayed;
    for (const int64_t part : {0, 1, 2})
      if (std::ranges::any_of(a, [&](const Row& row) { return row.part == part; }))
        for (Row row : u) {
          row.part = part;
          replayed.push_back(row);
        }
    const std::vector<std::string> wanted = expected(SpanJoin::Outer, a, replayed);
    ASSERT_EQ(rows_of(*connection,
                      "CREATE VIRTUAL TABLE s USING span_outer_join(a PARTITIONED part, u);"
                      "CREATE VIRTUAL TABLE t USING span_outer_join(u, a PARTITIONED part);"),
              "");
    for (const char* table : {"s", "t"}) {
      std::vector<std::string> found =
          lines_of(rows_of(*connection, fmt::format("SELECT ts, dur, part, x, y FROM {}", table)));
      std::ranges::sort(found);
      EXPECT_EQ(found, wanted);
    }
  }
}

// Rows that start one after the other, in so many partitions in turn.
void store_rows(int64_t rows, int64_t dur, int64_t partitions, Stored& stored) {
  for (int64_t i = 0; i < rows; ++i) {
    stored.ts.append(i);
    stored.dur.append(dur);
    stored.id.append(i);
    stored.part.append({i % partitions});
  }
}

TEST(SpanJoin, EndsWhenStopped) {
  Stored stored;
  constexpr int64_t kRows = 200'000;
  store_rows(kRows, kRows, 1, stored);  // all overlap: 40 billion pairs
  const StringPool strings;
  auto connection = connect_to({stored.view("a", "x"), stored.view("b", "y")}, strings, {}, "");
  ASSERT_TRUE(connection);
  ASSERT_EQ(
      rows_of(*connection,
              "CREATE VIRTUAL TABLE s USING span_join(a PARTITIONED part, b PARTITIONED part)"),
      "");
  const auto begin = StopCheck::Clock::now();
  constexpr auto kLimit = std::chrono::milliseconds(200);
  const std::string text =
      rows_of(*connection, "SELECT count(*) FROM s", {.deadline = begin + kLimit});
  EXPECT_NE(text.find("time limit"), std::string::npos) << text;
}

// Partitions that are shorter than what lies between two checks of a sweep.
TEST(SpanJoin, ChecksForAStopBeforeEachPartition) {
  Stored stored;
  constexpr int64_t kPartitions = 5000, kRows = 20;
  store_rows(kPartitions * kRows, kPartitions, kPartitions, stored);
  const StringPool strings;
  auto connection = connect_to({stored.view("a", "x"), stored.view("b", "y")}, strings, {}, "");
  ASSERT_TRUE(connection);
  ASSERT_EQ(
      rows_of(*connection,
              "CREATE VIRTUAL TABLE s USING span_join(a PARTITIONED part, b PARTITIONED part)"),
      "");
  const auto stop = std::make_shared<Stop>();
  for (const char* sql :
       {"SELECT count(*), sum(dur) FROM s", "SELECT x FROM s WHERE dur % 7 = 9"}) {
    stop->request_at(~uint64_t{0});
    TextRows rows;
    ASSERT_TRUE(run(*connection, sql, rows, {.stop = stop})) << sql;
    EXPECT_GE(stop->calls(), uint64_t{kPartitions}) << sql;
  }
}

TEST(SpanJoin, CountsMemory) {
  Stored stored;
  store_rows(100'000, 1, 1, stored);
  const StringPool strings;
  auto connection = connect_to({stored.view("a", "x"), stored.view("b", "y")}, strings, {}, "");
  ASSERT_TRUE(connection);
  ASSERT_EQ(
      rows_of(*connection,
              "CREATE VIRTUAL TABLE s USING span_join(a PARTITIONED part, b PARTITIONED part)"),
      "");
  EXPECT_EQ(rows_of(*connection, "SELECT count(*) FROM s", {.most_bytes = 1'000'000}),
            "error: the query takes more than its limit of 1000000 bytes");
  EXPECT_EQ(rows_of(*connection, "SELECT count(*), sum(x = y) FROM s", {.most_bytes = 100'000'000}),
            "count(*), sum(x = y)\n100000, 100000\n--\n");
}

}  // namespace
}  // namespace tracebraid
