#include "query/scan/virtual_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <deque>

#include "base/words.h"
#include "query/scan/best_index.h"
#include "query/scan/projection.h"
#include "query/scan/scan.h"
#include "query/scan/sqlite_module.h"
#include "query/scan/value.h"

namespace tracebraid {
namespace {

struct ConnectedTable : sqlite3_vtab {
  ConnectedTable() : sqlite3_vtab{} {}
  ConnectedTable(const ConnectedTable&) = delete;
  ConnectedTable& operator=(const ConnectedTable&) = delete;
  ~ConnectedTable() {
    if (!is_listed) return;  // the module of a hidden table may be gone
    std::erase_if(module->connected, [&](const auto& entry) { return entry.second == table; });
    module->vtabs.erase(static_cast<const sqlite3_vtab*>(this));
    module->may_have_dropped |= created != nullptr && is_typed;
  }

  TableModule* module = nullptr;
  std::string_view raw;    // name of the table of `module` with the rows
  bool is_listed = false;  // whether the module lists it
  bool is_typed = true;    // whether columns have declared types
  const Table* table = nullptr;
  std::shared_ptr<const Table> created;  // of a statement; null for tables of the trace
  Projection projection;                 // owns the table of a projection
};

// Operands of a scan.
struct Argument {
  std::vector<Cell> values;
  std::deque<std::string> texts;  // of IN: each value is valid only until the next is read
};

struct Cursor : sqlite3_vtab_cursor {
  const Table* table = nullptr;
  const TableModule* module = nullptr;
  Scan scan;
  std::string plan_text;  // text of `plan`: a cursor mostly runs the same plan repeatedly
  Plan plan;
  std::vector<Argument> arguments;  // by term
  std::vector<Scan::Operand> operands;
  bool is_measured = false;  // whether `scan` has counts that no statistics have yet
  std::chrono::nanoseconds time{0};

  ~Cursor() { record(); }
  // Adds the counts of the last start to the statistics.
  void record() {
    if (!is_measured || module->stats == nullptr) return;
    is_measured = false;
    add_counts(*module->stats, *table, plan_text, scan.counts(), time);
    time = {};
  }
};

// The last column of a created table is the row number.
std::string declaration_of(const ConnectedTable& table) {
  const TableView& view = table.table->view();
  std::string sql = "CREATE TABLE x(";
  for (const ColumnView& column : view.columns) {
    if (!sql.ends_with('(')) sql += ", ";
    sql += fmt::format("\"{}\" {}{}", column.name,
                       table.is_typed ? declared_type(column.sql_type) : "",
                       column.hidden ? " HIDDEN" : "");
  }
  if (table.created != nullptr && table.is_typed)
    sql += fmt::format(", PRIMARY KEY(\"{}\")", view.columns.back().name);
  return sql + ")";
}

// Returns the raw table `name`, or the created table or a projection of the raw table that the
// first argument names.
Result<std::unique_ptr<ConnectedTable>> connected_table(TableModule& module, std::string_view name,
                                                        std::span<const char* const> arguments) {
  if (const auto computed = module.computed.find(name);
      arguments.empty() && computed != module.computed.end()) {
    auto connected = std::make_unique<ConnectedTable>();
    connected->module = &module;
    connected->created = computed->second;
    connected->table = computed->second.get();
    connected->is_typed = false;
    return connected;
  }
  const std::string_view raw = arguments.empty() ? name : arguments.front();
  if (const auto created = module.created.find(raw); created != module.created.end()) {
    auto connected = std::make_unique<ConnectedTable>();
    connected->module = &module;
    connected->created = created->second;
    connected->table = created->second.get();
    return connected;
  }
  const auto found = std::find_if(module.raw.begin(), module.raw.end(),
                                  [&](const auto& table) { return table->view().name == raw; });
  if (found == module.raw.end())
    return fail(ErrorCode::Sql, fmt::format("no such raw table: {}", raw));
  auto connected = std::make_unique<ConnectedTable>();
  connected->module = &module;
  connected->raw = (*found)->view().name;
  connected->table = *found;
  if (arguments.size() > 1) {
    TB_TRY_ASSIGN(connected->projection, project(**found, name, arguments.subspan(1)));
    connected->table = connected->projection.table.get();
  }
  return connected;
}

int read_argument(bool is_list, sqlite3_value* value, Argument& argument) {
  argument.values.clear();
  if (!is_list) {
    argument.values.push_back(cell_of(value));
    return SQLITE_OK;
  }
  argument.texts.clear();
  sqlite3_value* element = nullptr;
  int rc = sqlite3_vtab_in_first(value, &element);
  for (; rc == SQLITE_OK && element != nullptr; rc = sqlite3_vtab_in_next(value, &element)) {
    argument.values.push_back(cell_of(element));
    Cell& cell = argument.values.back();
    cell.text = argument.texts.emplace_back(cell.text);
  }
  return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

void capture_scan(const Cursor& cursor, uint32_t columns_read, ScanCapture& capture) {
  capture.table = cursor.table;
  capture.plan = cursor.plan;
  capture.columns_read = columns_read;
  for (const Argument& argument : cursor.arguments) {
    std::vector<Cell>& values = capture.operands.emplace_back(argument.values);
    for (Cell& cell : values) cell.text = capture.texts.emplace_back(cell.text);
  }
}

struct TablesOfStore {
  using Vtab = ConnectedTable;
  using Cursor = tracebraid::Cursor;

  static StopCheck& stop_of(void* data) { return *static_cast<TableModule*>(data)->stop; }
  static StopCheck& stop_of(const ConnectedTable& table) { return *table.module->stop; }
  static StopCheck& stop_of(const Cursor& cursor) { return *cursor.module->stop; }

  // `arguments`: module, database, table, and those of CREATE VIRTUAL TABLE.
  static int connect(sqlite3* db, void* data, std::span<const char* const> arguments,
                     std::unique_ptr<ConnectedTable>& made, char** error) {
    TableModule& module = *static_cast<TableModule*>(data);
    auto table = connected_table(module, arguments[2], arguments.subspan(3));
    if (!table) {
      *error = sqlite3_mprintf("%s", table.error().message.c_str());
      return SQLITE_ERROR;
    }
    made = std::move(*table);
    const int rc = sqlite3_declare_vtab(db, declaration_of(*made).c_str());
    if (rc != SQLITE_OK) return rc;
    const bool is_ours = arguments[0] == kTableModule || !made->is_typed;
    if (is_ours && arguments[1] == std::string_view("main")) {
      made->is_listed = true;
      module.vtabs.insert(static_cast<const sqlite3_vtab*>(made.get()));
      module.connected[in_lower_case(arguments[2])] = made->table;
    }
    return SQLITE_OK;
  }

  // Called before any code that reads rows.
  static int best_index(ConnectedTable& table, sqlite3_index_info& info) {
    const auto& before_use = table.module->before_use;
    if (before_use && table.created == nullptr && !before_use(table.raw))
      return fail_with(&table, fmt::format("the rows of {} are damaged", table.raw));
    return choose_plan(&info, *table.table, table.module->is_only_table, table.is_typed);
  }

  static void open(ConnectedTable& table, Cursor& cursor) {
    cursor.table = table.table;
    cursor.module = table.module;
  }

  static int filter(Cursor& cursor, int columns_read, const char* plan_text,
                    std::span<sqlite3_value*> values) {
    cursor.record();
    if (cursor.plan_text != plan_text || cursor.operands.size() != values.size()) {
      cursor.plan_text = plan_text;
      cursor.plan = plan_of(plan_text, *cursor.table);
      cursor.arguments.resize(values.size());
      cursor.operands.resize(values.size());
    }
    for (size_t i = 0; i < cursor.operands.size(); ++i) {
      const std::vector<PlanTerm>& terms = cursor.plan.terms;
      const bool is_list = i < terms.size() && terms[i].op == Op::In;
      const int rc = read_argument(is_list, values[i], cursor.arguments[i]);
      if (rc != SQLITE_OK) return rc;
      cursor.operands[i].values = cursor.arguments[i].values;
    }
    ScanCapture* const capture = cursor.module->capture;
    if (capture != nullptr && capture->table == nullptr) {
      capture_scan(cursor, static_cast<uint32_t>(columns_read), *capture);
      return SQLITE_OK;  // a cursor that was not started is at its end
    }
    cursor.is_measured = cursor.module->stats != nullptr;
    cursor.scan.measure(cursor.is_measured ? &cursor.time : nullptr);
    const bool done = cursor.scan.start(*cursor.table, cursor.plan, cursor.operands,
                                        *cursor.module->stop, static_cast<uint32_t>(columns_read));
    return done ? SQLITE_OK : SQLITE_INTERRUPT;
  }

  static int next(Cursor& cursor) { return cursor.scan.next() ? SQLITE_OK : SQLITE_INTERRUPT; }
  static bool at_end(const Cursor& cursor) { return cursor.scan.at_end(); }
  static sqlite3_int64 row_id(const Cursor& cursor) { return cursor.scan.row(); }

  static int column_value(const Cursor& cursor, sqlite3_context* context, int index) {
    const Table& table = *cursor.table;
    const ColumnView& column = table.view().columns[static_cast<size_t>(index)];
    const uint32_t row = cursor.scan.row();
    // The most frequent case first, without a Cell.
    if (column.packed != nullptr && column.type != CellType::String) {
      const int64_t value = (*column.packed)[row];
      if (column.type != CellType::OptRow || value >= 0) sqlite3_result_int64(context, value);
      return SQLITE_OK;
    }
    switch (column.type) {
      case CellType::RowNumber:
        sqlite3_result_int64(context, row);
        break;
      case CellType::Int64:
        sqlite3_result_int64(context, static_cast<const int64_t*>(column.data)[row]);
        break;
      case CellType::UInt32:
        sqlite3_result_int64(context, static_cast<const uint32_t*>(column.data)[row]);
        break;
      default:
        return without_exceptions(stop_of(cursor), [&] {
          set_result(context, cell(column, row, table.strings()), false);
          return SQLITE_OK;
        });
    }
    return SQLITE_OK;
  }
};

// A module with equal xCreate and xConnect is also an eponymous table.
const sqlite3_module& table_module() {
  static constexpr sqlite3_module module = [] {
    sqlite3_module m = module_of<TablesOfStore>();
    m.xCreate = m.xConnect;
    m.xDestroy = m.xDisconnect;
    return m;
  }();
  return module;
}

}  // namespace

void add_counts(QueryStats& stats, const Table& table, std::string_view filters,
                const ScanCounts& counts, std::chrono::nanoseconds time) {
  QueryStats::Operator& entry =
      stats.at(fmt::format("scan {}", table.view().name), filters, text_of(counts));
  ++entry.starts;
  entry.rows_scanned += counts.rows_scanned;
  entry.rows_found += counts.rows_found;
  entry.time += time;
}

Result<> add_table_module(sqlite3* db, TableModule& module) {
  if (sqlite3_create_module_v2(db, kTableModule.data(), &table_module(), &module, nullptr) !=
      SQLITE_OK)
    return tl::unexpected(sqlite_error(db));
  return {};
}

Result<> add_computed_table(sqlite3* db, TableModule& module, const std::string& name,
                            std::shared_ptr<const Table> table) {
  module.computed[name] = std::move(table);
  if (sqlite3_create_module_v2(db, name.c_str(), &table_module(), &module, nullptr) != SQLITE_OK)
    return tl::unexpected(sqlite_error(db));
  return {};
}

void remove_computed_table(sqlite3* db, TableModule& module, const std::string& name) {
  sqlite3_create_module_v2(db, name.c_str(), nullptr, nullptr, nullptr);
  module.computed.erase(name);
}

// SQLite disconnects from the module later, perhaps after it was destroyed.
Result<> add_hidden_table(sqlite3* db, TableModule& module) {
  const std::string name(module.raw.front()->view().name);
  if (sqlite3_create_module_v2(db, name.c_str(), &table_module(), &module, nullptr) != SQLITE_OK)
    return tl::unexpected(sqlite_error(db));
  return {};
}

void remove_hidden_table(sqlite3* db, const TableModule& module) {
  const std::string name(module.raw.front()->view().name);
  sqlite3_create_module_v2(db, name.c_str(), nullptr, nullptr, nullptr);
}

}  // namespace tracebraid
