#include "query/compile/select_names.h"

#include <algorithm>

namespace tracebraid {
namespace {

// Returns whether equal values of the two columns are identical: 1 and 1.0 are equal, and '1' may
// be equal to 1.
bool are_alike(const ColumnRef& a, const ColumnRef& b) {
  const ColumnView *left = a.column->column, *right = b.column->column;
  return left != nullptr && right != nullptr && left->sql_type == right->sql_type &&
         left->sql_type != SqlType::Real;
}

}  // namespace

std::optional<std::vector<SourceTable>> sources_of(const SelectText& select,
                                                   const RelationOf& relation_of,
                                                   const TableFunctionOf& function_of) {
  std::vector<SourceTable> sources;
  for (const FromItem& item : select.from) {
    if (item.is_call) {
      const TableFunction* const function = function_of ? function_of(item.table.text) : nullptr;
      if (function == nullptr) return std::nullopt;
      SourceTable& source = sources.emplace_back(SourceTable{&item, {}, function});
      for (const TableFunction::Column& column : function->columns)
        source.relation.columns.push_back({std::string(column.name)});
      continue;
    }
    std::optional<Relation> relation = relation_of(item.table.text);
    if (!relation) return std::nullopt;
    sources.push_back({&item, *std::move(relation)});
  }
  return sources;
}

std::optional<ColumnRef> resolve(std::span<const SourceTable> sources, const ColumnName& name) {
  for (size_t i = 0; i < sources.size(); ++i) {
    if (!name.table.empty() && !same_name(name.table, sources[i].item->name)) continue;
    if (const RelationColumn* column = sources[i].relation.find(name.column))
      return ColumnRef{i, column};
  }
  return std::nullopt;
}

KnownColumns::KnownColumns(const SelectText& select, std::span<const SourceTable> sources,
                           std::span<const ColumnRef> given)
    : whole_(sources.size()) {
  for (const ColumnRef& column : given) add(column);
  std::vector<Join> joins;
  for (size_t i = 0; i < select.from.size(); ++i) joins.push_back(join_of(sources, i));
  bool more = true;
  while (more) {
    more = false;
    for (const Join& join : joins) more |= follow(join);
  }
}

bool KnownColumns::contains(const ColumnRef& column) const {
  return whole_[column.source] || std::ranges::find(columns_, column) != columns_.end();
}

KnownColumns::Join KnownColumns::join_of(std::span<const SourceTable> sources, size_t index) {
  const FromItem& item = *sources[index].item;
  Join join{.source = index, .is_left = item.is_left_joined, .equalities = {}};
  const auto add_equality = [&](const std::optional<ColumnRef>& a,
                                const std::optional<ColumnRef>& b) {
    if (a && b && are_alike(*a, *b))
      join.equalities.push_back({*a, *b});
    else
      join.is_plain = false;
  };
  for (const std::string_view column : item.using_columns)
    add_equality(resolve(sources.first(index), {{}, column}),
                 resolve(sources, {item.name, column}));
  if (item.on.empty()) return join;
  for (const Tokens condition : conjuncts(item.on)) {
    const std::vector<Tokens> sides = split(condition, "=");
    const auto side = [&](size_t i) {
      const std::optional<ColumnName> name = parse_column(sides[i]);
      return name ? resolve(sources, *name) : std::nullopt;
    };
    if (sides.size() == 2)
      add_equality(side(0), side(1));
    else
      join.is_plain = false;
  }
  return join;
}

// Returns true if more columns are known now. A left join adds NULLs where its condition does not
// hold, so all columns of the condition must be known.
bool KnownColumns::follow(const Join& join) {
  bool more = false;
  if (!join.is_left) {
    for (const auto& [a, b] : join.equalities) {
      if (contains(a)) more |= add(b);
      if (contains(b)) more |= add(a);
    }
    return more;
  }
  const auto own_side = [&](const Equality& equality) {
    return equality.a.source == join.source ? equality.a : equality.b;
  };
  const bool is_known = join.is_plain && std::ranges::all_of(join.equalities, [&](const auto& e) {
                          const bool is_own =
                              (e.a.source == join.source) != (e.b.source == join.source);
                          return is_own && contains(e.a.source == join.source ? e.b : e.a);
                        });
  if (!is_known) return false;
  for (const Equality& equality : join.equalities) more |= add(own_side(equality));
  return more;
}

bool KnownColumns::add(const ColumnRef& column) {
  if (contains(column)) return false;
  columns_.push_back(column);
  const ColumnView* view = column.column->column;
  if (view != nullptr && view->type == CellType::RowNumber) whole_[column.source] = true;
  return true;
}

}  // namespace tracebraid
