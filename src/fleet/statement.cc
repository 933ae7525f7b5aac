#include "fleet/statement.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "base/words.h"
#include "engine/connection.h"
#include "engine/rows.h"
#include "engine/sql_error.h"
#include "fleet/json.h"
#include "query/batch/column_builder.h"

namespace tracebraid::fleet {
namespace {

// Returns the length of the statements before the last one.
size_t length_before_last(const std::string& sql) {
  std::vector<size_t> ends = {0};
  for (size_t at = sql.find(';'); at != sql.npos; at = sql.find(';', at + 1))
    if (sqlite3_complete(sql.substr(ends.back(), at + 1 - ends.back()).c_str()) != 0)
      ends.push_back(at + 1);
  while (ends.size() > 1 && trim_lines(std::string_view(sql).substr(ends.back())).empty())
    ends.pop_back();
  return ends.back();
}

Result<Schema> schema_of(const std::string& sql, TraceConnection& connection,
                         const std::vector<Field>& types) {
  const QueryOptions options = {.types = types, .described_types = true, .plain_text = true};
  const size_t before = length_before_last(sql);
  if (trim_lines(std::string_view(sql).substr(0, before)).empty())
    return connection.describe(std::string_view(sql).substr(before), options);
  TB_TRY_ASSIGN(const std::unique_ptr<TraceQuery> query, connection.query(sql, options));
  TB_TRY_ASSIGN(const std::shared_ptr<const Schema> schema, query->schema());
  return *schema;
}

std::string with_condition(const std::string& sql, const std::string& where) {
  const size_t before = length_before_last(sql);
  std::string last = sql.substr(before);
  last.erase(last.find_last_not_of(" \t\r\n") + 1);
  if (last.ends_with(';')) last.pop_back();
  return fmt::format("{}\nSELECT * FROM (\n{}\n) WHERE (\n{}\n)", sql.substr(0, before), last,
                     where);
}

// Returns the schema on a new connection, because statements may create tables.
Result<Schema> schema_on_empty_tables(const std::string& sql,
                                      const std::shared_ptr<const Trace>& trace,
                                      const std::vector<Field>& types) {
  TB_TRY_ASSIGN(const std::unique_ptr<TraceConnection> connection, TraceConnection::open(trace));
  Result<Schema> schema = schema_of(sql, *connection, types);
  if (!schema) {
    Error error = schema.error();
    error.message = plain_sql_error(error.message);
    return tl::unexpected(std::move(error));
  }
  return schema;
}

Result<> check_fields(const std::vector<Field>& fields) {
  if (fields.empty()) return fail(ErrorCode::Usage, "the statement gives no rows");
  for (const Field& field : fields)
    if (field.type == DataType::Unknown || field.type == DataType::Null)
      return fail(ErrorCode::Usage,
                  fmt::format("the type of the column '{0}' does not follow from the statement; "
                              "give --types {0}=int64, or write CAST({0} AS INTEGER)",
                              field.name));
  return {};
}

const std::vector<Field>& provenance_fields() {
  static const std::vector<Field> kFields = {{"_trace_size", DataType::Int64, ""},
                                             {"_trace_digest", DataType::Utf8, ""},
                                             {"_placed_by", DataType::Utf8, ""},
                                             {"_uncertainty_ns", DataType::Int64, "duration_ns"},
                                             {"_lost", DataType::Int64, ""}};
  return kFields;
}

// Returns a column of one value.
ArrayData constant(const Cell& cell, DataType type, size_t rows) {
  ColumnBuilder builder(type);
  for (size_t row = 0; row < rows; ++row) builder.add(cell);
  return builder.finish();
}

}  // namespace

Result<StatementTask> compile(const StatementRequest& request, const OpenOptions& options) {
  OpenOptions empty = options;
  empty.engine.threads = 1;
  empty.trace.cache = false;
  empty.trace.for_queries = true;
  Progress progress;
  TB_TRY_ASSIGN(const std::shared_ptr<const Engine> engine, Engine::create(empty.engine));
  TB_TRY_ASSIGN(const std::shared_ptr<const Trace> trace,
                Trace::open(engine, std::span<const std::string>(), empty.trace, progress));
  StatementTask statement{.sql = request.sql};
  TB_TRY_ASSIGN(Schema schema, schema_on_empty_tables(request.sql, trace, request.types));
  statement.fields = std::move(schema.fields);
  TB_TRY(check_fields(statement.fields));
  if (!request.where.empty()) {
    statement.sql = with_condition(request.sql, request.where);
    // The condition compiles; the types are those without it.
    TB_TRY(schema_on_empty_tables(statement.sql, trace, request.types));
  }
  for (size_t i = 0; i < statement.fields.size() && !statement.machine_column; ++i)
    if (std::ranges::find(kMachineKeys, statement.fields[i].name, &MachineKey::column) !=
        std::end(kMachineKeys))
      statement.machine_column = i;
  return statement;
}

FrontColumns::FrontColumns(bool full, const std::vector<Group>& groups)
    : fields_({{"_group", DataType::Utf8, ""},
               {"_trace", DataType::Utf8, ""},
               {"_trace_uri", DataType::Utf8, ""}}) {
  if (!full) return;
  std::set<std::string> names;
  for (const Group& group : groups)
    for (const auto& [name, value] : group.carried) names.insert(name);
  carried_.assign(names.begin(), names.end());
  fields_.insert(fields_.end(), provenance_fields().begin(), provenance_fields().end());
  for (const std::string& name : carried_) fields_.push_back({"_" + name, DataType::Utf8, ""});
}

std::vector<Field> FrontColumns::sent_fields(const StatementTask& statement) {
  std::vector<Field> fields;
  if (statement.machine_column) fields.push_back({"_machine", DataType::Utf8, ""});
  fields.insert(fields.end(), statement.fields.begin(), statement.fields.end());
  return fields;
}

std::vector<Field> FrontColumns::fields(const StatementTask& statement) const {
  std::vector<Field> fields = fields_;
  const std::vector<Field> sent = sent_fields(statement);
  fields.insert(fields.end(), sent.begin(), sent.end());
  return fields;
}

RecordBatch FrontColumns::with_front(const Group& group, std::string_view facts, RecordBatch batch,
                                     std::shared_ptr<const Schema> all) const {
  const std::string trace = group.trace(), uri = group.uri();
  const Result<JsonDocument> document = JsonDocument::parse(facts);
  std::vector<std::string> texts(fields_.size());  // of facts
  RecordBatch made{.schema = std::move(all), .rows = batch.rows};
  for (size_t i = 0; i < fields_.size(); ++i) {
    const std::string& name = fields_[i].name;
    Cell cell;
    if (name == "_group" && i == 0) {
      cell = Cell::of(std::string_view(group.name));
    } else if (i < 3) {
      cell = Cell::of(std::string_view(i == 1 ? trace : uri));
    } else if (i < 3 + provenance_fields().size()) {
      const Json fact = document ? document->root().member(name) : Json();
      if (fields_[i].type == DataType::Int64) {
        if (const std::optional<int64_t> number = fact.integer()) cell = Cell::of(*number);
      } else if (std::optional<std::string> text = fact.text()) {
        texts[i] = *std::move(text);
        cell = Cell::of(std::string_view(texts[i]));
      }
    } else {
      const auto found = std::ranges::find(group.carried, std::string_view(name).substr(1),
                                           &std::pair<std::string, std::string>::first);
      if (found != group.carried.end()) cell = Cell::of(std::string_view(found->second));
    }
    made.columns.push_back(constant(cell, fields_[i].type, batch.rows));
  }
  std::ranges::move(batch.columns, std::back_inserter(made.columns));
  return made;
}

}  // namespace tracebraid::fleet
