#include "query/compile/dropped_joins.h"

#include <algorithm>

#include "query/group/group_rows.h"

namespace tracebraid {
namespace {

bool reads(const NamedSelect& query, const Part& part, size_t source) {
  const auto is_of = [&](const ColumnName& name) {
    const std::optional<ColumnRef> column = resolve(query.sources, name);
    return column && column->source == source;
  };
  return std::ranges::any_of(part.read.columns, is_of) ||
         std::ranges::any_of(part.read.aggregates, [&](const AggregateCall& call) {
           return (call.argument && is_of(*call.argument)) ||
                  (call.computed && is_of(call.computed->column));
         });
}

// Returns whether only the join itself reads the source.
bool is_unread(const NamedSelect& query, size_t source) {
  const auto is_read = [&](const Part& part) { return reads(query, part, source); };
  for (size_t i = 0; i < query.conditions.size(); ++i)
    if (i != source && is_read(query.conditions[i])) return false;
  const Relation& relation = query.sources[source].relation;
  for (const FromItem& item : query.select.from)
    for (const std::string_view column : item.using_columns)
      if (relation.find(column) != nullptr) return false;
  return std::ranges::none_of(query.items, is_read) &&
         std::ranges::none_of(query.groups, is_read) && std::ranges::none_of(query.after, is_read);
}

// Returns the column if it is an integer that `table` stores, else null.
const ColumnView* stored_integer(const NamedSelect& query, size_t table, Tokens tokens) {
  const std::optional<ColumnName> name = parse_column(tokens);
  const std::optional<ColumnRef> column = name ? resolve(query.sources, *name) : std::nullopt;
  if (!column || column->source != table) return nullptr;
  const ColumnView* const view = column->column->column;
  const bool fits = view != nullptr && view->sql_type == SqlType::Integer && is_groupable(*view);
  return fits ? view : nullptr;
}

bool is_row_number(const NamedSelect& query, size_t source, Tokens tokens) {
  const std::optional<ColumnName> name = parse_column(tokens);
  const std::optional<ColumnRef> column = name ? resolve(query.sources, *name) : std::nullopt;
  return column && column->source == source && column->column->column != nullptr &&
         column->column->column->type == CellType::RowNumber;
}

const ColumnView* joining_column(const NamedSelect& query, size_t table, size_t source) {
  const SourceTable& joined = query.sources[source];
  const FromItem& item = *joined.item;
  if (!item.using_columns.empty()) return nullptr;
  if (item.is_call) {
    const bool fits = item.on.empty() && !item.is_left_joined && joined.function->is_pure &&
                      joined.function->parameters.size() == 1 && query.select.group_by.empty();
    return fits ? stored_integer(query, table, item.arguments) : nullptr;
  }
  if (joined.relation.table == nullptr || !joined.relation.has_all_rows) return nullptr;
  const std::vector<Tokens> sides = split(item.on, "=");
  if (sides.size() != 2) return nullptr;
  for (const size_t side : {size_t{0}, size_t{1}})
    if (is_row_number(query, source, sides[side]))
      return stored_integer(query, table, sides[1 - side]);
  return nullptr;
}

}  // namespace

std::vector<DroppedJoin> dropped_joins(const NamedSelect& query, size_t table) {
  std::vector<DroppedJoin> dropped;
  bool has_call = false;
  // The first item of FROM has no join of its own to leave out.
  for (size_t source = 1; source < query.sources.size(); ++source) {
    const bool is_call = query.sources[source].item->is_call;
    if (source == table || (is_call && has_call) || !is_unread(query, source)) continue;
    const ColumnView* const column = joining_column(query, table, source);
    if (column == nullptr) continue;
    dropped.push_back({source, column});
    has_call |= is_call;
  }
  return dropped;
}

}  // namespace tracebraid
