#include "query/compile/pushed_statement.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "query/compile/parameters.h"
#include "query/compile/pushdown.h"
#include "query/scan/estimate.h"
#include "query/scan/value.h"

namespace tracebraid {
namespace {

constexpr std::string_view kGroupsName = "__intrinsic_groups";

// Returns whether a table of the user has this name.
bool is_taken(sqlite3* db, std::string_view name) {
  return sqlite3_table_column_metadata(db, nullptr, std::string(name).c_str(), nullptr, nullptr,
                                       nullptr, nullptr, nullptr, nullptr) == SQLITE_OK;
}

// Sets the values of filters; SQLite computes them. Returns false if it cannot, or if one is NULL.
bool set_filter_values(std::span<const std::vector<std::string>> literals,
                       std::span<GroupFilter> filters, PushedStatement& pushed,
                       std::span<const Cell> variables) {
  std::string sql;
  for (const std::vector<std::string>& of_filter : literals)
    for (const std::string& literal : of_filter)
      sql.append(sql.empty() ? "SELECT " : ", ") += literal;
  if (sql.empty()) return true;
  const StatementPtr statement = prepare(pushed.db, sql);
  if (statement != nullptr) bind_all(statement.get(), variables);
  if (statement == nullptr || sqlite3_step(statement.get()) != SQLITE_ROW) return false;
  int column = 0;
  for (size_t i = 0; i < literals.size(); ++i) {
    std::vector<Cell>& values = filters[i].values;
    for (size_t k = 0; k < literals[i].size(); ++k) {
      values.push_back(cell_of(sqlite3_column_value(statement.get(), column++)));
      const Op op = filters[i].term.op;
      const bool is_compared = op != Op::IsNull && op != Op::IsNotNull;
      if (is_compared && values.back().kind == Cell::Kind::Null) return false;
      if (values.back().kind == Cell::Kind::Text)
        values.back().text = pushed.texts.emplace_back(values.back().text);
    }
  }
  return true;
}

// Returns whether reading all joined rows is faster than looking up those of the rows that pass the
// filters.
bool is_worth_counting(const Pushdown& pushdown) {
  constexpr double kRowsPerLookup = 64;  // rows that are read in the time of a look-up
  std::vector<KnownTerm> terms;
  for (const GroupFilter& filter : pushdown.groups.filters)
    terms.push_back(
        {filter.term, filter.values.size() == 1 ? std::optional(filter.values[0]) : std::nullopt});
  return estimate(*pushdown.groups.table, terms).rows * kRowsPerLookup >=
         static_cast<double>(pushdown.joined->table->rows());
}

std::string text_of(const std::vector<GroupFilter>& filters) {
  Plan plan;
  for (const GroupFilter& filter : filters) plan.terms.push_back(filter.term);
  return text_of(plan);
}

void add_grouping(QueryStats& stats, const Pushdown& pushdown, const Groups& groups,
                  std::chrono::nanoseconds time) {
  QueryStats::Operator& entry =
      stats.at(fmt::format("group {}", pushdown.groups.table->view().name),
               text_of(pushdown.groups.filters), text_of(groups.counts));
  ++entry.starts;
  entry.rows_scanned += groups.counts.rows_scanned;
  entry.rows_found += groups.counts.rows_found;
  entry.time += time;
}

Result<bool> count_joined_rows(const ConnectionState& connection, Pushdown& pushdown,
                               OperatorMemory& memory) {
  JoinedCounts& joined = *pushdown.joined;
  QueryStats::Operator* const entry =
      connection.module.stats == nullptr
          ? nullptr
          : &connection.module.stats->at(fmt::format("count {}", joined.table->view().name),
                                         text_of(joined.filters), "all rows");
  const TimeOf measured(entry == nullptr ? nullptr : &entry->time);
  TB_TRY_ASSIGN(const bool is_counted,
                count_rows(joined, *pushdown.workers, connection.stop, memory));
  if (entry == nullptr) return is_counted;
  ++entry->starts;
  entry->rows_scanned += joined.table->rows();
  for (const uint32_t count : joined.counts) entry->rows_found += count;
  return is_counted;
}

PushdownFunctions functions_of(const ConnectionState& connection) {
  PushdownFunctions functions{.table_function = {},
                              .function = {},
                              .stop = connection.stop,
                              .threads = connection.tables->threads()};
  functions.table_function = [&](std::string_view name) -> const TableFunction* {
    const std::span known = connection.tables->table_functions();
    const auto found = std::ranges::find_if(
        known, [&](const TableFunction& function) { return same_name(function.name, name); });
    const bool is_function = found != known.end() && !is_taken(connection.db.get(), name);
    return is_function ? &*found : nullptr;
  };
  functions.function = [&](std::string_view name, size_t arguments) -> const SqlFunction* {
    const auto found = std::ranges::find_if(connection.functions, [&](const SqlFunction& function) {
      return function.is_pure && same_name(function.signature.name, name) &&
             function.signature.parameters.size() == arguments;
    });
    return found == connection.functions.end() ? nullptr : &*found;
  };
  return functions;
}

// Returns which columns of the grouped table are read, as OperatorTable::compute takes them.
uint64_t columns_read(const Pushdown& pushdown) {
  if (!pushdown.derived.empty()) return ~uint64_t{0};
  const std::vector<ColumnView>& columns = pushdown.groups.table->view().columns;
  uint64_t read = 0;
  const auto add = [&](const ColumnView* column) {
    if (column == nullptr || column < columns.data() || column >= columns.data() + columns.size())
      return;
    read |= uint64_t{1} << std::min<ptrdiff_t>(column - columns.data(), 63);
  };
  for (const GroupKey& key : pushdown.groups.keys) add(key.column);
  for (const GroupColumn& column : pushdown.groups.columns) add(column.column);
  for (const GroupFilter& filter : pushdown.groups.filters) add(filter.term.column);
  return read;
}

// Whether SQLite reads only some partitions of a table of an operator: those of a constant, or of
// the rows of another table that WHERE chooses.
bool reads_partitions(const Pushdown& pushdown, const OperatorTable& table) {
  if (!table.partition) return false;
  const ColumnView* const column = &table.shape->view().columns[*table.partition];
  return pushdown.narrows_joins ||
         std::ranges::any_of(pushdown.groups.filters, [&](const GroupFilter& filter) {
           const Op op = filter.term.op;
           return filter.term.column == column && (op == Op::Eq || op == Op::In);
         });
}

// Rewrites a statement. Sets `computed` to the rows that it groups if they are those of an
// operator.
Result<std::optional<Pushdown>> pushdown_of(const ConnectionState& connection, std::string_view sql,
                                            std::span<const Cell> values,
                                            const PushdownFunctions& functions,
                                            std::shared_ptr<const Table>& computed) {
  std::string computed_name;
  const auto& tables = connection.operators.tables;
  const auto operator_of = [&](const std::string& name) -> const Table* {
    if (computed != nullptr && name == computed_name) return computed.get();
    const auto found = tables.find(name);
    return found == tables.end() ? nullptr : found->second->shape.get();
  };
  const RelationOf relation_of =
      relations_in(connection.db.get(), connection.guard, connection.module, operator_of);
  std::optional<Pushdown> pushdown =
      push_down(sql, values, relation_of, kGroupsName, connection.least_rows_to_group, functions);
  if (!pushdown) return std::nullopt;
  const auto shape_at = [&](const Table* table) {
    return std::ranges::find_if(
        tables, [&](const auto& entry) { return entry.second->shape.get() == table; });
  };
  if (pushdown->joined != nullptr && shape_at(pushdown->joined->table) != tables.end())
    return std::nullopt;
  const auto grouped = shape_at(pushdown->groups.table);
  if (grouped == tables.end()) return pushdown;
  if (reads_partitions(*pushdown, *grouped->second)) return std::nullopt;
  TB_TRY_ASSIGN(computed, grouped->second->compute(columns_read(*pushdown)));
  if (computed == nullptr) return std::nullopt;
  computed_name = grouped->first;
  // The types of the values are known now.
  return push_down(sql, values, relation_of, kGroupsName, 0, functions);
}

}  // namespace

PushedStatement::~PushedStatement() {
  statement.reset();
  if (!module.raw.empty()) remove_hidden_table(db, module);
}

Result<std::unique_ptr<PushedStatement>> pushed_statement(ConnectionState& connection,
                                                          sqlite3_stmt* compiled,
                                                          std::string_view sql,
                                                          std::span<const Cell> values) {
  if (connection.has_redefined) return nullptr;
  sqlite3* const db = connection.db.get();
  std::string numbered;
  if (!values.empty()) sql = numbered = with_numbered_variables(sql, compiled);
  const PushdownFunctions functions = functions_of(connection);
  auto pushed = std::make_unique<PushedStatement>(db, &connection.operator_memory);
  TB_TRY_ASSIGN(std::optional<Pushdown> pushdown,
                pushdown_of(connection, sql, values, functions, pushed->computed));
  connection.guard.reason.clear();  // of an input that could not be compiled
  if (!pushdown || is_taken(db, kGroupsName) ||
      !set_filter_values(pushdown->literals, pushdown->groups.filters, *pushed, values))
    return nullptr;
  if (pushdown->joined != nullptr) {
    if (!set_filter_values(pushdown->joined_literals, pushdown->joined->filters, *pushed, values) ||
        !is_worth_counting(*pushdown))
      return nullptr;
    TB_TRY_ASSIGN(const bool is_counted,
                  count_joined_rows(connection, *pushdown, pushed->groups.memory));
    if (connection.stop.stopped()) return tl::unexpected(connection.stop.error());
    if (!is_counted) return nullptr;
  }
  for (const auto& column : pushdown->derived) TB_TRY(pushed->groups.memory.take(column->memory()));
  std::chrono::nanoseconds time{0};
  QueryStats* const stats = connection.module.stats;
  {
    const TimeOf measured(stats == nullptr ? nullptr : &time);
    TB_TRY(group_rows(pushdown->groups, kGroupsName, connection.stop, pushed->groups));
  }
  if (pushed->groups.outcome == Grouping::Stopped) return tl::unexpected(connection.stop.error());
  const bool has_failed = std::ranges::any_of(
      pushdown->derived, [](const auto& column) { return column->has_failed(); });
  if (pushed->groups.outcome == Grouping::GaveUp || has_failed) return nullptr;
  if (stats != nullptr) add_grouping(*stats, *pushdown, pushed->groups, time);
  pushed->module.raw.push_back(pushed->groups.table.get());
  pushed->module.stop = &connection.stop;
  if (!add_hidden_table(db, pushed->module)) return nullptr;
  pushed->statement = prepare(db, pushdown->sql);
  if (pushed->statement == nullptr) return nullptr;
  bind_all(pushed->statement.get(), values);
  return pushed;
}

}  // namespace tracebraid
