// For tests: results as text, one row a line.
#pragma once

#include <fmt/format.h>

#include <string>

#include "query/compile/database.h"

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

// "a, b\n1, 'x'\n--\n": names, rows, and a line behind each result set.
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

// Rows of all statements, or "error: ...".
inline std::string query(Database& database, std::string_view sql) {
  TextRows sink;
  const Result<> ran = database.run(sql, sink);
  return ran ? sink.text : sink.text + "error: " + ran.error().message;
}

}  // namespace tracebraid
