#include "query/operators/flamegraph.h"

#include <fmt/core.h>

#include <cmath>
#include <memory>
#include <string>

#include "query/operators/flame_config.h"
#include "query/operators/flame_source.h"
#include "query/operators/flame_tree.h"
#include "query/operators/operator_function.h"
#include "query/operators/operator_module.h"
#include "query/operators/relation_columns.h"
#include "query/operators/source_query.h"
#include "query/scan/sqlite_module.h"
#include "query/scan/value.h"

namespace tracebraid {
namespace {

constexpr const char* kFind = "__intrinsic_flamegraph_find";
constexpr int kFindOperator = SQLITE_INDEX_CONSTRAINT_FUNCTION + 1;

struct Vtab : sqlite3_vtab {
  explicit Vtab(OperatorContext& of) : sqlite3_vtab{}, context(of), memory(of.memory) {}

  // A column behind the fixed ones: a property, or an amount of one.
  struct Column {
    enum class Kind : uint8_t { Property, Self, Cumulative } kind;
    size_t property;
  };
  OperatorContext& context;
  OperatorMemory memory;
  FlameSource source;
  std::vector<Column> columns;
};

struct Cursor : sqlite3_vtab_cursor {
  std::unique_ptr<OperatorMemory> memory;
  FlameTree tree;
  bool is_super_root = false;  // the only row
  size_t row = 0, rows = 0;
};

struct FlamegraphModule {
  using Vtab = tracebraid::Vtab;
  using Cursor = tracebraid::Cursor;
  enum : int {
    Config,
    TreeId,
    ParentId,
    Depth,
    Name,
    Self,
    Cumulative,
    ParentCumulative,
    XStart,
    XEnd,
    FirstProperty
  };

  static const Vtab& table_of(const Cursor& cursor) {
    return *static_cast<const Vtab*>(cursor.pVtab);
  }
  static StopCheck& stop_of(void* data) { return *static_cast<OperatorContext*>(data)->stop; }
  static StopCheck& stop_of(const Vtab& vtab) { return *vtab.context.stop; }
  static StopCheck& stop_of(const Cursor& cursor) { return stop_of(table_of(cursor)); }

  static int connect(sqlite3* db, void* data, std::span<const char* const> arguments,
                     std::unique_ptr<Vtab>& made, char** error) {
    auto table = std::make_unique<Vtab>(*static_cast<OperatorContext*>(data));
    const auto load = [&]() -> Result<> {
      TB_TRY_ASSIGN(const GatheredRows rows,
                    rows_of_source(table->context, "flamegraph", arguments.subspan(3)));
      TB_TRY_ASSIGN(table->source, flame_source(rows, *table->context.stop));
      return table->memory.take(table->source.memory());
    };
    if (const Result<> loaded = load(); !loaded)
      return fail_create(error, *table->context.stop, loaded.error());
    std::string sql =
        "CREATE TABLE x(in_config HIDDEN, _tree_id BIGINT, _tree_parent_id BIGINT, depth BIGINT, "
        "name TEXT, self_value, cumulative_value, parent_cumulative_value, x_start, x_end";
    const FlameSource& source = table->source;
    // The first column of the source is `value`, which has fixed columns.
    for (size_t i = 1; i < source.names.size(); ++i) {
      sql += ", " + quoted(source.names[i]);
      table->columns.push_back({Vtab::Column::Kind::Property, i});
    }
    for (size_t i = 1; i < source.names.size(); ++i) {
      if (source.is_numeric[i] == 0) continue;
      sql +=
          ", " + quoted("self_" + source.names[i]) + ", " + quoted("cumulative_" + source.names[i]);
      table->columns.push_back({Vtab::Column::Kind::Self, i});
      table->columns.push_back({Vtab::Column::Kind::Cumulative, i});
    }
    made = std::move(table);
    return sqlite3_declare_vtab(db, (sql + ")").c_str());
  }

  static int best_index(Vtab&, sqlite3_index_info& info) {
    if (!take_arguments(info, Config, 1)) return SQLITE_CONSTRAINT;
    for (int i = 0; i < info.nConstraint; ++i) {
      const auto& constraint = info.aConstraint[i];
      if (constraint.op != kFindOperator || constraint.iColumn != TreeId) continue;
      if (constraint.usable == 0) return SQLITE_CONSTRAINT;
      info.aConstraintUsage[i].argvIndex = 2;
      info.aConstraintUsage[i].omit = 1;
      break;
    }
    constexpr double kCost = 1e5;
    info.estimatedCost = kCost;
    info.estimatedRows = 10'000;
    return SQLITE_OK;
  }

  static void open(Vtab& vtab, Cursor& cursor) {
    cursor.memory = std::make_unique<OperatorMemory>(vtab.context.memory);
  }

  static int filter(Cursor& cursor, int, const char*, std::span<sqlite3_value*> values) {
    cursor.row = cursor.rows = 0;
    cursor.memory->release();
    const auto config = pointer_of<FlameConfig>(values[0]);
    if (config == nullptr)
      return fail_with(cursor.pVtab,
                       "flamegraph: the config must be one of "
                       "__intrinsic_flamegraph_config");
    cursor.is_super_root = values.size() > 1;
    if (cursor.is_super_root && cell_of(values[1]).text != "SUPER_ROOT")
      return fail_with(cursor.pVtab, "flamegraph: only SUPER_ROOT can be found");
    Result<FlameTree> tree =
        flame_tree(table_of(cursor).source, *config, stop_of(cursor), *cursor.memory);
    if (!tree) return fail_with(cursor.pVtab, stop_of(cursor), tree.error());
    cursor.tree = *std::move(tree);
    cursor.rows = cursor.is_super_root ? 1 : cursor.tree.nodes.size();
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
    return without_exceptions(stop_of(cursor), [&] {
      set_result(context,
                 cursor.is_super_root ? super_root_cell(cursor, column) : cell(cursor, column),
                 true);
      return SQLITE_OK;
    });
  }

 private:
  static Cell super_root_cell(const Cursor& cursor, int column) {
    switch (column) {
      case Depth:
        return Cell::of(int64_t{0});
      case Self:
      case XStart:
        return Cell::of(0.0);
      case Cumulative:
      case XEnd:
        return Cell::of(cursor.tree.total);
      default:
        return Cell::null();
    }
  }

  static Cell cell(const Cursor& cursor, int column) {
    const FlameTree& tree = cursor.tree;
    const FlameTree::Node& node = tree.nodes[cursor.row];
    const bool is_root = node.parent == FlameTree::kNone;
    const Amounts& primary = tree.cumulative[0];
    const auto at = [&](double x) {
      return primary.is_real() ? Cell::of(x) : Cell::of(static_cast<int64_t>(std::llround(x)));
    };
    switch (column) {
      case Config:
        return Cell::null();
      case TreeId:
        return Cell::of(static_cast<int64_t>(cursor.row));
      case ParentId:
        return is_root ? Cell::null() : Cell::of(int64_t{node.parent});
      case Depth:
        return Cell::of(int64_t{node.depth});
      case Name:
        return table_of(cursor).source.texts.cell(node.example);
      case Self:
        return tree.self[0].cell(cursor.row);
      case Cumulative:
        return primary.cell(cursor.row);
      case ParentCumulative:
        return is_root ? Cell::null() : primary.cell(node.parent);
      case XStart:
        return at(tree.x_start[cursor.row]);
      case XEnd:
        return at(tree.x_start[cursor.row] + primary.as_double(cursor.row));
      default:
        return property(cursor, node, static_cast<size_t>(column - FirstProperty));
    }
  }

  static Cell property(const Cursor& cursor, const FlameTree::Node& node, size_t index) {
    const FlameTree& tree = cursor.tree;
    const Vtab::Column& column = table_of(cursor).columns[index];
    if (column.kind != Vtab::Column::Kind::Property) {
      for (size_t i = 0; i < tree.value_columns.size(); ++i)
        if (tree.value_columns[i] == column.property)
          return (column.kind == Vtab::Column::Kind::Self ? tree.self : tree.cumulative)[i].cell(
              cursor.row);
      return Cell::null();
    }
    for (size_t i = 0; i < tree.summary_columns.size(); ++i)
      if (tree.summary_columns[i] == column.property) return tree.summaries[i].cell(cursor.row);
    for (const size_t group : tree.group_columns)
      if (group == column.property)
        return table_of(cursor).source.columns[group].cell(node.example);
    return Cell::null();
  }
};

void find_outside(sqlite3_context* context, int, sqlite3_value**) {
  sqlite3_result_error(context, "__intrinsic_flamegraph_find: the column is not of a flamegraph",
                       -1);
}

int find_function(sqlite3_vtab*, int count, const char* name,
                  void (**function)(sqlite3_context*, int, sqlite3_value**), void**) {
  if (count != 2 || sqlite3_stricmp(name, kFind) != 0) return 0;
  *function = find_outside;
  return kFindOperator;
}

}  // namespace

Result<> add_flamegraph(OperatorContext& context) {
  static constexpr sqlite3_module module = [] {
    sqlite3_module made = creatable_module_of<FlamegraphModule>();
    made.xFindFunction = find_function;
    return made;
  }();
  TB_TRY(add_module(context.db, "__intrinsic_flamegraph", module, &context));
  TB_TRY(add_flame_config(context));
  if (sqlite3_create_function_v2(context.db, kFind, 2, kOperatorFlags, nullptr, find_outside,
                                 nullptr, nullptr, nullptr) != SQLITE_OK)
    return tl::unexpected(sqlite_error(context.db));
  return {};
}

}  // namespace tracebraid
