#include "export/rows/row_writer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <sstream>

namespace tracebraid {
namespace {

using Rows = std::vector<std::vector<Cell>>;
struct ResultSet {
  std::vector<std::string> names;
  Rows rows;
};

// Returns the output of a format for these result sets.
std::string written(std::string_view format, const std::vector<ResultSet>& sets) {
  const std::string path = testing::TempDir() + "row_writer_test.out";
  FILE* file = std::fopen(path.c_str(), "w");
  {
    Output out(fileno(file), path);
    const auto writer = find_row_format(format)->make(out);
    for (const ResultSet& set : sets) {
      writer->columns(set.names);
      for (const auto& row : set.rows) EXPECT_TRUE(writer->row(row));
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

TEST(RowWriter, ManyRowsArriveInOrder) {
  ResultSet set{{"n"}, {}};
  for (int64_t i = 0; i < 25'000; ++i) set.rows.push_back({Cell::of(i)});
  for (const std::string_view format : {"table", "box", "csv", "tsv", "json", "jsonl"}) {
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
