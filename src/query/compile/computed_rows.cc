#include "query/compile/computed_rows.h"

#include <fmt/core.h>

#include <limits>
#include <optional>
#include <utility>

#include "base/workers.h"
#include "query/compile/intersection_text.h"
#include "query/operators/interval_intersect.h"

namespace tracebraid {
namespace {

// The rows of an intersection as a table, which the Table shares.
struct IntersectionTable {
  struct Column {
    const IntersectedIntervals* rows;
    size_t position;
    std::vector<StringId> texts;
  };

  std::unique_ptr<const IntersectedIntervals> rows;
  std::deque<Column> columns;
  std::deque<std::string> names;
  StringPool strings;
  std::optional<Table> table;

  static Cell compute(const void* data, size_t row, const StringPool&) {
    const Column& column = *static_cast<const Column*>(data);
    return column.rows->cell(row, column.position);
  }
  static void read(const void* data, size_t first, std::span<int64_t> values,
                   std::span<bool> valid) {
    const Column& column = *static_cast<const Column*>(data);
    column.rows->read(column.position, first, values, valid);
  }
};

// Returns null if a column has values that a table does not store.
std::shared_ptr<const Table> table_of(std::unique_ptr<const IntersectedIntervals> rows,
                                      const std::vector<IntersectionText::Column>& columns,
                                      size_t partitions) {
  constexpr size_t kFirstPartition = 2 + kMostIntersected;
  auto shared = std::make_shared<IntersectionTable>();
  TableView view{"", "", rows->rows(), {}};
  for (const IntersectionText::Column& column : columns) {
    if (column.position >= kFirstPartition + partitions) return nullptr;
    if (column.position >= kFirstPartition) {
      const auto kind = rows->kind_of_partition(column.position - kFirstPartition);
      if (kind != Cell::Kind::Int && kind != Cell::Kind::Null) return nullptr;
    }
    IntersectionTable::Column& shown =
        shared->columns.emplace_back(IntersectionTable::Column{rows.get(), column.position, {}});
    ColumnView made{.name = shared->names.emplace_back(column.name),
                    .type = CellType::Computed,
                    .data = &shown,
                    .compute = IntersectionTable::compute};
    made.read = IntersectionTable::read;
    view.columns.push_back(made);
  }
  shared->rows = std::move(rows);
  shared->table.emplace(std::move(view), shared->strings);
  return {shared, &*shared->table};
}

bool ends_the_statement(const Error& error) { return error.code != ErrorCode::Sql; }

// Returns null if SQLite must run the operator.
Result<std::shared_ptr<const Table>> intersect(const ConnectionState& connection,
                                               const IntersectionText& text) {
  const OperatorContext& context = connection.operators;
  std::vector<std::string> partitions = names_of_list(text.partition_list);
  if (text.inputs.size() > kMostIntersected || partitions.size() > kMostPartitions) return nullptr;
  for (const IntersectionText::Input& input : text.inputs)
    if (input.partitions.size() != partitions.size()) return nullptr;
  std::vector<GatheredRows> inputs;
  for (const IntersectionText::Input& input : text.inputs) {
    Result<GatheredRows> rows = context.gather(input.select, {});
    if (!rows && ends_the_statement(rows.error())) return tl::unexpected(rows.error());
    if (!rows || rows->rows == 0) return nullptr;
    inputs.push_back(*std::move(rows));
  }
  QueryStats* const stats = connection.module.stats;
  QueryStats::Operator* const entry =
      stats == nullptr ? nullptr
                       : &stats->at("interval intersection", text.partition_list, "all rows");
  const TimeOf measured(entry == nullptr ? nullptr : &entry->time);
  std::vector<Result<std::unique_ptr<IntervalSet>>> sets(inputs.size());
  Workers workers(std::min<unsigned>(context.threads, static_cast<unsigned>(inputs.size())));
  workers.run(inputs.size(), [&](size_t i) {
    IntervalSetBuilder builder(text.inputs[i].partitions, context.memory);
    const Result<> added = builder.add(inputs[i], *context.stop);
    if (added)
      sets[i] = builder.finish(*context.stop);
    else
      sets[i] = tl::unexpected(added.error());
  });
  std::vector<std::shared_ptr<const IntervalSet>> shared;
  for (Result<std::unique_ptr<IntervalSet>>& set : sets) {
    if (!set && ends_the_statement(set.error())) return tl::unexpected(set.error());
    if (!set) return nullptr;
    shared.emplace_back(*std::move(set));
  }
  if (entry != nullptr) {
    ++entry->starts;
    for (const GatheredRows& input : inputs) entry->rows_scanned += input.rows;
  }
  inputs.clear();
  const size_t count = partitions.size();
  TB_TRY_ASSIGN(std::unique_ptr<const IntersectedIntervals> rows,
                IntersectedIntervals::of(std::move(shared), std::move(partitions), context));
  if (entry != nullptr) entry->rows_found += rows->rows();
  return table_of(std::move(rows), text.columns, count);
}

}  // namespace

ComputedRows::~ComputedRows() {
  statement.reset();
  for (const std::string& name : names_)
    remove_computed_table(connection_.db.get(), connection_.module, name);
}

Result<std::string> ComputedRows::add(std::shared_ptr<const Table> table) {
  std::string name;
  for (size_t i = 0; name.empty() || connection_.module.computed.contains(name); ++i)
    name = fmt::format("__intrinsic_rows_{}", i);
  names_.push_back(name);
  tables_->push_back(table);
  TB_TRY(add_computed_table(connection_.db.get(), connection_.module, name, std::move(table)));
  return name;
}

Result<std::unique_ptr<ComputedRows>> computed_rows(ConnectionState& connection,
                                                    sqlite3_stmt* compiled, std::string_view sql,
                                                    std::span<const Cell> values) {
  constexpr std::string_view kOperator = "__intrinsic_interval_intersect";
  // Tests set this to leave statements to SQLite.
  const bool is_off = connection.least_rows_to_group == std::numeric_limits<size_t>::max();
  if (is_off || !values.empty() || connection.has_redefined ||
      sql.find(kOperator) == std::string_view::npos || sqlite3_stmt_isexplain(compiled) != 0 ||
      sqlite3_stmt_readonly(compiled) == 0)
    return nullptr;
  auto rows = std::make_unique<ComputedRows>(connection);
  size_t at = 0;
  for (const IntersectionText& text : intersections_in(sql)) {
    TB_TRY_ASSIGN(std::shared_ptr<const Table> table, intersect(connection, text));
    connection.guard.reason.clear();  // of an input that could not be compiled
    if (table == nullptr) continue;
    Result<std::string> name = rows->add(std::move(table));
    if (!name) return nullptr;
    rows->sql.append(sql.substr(at, text.begin - at)).append(" ").append(*name).append(" ");
    at = text.end;
  }
  if (at == 0) return nullptr;
  rows->sql.append(sql.substr(at));
  rows->statement = prepare(connection.db.get(), rows->sql);
  return rows->statement == nullptr ? nullptr : std::move(rows);
}

}  // namespace tracebraid
