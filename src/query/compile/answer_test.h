// For tests: the rows of a Query as text, in the form of rows_test.h.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "query/batch/cell_at.h"
#include "query/compile/query.h"
#include "query/compile/rows_test.h"

namespace tracebraid {

struct Answer {
  std::string text;
  Schema schema;
  bool is_columnar = false;
  size_t batches = 0;
};

// Returns rows as rows_test.h shows them, or "error: ...".
inline Answer answer(Connection& connection, std::string_view sql,
                     const QueryOptions& options = {}) {
  Answer made;
  Result<Query> running = query(connection, sql, options);
  if (!running) return {"error: " + running.error().message, {}};
  made.is_columnar = running->is_columnar();
  const auto schema = running->schema();
  if (!schema) return {"error: " + schema.error().message, {}};
  made.schema = **schema;
  for (const Field& field : made.schema.fields)
    made.text += (made.text.empty() ? "" : ", ") + field.name;
  made.text += "\n";
  for (;;) {
    Result<std::optional<RecordBatch>> batch = running->next();
    if (!batch) {
      made.text += "error: " + batch.error().message;
      return made;
    }
    if (!*batch) break;
    ++made.batches;
    for (size_t row = 0; row < (*batch)->rows; ++row) {
      std::string line;
      for (const ArrayData& column : (*batch)->columns)
        line += (line.empty() ? "" : ", ") + shown(cell_at(column, row));
      made.text += line + "\n";
    }
    for (const ArrayData& column : (*batch)->columns)
      EXPECT_EQ(reinterpret_cast<uintptr_t>(column.values.data) % 64, 0u);
  }
  made.text += "--\n";
  return made;
}

// Returns the rows that SQLite gives, with texts as batches contain them.
inline std::string by_rows(Connection& connection, std::string_view sql,
                           const QueryOptions& options = {}) {
  TextRows sink;
  const Result<> ran = step_rows(connection, sql, sink, options);
  if (!ran) return "error: " + ran.error().message;
  for (size_t at = 0; (at = sink.text.find('\xff', at)) != std::string::npos;)
    sink.text.replace(at, 1, "\xEF\xBF\xBD");
  return sink.text;
}

}  // namespace tracebraid
