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

// Sets the values of filters; SQLite parses its own literals. Returns false if it cannot.
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
  std::optional<Pushdown> pushdown = push_down(sql, values, connection.relations(), kGroupsName,
                                               connection.least_rows_to_group, functions);
  auto pushed = std::make_unique<PushedStatement>(db, &connection.operator_memory);
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
