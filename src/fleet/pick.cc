#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "engine/connection.h"
#include "engine/rows.h"
#include "engine/sql_error.h"
#include "fleet/source.h"

namespace tracebraid::fleet {
namespace {

std::string quoted_column(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) text.append(c == '"' ? 2 : 1, c);
  return text + "\"";
}

std::string listing_json(const std::vector<Group>& groups) {
  JsonText json(JsonText::kCompact);
  json.open_array();
  for (const Group& group : groups) {
    const std::string trace = group.trace();
    json.open_object();
    json.add("_group", std::string_view(group.name));
    json.add("_trace", std::string_view(trace));
    json.add("_size", group.size());
    for (const auto& [name, value] : group.carried) json.add("_" + name, std::string_view(value));
    json.close_object();
  }
  return std::move(json.close_array()).finish();
}

}  // namespace

Result<> pick_groups(const std::string& condition, std::vector<Group>& groups) {
  std::set<std::string> names;
  for (const Group& group : groups)
    for (const auto& [name, value] : group.carried) names.insert("_" + name);
  std::vector<std::string> columns = {"_group", "_trace", "_size"};
  columns.insert(columns.end(), names.begin(), names.end());
  std::string sql = "SELECT _index FROM (SELECT key AS _index";
  for (const std::string& name : columns) {
    std::string text;
    for (const char c : name) text.append(c == '\'' ? 2 : 1, c);
    sql += fmt::format(", value ->> '{}' AS {}", text, quoted_column(name));
  }
  sql += fmt::format(" FROM json_each(?1)) WHERE (\n{}\n) ORDER BY 1", condition);

  Progress progress;
  TB_TRY_ASSIGN(const std::shared_ptr<const Engine> engine, Engine::create({.threads = 1}));
  TB_TRY_ASSIGN(const std::shared_ptr<const Trace> trace,
                Trace::open(engine, std::span<const std::string>(), {}, progress));
  TB_TRY_ASSIGN(const std::unique_ptr<TraceConnection> connection, TraceConnection::open(trace));
  const auto failed = [&](const Error& error) {
    return fail(ErrorCode::Sql,
                fmt::format("--pick: {}\nits columns are {}", plain_sql_error(error.message),
                            fmt::join(columns, ", ")));
  };
  const std::string listing = listing_json(groups);
  QueryOptions options = {.parameters = {Parameter::of(Cell::of(std::string_view(listing)))},
                          .types = {{.name = "_index", .type = DataType::Int64}}};
  Result<std::unique_ptr<TraceQuery>> query = connection->query(sql, std::move(options));
  if (!query) return failed(query.error());
  std::vector<Group> picked;
  for (;;) {
    const Result<std::optional<RecordBatch>> batch = (*query)->next();
    if (!batch) return failed(batch.error());
    if (!*batch) break;
    for (size_t row = 0; row < (*batch)->rows; ++row)
      picked.push_back(
          std::move(groups[static_cast<size_t>(cell_at((*batch)->columns[0], row).integer)]));
  }
  groups = std::move(picked);
  return {};
}

}  // namespace tracebraid::fleet
