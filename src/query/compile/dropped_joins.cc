#include "query/compile/dropped_joins.h"

#include <algorithm>

#include "query/group/group_rows.h"

namespace tracebraid {
namespace {

std::optional<size_t> source_of(const NamedSelect& query, const ColumnName& name) {
  const std::optional<ColumnRef> column = resolve(query.sources, name);
  return column ? std::optional(column->source) : std::nullopt;
}

bool reads(const NamedSelect& query, const Part& part, size_t source) {
  const auto is_of = [&](const ColumnName& name) { return source_of(query, name) == source; };
  return std::ranges::any_of(part.read.columns, is_of) ||
         std::ranges::any_of(part.read.aggregates, [&](const AggregateCall& call) {
           return (call.argument && is_of(*call.argument)) ||
                  (call.computed && is_of(call.computed->column));
         });
}

// Returns whether only the join itself reads the source, besides conditions of WHERE that read
// nothing else; these are appended to `own`.
bool is_unread(const NamedSelect& query, size_t source, std::vector<size_t>& own) {
  const auto is_read = [&](const Part& part) { return reads(query, part, source); };
  for (size_t i = 0; i < query.conditions.size(); ++i) {
    const Part& condition = query.conditions[i];
    if (i == source || !is_read(condition)) continue;
    const bool is_own = i >= query.first_of_where &&
                        std::ranges::all_of(condition.read.columns, [&](const ColumnName& name) {
                          return source_of(query, name) == source;
                        });
    if (!is_own) return false;
    own.push_back(i);
  }
  const Relation& relation = query.sources[source].relation;
  for (const FromItem& item : query.select.from)
    for (const std::string_view column : item.using_columns)
      if (&item != query.sources[source].item && relation.find(column) != nullptr) return false;
  return std::ranges::none_of(query.items, is_read) &&
         std::ranges::none_of(query.groups, is_read) && std::ranges::none_of(query.after, is_read);
}

// Returns the column of a source that the tokens name; null for other tokens.
const RelationColumn* column_of(const NamedSelect& query, size_t source, Tokens tokens) {
  const std::optional<ColumnName> name = parse_column(tokens);
  const std::optional<ColumnRef> column = name ? resolve(query.sources, *name) : std::nullopt;
  return column && column->source == source ? column->column : nullptr;
}

// Returns the column if it is an integer that a table stores, else null. `column` may be null.
const ColumnView* stored_integer(const RelationColumn* column) {
  const ColumnView* const view = column == nullptr ? nullptr : column->column;
  const bool fits = view != nullptr && view->sql_type == SqlType::Integer && is_groupable(*view);
  return fits ? view : nullptr;
}

bool is_row_number(const RelationColumn* column) {
  return column != nullptr && column->column != nullptr &&
         column->column->type == CellType::RowNumber;
}

// Finds a join whose rows are counted: an equality of one column of each table.
std::optional<DroppedJoin> counted_join(const NamedSelect& query, size_t table, size_t source) {
  const SourceTable& joined = query.sources[source];
  const FromItem& item = *joined.item;
  if (item.is_call || item.is_left_joined || joined.relation.table == nullptr ||
      !joined.relation.has_all_rows || !query.select.group_by.empty())
    return std::nullopt;
  DroppedJoin found{source, nullptr};
  if (item.using_columns.size() == 1) {
    const ColumnName name{{}, item.using_columns[0]};
    const std::optional<ColumnRef> left = resolve(std::span(query.sources).first(source), name);
    if (!left || left->source != table) return std::nullopt;
    found.column = stored_integer(query.sources[table].relation.find(name.column));
    found.joined = stored_integer(joined.relation.find(name.column));
  } else if (const std::vector<Tokens> sides = split(item.on, "="); sides.size() == 2) {
    for (const size_t side : {size_t{0}, size_t{1}}) {
      const RelationColumn* const own = column_of(query, source, sides[side]);
      if (own == nullptr) continue;
      found.joined = stored_integer(own);
      found.column = stored_integer(column_of(query, table, sides[1 - side]));
    }
  }
  const bool is_found = found.column != nullptr && found.joined != nullptr;
  return is_found ? std::optional(std::move(found)) : std::nullopt;
}

const ColumnView* joining_column(const NamedSelect& query, size_t table, size_t source) {
  const SourceTable& joined = query.sources[source];
  const FromItem& item = *joined.item;
  if (!item.using_columns.empty()) return nullptr;
  if (item.is_call) {
    const bool fits = item.on.empty() && !item.is_left_joined && joined.function->is_pure &&
                      joined.function->parameters.size() == 1 && query.select.group_by.empty();
    return fits ? stored_integer(column_of(query, table, item.arguments)) : nullptr;
  }
  if (joined.relation.table == nullptr || !joined.relation.has_all_rows) return nullptr;
  const std::vector<Tokens> sides = split(item.on, "=");
  if (sides.size() != 2) return nullptr;
  for (const size_t side : {size_t{0}, size_t{1}})
    if (is_row_number(column_of(query, source, sides[side])))
      return stored_integer(column_of(query, table, sides[1 - side]));
  return nullptr;
}

}  // namespace

std::vector<DroppedJoin> dropped_joins(const NamedSelect& query, size_t table) {
  std::vector<DroppedJoin> dropped;
  bool has_counted = false;
  // The first item of FROM has no join of its own to leave out.
  for (size_t source = 1; source < query.sources.size(); ++source) {
    const bool is_call = query.sources[source].item->is_call;
    std::vector<size_t> own;
    if (source == table || (is_call && has_counted) || !is_unread(query, source, own)) continue;
    const ColumnView* const column = own.empty() ? joining_column(query, table, source) : nullptr;
    if (column != nullptr) {
      dropped.push_back({source, column});
      has_counted |= is_call;
      continue;
    }
    if (has_counted) continue;
    std::optional<DroppedJoin> counted = counted_join(query, table, source);
    if (!counted) continue;
    counted->conditions = std::move(own);
    dropped.push_back(*std::move(counted));
    has_counted = true;
  }
  return dropped;
}

}  // namespace tracebraid
