#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/nearest.h"
#include "capi/arrow_export.h"
#include "capi/handles.h"
#include "capi/parameters.h"
#include "capi/stream.h"
#include "engine/column_types.h"
#include "engine/rows.h"
#include "engine/schema.h"

namespace tracebraid::capi {
namespace {

// What the caller gives to a query besides its trace or connection.
struct QueryRequest {
  const char* sql;
  size_t size;
  const ArrowArray* params;
  const ArrowSchema* params_schema;
  const tracebraid_query_options* options;
  tracebraid_control* control;

  bool wants_last_result() const { return options != nullptr && options->wants_last_result; }
};

Result<QueryOptions> query_options(const QueryRequest& request) {
  if (request.sql == nullptr) return tl::unexpected(missing("sql"));
  QueryOptions options;
  if (request.options != nullptr) {
    TB_TRY(check(request.options, "q"));
    options = request.options->options;
  }
  TB_TRY_ASSIGN(options.parameters, import_parameters(request.params, request.params_schema));
  if (request.control == nullptr) return options;
  TB_TRY(check(request.control, "control"));
  options.stop = request.control->stop;
  const std::lock_guard lock(request.control->mutex);
  if (request.control->deadline.count() != 0)
    options.deadline = StopCheck::Clock::now() + request.control->deadline;
  return options;
}

// Runs the statements up to the last one, and begins that one if it has columns.
Result<> begin_last(RunningQuery running, std::string_view sql, QueryOptions options,
                    ArrowArrayStream* out) {
  TB_TRY_ASSIGN(running.query, running.connection->query_all(sql, std::move(options)));
  for (;;) {
    TB_TRY_ASSIGN(const bool has_statement, running.query->next_statement());
    if (!has_statement) return fail(ErrorCode::Usage, "the text has no statement");
    const StatementInfo statement = running.query->statement();
    if (!statement.is_last) continue;
    if (statement.has_columns)
      export_stream(std::move(running), out);
    else
      export_stream(running.open, std::make_shared<const Schema>(), {}, out);
    return {};
  }
}

// Begins a statement on `running.connection`.
Result<> begin(RunningQuery running, const QueryRequest& request, ArrowArrayStream* out) {
  if (out == nullptr) return tl::unexpected(missing("out"));
  TB_TRY_ASSIGN(QueryOptions options, query_options(request));
  if (request.wants_last_result())
    return begin_last(std::move(running), {request.sql, request.size}, std::move(options), out);
  TB_TRY_ASSIGN(running.query,
                running.connection->query({request.sql, request.size}, std::move(options)));
  export_stream(std::move(running), out);
  return {};
}

Result<RunningQuery> on_pooled_connection(const std::shared_ptr<OpenTrace>& open) {
  RunningQuery running;
  running.open = open;
  TB_TRY_ASSIGN(running.connection, OpenTrace::take_connection(open));
  return running;
}

std::string quoted(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) text.append(c == '"' ? 2 : 1, c);
  return text + "\"";
}

Error not_found(std::string_view kind, std::string_view name,
                std::span<const std::string_view> candidates) {
  std::string message = fmt::format("there is no {} '{}'", kind, name);
  if (const auto near = nearest(name, candidates))
    message += fmt::format("; did you mean {}?", *near);
  return {ErrorCode::NotFound, message};
}

Result<> check_columns(const RelationDeclaration& relation, std::span<const char* const> columns) {
  std::vector<std::string_view> names;
  for (const ColumnDeclaration& column : relation.columns) names.push_back(column.name);
  for (const char* const column : columns) {
    if (column == nullptr) return tl::unexpected(missing("column"));
    if (std::ranges::find(names, std::string_view(column)) == names.end())
      return tl::unexpected(
          not_found(fmt::format("column of table {}", relation.name), column, names));
  }
  return {};
}

// Returns a projection, which the engine reads column by column.
Result<std::string> select_of_table(std::string_view name, std::span<const char* const> columns,
                                    int64_t first, int64_t rows) {
  const RelationDeclaration* const relation = find_relation(name);
  if (relation == nullptr) {
    std::vector<std::string_view> names;
    for (const RelationDeclaration& other : all_relations())
      if (other.kind != RelationKind::Raw) names.push_back(other.name);
    return tl::unexpected(not_found("table", name, names));
  }
  TB_TRY(check_columns(*relation, columns));
  if (first < 0) return fail(ErrorCode::Usage, "first: the rows of a table begin at 0");
  std::string sql = "SELECT ";
  for (const char* const column : columns) sql += quoted(column) + ", ";
  if (columns.empty())
    sql += "*";
  else
    sql.resize(sql.size() - 2);
  sql += " FROM " + quoted(name);
  if (rows >= 0 || first > 0) sql += fmt::format(" LIMIT {}", rows);
  if (first > 0) sql += fmt::format(" OFFSET {}", first);
  return sql;
}

// Returns whether the value of a key is the second of two choices.
Result<bool> is_second(std::string_view key, std::string_view value, std::string_view first,
                       std::string_view second) {
  if (value == first || value == second) return value == second;
  return fail(ErrorCode::Usage, fmt::format("{}: '{}' is not {} or {}", key, value, first, second));
}

Result<> set_query_option(tracebraid_query_options& of, std::string_view key,
                          std::string_view value) {
  QueryOptions& options = of.options;
  if (key == "text") {
    TB_TRY_ASSIGN(options.plain_text, is_second(key, value, "dictionary", "utf8"));
    return {};
  }
  if (key == "result") {
    TB_TRY_ASSIGN(of.wants_last_result, is_second(key, value, "only", "last"));
    return {};
  }
  if (key == "cells") {
    TB_TRY_ASSIGN(options.verbatim, is_second(key, value, "typed", "verbatim"));
    options.stored_as_dictionary = options.verbatim;
    return {};
  }
  if (key == "types") {
    TB_TRY_ASSIGN(options.types, parse_column_types(value, "types", true));
    return {};
  }
  const std::array<std::string_view, 7> keys = {"batch-rows", "text",   "types", "max-rows",
                                                "max-bytes",  "result", "cells"};
  if (std::ranges::find(keys, key) == keys.end()) {
    std::string message = fmt::format("there is no query option '{}'", key);
    if (const auto near = nearest(key, keys)) message += fmt::format("; did you mean {}?", *near);
    return fail(ErrorCode::Usage, message);
  }
  const Result<uint64_t> number = parse_quantity(value);
  if (!number) return fail(ErrorCode::Usage, fmt::format("{}: {}", key, number.error().message));
  if (key == "batch-rows")
    options.batch_rows = std::clamp<size_t>(*number, 1, kMostBatchRows);
  else if (key == "max-rows")
    options.most_rows = *number;
  else
    options.most_bytes = *number;
  return {};
}

// Drops the rows of statements that run for their effect.
class NoRows final : public BatchSink {
 public:
  void begin(const Schema&) override {}
  bool add(const RecordBatch&) override { return true; }
};

}  // namespace
}  // namespace tracebraid::capi

using namespace tracebraid;
using namespace tracebraid::capi;

extern "C" {

tracebraid_query_options* tracebraid_query_options_new(void) {
  try {
    return new tracebraid_query_options;
  } catch (const std::exception&) {
    return nullptr;
  }
}

int tracebraid_query_options_set(tracebraid_query_options* options, const char* key,
                                 const char* value, tracebraid_error** err) {
  return guarded(err, [&]() -> Result<> {
    TB_TRY(check(options, "options"));
    if (key == nullptr) return tl::unexpected(missing("key"));
    if (value == nullptr) return tl::unexpected(missing("value"));
    return set_query_option(*options, key, value);
  });
}

void tracebraid_query_options_free(tracebraid_query_options* options) {
  if (is_owned(options)) delete options;
}

int tracebraid_query(tracebraid_trace* trace, const char* sql, size_t size,
                     const ArrowArray* params, const ArrowSchema* params_schema,
                     const tracebraid_query_options* q, tracebraid_control* control,
                     ArrowArrayStream* out, tracebraid_error** err) {
  return guarded(err, [&]() -> Result<> {
    TB_TRY(check(trace, "trace"));
    TB_TRY_ASSIGN(RunningQuery running, on_pooled_connection(trace->open));
    return begin(std::move(running), {sql, size, params, params_schema, q, control}, out);
  });
}

int tracebraid_describe(tracebraid_trace* trace, const char* sql, size_t size,
                        const tracebraid_query_options* q, ArrowSchema* out,
                        tracebraid_error** err) {
  return guarded(err, [&]() -> Result<> {
    TB_TRY(check(trace, "trace"));
    if (out == nullptr) return tl::unexpected(missing("out"));
    TB_TRY_ASSIGN(const QueryOptions options,
                  query_options({sql, size, nullptr, nullptr, q, nullptr}));
    TB_TRY_ASSIGN(const std::shared_ptr<TraceConnection> connection,
                  OpenTrace::take_connection(trace->open));
    TB_TRY_ASSIGN(const Schema schema, connection->describe({sql, size}, options));
    export_schema(schema, out);
    return {};
  });
}

int tracebraid_table(tracebraid_trace* trace, const char* name, const char* const* columns,
                     size_t count, int64_t first, int64_t rows, const tracebraid_query_options* q,
                     ArrowArrayStream* out, tracebraid_error** err) {
  return guarded(err, [&]() -> Result<> {
    TB_TRY(check(trace, "trace"));
    if (name == nullptr) return tl::unexpected(missing("name"));
    if (columns == nullptr && count != 0) return tl::unexpected(missing("columns"));
    TB_TRY_ASSIGN(const std::string sql, select_of_table(name, {columns, count}, first, rows));
    TB_TRY_ASSIGN(RunningQuery running, on_pooled_connection(trace->open));
    return begin(std::move(running), {sql.data(), sql.size(), nullptr, nullptr, q, nullptr}, out);
  });
}

int tracebraid_connection_open(tracebraid_trace* trace, tracebraid_connection** out,
                               tracebraid_error** err) {
  return guarded(err, [&]() -> Result<> {
    TB_TRY(check(trace, "trace"));
    if (out == nullptr) return tl::unexpected(missing("out"));
    auto connection = std::make_unique<tracebraid_connection>();
    connection->open = trace->open;
    TB_TRY_ASSIGN(connection->connection, TraceConnection::open(trace->open->trace()));
    *out = connection.release();
    return {};
  });
}

int tracebraid_connection_query(tracebraid_connection* connection, const char* sql, size_t size,
                                const ArrowArray* params, const ArrowSchema* params_schema,
                                const tracebraid_query_options* q, tracebraid_control* control,
                                ArrowArrayStream* out, tracebraid_error** err) {
  return guarded(err, [&]() -> Result<> {
    TB_TRY(check(connection, "connection"));
    RunningQuery running;
    running.open = connection->open;
    running.connection = connection->connection;
    return begin(std::move(running), {sql, size, params, params_schema, q, control}, out);
  });
}

int tracebraid_connection_run(tracebraid_connection* connection, const char* sql, size_t size,
                              tracebraid_control* control, tracebraid_error** err) {
  return guarded(err, [&]() -> Result<> {
    TB_TRY(check(connection, "connection"));
    TB_TRY_ASSIGN(QueryOptions options,
                  query_options({sql, size, nullptr, nullptr, nullptr, control}));
    TB_TRY_ASSIGN(const std::unique_ptr<TraceQuery> query,
                  connection->connection->query_all({sql, size}, std::move(options)));
    NoRows none;
    return hand_out(*query, none);
  });
}

void tracebraid_connection_free(tracebraid_connection* connection) {
  if (is_owned(connection)) delete connection;
}

}  // extern "C"
