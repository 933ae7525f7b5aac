#include "query/operators/span_join.h"

#include <charconv>
#include <cstring>
#include <string>
#include <string_view>

#include "base/words.h"
#include "query/operators/operator_module.h"
#include "query/operators/span_join_columns.h"
#include "query/operators/span_join_rows.h"
#include "query/operators/span_table.h"
#include "query/scan/value.h"

namespace tracebraid {
namespace {

struct Vtab : sqlite3_vtab {
  Vtab() : sqlite3_vtab{} {}
  Vtab(const Vtab&) = delete;
  Vtab& operator=(const Vtab&) = delete;
  ~Vtab() {
    if (context == nullptr) return;
    std::erase_if(context->tables, [&](const auto& entry) { return entry.second == &columns; });
  }

  OperatorContext* context = nullptr;
  SpanTable table;
  OperatorTable columns;
};

struct Cursor : sqlite3_vtab_cursor {
  std::unique_ptr<SpanJoinRows> rows;
  int64_t number = 0;
};

const OperatorContext& context_of(const Cursor& cursor) {
  return *static_cast<const Vtab*>(cursor.pVtab)->context;
}

// Columns of the result.
constexpr int kTs = 0, kDur = 1, kPartition = 2;

template <SpanJoin kJoin>
struct SpanJoinModule {
  using Vtab = tracebraid::Vtab;
  using Cursor = tracebraid::Cursor;

  static StopCheck& stop_of(void* data) { return *static_cast<OperatorContext*>(data)->stop; }
  static StopCheck& stop_of(const Vtab& vtab) { return *vtab.context->stop; }
  static StopCheck& stop_of(const Cursor& cursor) { return *context_of(cursor).stop; }

  static int connect(sqlite3* db, void* data, std::span<const char* const> arguments,
                     std::unique_ptr<Vtab>& made, char** error) {
    Result<SpanTable> table = span_table(db, kJoin, arguments.subspan(3));
    if (!table) return fail_create(error, table.error());
    made = std::make_unique<Vtab>();
    made->context = static_cast<OperatorContext*>(data);
    made->table = *std::move(table);
    const int rc = sqlite3_declare_vtab(db, made->table.declaration().c_str());
    if (rc != SQLITE_OK) return rc;
    // `arguments`: module, database, table, and those of CREATE VIRTUAL TABLE.
    made->columns = span_join_columns(made->table, arguments[2], *made->context);
    if (arguments[1] == std::string_view("main"))
      made->context->tables[in_lower_case(arguments[2])] = &made->columns;
    return SQLITE_OK;
  }

  // Takes over `partition = x` and the order by partition and ts.
  static int best_index(Vtab& vtab, sqlite3_index_info& info) {
    const bool is_partitioned = vtab.table.is_partitioned();
    constexpr double kCostOfAll = 1e7, kCostOfPartition = 1e4;
    info.estimatedCost = kCostOfAll;
    info.estimatedRows = 1'000'000;
    bool has_partition = false;
    for (int i = 0; is_partitioned && !has_partition && i < info.nConstraint; ++i) {
      const auto& constraint = info.aConstraint[i];
      if (constraint.iColumn != kPartition || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ ||
          constraint.usable == 0)
        continue;
      has_partition = true;
      info.aConstraintUsage[i].argvIndex = 1;
      info.estimatedCost = kCostOfPartition;
      info.estimatedRows = 10'000;
    }
    const auto is_by = [&](int term, int column) {
      return info.aOrderBy[term].iColumn == column && info.aOrderBy[term].desc == 0;
    };
    if (info.nOrderBy == 1)
      info.orderByConsumed = is_by(0, is_partitioned && !has_partition ? kPartition : kTs) ? 1 : 0;
    else if (info.nOrderBy == 2 && is_partitioned)
      info.orderByConsumed = is_by(0, kPartition) && is_by(1, kTs) ? 1 : 0;
    info.idxStr = sqlite3_mprintf("%llx", info.colUsed);
    if (info.idxStr == nullptr) return SQLITE_NOMEM;
    info.needToFreeIdxStr = 1;
    return SQLITE_OK;
  }

  static void open(Vtab& vtab, Cursor& cursor) {
    cursor.rows = std::make_unique<SpanJoinRows>(vtab.table, *vtab.context);
  }

  static int filter(Cursor& cursor, int, const char* text, std::span<sqlite3_value*> values) {
    cursor.number = 0;
    uint64_t columns_read = 0;
    constexpr int kHex = 16;
    std::from_chars(text, text + std::strlen(text), columns_read, kHex);
    std::optional<int64_t> partition;
    if (!values.empty()) {
      const Cell value = with_numeric_affinity(cell_of(values[0]));
      // SQLite decides about values that are not integers, which equal no partition.
      if (value.kind == Cell::Kind::Null) return end(cursor);
      if (value.kind == Cell::Kind::Int) partition = value.integer;
    }
    return result(cursor, cursor.rows->start(partition, columns_read));
  }

  static int next(Cursor& cursor) {
    ++cursor.number;
    return result(cursor, cursor.rows->next());
  }
  static bool at_end(const Cursor& cursor) { return cursor.rows->at_end(); }
  static sqlite3_int64 row_id(const Cursor& cursor) { return cursor.number; }

  static int column_value(const Cursor& cursor, sqlite3_context* context, int column) {
    const SpanJoinRows& rows = *cursor.rows;
    const auto common =
        static_cast<int>(static_cast<const Vtab*>(cursor.pVtab)->table.common_columns());
    if (column == kTs)
      sqlite3_result_int64(context, rows.row().ts);
    else if (column == kDur)
      sqlite3_result_int64(context, rows.row().dur);
    else if (column < common)
      sqlite3_result_int64(context, rows.partition());
    else
      return without_exceptions(stop_of(cursor), [&] {
        set_result(context, rows.value(static_cast<size_t>(column - common)), true);
        return SQLITE_OK;
      });
    return SQLITE_OK;
  }

 private:
  static int end(Cursor& cursor) {
    cursor.rows->clear();
    return SQLITE_OK;
  }
  static int result(Cursor& cursor, const Result<>& done) {
    return done ? SQLITE_OK : fail_with(cursor.pVtab, stop_of(cursor), done.error());
  }
};

template <SpanJoin kJoin>
Result<> add(OperatorContext& context, const char* name) {
  static constexpr sqlite3_module module = creatable_module_of<SpanJoinModule<kJoin>>();
  return add_module(context.db, name, module, &context);
}

}  // namespace

Result<> add_span_joins(OperatorContext& context) {
  TB_TRY(add<SpanJoin::Inner>(context, "span_join"));
  TB_TRY(add<SpanJoin::Left>(context, "span_left_join"));
  return add<SpanJoin::Outer>(context, "span_outer_join");
}

}  // namespace tracebraid
