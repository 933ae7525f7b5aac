// Rows of one table as batches: decoded from columns, or row by row through SQLite; how scans grow
// with threads.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <memory>

#include "query/compile/connection_state.h"
#include "query/compile/query.h"
#include "query/scan/value.h"

namespace tracebraid {
namespace {

constexpr size_t kRows = 1'000'000;

struct Slices {
  StringPool strings;
  PackedColumn<int64_t> ts, dur;
  PackedColumn<StringId> name;
  std::shared_ptr<const TableSet> tables;

  Slices() {
    for (size_t row = 0; row < kRows; ++row) {
      ts.append(static_cast<int64_t>(row) * 1000 + static_cast<int64_t>(row * 7919 % 400));
      dur.append(static_cast<int64_t>(row * 104729 % 50'000));
      name.append(strings.intern("name " + std::to_string(row * 31 % 500)));
    }
    const TableView view{"slice",
                         "",
                         kRows,
                         {{.name = "id", .order = Order::Sorted},
                          column_view("ts", "", Order::Sorted, ts),
                          column_view("dur", "", Order::None, dur),
                          column_view("name", "", Order::None, name)}};
    tables = std::make_shared<const TableSet>(TableSetParts{.tables = {view}, .strings = &strings});
  }
};

const Slices& slices() {
  static const Slices made;
  return made;
}

Connection connect() {
  Result<Connection> made = Connection::open(slices().tables);
  if (!made) std::abort();
  return std::move(*made);
}

// Steps through the rows as SQLite gives them.
void step_rows(Connection& connection, const char* sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(connection.state().db.get(), sql, -1, &statement, nullptr) != SQLITE_OK)
    std::abort();
  while (sqlite3_step(statement) == SQLITE_ROW)
    for (int i = 0; i < sqlite3_column_count(statement); ++i)
      benchmark::DoNotOptimize(cell_of(sqlite3_column_value(statement, i)));
  sqlite3_finalize(statement);
}

size_t rows_of(Connection& connection, std::string_view sql) {
  size_t rows = 0;
  Result<Query> running = query(connection, sql);
  if (!running) std::abort();
  for (;;) {
    Result<std::optional<RecordBatch>> batch = running->next();
    if (!batch) std::abort();
    if (!*batch) return rows;
    rows += (*batch)->rows;
  }
}

void count_rows(benchmark::State& state, size_t each) {
  state.SetItemsProcessed(static_cast<int64_t>(each) * state.iterations());
}

void BM_Columns(benchmark::State& state) {
  Connection connection = connect();
  for (auto _ : state) rows_of(connection, "SELECT id, ts, dur, name FROM slice");
  count_rows(state, kRows);
}
BENCHMARK(BM_Columns);

// `+ 0` keeps the statement with SQLite.
void BM_BatchesThroughSqlite(benchmark::State& state) {
  Connection connection = connect();
  for (auto _ : state) rows_of(connection, "SELECT id + 0 AS id, ts, dur, name FROM slice");
  count_rows(state, kRows);
}
BENCHMARK(BM_BatchesThroughSqlite);

void BM_RowsThroughSqlite(benchmark::State& state) {
  Connection connection = connect();
  for (auto _ : state) step_rows(connection, "SELECT id, ts, dur, name FROM slice");
  count_rows(state, kRows);
}
BENCHMARK(BM_RowsThroughSqlite);

// Each thread with a connection of its own.
void BM_ScansOnThreads(benchmark::State& state) {
  Connection connection = connect();
  for (auto _ : state) step_rows(connection, "SELECT id, ts, dur, name FROM slice");
  count_rows(state, kRows);
}
BENCHMARK(BM_ScansOnThreads)->Threads(1)->Threads(2)->UseRealTime();

void BM_ColumnsOnThreads(benchmark::State& state) {
  Connection connection = connect();
  for (auto _ : state) rows_of(connection, "SELECT id, ts, dur, name FROM slice");
  count_rows(state, kRows);
}
BENCHMARK(BM_ColumnsOnThreads)->Threads(1)->Threads(2)->UseRealTime();

}  // namespace
}  // namespace tracebraid

int main(int argc, char** argv) {
  // As the program does; --counting leaves SQLite's counts on, as in a library.
  const bool counts = argc > 1 && std::string_view(argv[1]) == "--counting";
  if (!counts) tracebraid::stop_counting_sqlite_memory();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
