#include "query/compile/statement.h"

#include <new>

#include "query/scan/value.h"

namespace tracebraid {
namespace {

// A single column of this name suppresses the output of the result (spec sql-dialect 2.10).
constexpr std::string_view kSilent = "suppress_query_output";

}  // namespace

std::vector<std::string> column_names(sqlite3_stmt* statement) {
  std::vector<std::string> names;
  for (int i = 0; i < sqlite3_column_count(statement); ++i) {
    const char* name = sqlite3_column_name(statement, i);
    if (name == nullptr) throw std::bad_alloc();
    names.emplace_back(name);
  }
  return names;
}

Outcome run_statement(sqlite3_stmt* statement, const std::vector<std::string>& names, RowSink& sink,
                      const StopCheck& stop) {
  const bool shown = !names.empty() && !(names.size() == 1 && names[0] == kSilent);
  std::vector<Cell> cells(names.size());
  bool started = false;
  const auto start = [&] {
    if (shown && !started) sink.columns(names);
    started = true;
  };
  for (;;) {
    const int rc = sqlite3_step(statement);
    if (rc != SQLITE_ROW && rc != SQLITE_DONE) return Outcome::Failed;
    start();
    if (rc == SQLITE_DONE) break;
    if (!shown) continue;
    for (size_t i = 0; i < cells.size(); ++i)
      cells[i] = cell_of(sqlite3_column_value(statement, static_cast<int>(i)));
    if (!sink.row(cells)) return Outcome::StoppedBySink;
    if (stop.requested()) return Outcome::Stopped;
  }
  if (shown) sink.end();
  return Outcome::Done;
}

}  // namespace tracebraid
