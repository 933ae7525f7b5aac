// Work on columns that is stopped: each step of an operator checks the stop again after a bounded
// amount of work, and ends at once then.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

#include "query/compile/rows_test.h"
#include "query/functions/function.h"
#include "query/group/derived_column.h"
#include "query/group/group_rows.h"
#include "query/group/joined_counts.h"
#include "query/macros/expand.h"
#include "query/operators/flame_source.h"
#include "query/operators/flame_tree.h"
#include "query/operators/graph.h"
#include "query/operators/interval_intersect.h"
#include "query/operators/interval_set.h"
#include "query/operators/mipmap_rows.h"
#include "query/operators/partitioned_spans.h"
#include "query/operators/tree_partition.h"
#include "query/scan/scan.h"
#include "query/scan/stoppable_sort.h"

namespace tracebraid {
namespace {

constexpr uint64_t kNever = ~uint64_t{0};
constexpr size_t kRows = size_t{1} << 17;
// An operator checks at least once in so much work.
constexpr size_t kMostWork = size_t{1} << 16;
// Calls of requested() that see a request before the work ends, one for each thread and level.
constexpr uint64_t kMostCallsAfter = 16;

// Work over kRows rows, nodes or bytes, in some passes over all of them.
struct Work {
  const char* name;
  size_t passes;
  std::function<bool(const StopCheck&)> run;  // returns false if stopped
};

class StoppedWork : public testing::TestWithParam<Work> {};

TEST_P(StoppedWork, ChecksOftenAndEndsAtOnce) {
  const auto stop = std::make_shared<Stop>();
  const StopCheck check(stop, std::nullopt);
  stop->request_at(kNever);
  ASSERT_TRUE(GetParam().run(check));
  const uint64_t calls = stop->calls();
  EXPECT_GE(calls, GetParam().passes * (kRows / kMostWork));
  constexpr uint64_t kParts = 4;
  for (uint64_t part = 0; part < kParts; ++part) {
    const uint64_t at = 1 + (calls - 1) * part / (kParts - 1);
    stop->request_at(at);
    EXPECT_FALSE(GetParam().run(check)) << "stopped at check " << at << " of " << calls;
    EXPECT_LE(stop->calls(), at + kMostCallsAfter) << "stopped at check " << at << " of " << calls;
  }
}

uint64_t mixed(uint64_t value) {
  value = (value ^ value >> 31) * 0x9e3779b97f4a7c15U;
  return value ^ value >> 29;
}

// A tree of nodes with up to four children, each a way to the next, and some more edges.
Graph unsorted_graph() {
  Graph graph;
  for (uint32_t node = 1; node < kRows; ++node) graph.add_edge((node - 1) / 4, node, 1);
  return graph;
}
const Graph& sorted_graph() {
  static const Graph graph = [] {
    Graph made = unsorted_graph();
    EXPECT_TRUE(made.finish(StopCheck()));
    return made;
  }();
  return graph;
}

// Values of any number of columns by row.
GatheredRows rows_of(size_t count, std::vector<std::string> names,
                     const std::function<int64_t(size_t row, size_t column)>& value) {
  GatheredRows rows;
  rows.names = std::move(names);
  rows.rows = count;
  rows.columns.resize(rows.names.size());
  for (size_t column = 0; column < rows.columns.size(); ++column)
    for (size_t row = 0; row < count; ++row)
      rows.columns[column].values().add_integer(value(row, column));
  return rows;
}

// Intervals of 100 ns that overlap, in any order, in 16 partitions.
const GatheredRows& interval_rows() {
  static const GatheredRows rows =
      rows_of(kRows, {"id", "ts", "dur", "part"}, [](size_t row, size_t column) {
        const auto random = static_cast<int64_t>(mixed(row) % (kRows * 100));
        const int64_t values[] = {static_cast<int64_t>(row), random, 100, random % 16};
        return values[column];
      });
  return rows;
}

bool intersects(size_t sets, const StopCheck& stop) {
  std::vector<Span> spans;
  for (size_t i = 0; i < kRows / sets; ++i)
    spans.push_back({static_cast<int64_t>(i) * 10, 25, static_cast<uint32_t>(i)});
  const std::vector<PositionedSpans> inputs(sets, {spans});
  OperatorMemory memory(nullptr);
  TupleParts tuples;
  return intersect(inputs, stop, memory, tuples);
}

// Intervals that begin at one time and do not end: one start makes a tuple for each pair.
bool intersects_products(const StopCheck& stop) {
  constexpr int64_t kSide = 362;
  std::vector<Span> first, second, third;
  for (int64_t i = 0; i < kSide; ++i) {
    first.push_back({0, 1000, static_cast<uint32_t>(i)});
    second.push_back({0, 1000, static_cast<uint32_t>(i)});
  }
  third.push_back({1, 1, 0});
  const std::vector<PositionedSpans> inputs = {{first}, {second}, {third}};
  OperatorMemory memory(nullptr);
  TupleParts tuples;
  return intersect(inputs, stop, memory, tuples);
}

bool sweeps(const StopCheck& stop) {
  std::vector<Span> spans;
  for (size_t i = 0; i < kRows / 2; ++i)
    spans.push_back({static_cast<int64_t>(i) * 10, 7, static_cast<uint32_t>(i)});
  std::vector<SpanPair> pairs;
  return SpanSweep(SpanJoin::Outer, spans, spans).fill(pairs, kRows * 4, stop);
}

// A quarter of kRows, because each is work at several levels of a tree.
constexpr size_t kFlames = kRows / 4;
GatheredRows flame_rows() {
  GatheredRows rows = rows_of(kFlames, {"id", "parent_id", "name", "value", "property"},
                              [](size_t row, size_t column) {
                                const auto id = static_cast<int64_t>(row);
                                const int64_t values[] = {id, (id - 1) / 4, 0, id % 3, id % 5};
                                return values[column];
                              });
  GatheredColumn names;
  for (size_t row = 0; row < kFlames; ++row)
    names.values().add(
        Cell::of(std::string_view(fmt::format("name {}", mixed(row) % (kFlames / 8)))));
  rows.columns[2] = std::move(names);
  rows.columns[1].values() = ValueColumn();
  for (size_t row = 0; row < kFlames; ++row)
    rows.columns[1].values().add(row == 0 ? Cell::null()
                                          : Cell::of(static_cast<int64_t>((row - 1) / 4)));
  return rows;
}
const FlameSource& flames() {
  static const FlameSource source = *flame_source(flame_rows(), StopCheck());
  return source;
}
bool draws(const FlameConfig& config, const StopCheck& stop) {
  OperatorMemory memory(nullptr);
  return flame_tree(flames(), config, stop, memory).has_value();
}

// A table of three columns: sorted, with 1000 values, with a value for each two rows.
struct Numbers {
  Column<int64_t> ts, few, many;
  StringPool strings;
  std::unique_ptr<Table> table;

  Numbers() {
    for (size_t row = 0; row < kRows; ++row) {
      ts.append(static_cast<int64_t>(row / 2));
      few.append(static_cast<int64_t>(mixed(row) % 1000));
      many.append(static_cast<int64_t>(mixed(row) % (kRows / 3) * 1'000'003));
    }
    table = std::make_unique<Table>(TableView{"number",
                                              "",
                                              kRows,
                                              {{.name = "id", .order = Order::Sorted},
                                               column_view("ts", "", Order::Sorted, ts),
                                               column_view("few", "", Order::None, few),
                                               column_view("many", "", Order::None, many)}},
                                    strings);
  }
  const ColumnView& column(size_t index) const { return table->view().columns[index]; }
};
const Numbers& numbers() {
  static const Numbers made;
  return made;
}

bool scans(const char* text, const StopCheck& stop) {
  const Plan plan = plan_of(text, *numbers().table);
  Scan scan;
  bool goes_on = scan.start(*numbers().table, plan, {}, stop);
  while (goes_on && !scan.at_end()) goes_on = scan.skip_rows();
  return goes_on;
}

bool groups(size_t key, const StopCheck& stop) {
  GroupQuery query{numbers().table.get(),
                   {},
                   {{"key", &numbers().column(key)}},
                   {{GroupValue::Rows, nullptr}, {GroupValue::Sum, &numbers().column(1)}}};
  Groups made(nullptr);
  return group_rows(query, "groups", stop, made) && made.outcome != Grouping::Stopped;
}

bool counts(const StopCheck& stop) {
  Workers workers(2);
  JoinedCounts joined{numbers().table.get(), &numbers().column(2), {}, {}};
  OperatorMemory memory(nullptr);
  return *count_rows(joined, workers, stop, memory);
}

std::vector<int64_t> values_in_any_order() {
  std::vector<int64_t> values;
  for (size_t i = 0; i < kRows; ++i) values.push_back(static_cast<int64_t>(mixed(i)));
  return values;
}

// Macros that double the text 16 times.
bool expands(const StopCheck& stop) {
  MacroSet macros;
  constexpr size_t kLevels = 16;
  for (size_t level = 0; level <= kLevels; ++level) {
    const std::string body = level == 0 ? "1," : fmt::format("m{0}!() m{0}!()", level - 1);
    const auto source = std::make_shared<const SourceText>(SourceText{"File", body});
    Macro macro{.name = fmt::format("m{}", level),
                .parameters = {},
                .source = source,
                .end = source->text.size(),
                .tokens = token_list(source->text)};
    macros.emplace(macro.name, std::move(macro));
  }
  const auto source = std::make_shared<const SourceText>(
      SourceText{"File", fmt::format("SELECT m{}!() 1", kLevels)});
  const auto expanded = expand_macros({source, 0, source->text.size()}, macros, stop);
  EXPECT_TRUE(expanded || stop.stopped());
  return expanded.has_value();
}

// Encodes 2^22 bytes with a function, and decodes the result with another.
bool compresses(const std::string& method, const StopCheck& stop,
                std::string_view forth = "compress", std::string_view back = "decompress") {
  std::string bytes;
  for (size_t i = 0; i < kRows * 4; ++i) {
    const uint64_t random = mixed(i) % 256;
    bytes.append(reinterpret_cast<const char*>(&random), sizeof random);
  }
  const std::vector<SqlFunction> functions = builtin_functions(stop);
  const auto call = [&](std::string_view name, const std::string& argument) {
    for (const SqlFunction& function : functions)
      if (function.signature.name == "__intrinsic_" + method + "_" + std::string(name)) {
        Cell cell = Cell::of(std::string_view(argument));
        cell.kind = Cell::Kind::Blob;
        const Result<Cell> made = function.call({&cell, 1});
        return made ? std::optional(std::string(made->text)) : std::nullopt;
      }
    return std::optional<std::string>();
  };
  const std::optional<std::string> packed = call(forth, bytes);
  if (!packed) return false;
  const std::optional<std::string> unpacked = call(back, *packed);
  EXPECT_TRUE(!unpacked || *unpacked == bytes);
  return unpacked.has_value();
}

const Work kWork[] = {
    {"GraphFinish", 3,
     [](const StopCheck& stop) {
       Graph graph = unsorted_graph();
       return graph.finish(stop);
     }},
    {"GraphReach", 2,
     [](const StopCheck& stop) {
       std::vector<VisitedNode> visited;
       constexpr uint32_t kStart[] = {0};
       return reach(sorted_graph(), kStart, SearchOrder::BreadthFirst, stop, visited);
     }},
    {"GraphReachByWeight", 2,
     [](const StopCheck& stop) {
       std::vector<VisitedNode> visited;
       return reach_by_weight(sorted_graph(), 0, kRows, WeightLimit::Floor, stop, visited);
     }},
    {"Dominators", 6,
     [](const StopCheck& stop) { return dominators(sorted_graph(), 0, stop).has_value(); }},
    {"TreePartition", 3,
     [](const StopCheck& stop) {
       std::vector<GroupedNode> nodes;
       for (uint32_t node = 0; node < kRows; ++node)
         nodes.push_back(
             {node, node == 0 ? std::nullopt : std::optional((node - 1) / 2), node % 3});
       return partition_tree(nodes, stop).has_value();
     }},
    {"IntersectionOfTwo", 1, [](const StopCheck& stop) { return intersects(2, stop); }},
    {"IntersectionOfThree", 1, [](const StopCheck& stop) { return intersects(3, stop); }},
    {"IntersectionOfProducts", 3, intersects_products},
    {"IntervalSet", 4,
     [](const StopCheck& stop) {
       IntervalSetBuilder builder({"part"}, nullptr);
       return builder.add(interval_rows(), stop) && builder.finish(stop);
     }},
    {"SpanSweep", 1, sweeps},
    {"SpanPartitions", 4,
     [](const StopCheck& stop) {
       OperatorMemory memory(nullptr);
       const SpanColumns columns{.ts = 1, .dur = 2, .partition = 3};
       return partitioned_spans(interval_rows(), columns, stop, memory).has_value();
     }},
    {"SpanPartitionsOfOneRow", 6,
     [](const StopCheck& stop) {
       OperatorMemory memory(nullptr);
       const SpanColumns columns{.ts = 1, .dur = 2, .partition = 0};
       return partitioned_spans(interval_rows(), columns, stop, memory).has_value();
     }},
    {"MipmapOfCounter", 2,
     [](const StopCheck& stop) {
       std::vector<CounterSample> samples;
       for (size_t i = 0; i < kRows; ++i) samples.push_back({static_cast<int64_t>(i), 1.0});
       std::vector<CounterStep> rows;
       return reduce_counter(samples, {0, kRows, kRows}, stop, rows);
     }},
    {"MipmapOfSlices", 2,
     [](const StopCheck& stop) {
       std::vector<MipmapSlice> slices;
       for (uint32_t i = 0; i < kRows; ++i) slices.push_back({i, 1, i, 0});
       std::vector<SliceStep> rows;
       return reduce_slices(slices, {0, kRows, kRows}, stop, rows);
     }},
    {"FlameSource", 2,
     [](const StopCheck& stop) {
       static const GatheredRows rows = flame_rows();
       return flame_source(rows, stop).has_value();
     }},
    {"FlameTopDown", 3,
     [](const StopCheck& stop) {
       return draws({.values = {"value"},
                     .filters = {{FlameFilter::ShowStack, {"name"}}},
                     .aggregates = {{FlameAggregate::Concat, "property", "property"}}},
                    stop);
     }},
    {"FlameBottomUp", 4,
     [](const StopCheck& stop) {
       return draws({.values = {"value"}, .view = FlameView::BottomUp}, stop);
     }},
    {"FlamePivot", 2,
     [](const StopCheck& stop) {
       return draws(
           {.values = {"value"}, .view = FlameView::Pivot, .view_pattern = FlamePattern{"name 1"}},
           stop);
     }},
    {"ScanSorted", 4, [](const StopCheck& stop) { return scans("order by many asc", stop); }},
    {"ScanDescending", 1,
     [](const StopCheck& stop) { return scans("descending by ts desc", stop); }},
    {"RowIndexOfFew", 3,
     [](const StopCheck& stop) {
       return RowIndex::build(numbers().column(2), kRows, stop).has_value();
     }},
    {"RowIndexOfMany", 6,
     [](const StopCheck& stop) {
       return RowIndex::build(numbers().column(3), kRows, stop).has_value();
     }},
    {"GroupsOfFew", 1, [](const StopCheck& stop) { return groups(2, stop); }},
    {"GroupsOfMany", 2, [](const StopCheck& stop) { return groups(3, stop); }},
    {"JoinedCounts", 2, counts},
    {"SelectNth", 2,
     [](const StopCheck& stop) {
       std::vector<int64_t> values = values_in_any_order();
       return select_nth(values, kRows / 2, stop);
     }},
    {"StableSort", 5,
     [](const StopCheck& stop) {
       std::vector<int64_t> values = values_in_any_order();
       return stable_sort(values, std::less<>(), stop);
     }},
    {"MacroExpansion", 1, expands},
    {"Zstd", 16, [](const StopCheck& stop) { return compresses("zstd", stop); }},
    {"Gzip", 16, [](const StopCheck& stop) { return compresses("gzip", stop); }},
    {"Base64", 32,
     [](const StopCheck& stop) { return compresses("base64", stop, "encode", "decode"); }},
};

INSTANTIATE_TEST_SUITE_P(OfOperators, StoppedWork, testing::ValuesIn(kWork),
                         [](const auto& work) { return std::string(work.param.name); });

TEST(StoppableSelection, GivesTheNthOfASortedList) {
  for (const size_t size : {1U, 2U, 3U, 10U, 1000U}) {
    for (const uint64_t distinct : {1U, 3U, 1000U}) {
      std::vector<int64_t> values;
      for (size_t i = 0; i < size; ++i)
        values.push_back(static_cast<int64_t>(mixed(i + size) % distinct));
      std::vector<int64_t> sorted = values;
      std::ranges::sort(sorted);
      for (const size_t n : {size_t{0}, size / 3, size / 2, size - 1}) {
        std::vector<int64_t> selected = values;
        ASSERT_TRUE(select_nth(selected, n, StopCheck()));
        EXPECT_EQ(selected[n], sorted[n]);
        for (size_t i = 0; i < size; ++i) {
          if (i < n) EXPECT_LE(selected[i], selected[n]);
          if (i > n) EXPECT_GE(selected[i], selected[n]);
        }
      }
    }
  }
}

}  // namespace
}  // namespace tracebraid
