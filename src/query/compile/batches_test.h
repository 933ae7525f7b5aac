// For tests: the rows of a Query as text, like those of run() (rows_test.h).
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "query/compile/query.h"
#include "query/compile/rows_test.h"

namespace tracebraid {

inline std::string_view text_at(const ArrayData& array, size_t i) {
  const auto* ends = array.values.as<int32_t>();
  return {array.bytes.as<char>() + ends[i], static_cast<size_t>(ends[i + 1] - ends[i])};
}

inline Cell cell_at(const ArrayData& array, size_t row) {
  if (array.is_null(row)) return Cell::null();
  switch (array.type) {
    case DataType::Int64:
      return Cell::of(array.values.as<int64_t>()[row]);
    case DataType::Float64:
      return Cell::of(array.values.as<double>()[row]);
    case DataType::Dictionary:
      return Cell::of(text_at(*array.dictionary, size_t(array.values.as<int32_t>()[row])));
    case DataType::Binary:
      return {Cell::Kind::Blob, 0, 0, text_at(array, row)};
    default:
      return Cell::of(text_at(array, row));
  }
}

struct Answer {
  std::string text;
  Schema schema;
  bool is_columnar = false;
  size_t batches = 0;
};

// Rows as rows_test.h shows them, or "error: ...".
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

// The rows of run(), with texts as batches hold them.
inline std::string by_rows(Connection& connection, std::string_view sql,
                           const QueryOptions& options = {}) {
  TextRows sink;
  const Result<> ran = run(connection, sql, sink, options);
  if (!ran) return "error: " + ran.error().message;
  for (size_t at = 0; (at = sink.text.find('\xff', at)) != std::string::npos;)
    sink.text.replace(at, 1, "\xEF\xBF\xBD");
  return sink.text;
}

}  // namespace tracebraid
