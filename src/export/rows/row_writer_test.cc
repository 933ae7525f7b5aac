#include "export/rows/row_writer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <sstream>

#include "export/rows/letter_width.h"
#include "query/batch/variant_builder.h"

namespace tracebraid {
namespace {

using Rows = std::vector<std::vector<Cell>>;
struct ResultSet {
  std::vector<std::string> names;
  Rows rows;
};

// Returns the rows as a batch; each column takes values of all types.
RecordBatch batch_of(const ResultSet& set, size_t first, size_t rows) {
  RecordBatch batch{.rows = rows};
  for (size_t column = 0; column < set.names.size(); ++column) {
    VariantBuilder builder;
    for (size_t row = first; row < first + rows; ++row) builder.add(set.rows[row][column]);
    batch.columns.push_back(builder.finish());
  }
  return batch;
}

// Returns the output of a format for these result sets, in batches of `batch_rows`.
std::string written(std::string_view format, const std::vector<ResultSet>& sets,
                    size_t batch_rows = 1000, const RowLayout& layout = {}) {
  const std::string path = testing::TempDir() + "row_writer_test.out";
  FILE* file = std::fopen(path.c_str(), "w");
  {
    Output out(fileno(file), path);
    const auto writer = find_row_format(format)->make(out, layout);
    for (const ResultSet& set : sets) {
      Schema schema;
      for (const std::string& name : set.names) schema.fields.push_back({name, DataType::Variant});
      writer->begin(schema);
      for (size_t row = 0; row < set.rows.size(); row += batch_rows)
        EXPECT_TRUE(writer->add(batch_of(set, row, std::min(batch_rows, set.rows.size() - row))));
      writer->end();
      writer->end();
    }
  }
  std::fclose(file);
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

const std::vector<ResultSet> kTwoSets = {
    {{"ts", "name"},
     {{Cell::of(int64_t{100}), Cell::of(std::string_view("draw, \"x\""))},
      {Cell::of(int64_t{-7}), Cell::null()}}},
    {{"v"}, {}}};

TEST(RowWriter, Jsonl) {
  EXPECT_EQ(written("jsonl", kTwoSets),
            "[\"ts\",\"name\"]\n[100,\"draw, \\\"x\\\"\"]\n[-7,null]\n\n[\"v\"]\n");
  EXPECT_EQ(written("jsonl", {{{"d"}, {{Cell::of(2.0)}}}}), "[\"d\"]\n[2.0]\n");
}

TEST(RowWriter, Json) {
  EXPECT_EQ(written("json", kTwoSets),
            "[\n{\"ts\":100,\"name\":\"draw, \\\"x\\\"\"},\n{\"ts\":-7,\"name\":null}\n]\n\n[]\n");
  EXPECT_EQ(written("json", {{{"a", "a"}, {{Cell::null(), Cell::of(1.5)}}}}),
            "[\n{\"a\":null,\"a:2\":1.5}\n]\n");
}

TEST(RowWriter, NdJson) {
  EXPECT_EQ(written("ndjson", kTwoSets),
            "{\"ts\":100,\"name\":\"draw, \\\"x\\\"\"}\n{\"ts\":-7,\"name\":null}\n");
  EXPECT_EQ(written("ndjson", {{{"a", "a"}, {{Cell::null(), Cell::of(1.5)}}}, kTwoSets[0]}, 1),
            "{\"a\":null,\"a:2\":1.5}\n"
            "{\"ts\":100,\"name\":\"draw, \\\"x\\\"\"}\n{\"ts\":-7,\"name\":null}\n");
}

TEST(RowWriter, KeysDifferInMoreThanTheirCase) {
  EXPECT_EQ(written("ndjson", {{{"ts", "TS", "ts:2", "ts"},
                                {{Cell::null(), Cell::null(), Cell::null(), Cell::null()}}}}),
            "{\"ts\":null,\"TS:2\":null,\"ts:2:2\":null,\"ts:3\":null}\n");
}

TEST(RowWriter, Csv) {
  EXPECT_EQ(written("csv", kTwoSets), "ts,name\r\n100,\"draw, \"\"x\"\"\"\r\n-7,\r\n\r\nv\r\n");
  EXPECT_EQ(
      written("csv",
              {{{"a"}, {{Cell::of(std::string_view(""))}, {Cell::of(std::string_view("a\nb"))}}}}),
      "a\r\n\"\"\r\n\"a\nb\"\r\n");
}

TEST(RowWriter, Tsv) {
  EXPECT_EQ(
      written("tsv", {{{"a", "b"}, {{Cell::of(std::string_view("x\ty\\\n")), Cell::null()}}}}),
      "a\tb\nx\\ty\\\\\\n\t\\N\n");
}

TEST(RowWriter, Table) {
  EXPECT_EQ(written("table", kTwoSets),
            " ts  name\n---  ---------\n100  draw, \"x\"\n -7  NULL\n\nv\n-\n");
}

TEST(RowWriter, Box) {
  EXPECT_EQ(
      written("box", {{{"n", "name"}, {{Cell::of(int64_t{12}), Cell::of(std::string_view("ü"))}}}}),
      "┌────┬──────┐\n"
      "│  n │ name │\n"
      "├────┼──────┤\n"
      "│ 12 │ ü    │\n"
      "└────┴──────┘\n");
}

TEST(RowWriter, TablesFitTheWidth) {
  const ResultSet set{{"ts", "name", "long_name_of_a_number"},
                      {{Cell::of(int64_t{1234567890123}), Cell::of(std::string_view("short")),
                        Cell::of(int64_t{7})},
                       {Cell::of(int64_t{2}),
                        Cell::of(std::string_view("漢字 and a text that is long")), Cell::null()}}};
  const auto fitted = [&](std::string_view format, size_t width) {
    return written(format, {set}, 1000,
                   {.width = width, .all_columns_advice = "--wide prints all"});
  };
  EXPECT_EQ(fitted("table", 200), written("table", {set}));
  EXPECT_EQ(fitted("table", 45),
            "           ts  name            long_name_of_…\n"
            "-------------  --------------  --------------\n"
            "1234567890123  short                        7\n"
            "            2  漢字 and a te…            NULL\n");
  EXPECT_EQ(fitted("box", 37),
            "┌───────────────┬──────────┬────────┐\n"
            "│            ts │ name     │ long_… │\n"
            "├───────────────┼──────────┼────────┤\n"
            "│ 1234567890123 │ short    │      7 │\n"
            "│             2 │ 漢字 an… │   NULL │\n"
            "└───────────────┴──────────┴────────┘\n");
  EXPECT_EQ(fitted("table", 26),
            "           ts  name      …\n"
            "-------------  --------  -\n"
            "1234567890123  short     …\n"
            "            2  漢字 an…  …\n"
            "(2 of 3 columns; --wide prints all)\n");
  EXPECT_EQ(fitted("table", 8),
            "   ts  …\n"
            "-----  -\n"
            "1234…  …\n"
            "    2  …\n"
            "(1 of 3 columns; --wide prints all)\n");
  for (const std::string_view format : {"csv", "jsonl", "ndjson", "json"})
    EXPECT_EQ(fitted(format, 8), written(format, {set}));
}

ResultSet twelve_columns(int64_t rows, int64_t short_rows) {
  ResultSet set{{}, {}};
  for (int i = 0; i < 12; ++i) set.names.push_back("column_" + std::to_string(i * i * i));
  for (int64_t i = 0; i < rows; ++i) {
    auto& row = set.rows.emplace_back();
    for (int64_t n = 0; n < 12; ++n)
      row.push_back(n % 3 == 0
                        ? Cell::of(std::string_view("a text 漢").substr(0, i < short_rows ? 4 : 10))
                        : Cell::of(i * n * n * n * n));
  }
  return set;
}

void expect_rows_fit(std::string_view format, const ResultSet& set, size_t width) {
  std::istringstream lines(written(format, {set}, 4096, {.width = width}));
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with('(')) ASSERT_LE(shown_width(line), width) << format << ": " << line;
}

TEST(RowWriter, RowsNeverExceedTheWidth) {
  for (const std::string_view format : {"table", "box"})
    for (size_t width = 10; width < 220; width += 7)
      expect_rows_fit(format, twelve_columns(20, 10), width);
  expect_rows_fit("table", twelve_columns(10'010, 10'005), 90);  // more rows than are measured
}

TEST(RowWriter, ColumnsOfMixedTypes) {
  const ResultSet set{{"v"},
                      {{Cell::of(int64_t{1})},
                       {Cell::of(1.0)},
                       {Cell::of(std::string_view("1"))},
                       {{Cell::Kind::Blob, 0, 0, "1"}},
                       {{Cell::Kind::Blob, 0, 0, ""}},
                       {Cell::null()},
                       {Cell::of(std::string_view("a\xff\0b", 4))}}};
  for (const size_t batch_rows : {size_t{1}, size_t{3}, size_t{100}}) {
    EXPECT_EQ(written("csv", {set}, batch_rows),
              std::string("v\r\n1\r\n1.0\r\n1\r\n31\r\n\r\n\r\na\xef\xbf\xbd") + '\0' + "b\r\n");
    EXPECT_EQ(written("jsonl", {set}, batch_rows),
              "[\"v\"]\n[1]\n[1.0]\n[\"1\"]\n[{\"blob\":\"31\"}]\n[{\"blob\":\"\"}]\n[null]\n"
              "[\"a\xef\xbf\xbd\\u0000b\"]\n");
    EXPECT_EQ(written("table", {set}, batch_rows),
              "v\n-------\n1\n1.0\n1\nx'31'\nx''\nNULL\na\xef\xbf\xbd\\x00b\n");
  }
}

TEST(RowWriter, BatchesAreWrittenWhenTheyCome) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  Output out(ends[1], "pipe");
  const auto writer = find_row_format("csv")->make(out, {});
  writer->begin({{{"n", DataType::Variant}}});
  ASSERT_TRUE(writer->add(batch_of({{"n"}, {{Cell::of(int64_t{5})}}}, 0, 1)));
  char text[16];
  EXPECT_EQ(read(ends[0], text, sizeof text), 6);  // "n", "5"
  close(ends[0]);
  close(ends[1]);
}

TEST(RowWriter, ManyRowsArriveInOrder) {
  ResultSet set{{"n"}, {}};
  for (int64_t i = 0; i < 25'000; ++i) set.rows.push_back({Cell::of(i)});
  for (const std::string_view format : {"table", "box", "csv", "tsv", "json", "ndjson", "jsonl"}) {
    const std::string text = written(format, {set});
    size_t at = 0;
    for (const char* n : {"\n", "9999", "10000", "24999"}) {
      at = text.find(n, at);
      ASSERT_NE(at, std::string::npos) << format << ' ' << n;
    }
  }
}

TEST(Output, StopsWhenNobodyReads) {
  std::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  Output out(ends[1], "pipe");
  out.buffer() = "text";
  out.flush();
  EXPECT_FALSE(out.ok());
  EXPECT_TRUE(out.result());  // no error
  close(ends[1]);
}

TEST(Output, ReportsFullDisks) {
  FILE* full = std::fopen("/dev/full", "w");
  if (full == nullptr) GTEST_SKIP() << "no /dev/full here";
  Output out(fileno(full), "standard output");
  out.buffer() = "text";
  out.flush();
  ASSERT_FALSE(out.result());
  EXPECT_EQ(out.result().error().message, "cannot write standard output: No space left on device");
  std::fclose(full);
}

}  // namespace
}  // namespace tracebraid
