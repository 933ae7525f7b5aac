// Results as text, one row per line. For tests.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "query/compile/connection.h"
#include "query/compile/connection_state.h"
#include "query/compile/script.h"
#include "query/scan/value.h"

namespace tracebraid {

inline std::string shown(const Cell& cell) {
  switch (cell.kind) {
    case Cell::Kind::Null:
      return "NULL";
    case Cell::Kind::Int:
      return fmt::format("{}", cell.integer);
    case Cell::Kind::Real:
      return fmt::format("{:.15g}r", cell.real);
    case Cell::Kind::Text:
      return fmt::format("'{}'", cell.text);
    case Cell::Kind::Blob:
      return fmt::format("x'{:02x}'", fmt::join(cell.text, ""));
  }
  return {};
}

// Writes "a, b\n1, 'x'\n--\n": names, rows, and a line after each result set.
class TextRows final : public RowSink {
 public:
  void columns(std::span<const std::string> names) override {
    text += fmt::format("{}\n", fmt::join(names, ", "));
  }
  bool row(std::span<const Cell> cells) override {
    std::string line;
    for (const Cell& cell : cells) line += (line.empty() ? "" : ", ") + shown(cell);
    text += line + "\n";
    ++rows;
    return rows < stop_after;
  }
  void end() override { text += "--\n"; }

  std::string text;
  size_t rows = 0;
  size_t stop_after = ~size_t{0};
};

// Opens a connection over the given tables. The tables and strings must outlive it.
inline Result<Connection> connect_to(std::vector<TableView> tables, const StringPool& strings,
                                     std::vector<SqlFunction> functions, std::string_view prelude) {
  return Connection::open(std::make_shared<const TableSet>(TableSetParts{
      .tables = std::move(tables),
      .strings = &strings,
      .functions = [functions = std::move(functions)](const StopCheck&) { return functions; },
      .prelude = std::string(prelude)}));
}

// Returns the rows of all statements, or "error: ...".
inline std::string rows_of(Connection& connection, std::string_view sql,
                           const QueryOptions& options = {}) {
  TextRows sink;
  const Result<> ran = run(connection, sql, sink, options);
  return ran ? sink.text : sink.text + "error: " + ran.error().message;
}

// Hands the rows of all statements to the sink as SQLite itself gives them, one by one.
inline Result<> step_rows(Connection& connection, std::string_view sql, RowSink& sink,
                          const QueryOptions& options = {}) {
  ConnectionState& state = connection.state();
  state.stop = {};
  TB_TRY_ASSIGN(Script script, Script::of(sql));
  for (;;) {
    TB_TRY_ASSIGN(const StatementPtr statement, script.next(state));
    if (statement == nullptr) return {};
    TB_TRY_ASSIGN(const std::vector<Cell> values,
                  values_of_variables(statement.get(), options.parameters));
    bind_all(statement.get(), values);
    const std::vector<std::string> names = column_names(statement.get());
    std::vector<Cell> cells(names.size());
    int rc = sqlite3_step(statement.get());
    if (!names.empty() && (rc == SQLITE_ROW || rc == SQLITE_DONE)) sink.columns(names);
    for (; rc == SQLITE_ROW; rc = sqlite3_step(statement.get())) {
      for (size_t i = 0; i < cells.size(); ++i)
        cells[i] = cell_of(sqlite3_column_value(statement.get(), static_cast<int>(i)));
      if (!sink.row(cells)) return {};
    }
    if (rc != SQLITE_DONE) return tl::unexpected(script.failure(state));
    if (!names.empty()) sink.end();
  }
}

// Requests a stop at the first row.
struct StoppingRows final : RowSink {
  void columns(std::span<const std::string>) override {}
  bool row(std::span<const Cell>) override {
    stop->request();
    ++rows;
    return true;
  }
  std::shared_ptr<Stop> stop = std::make_shared<Stop>();
  size_t rows = 0;
};

}  // namespace tracebraid
