#include "fleet/task.h"

#include <fmt/format.h>

#include "base/hex.h"
#include "engine/rows.h"
#include "fleet/json.h"

namespace tracebraid::fleet {
namespace {

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string json_quoted(std::string_view text) {
  std::string json;
  append_json_string(json, text);
  return json;
}

std::string path_json(const std::string& path) {
  return is_utf8(path) ? json_quoted(path) : fmt::format(R"({{"hex":"{}"}})", hex_of(path));
}

std::string paths_json(const std::vector<std::string>& paths) {
  std::string json = "[";
  for (const std::string& path : paths) json += (json.size() > 1 ? "," : "") + path_json(path);
  return json + "]";
}

std::string path_of(const Json& value) {
  if (std::optional<std::string> text = value.text()) return *std::move(text);
  return bytes_of_hex(value.member("hex").text().value_or(""));
}

std::vector<std::string> paths_of(const Json& value) {
  std::vector<std::string> paths;
  for (const Json& each : value.elements()) paths.push_back(path_of(each));
  return paths;
}

std::optional<DataType> type_of_letter(std::string_view letter) {
  if (letter == "l") return DataType::Int64;
  if (letter == "g") return DataType::Float64;
  if (letter == "u") return DataType::Utf8;
  if (letter == "z") return DataType::Binary;
  return std::nullopt;
}

Error no_task() { return {ErrorCode::Usage, "the line is no task of a fleet"}; }

Result<StatementTask> parse_statement(const Json& value) {
  StatementTask statement;
  const std::optional<std::string> sql = value.member("sql").text();
  if (!sql) return tl::unexpected(no_task());
  statement.sql = *sql;
  for (const Json& each : value.member("fields").elements()) {
    const std::vector<Json> parts = each.elements();
    if (parts.size() != 3) return tl::unexpected(no_task());
    const auto type = type_of_letter(parts[1].text().value_or(""));
    if (!type || !parts[0].text()) return tl::unexpected(no_task());
    statement.fields.push_back({*parts[0].text(), *type, parts[2].text().value_or("")});
  }
  if (const std::optional<int64_t> column = value.member("machine_column").integer()) {
    if (*column < 0 || static_cast<size_t>(*column) >= statement.fields.size())
      return tl::unexpected(no_task());
    statement.machine_column = static_cast<size_t>(*column);
  }
  return statement;
}

Result<std::vector<TableTask>> parse_tables(const Json& value) {
  std::vector<TableTask> tables;
  for (const Json& each : value.elements()) {
    const std::optional<std::string> name = each.member("name").text();
    if (!name) return tl::unexpected(no_task());
    TB_TRY_ASSIGN(StatementTask statement, parse_statement(each));
    tables.push_back({*name, std::move(statement)});
  }
  return tables;
}

Result<Ask> parse_ask(const Json& value) {
  Ask ask;
  if (const Json tables = value.member("tables"); tables.is_given()) {
    TB_TRY_ASSIGN(ask.tables, parse_tables(tables));
  } else {
    TB_TRY_ASSIGN(ask.statement, parse_statement(value.member("statement")));
  }
  ask.full = value.member("full").truth().value_or(false);
  ask.check = value.member("check").text().value_or("");
  ask.timeout = value.member("timeout").real().value_or(ask.timeout);
  ask.memory_limit = static_cast<uint64_t>(value.member("memory_limit").integer().value_or(0));
  ask.max_rows = static_cast<uint64_t>(value.member("max_rows").integer().value_or(0));
  for (const Json& each : value.member("options").elements()) {
    const std::vector<Json> parts = each.elements();
    if (parts.size() != 2 || !parts[0].text() || !parts[1].text()) return tl::unexpected(no_task());
    ask.options.emplace_back(*parts[0].text(), *parts[1].text());
  }
  return ask;
}

std::string statement_json(const StatementTask& statement) {
  return fmt::format(
      R"({{"sql":{},"fields":{},"machine_column":{}}})", json_quoted(statement.sql),
      fields_json(statement.fields),
      statement.machine_column ? std::to_string(*statement.machine_column) : std::string("null"));
}

}  // namespace

char letter_of(DataType type) {
  switch (type) {
    case DataType::Int64:
      return 'l';
    case DataType::Float64:
      return 'g';
    case DataType::Binary:
      return 'z';
    default:
      return 'u';
  }
}

std::string fields_json(const std::vector<Field>& fields) {
  std::string json = "[";
  for (const Field& field : fields)
    json += fmt::format("{}[{},\"{}\",{}]", json.size() > 1 ? "," : "", json_quoted(field.name),
                        letter_of(field.type), json_quoted(field.meaning));
  return json + "]";
}

std::string task_line(const Ask& ask, const Group& group) {
  std::string sizes = "[", options = "[";
  for (const int64_t size : group.sizes)
    sizes += (sizes.size() > 1 ? "," : "") + std::to_string(size);
  for (const auto& [key, value] : ask.options)
    options += fmt::format("{}[{},{}]", options.size() > 1 ? "," : "", json_quoted(key),
                           json_quoted(value));
  return fmt::format(R"({{"paths":{},"sizes":{}],"manifest":{},"statement":{},"full":{},)"
                     R"("check":"{}","timeout":{},"memory_limit":{},"max_rows":{},"options":{}]}})",
                     paths_json(group.paths), sizes, path_json(group.manifest),
                     statement_json(ask.statement), ask.full, ask.check, ask.timeout,
                     ask.memory_limit, ask.max_rows, options);
}

Result<Task> parse_task(std::string_view line) {
  const Result<JsonDocument> document = JsonDocument::parse(line);
  if (!document || !document->root().is_object()) return tl::unexpected(no_task());
  const Json root = document->root();
  Task task;
  TB_TRY_ASSIGN(task.ask, parse_ask(root));
  task.paths = paths_of(root.member("paths"));
  task.manifest = root.member("manifest").is_null() ? "" : path_of(root.member("manifest"));
  for (const Json& size : root.member("sizes").elements())
    task.sizes.push_back(size.integer().value_or(-1));
  task.sizes.resize(task.paths.size(), -1);
  if (task.paths.empty()) return tl::unexpected(no_task());
  return task;
}

}  // namespace tracebraid::fleet
