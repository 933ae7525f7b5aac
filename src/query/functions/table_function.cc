#include "query/functions/table_function.h"

#include <fmt/core.h>

#include <new>
#include <string>

#include "query/scan/value.h"

namespace tracebraid {
namespace {

struct Module {
  const TableFunction* function;
  std::function<bool(std::string_view)> before_use;
};

struct FunctionTable : sqlite3_vtab {
  const Module* module = nullptr;
};

struct Cursor : sqlite3_vtab_cursor {
  std::unique_ptr<TableFunctionRows> rows;
  std::vector<Cell> arguments;
  std::vector<std::string> texts;  // of the arguments
  size_t row = 0, chunk_rows = 0;  // in the chunk
  int64_t number = 0;              // in the result
};

const TableFunction& function_of(sqlite3_vtab* vtab) {
  return *static_cast<FunctionTable*>(vtab)->module->function;
}
Cursor& cursor_of(sqlite3_vtab_cursor* cursor) { return *static_cast<Cursor*>(cursor); }

// No exception may pass through SQLite, which is C.
template <class Body>
int without_exceptions(Body&& body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  }
}

int fail_with(sqlite3_vtab* vtab, const Error& error) {
  sqlite3_free(vtab->zErrMsg);
  vtab->zErrMsg = sqlite3_mprintf("%s", error.message.c_str());
  return SQLITE_ERROR;
}

std::string_view declared_type(SqlType type) {
  return type == SqlType::Real ? "DOUBLE" : name_of(type);
}

std::string declaration_of(const TableFunction& function) {
  std::string sql = "CREATE TABLE x(";
  for (const TableFunction::Column& column : function.columns)
    sql += fmt::format("\"{}\" {}, ", column.name, declared_type(column.type));
  for (size_t i = 0; i < function.parameters.size(); ++i)
    sql += fmt::format("_fn_arg{} HIDDEN, ", i);
  return sql + "_auto_id INTEGER HIDDEN)";
}

int connect(sqlite3* db, void* data, int, const char* const*, sqlite3_vtab** vtab, char**) {
  return without_exceptions([&] {
    auto table = std::make_unique<FunctionTable>();
    table->module = static_cast<const Module*>(data);
    const int rc = sqlite3_declare_vtab(db, declaration_of(*table->module->function).c_str());
    if (rc != SQLITE_OK) return rc;
    sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
    *vtab = table.release();
    return SQLITE_OK;
  });
}

int disconnect(sqlite3_vtab* vtab) {
  delete static_cast<FunctionTable*>(vtab);
  return SQLITE_OK;
}

// Each argument must be known. Without one there is no plan: "no query solution".
int best_index(sqlite3_vtab* vtab, sqlite3_index_info* info) {
  return without_exceptions([&] {
    const Module& module = *static_cast<FunctionTable*>(vtab)->module;
    const TableFunction& function = *module.function;
    for (const std::string_view table : function.reads)
      if (module.before_use && !module.before_use(table))
        return fail_with(vtab, {ErrorCode::Sql, fmt::format("the rows of {} are damaged", table)});
    std::vector<bool> given(function.parameters.size());
    for (int i = 0; i < info->nConstraint; ++i) {
      const auto& constraint = info->aConstraint[i];
      const int parameter = constraint.iColumn - static_cast<int>(function.columns.size());
      if (constraint.op != SQLITE_INDEX_CONSTRAINT_EQ || parameter < 0 ||
          parameter >= static_cast<int>(given.size()) || constraint.usable == 0 ||
          given[static_cast<size_t>(parameter)])
        continue;
      given[static_cast<size_t>(parameter)] = true;
      info->aConstraintUsage[i].argvIndex = parameter + 1;
      info->aConstraintUsage[i].omit = 1;
    }
    for (const bool is_given : given)
      if (!is_given) return SQLITE_CONSTRAINT;
    constexpr double kCost = 100;
    constexpr sqlite3_int64 kRows = 10;
    info->estimatedCost = kCost;
    info->estimatedRows = kRows;
    return SQLITE_OK;
  });
}

int open_cursor(sqlite3_vtab* vtab, sqlite3_vtab_cursor** opened) {
  return without_exceptions([&] {
    auto cursor = std::make_unique<Cursor>();
    cursor->rows = function_of(vtab).open();
    *opened = cursor.release();
    return SQLITE_OK;
  });
}

int close_cursor(sqlite3_vtab_cursor* cursor) {
  delete &cursor_of(cursor);
  return SQLITE_OK;
}

int next_chunk(Cursor& cursor) {
  const Result<size_t> rows = cursor.rows->next_chunk();
  if (!rows) return fail_with(cursor.pVtab, rows.error());
  cursor.row = 0;
  cursor.chunk_rows = *rows;
  return SQLITE_OK;
}

int filter(sqlite3_vtab_cursor* vtab_cursor, int, const char*, int count, sqlite3_value** values) {
  return without_exceptions([&] {
    Cursor& cursor = cursor_of(vtab_cursor);
    cursor.number = 0;
    cursor.arguments.clear();
    cursor.texts.resize(static_cast<size_t>(count));
    for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
      Cell argument = cell_of(values[i]);
      cursor.texts[i] = argument.text;
      argument.text = cursor.texts[i];
      cursor.arguments.push_back(argument);
    }
    if (const Result<> begun = cursor.rows->call(cursor.arguments); !begun)
      return fail_with(cursor.pVtab, begun.error());
    return next_chunk(cursor);
  });
}

int next(sqlite3_vtab_cursor* vtab_cursor) {
  return without_exceptions([&] {
    Cursor& cursor = cursor_of(vtab_cursor);
    ++cursor.number;
    return ++cursor.row < cursor.chunk_rows ? SQLITE_OK : next_chunk(cursor);
  });
}

int at_end(sqlite3_vtab_cursor* cursor) {
  return cursor_of(cursor).row >= cursor_of(cursor).chunk_rows ? 1 : 0;
}

int column_value(sqlite3_vtab_cursor* vtab_cursor, sqlite3_context* context, int index) {
  return without_exceptions([&] {
    const Cursor& cursor = cursor_of(vtab_cursor);
    const size_t columns = function_of(cursor.pVtab).columns.size();
    const auto at = static_cast<size_t>(index);
    if (at < columns)
      set_result(context, cursor.rows->cell(cursor.row, at), true);
    else if (at < columns + cursor.arguments.size())
      set_result(context, cursor.arguments[at - columns], true);
    else
      sqlite3_result_int64(context, cursor.number);
    return SQLITE_OK;
  });
}

int row_id(sqlite3_vtab_cursor* cursor, sqlite3_int64* row) {
  *row = cursor_of(cursor).number;
  return SQLITE_OK;
}

// Without xCreate it is a table by itself, and nothing else.
const sqlite3_module& function_module() {
  static const sqlite3_module module = [] {
    sqlite3_module m{};
    m.iVersion = 1;
    m.xConnect = connect;
    m.xBestIndex = best_index;
    m.xDisconnect = disconnect;
    m.xOpen = open_cursor;
    m.xClose = close_cursor;
    m.xFilter = filter;
    m.xNext = next;
    m.xEof = at_end;
    m.xColumn = column_value;
    m.xRowid = row_id;
    return m;
  }();
  return module;
}

}  // namespace

Result<> add_table_functions(sqlite3* db, std::span<const TableFunction> functions,
                             const std::function<bool(std::string_view)>& before_use) {
  for (const TableFunction& function : functions) {
    auto module = std::make_unique<Module>(Module{&function, before_use});
    const std::string name(function.name);
    const int rc = sqlite3_create_module_v2(db, name.c_str(), &function_module(), module.release(),
                                            [](void* data) { delete static_cast<Module*>(data); });
    if (rc != SQLITE_OK)
      return fail(ErrorCode::Sql, fmt::format("{}(): {}", name, sqlite3_errmsg(db)));
  }
  return {};
}

}  // namespace tracebraid
