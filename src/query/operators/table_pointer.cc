#include "query/operators/table_pointer.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "query/operators/operator_function.h"
#include "query/operators/operator_module.h"
#include "query/operators/result_table.h"
#include "query/scan/sqlite_module.h"
#include "query/scan/value.h"

namespace tracebraid {
namespace {

constexpr int kColumns = 32;
constexpr int kTable = kColumns;  // hidden column of the pointer
constexpr const char* kBind = "__intrinsic_table_ptr_bind";
constexpr int kBindOperator = SQLITE_INDEX_CONSTRAINT_FUNCTION + 1;

struct Vtab : sqlite3_vtab {
  OperatorContext* context = nullptr;
};

struct Cursor : sqlite3_vtab_cursor {
  std::shared_ptr<const ResultTable> table;
  size_t row = 0, rows = 0;
  std::array<int, kColumns> columns{};  // of the table; -1: not bound
};

// `kIsBound`: columns have the names that bind() gives; otherwise their positions.
template <bool kIsBound>
struct TablePointer {
  using Vtab = tracebraid::Vtab;
  using Cursor = tracebraid::Cursor;

  static StopCheck& stop_of(void* data) { return *static_cast<OperatorContext*>(data)->stop; }
  static StopCheck& stop_of(const Vtab& vtab) { return *vtab.context->stop; }
  static StopCheck& stop_of(const Cursor& cursor) {
    return stop_of(*static_cast<const Vtab*>(cursor.pVtab));
  }

  static int connect(sqlite3* db, void* data, std::span<const char* const>,
                     std::unique_ptr<Vtab>& made, char**) {
    made = std::make_unique<Vtab>();
    made->context = static_cast<OperatorContext*>(data);
    std::string sql = "CREATE TABLE x(";
    for (int i = 0; i < kColumns; ++i) sql += fmt::format("c{}, ", i);
    return sqlite3_declare_vtab(db, (sql + "tab HIDDEN)").c_str());
  }

  // The first argument is the table; idxStr lists the columns of the bound names that follow.
  static int best_index(Vtab& vtab, sqlite3_index_info& info) {
    int arguments = 0;
    bool has_table = false;
    std::string bound;
    for (int i = 0; i < info.nConstraint; ++i) {
      const auto& constraint = info.aConstraint[i];
      if (constraint.iColumn != kTable || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
      has_table = true;
      if (constraint.usable == 0) return SQLITE_CONSTRAINT;
      if (arguments != 0) continue;
      info.aConstraintUsage[i].argvIndex = ++arguments;
      info.aConstraintUsage[i].omit = 1;
    }
    if (!has_table) return fail_with(&vtab, "table must be bound");
    std::array<bool, kColumns> is_bound{};
    for (int i = 0; kIsBound && i < info.nConstraint; ++i) {
      const auto& constraint = info.aConstraint[i];
      if (constraint.op != kBindOperator) continue;
      if (constraint.usable == 0) return SQLITE_CONSTRAINT;
      if (constraint.iColumn < 0 || constraint.iColumn >= kColumns)
        return fail_with(&vtab, "only columns c0 to c31 can be bound");
      bool& is = is_bound[static_cast<size_t>(constraint.iColumn)];
      if (is) return fail_with(&vtab, "Duplicate bound column");
      is = true;
      bound += fmt::format("{} ", constraint.iColumn);
      info.aConstraintUsage[i].argvIndex = ++arguments;
      info.aConstraintUsage[i].omit = 1;
    }
    if (kIsBound && bound.empty()) return fail_with(&vtab, "At least one column must be bound");
    const auto behind = std::ranges::find(is_bound, false);
    if (std::find(behind, is_bound.end(), true) != is_bound.end())
      return fail_with(&vtab, "Bound columns are not dense");
    info.idxStr = sqlite3_mprintf("%s", bound.c_str());
    if (info.idxStr == nullptr) return SQLITE_NOMEM;
    info.needToFreeIdxStr = 1;
    constexpr double kCost = 1e6;
    info.estimatedCost = kCost;
    info.estimatedRows = 1'000'000;
    return SQLITE_OK;
  }

  static void open(Vtab&, Cursor&) {}

  static int filter(Cursor& cursor, int, const char* text, std::span<sqlite3_value*> values) {
    cursor.table = pointer_of<ResultTable>(values[0]);
    cursor.row = cursor.rows = 0;
    if (cursor.table == nullptr) return fail_with(cursor.pVtab, "tab parameter is NULL");
    const std::vector<std::string>& names = cursor.table->names();
    if (!kIsBound) {
      for (int i = 0; i < kColumns; ++i)
        cursor.columns[static_cast<size_t>(i)] = i < static_cast<int>(names.size()) ? i : -1;
    } else {
      cursor.columns.fill(-1);
      const std::string_view list = text;
      size_t at = 0;
      for (sqlite3_value* const value : values.subspan(1)) {
        size_t column = 0;
        const auto read = std::from_chars(list.data() + at, list.data() + list.size(), column);
        at = static_cast<size_t>(read.ptr - list.data()) + 1;
        const Cell name = cell_of(value);
        const auto found = std::ranges::find(names, name.text);
        if (found == names.end())
          return fail_with(cursor.pVtab,
                           fmt::format("column '{}' does not exist in table", name.text));
        cursor.columns[column] = static_cast<int>(found - names.begin());
      }
    }
    cursor.rows = cursor.table->rows();
    return SQLITE_OK;
  }

  static int next(Cursor& cursor) {
    ++cursor.row;
    return SQLITE_OK;
  }
  static bool at_end(const Cursor& cursor) { return cursor.row >= cursor.rows; }
  static sqlite3_int64 row_id(const Cursor& cursor) {
    return static_cast<sqlite3_int64>(cursor.row);
  }
  static int column_value(const Cursor& cursor, sqlite3_context* context, int column) {
    if (column < 0 || column >= kColumns) return SQLITE_OK;
    const int of_table = cursor.columns[static_cast<size_t>(column)];
    if (of_table < 0) return SQLITE_OK;
    return without_exceptions(stop_of(cursor), [&] {
      set_result(context, cursor.table->cell(cursor.row, static_cast<size_t>(of_table)), true);
      return SQLITE_OK;
    });
  }
};

// Called where no __intrinsic_table_ptr takes the call over.
void bind_outside(sqlite3_context* context, int, sqlite3_value**) {
  sqlite3_result_error(context,
                       "__intrinsic_table_ptr_bind should not be called from the global scope", -1);
}

// Called for bound names that SQLite checks again for each row: it omits the check of the first 16
// constraints only.
void bind_inside(sqlite3_context* context, int, sqlite3_value**) { sqlite3_result_int(context, 1); }

int find_function(sqlite3_vtab*, int count, const char* name,
                  void (**function)(sqlite3_context*, int, sqlite3_value**), void**) {
  if (count != 2 || sqlite3_stricmp(name, kBind) != 0) return 0;
  *function = bind_inside;
  return kBindOperator;
}

}  // namespace

Result<> add_table_pointer(OperatorContext& context) {
  static constexpr sqlite3_module bound = [] {
    sqlite3_module module = module_of<TablePointer<true>>();
    module.xFindFunction = find_function;
    return module;
  }();
  static constexpr sqlite3_module positional = module_of<TablePointer<false>>();
  TB_TRY(add_module(context.db, "__intrinsic_table_ptr", bound, &context));
  TB_TRY(add_module(context.db, "__intrinsic_table_columns", positional, &context));
  if (sqlite3_create_function_v2(context.db, kBind, 2, kOperatorFlags, nullptr, bind_outside,
                                 nullptr, nullptr, nullptr) != SQLITE_OK)
    return tl::unexpected(sqlite_error(context.db));
  return {};
}

}  // namespace tracebraid
