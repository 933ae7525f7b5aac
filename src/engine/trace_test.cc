#include "engine/trace.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <thread>

#include "base/assert.h"
#include "engine/archive.h"
#include "engine/connection.h"
#include "engine/export.h"
#include "engine/report.h"

namespace tracebraid {
namespace {

// A file with three slices.
class TraceTest : public testing::Test {
 protected:
  TraceTest() {
    std::ofstream(path_) << R"([{"ph":"X","ts":1,"dur":2,"name":"a","pid":1,"tid":1},
      {"ph":"X","ts":4,"dur":3,"name":"b","pid":1,"tid":1},
      {"ph":"X","ts":8,"dur":1,"name":"a","pid":1,"tid":2}])";
  }
  ~TraceTest() override { std::remove(path_.c_str()); }

  Result<std::shared_ptr<const Trace>> open(const TraceOptions& options = {}) const {
    Progress progress;
    return Trace::open(*Engine::create({.threads = 1}), std::span(&path_, 1), options, progress);
  }

  const std::string path_ = testing::TempDir() + "tracebraid_trace_test.json";
};

class Throws final : public RowSink {
 public:
  void columns(std::span<const std::string>) override {}
  bool row(std::span<const Cell>) override {
    TB_ASSERT(rows_ != 1);
    ++rows_;
    return true;
  }

 private:
  int rows_ = 0;
};

TEST_F(TraceTest, AnInvariantThatBreaksWhileOpeningIsAnError) {
  // The cache keeps files only, so opening a folder warns.
  Progress progress;
  TraceOptions options;
  options.cache = true;
  options.warn = [](std::string_view) { TB_ASSERT(false); };
  const std::string folder = testing::TempDir();
  const auto opened =
      Trace::open(*Engine::create({.threads = 1}), std::span(&folder, 1), options, progress);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::Internal);
  EXPECT_TRUE(opened.error().message.starts_with("internal error: false at "))
      << opened.error().message;
}

// Each returns `error`, or nothing where it returns a value.
std::vector<std::optional<Error>> errors_of_all_functions(const std::shared_ptr<const Trace>& trace,
                                                          TraceConnection& connection,
                                                          TraceQuery& query) {
  std::vector<std::optional<Error>> errors;
  const auto add = [&](const auto& result) {
    errors.push_back(result ? std::nullopt : std::optional<Error>(result.error()));
  };
  Throws rows;
  Progress progress;
  add(TraceConnection::open(trace));
  add(connection.query("SELECT 1"));
  add(connection.run("SELECT 1", rows));
  add(connection.relations());
  add(query.schema());
  add(query.next());
  add(trace->verify_all());
  add(export_trace(trace, "perfetto", {.path = testing::TempDir() + "broken.pftrace"}, progress));
  add(check_report(*trace));
  add(explain_file(*trace, "x"));
  add(clock_graph_dot(*trace));
  add(clock_graph_svg(*trace));
  add(info_text(*trace));
  add(info_json(*trace));
  add(manifest_template(*trace));
  return errors;
}

TEST_F(TraceTest, AfterABrokenInvariantTheTraceAnswersNothingMore) {
  const auto trace = *open();
  const auto connection = *TraceConnection::open(trace), other = *TraceConnection::open(trace);
  const auto query = *other->query("SELECT sum(dur) FROM slice");
  Throws rows;
  const Result<> ran = connection->run("SELECT * FROM slice", rows);
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().code, ErrorCode::Internal);
  for (const std::optional<Error>& error : errors_of_all_functions(trace, *connection, *query)) {
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code, ErrorCode::Internal);
    EXPECT_EQ(error->message, ran.error().message);
  }
  EXPECT_TRUE(TraceConnection::open(*open())) << "another trace";
}

TEST_F(TraceTest, OtherErrorsDoNotEndTheTrace) {
  const auto trace = *open();
  const auto connection = *TraceConnection::open(trace);
  EXPECT_FALSE(connection->query("SELECT nothing"));
  EXPECT_FALSE(export_trace(trace, "nothing", {}, *std::make_unique<Progress>()));
  const auto query = *connection->query("SELECT sum(dur) FROM slice");
  const auto batch = query->next();
  ASSERT_TRUE(batch && *batch);
  EXPECT_EQ((*batch)->columns[0].values.as<int64_t>()[0], 6000);
}

TEST_F(TraceTest, AQueryOutlivesItsConnectionAndTheOwnersOfItsTrace) {
  std::unique_ptr<TraceQuery> query;
  {
    const auto connection = TraceConnection::open(*open());
    query = *(*connection)
                 ->query("SELECT ts, name FROM slice WHERE dur > ?",
                         {.parameters = {{.kind = Cell::Kind::Int, .integer = 1000}}});
  }
  const auto batch = query->next();
  ASSERT_TRUE(batch && *batch);
  EXPECT_EQ((*batch)->rows, 2u);
  EXPECT_EQ((*batch)->columns[0].values.as<int64_t>()[1], 4000);
  const auto end = query->next();
  ASSERT_TRUE(end);
  EXPECT_FALSE(end->has_value());
}

TEST_F(TraceTest, AnInterruptEndsAQueryThatRunsAndNotTheNext) {
  const auto connection = *TraceConnection::open(*open());
  {
    const auto query = connection->query(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n");
    ASSERT_TRUE(query) << query.error().message;
    std::thread stopper([&] { connection->interrupt(); });
    const auto batch = (*query)->next();
    stopper.join();
    ASSERT_FALSE(batch);
    EXPECT_EQ(batch.error().code, ErrorCode::Cancelled);
  }
  const auto query = connection->query("SELECT 1");
  ASSERT_TRUE(query);
  EXPECT_TRUE((*query)->next());
}

TEST_F(TraceTest, WithoutAFolderOfPluginsParquetIsUnsupported) {
  Progress progress;
  const auto report = export_trace(*open(), "parquet", {.path = path_ + ".parquet"}, progress);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::Unsupported);
}

TEST_F(TraceTest, ReportsAreMadeOfATrace) {
  const auto trace = *open();
  EXPECT_TRUE(check_report(*trace)->problems.empty());
  EXPECT_NE(info_json(*trace)->find("\"json\""), std::string::npos);
  EXPECT_FALSE(explain_file(*trace, "no_such_file")->has_value());
}

}  // namespace
}  // namespace tracebraid
