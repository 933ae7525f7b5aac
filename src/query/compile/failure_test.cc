// Exceptions of functions and tables that SQLite calls: each is an Error of the statement, and the
// connection goes on.
#include <gtest/gtest.h>

#include <stdexcept>

#include "base/assert.h"
#include "query/compile/query.h"
#include "query/compile/rows_test.h"

namespace tracebraid {
namespace {

// Throws as `value` says; 0: not at all.
void throw_for(int64_t value) {
  TB_ASSERT(value != 1);
  if (value == 2) throw std::out_of_range("nowhere");
  if (value == 3) throw std::bad_alloc();
}

class ThrowingRows final : public TableFunctionRows {
 public:
  Result<> call(std::span<const Cell> arguments) override {
    value_ = arguments[0].integer;
    throw_for(value_);
    chunks_ = 0;
    return {};
  }
  Result<size_t> next_chunk() override {
    throw_for(chunks_ == 1 ? value_ - 10 : 0);
    return ++chunks_ > 3 ? 0 : 2;
  }
  Cell cell(size_t row, size_t) const override {
    throw_for(row == 1 ? value_ - 20 : 0);
    return Cell::of(static_cast<int64_t>(row));
  }

 private:
  int64_t value_ = 0;
  int chunks_ = 0;
};

class Failures : public testing::Test {
 protected:
  Failures() {
    for (int64_t i = 0; i < 10; ++i) ts.append(i);
    TableSetParts parts{
        .tables = {TableView{"numbers", "", 10, {column_view("ts", "", Order::Sorted, ts)}}},
        .strings = &strings};
    parts.functions = [](const StopCheck&) {
      return std::vector<SqlFunction>{{.signature = "throw_for(value LONG) LONG",
                                       .about = "",
                                       .call = [](std::span<const Cell> cells) -> Result<Cell> {
                                         throw_for(cells[0].integer);
                                         return cells[0];
                                       }}};
    };
    parts.table_functions = {{.name = "throwing",
                              .about = "",
                              .parameters = {{"value", "LONG", ""}},
                              .columns = {{"n", SqlType::Integer, ""}},
                              .open = [] { return std::make_unique<ThrowingRows>(); }}};
    parts.before_use = [this](std::string_view) {
      throw_for(before_use);
      return true;
    };
    connection.emplace(std::move(*Connection::open(std::make_shared<const TableSet>(parts))));
  }

  // The code of run(), which query() must give as well; nothing if there is no Error.
  std::optional<ErrorCode> code_of(std::string_view sql) {
    TextRows rows;
    const Result<> ran = run(*connection, sql, rows);
    Result<Query> begun = query(*connection, sql);
    std::optional<Error> error;
    if (!begun) {
      error = begun.error();
    } else {
      Result<std::optional<RecordBatch>> batch = begun->next();
      while (batch && *batch) batch = begun->next();
      if (!batch) {
        error = batch.error();
        const auto after = begun->next();
        EXPECT_TRUE(after && !*after) << "there are no more rows";
      }
    }
    EXPECT_EQ(ran.has_value(), !error) << sql;
    if (ran) return std::nullopt;
    EXPECT_EQ(ran.error().code, error->code) << sql;
    EXPECT_EQ(ran.error().message, error->message) << sql;
    message = ran.error().message;
    return ran.error().code;
  }

  StringPool strings;
  Column<int64_t> ts;
  int64_t before_use = 0;
  std::optional<Connection> connection;
  std::string message;
};

TEST_F(Failures, OfFunctionsAndTablesAreErrorsOfTheStatement) {
  for (const char* call :
       {"SELECT throw_for({})", "SELECT sum(throw_for({})) FROM numbers GROUP BY ts % 3",
        "SELECT ts FROM numbers WHERE throw_for({}) = 0 ORDER BY ts DESC",
        "SELECT * FROM throwing({})", "SELECT * FROM throwing(1{})", "SELECT * FROM throwing(2{})",
        "WITH c AS (SELECT DISTINCT throw_for({}) AS x FROM numbers) SELECT * FROM c ORDER BY x"}) {
    const auto code = [&](int how) { return code_of(fmt::format(fmt::runtime(call), how)); };
    EXPECT_EQ(code(0), std::nullopt) << call << message;
    EXPECT_EQ(code(1), ErrorCode::Internal) << call;
    EXPECT_TRUE(message.starts_with("internal error: value != 1 at ")) << message;
    EXPECT_EQ(code(2), ErrorCode::Internal) << call;
    EXPECT_EQ(message, "internal error: nowhere");
    EXPECT_EQ(code(3), ErrorCode::NoMemory) << call;
    EXPECT_EQ(message, "out of memory");
    EXPECT_EQ(code(0), std::nullopt) << "the connection goes on";
  }
}

TEST_F(Failures, BeforeATableIsUsed) {
  const char* const sql = "SELECT ts FROM numbers WHERE ts > 3";
  EXPECT_EQ(code_of(sql), std::nullopt);
  before_use = 1;
  EXPECT_EQ(code_of(sql), ErrorCode::Internal);
  before_use = 0;
  EXPECT_EQ(code_of(sql), std::nullopt);
}

}  // namespace
}  // namespace tracebraid
