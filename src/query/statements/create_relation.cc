#include "query/statements/create_relation.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "base/words.h"
#include "query/compile/script.h"
#include "query/compile/select_batches.h"
#include "query/compile/select_text.h"
#include "query/scan/sqlite_module.h"
#include "query/statements/created_table.h"
#include "query/statements/session.h"

namespace tracebraid {
namespace {

tl::unexpected<Error> wrong(const SqlText& sql, std::string_view message,
                            ErrorCode code = ErrorCode::Sql) {
  return tl::unexpected(error_at(sql, code, 0, message));
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Returns what is wrong with the names of columns; empty if nothing is.
std::string wrong_names(const std::vector<std::string>& names) {
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    if (name.empty()) return fmt::format("column {}: name must not be empty", i);
    if (!is_letter(name[0]) && name[0] != '_')
      return fmt::format("Column {}: name '{}' has to start with a letter or underscore.", i, name);
    if (!std::ranges::all_of(name, [](char c) { return is_letter(c) || is_digit(c) || c == '_'; }))
      return fmt::format(
          "Column {}: name '{}' has to contain only alphanumeric characters and underscores.", i,
          name);
  }
  std::set<std::string_view> seen;
  std::vector<std::string> repeated;
  for (const std::string& name : names)
    if (!seen.insert(name).second) repeated.push_back(name);
  if (repeated.empty()) return {};
  return fmt::format("multiple columns are named: {}", fmt::join(repeated, ", "));
}

// Compares the names of the query with those of the schema, which may be in another order.
std::string schema_mismatch(const std::vector<std::string>& names,
                            const std::vector<DeclaredName>& schema) {
  std::set<std::string_view> exist(names.begin(), names.end()), declared;
  for (const DeclaredName& column : schema) declared.insert(column.name);
  std::vector<std::string_view> missing, undeclared;
  for (const DeclaredName& column : schema)
    if (!exist.contains(column.name)) missing.push_back(column.name);
  for (const std::string& name : names)
    if (!declared.contains(name)) undeclared.push_back(name);
  if (missing.empty() && undeclared.empty()) return {};
  if (undeclared.empty())
    return fmt::format("the following columns are declared in the schema, but do not exist: {}",
                       fmt::join(missing, ", "));
  if (missing.empty())
    return fmt::format("the following columns are missing from the schema: {}",
                       fmt::join(undeclared, ", "));
  return fmt::format(
      "the following columns are declared in the schema, but do not exist: {}; and the following "
      "columns exist, but are not declared: {}",
      fmt::join(missing, ", "), fmt::join(undeclared, ", "));
}

// Returns what is wrong with the types of a schema; empty if nothing is.
std::string unknown_type(const std::vector<DeclaredName>& schema) {
  for (const DeclaredName& column : schema)
    if (!dialect_type_of(column.type)) return "Unknown argument type: " + column.type;
  return {};
}

// Returns the types of the columns in the order of the query. Requires: the names match.
std::vector<DialectType> types_of(const std::vector<std::string>& names,
                                  const std::vector<DeclaredName>& schema) {
  std::vector<DialectType> types;
  for (const std::string& name : names)
    types.push_back(*dialect_type_of(std::ranges::find(schema, name, &DeclaredName::name)->type));
  return types;
}

Result<> check_types(const SqlText& sql, const ParsedStatement& statement) {
  for (const DeclaredName& column : statement.columns) {
    const DialectType type = *dialect_type_of(column.type);
    if (type == DialectType::Bytes)
      return wrong(sql, fmt::format("CREATE PERFETTO TABLE({}): Bytes type is not supported",
                                    statement.name));
    if (type == DialectType::Any)
      return wrong(
          sql, fmt::format("CREATE PERFETTO TABLE({}): ANY type cannot be used in table columns",
                           statement.name));
  }
  return {};
}

// Our tables and views are views to the user.
std::optional<std::string> name_of_ours(const ConnectionState& connection, std::string_view name,
                                        bool replaces) {
  const std::string lower = in_lower_case(name);
  if (!connection.guard.ours.contains(lower) || lower.starts_with("__intrinsic_"))
    return std::nullopt;
  return replaces ? fmt::format("use DROP VIEW to delete view {}", name)
                  : fmt::format("view {} already exists", name);
}

// Runs statements that either all happen or none.
Result<> execute_at_once(ConnectionState& connection, const std::vector<std::string>& statements) {
  TB_TRY(execute(connection, "SAVEPOINT __intrinsic_create"));
  for (const std::string& sql : statements) {
    Result<> done = execute(connection, sql);
    if (done) continue;
    sqlite3_exec(connection.db.get(), "ROLLBACK TO __intrinsic_create; RELEASE __intrinsic_create",
                 nullptr, nullptr, nullptr);
    return done;
  }
  return execute(connection, "RELEASE __intrinsic_create");
}

Result<> fill(SelectBatches& batches, CreatedTable& table, const SqlText& sql,
              const ConnectionState& connection) {
  for (;;) {
    TB_TRY_ASSIGN(const std::optional<RecordBatch> batch, batches.next());
    if (!batch) return table.finish(connection.stop);
    if (Result<> added = table.add(*batch, connection.stop); !added) {
      if (added.error().code != ErrorCode::Sql) return added;
      // A hint stands before the message.
      std::string message = added.error().message;
      const size_t line = message.rfind('\n') + 1;
      message.insert(line, fmt::format("CREATE PERFETTO TABLE({}): ", table.name));
      return wrong(sql, message);
    }
  }
}

}  // namespace

std::string quoted_name(std::string_view name) {
  // SQLite's messages show a name as it is written.
  const bool is_plain =
      !name.empty() && !is_digit(name[0]) &&
      std::ranges::all_of(name, [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
  if (is_plain) return std::string(name);
  std::string quoted = "\"";
  for (const char c : name) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + "\"";
}

Result<> execute(ConnectionState& connection, const std::string& sql) {
  connection.guard.reason.clear();
  if (sqlite3_exec(connection.db.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK)
    return {};
  if (!connection.guard.reason.empty()) return tl::unexpected(refusal(connection.guard));
  Error error = sqlite_error(connection.db.get());
  error.message = reworded(error.message);
  return tl::unexpected(std::move(error));
}

Result<> create_virtual_table(ConnectionState& connection, std::string_view name,
                              std::string_view module, std::string_view number, bool replaces) {
  std::vector<std::string> statements;
  if (replaces) statements.push_back("DROP TABLE IF EXISTS " + quoted_name(name));
  statements.push_back(
      fmt::format("CREATE VIRTUAL TABLE {} USING {}({})", quoted_name(name), module, number));
  return execute_at_once(connection, statements);
}

Result<> create_table(ConnectionState& connection, const SqlText& sql,
                      const ParsedStatement& statement) {
  const std::string& name = statement.name;
  if (!statement.implementation.empty() && !same_name(statement.implementation, "dataframe"))
    return wrong(sql, fmt::format("Invalid table implementation '{}'", statement.implementation));
  if (const std::string message = unknown_type(statement.columns); !message.empty())
    return wrong(sql, message);
  QueryOptions options{.parameters = {connection.parameters.begin(), connection.parameters.end()},
                       .verbatim = true,
                       .stored_as_dictionary = true};
  TB_TRY_ASSIGN(const std::unique_ptr<SelectBatches> batches,
                SelectBatches::open(connection, sql.part(statement.body.begin, statement.body.end),
                                    std::move(options)));
  const std::vector<std::string>& names = batches->names();
  std::string message = wrong_names(names);
  if (message.empty() && statement.has_schema) message = schema_mismatch(names, statement.columns);
  if (!message.empty()) return wrong(sql, "CREATE PERFETTO TABLE: " + message);
  TB_TRY(check_types(sql, statement));
  const std::shared_ptr<CreatedTable> table = new_table(
      name, names,
      statement.has_schema ? types_of(names, statement.columns) : std::vector<DialectType>(),
      connection.tables->memory_limit(), &connection.operator_memory);
  connection.session->created_by_query.push_back(table);
  TB_TRY(fill(*batches, *table, sql, connection));

  if (const auto ours = name_of_ours(connection, name, statement.replaces))
    return wrong(sql, *ours);
  const std::string number = fmt::format("{}", ++connection.session->last_number);
  connection.module.created[number] = {table, table->table.get()};
  Result<> created =
      create_virtual_table(connection, name, kTableModule, number, statement.replaces);
  if (created) return {};
  connection.module.created.erase(number);
  return wrong(sql, created.error().message, created.error().code);
}

Result<> create_view(ConnectionState& connection, const SqlText& sql,
                     const ParsedStatement& statement) {
  const std::string& name = statement.name;
  if (const std::string message = unknown_type(statement.columns); !message.empty())
    return wrong(sql, message);
  const SqlText select = sql.part(statement.body.begin, statement.body.end);
  {
    TB_TRY_ASSIGN(const std::unique_ptr<SelectBatches> batches,
                  SelectBatches::open(connection, select, {}));
    if (statement.has_schema) {
      const std::string message = schema_mismatch(batches->names(), statement.columns);
      if (!message.empty()) return wrong(sql, "CREATE PERFETTO VIEW: " + message);
    }
  }
  if (const auto ours = name_of_ours(connection, name, statement.replaces))
    return wrong(sql, *ours);
  const std::string_view written =
      first_token(std::string_view(sql.text).substr(statement.name_at)).text;
  std::vector<std::string> statements;
  if (statement.replaces) statements.push_back("DROP VIEW IF EXISTS " + quoted_name(name));
  statements.push_back(fmt::format("CREATE VIEW {} AS {}", written, select.text));
  if (Result<> created = execute_at_once(connection, statements); !created)
    return wrong(sql, created.error().message, created.error().code);
  return {};
}

}  // namespace tracebraid
