#include "query/functions/table_function.h"

#include <fmt/core.h>

#include <string>

#include "query/scan/sqlite_module.h"
#include "query/scan/value.h"

namespace tracebraid {
namespace {

struct Module {
  const TableFunction* function;
  std::function<bool(std::string_view)> before_use;
  StopCheck* stop;
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

std::string declaration_of(const TableFunction& function) {
  std::string sql = "CREATE TABLE x(";
  for (const TableFunction::Column& column : function.columns)
    sql += fmt::format("\"{}\" {}, ", column.name, declared_type(column.type));
  for (size_t i = 0; i < function.parameters.size(); ++i)
    sql += fmt::format("_fn_arg{} HIDDEN, ", i);
  return sql + "_auto_id INTEGER HIDDEN)";
}

struct TableFunctions {
  using Vtab = FunctionTable;
  using Cursor = tracebraid::Cursor;

  static StopCheck& stop_of(void* data) { return *static_cast<const Module*>(data)->stop; }
  static StopCheck& stop_of(const FunctionTable& table) { return *table.module->stop; }
  static StopCheck& stop_of(const Cursor& cursor) {
    return stop_of(*static_cast<FunctionTable*>(cursor.pVtab));
  }

  static int connect(sqlite3* db, void* data, std::span<const char* const>,
                     std::unique_ptr<FunctionTable>& made, char**) {
    made = std::make_unique<FunctionTable>();
    made->module = static_cast<const Module*>(data);
    return sqlite3_declare_vtab(db, declaration_of(*made->module->function).c_str());
  }

  // All arguments must be given. Without one there is no plan: "no query solution".
  static int best_index(FunctionTable& table, sqlite3_index_info& info) {
    const Module& module = *table.module;
    const TableFunction& function = *module.function;
    for (const std::string_view read : function.reads)
      if (module.before_use && !module.before_use(read))
        return fail_with(&table, fmt::format("the rows of {} are damaged", read));
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
    for (const bool is_given : given)
      if (!is_given) return SQLITE_CONSTRAINT;
    constexpr double kCost = 100;
    constexpr sqlite3_int64 kRows = 10;
    info.estimatedCost = kCost;
    info.estimatedRows = kRows;
    return SQLITE_OK;
  }

  static void open(FunctionTable& table, Cursor& cursor) {
    cursor.rows = table.module->function->open();
    cursor.rows->stop = table.module->stop;
  }

  static int filter(Cursor& cursor, int, const char*, std::span<sqlite3_value*> values) {
    cursor.number = 0;
    cursor.arguments.clear();
    cursor.texts.resize(values.size());
    for (size_t i = 0; i < values.size(); ++i) {
      Cell argument = cell_of(values[i]);
      cursor.texts[i] = argument.text;
      argument.text = cursor.texts[i];
      cursor.arguments.push_back(argument);
    }
    if (const Result<> begun = cursor.rows->call(cursor.arguments); !begun)
      return failure(cursor, begun.error());
    return next_chunk(cursor);
  }

  static int next(Cursor& cursor) {
    ++cursor.number;
    return ++cursor.row < cursor.chunk_rows ? SQLITE_OK : next_chunk(cursor);
  }
  static bool at_end(const Cursor& cursor) { return cursor.row >= cursor.chunk_rows; }
  static sqlite3_int64 row_id(const Cursor& cursor) { return cursor.number; }

  static int column_value(const Cursor& cursor, sqlite3_context* context, int index) {
    return without_exceptions(stop_of(cursor), [&] {
      const TableFunction& function = *static_cast<FunctionTable*>(cursor.pVtab)->module->function;
      const size_t columns = function.columns.size();
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

 private:
  static int failure(const Cursor& cursor, const Error& error) {
    if (!ends_statement(error)) return fail_with(cursor.pVtab, error.message);
    stop_of(cursor).stop_with(error);
    return SQLITE_INTERRUPT;
  }
  static int next_chunk(Cursor& cursor) {
    const Result<size_t> rows = cursor.rows->next_chunk();
    if (!rows) return failure(cursor, rows.error());
    cursor.row = 0;
    cursor.chunk_rows = *rows;
    return SQLITE_OK;
  }
};

// A module without xCreate: the table exists without a declaration, and cannot be declared.
const sqlite3_module& function_module() {
  static constexpr sqlite3_module module = module_of<TableFunctions>();
  return module;
}

}  // namespace

Result<> add_table_functions(sqlite3* db, std::span<const TableFunction> functions,
                             const std::function<bool(std::string_view)>& before_use,
                             StopCheck& stop) {
  for (const TableFunction& function : functions) {
    auto module = std::make_unique<Module>(Module{&function, before_use, &stop});
    const std::string name(function.name);
    const int rc = sqlite3_create_module_v2(db, name.c_str(), &function_module(), module.release(),
                                            [](void* data) { delete static_cast<Module*>(data); });
    if (rc != SQLITE_OK)
      return fail(ErrorCode::Sql, fmt::format("{}(): {}", name, sqlite3_errmsg(db)));
  }
  return {};
}

}  // namespace tracebraid
