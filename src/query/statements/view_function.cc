#include "query/statements/view_function.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <string_view>

#include "query/compile/script.h"
#include "query/scan/sqlite_module.h"
#include "query/scan/value.h"
#include "query/statements/session.h"

namespace tracebraid {
namespace {

struct FunctionTable : sqlite3_vtab {
  FunctionTable() : sqlite3_vtab{} {}
  ConnectionState* connection = nullptr;
  std::shared_ptr<ViewFunction> function;
};

struct Cursor : sqlite3_vtab_cursor {
  Cursor() : sqlite3_vtab_cursor{} {}
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;
  ~Cursor() {
    if (statement == nullptr) return;
    sqlite3_reset(statement.get());
    function->idle.push_back(std::move(statement));
  }

  ConnectionState* connection = nullptr;
  std::shared_ptr<ViewFunction> function;
  StatementPtr statement;
  bool is_at_end = true;
  int64_t number = 0;  // of the row, from 1
};

std::string declaration_of(const ViewFunction& function) {
  std::string sql = "CREATE TABLE x(";
  for (const ViewFunction::Column& column : function.columns)
    sql += fmt::format("\"{}\" {}, ", column.name, declared_type(column.type));
  for (size_t i = 0; i < function.parameters.size(); ++i)
    sql += fmt::format("\"in_{}\" {} HIDDEN, ", function.parameters[i],
                       declared_type(function.types[i]));
  return sql + "_primary_key INTEGER HIDDEN, PRIMARY KEY(_primary_key))";
}

struct ViewFunctionTables {
  using Vtab = FunctionTable;
  using Cursor = tracebraid::Cursor;

  static StopCheck& stop_of(void* data) { return static_cast<ConnectionState*>(data)->stop; }
  static StopCheck& stop_of(const FunctionTable& table) { return table.connection->stop; }
  static StopCheck& stop_of(const Cursor& cursor) { return cursor.connection->stop; }

  static int connect(sqlite3* db, void* data, std::span<const char* const> arguments,
                     std::unique_ptr<FunctionTable>& made, char** error) {
    auto* connection = static_cast<ConnectionState*>(data);
    const ViewFunctions& functions = connection->session->view_functions;
    const auto found = functions.find(arguments.size() == 4 ? std::string_view(arguments[3]) : "");
    if (found == functions.end()) {
      *error = sqlite3_mprintf("no such table function: %s", arguments[2]);
      return SQLITE_ERROR;
    }
    made = std::make_unique<FunctionTable>();
    made->connection = connection;
    made->function = found->second;
    return sqlite3_declare_vtab(db, declaration_of(*made->function).c_str());
  }

  // All arguments must be given. Without one there is no plan: "no query solution".
  static int best_index(FunctionTable& table, sqlite3_index_info& info) {
    const ViewFunction& function = *table.function;
    std::vector<bool> given(function.parameters.size());
    for (int i = 0; i < info.nConstraint; ++i) {
      const auto& constraint = info.aConstraint[i];
      const int parameter = constraint.iColumn - static_cast<int>(function.columns.size());
      if (constraint.op != SQLITE_INDEX_CONSTRAINT_EQ || parameter < 0 ||
          parameter >= static_cast<int>(given.size()) || constraint.usable == 0 ||
          given[static_cast<size_t>(parameter)])
        continue;
      given[static_cast<size_t>(parameter)] = true;
      info.aConstraintUsage[i].argvIndex = parameter + 1;
      info.aConstraintUsage[i].omit = 1;
    }
    if (std::ranges::find(given, false) != given.end()) return SQLITE_CONSTRAINT;
    constexpr double kCost = 100;
    constexpr sqlite3_int64 kRows = 10;
    info.estimatedCost = kCost;
    info.estimatedRows = kRows;
    return SQLITE_OK;
  }

  static void open(FunctionTable& table, Cursor& cursor) {
    cursor.connection = table.connection;
    cursor.function = table.function;
  }

  static int failed(Cursor& cursor, std::string_view message) {
    return fail_with(cursor.pVtab, fmt::format("{}: SQLite error while executing function body: {}",
                                               cursor.function->name, message));
  }

  static int step(Cursor& cursor) {
    const int rc = sqlite3_step(cursor.statement.get());
    cursor.is_at_end = rc != SQLITE_ROW;
    ++cursor.number;
    if (rc == SQLITE_ROW || rc == SQLITE_DONE) return SQLITE_OK;
    const int code = rc & 0xff;
    if (code == SQLITE_INTERRUPT || code == SQLITE_NOMEM) return code;
    return failed(cursor, sqlite3_errmsg(cursor.connection->db.get()));
  }

  static int filter(Cursor& cursor, int, const char*, std::span<sqlite3_value*> values) {
    ViewFunction& function = *cursor.function;
    ConnectionState& connection = *cursor.connection;
    if (connection.call_depth >= kDeepestCall)
      return failed(cursor, fmt::format("recursion is deeper than {} calls", kDeepestCall));
    if (cursor.statement != nullptr) {
      sqlite3_reset(cursor.statement.get());
    } else if (!function.idle.empty()) {
      cursor.statement = std::move(function.idle.back());
      function.idle.pop_back();
    } else {
      Result<StatementPtr> compiled = compile(connection, function.body, SQLITE_PREPARE_PERSISTENT);
      if (!compiled) return failed(cursor, sqlite3_errmsg(connection.db.get()));
      cursor.statement = *std::move(compiled);
    }
    for (size_t i = 0; i < values.size(); ++i) {
      const std::string name = "$" + function.parameters[i];
      const int index = sqlite3_bind_parameter_index(cursor.statement.get(), name.c_str());
      if (index != 0) sqlite3_bind_value(cursor.statement.get(), index, values[i]);
    }
    cursor.number = 0;
    ++connection.call_depth;
    const int rc = step(cursor);
    --connection.call_depth;
    return rc;
  }

  static int next(Cursor& cursor) {
    ++cursor.connection->call_depth;
    const int rc = step(cursor);
    --cursor.connection->call_depth;
    return rc;
  }
  static bool at_end(const Cursor& cursor) { return cursor.is_at_end; }
  static sqlite3_int64 row_id(const Cursor& cursor) { return cursor.number; }

  static int column_value(const Cursor& cursor, sqlite3_context* context, int index) {
    const auto columns = static_cast<int>(cursor.function->columns.size());
    const auto parameters = static_cast<int>(cursor.function->parameters.size());
    if (index < columns)
      sqlite3_result_value(context, sqlite3_column_value(cursor.statement.get(), index));
    else if (index == columns + parameters)
      sqlite3_result_int64(context, cursor.number);
    return SQLITE_OK;
  }
};

const sqlite3_module& view_function_module() {
  static const sqlite3_module module = [] {
    sqlite3_module m = module_of<ViewFunctionTables>();
    m.xCreate = m.xConnect;
    m.xDestroy = m.xDisconnect;
    return m;
  }();
  return module;
}

}  // namespace

Result<> add_view_function_module(ConnectionState& connection) {
  if (sqlite3_create_module_v2(connection.db.get(), kViewFunctionModule.data(),
                               &view_function_module(), &connection, nullptr) != SQLITE_OK)
    return tl::unexpected(sqlite_error(connection.db.get()));
  return {};
}

Result<> check_view_function(const ConnectionState& connection, ViewFunction& function) {
  TB_TRY_ASSIGN(StatementPtr statement,
                compile(connection, function.body, SQLITE_PREPARE_PERSISTENT));
  const auto wrong = [&](const std::string& message) {
    return tl::unexpected(
        error_at(function.body, ErrorCode::Sql, 0, fmt::format("{}: {}", function.name, message)));
  };
  for (int i = 1; i <= sqlite3_bind_parameter_count(statement.get()); ++i) {
    const char* const name = sqlite3_bind_parameter_name(statement.get(), i);
    if (name == nullptr || name[0] == '?')
      return wrong(
          "\"Nameless\" SQL parameters cannot be used in the SQL statements of view functions.");
    if (name[0] != '$')
      return wrong(fmt::format(
          "invalid parameter name {} used in the SQL definition of the view function: all "
          "parameters must be prefixed with '$' not ':' or '@'.",
          name));
    if (std::ranges::find(function.parameters, std::string_view(name + 1)) ==
        function.parameters.end())
      return wrong(fmt::format(
          "parameter {} does not appear in the list of arguments in the prototype of the view "
          "function.",
          name));
  }
  const std::vector<std::string> names = column_names(statement.get());
  if (names.size() != function.columns.size())
    return wrong(
        fmt::format("number of return values {} does not match SQL statement column count {}.",
                    names.size(), function.columns.size()));
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] != function.columns[i].name)
      return wrong(fmt::format("column {} at index {} does not match return value name {}.",
                               names[i], i, function.columns[i].name));
  function.idle.push_back(std::move(statement));
  return {};
}

}  // namespace tracebraid
