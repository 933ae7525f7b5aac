#include "query/compile/pushdown.h"

#include <fmt/core.h>

#include <algorithm>

#include "query/compile/derived_values.h"
#include "query/compile/dropped_joins.h"
#include "query/compile/filter_text.h"
#include "query/compile/named_select.h"

namespace tracebraid {
namespace {

// Returns the table whose columns are aggregated; the one with the most rows, if only rows are
// counted.
std::optional<size_t> table_to_group(const NamedSelect& query) {
  std::optional<size_t> found;
  const bool agree = for_all_results(query, [&](const Part& part) {
    return std::ranges::all_of(part.read.aggregates, [&](const AggregateCall& call) {
      if (!call.argument && !call.computed) return true;
      const std::optional<ColumnRef> column =
          resolve(query.sources, call.argument ? *call.argument : call.computed->column);
      if (!column || (found && *found != column->source)) return false;
      found = column->source;
      return true;
    });
  });
  if (!agree) return std::nullopt;
  const auto is_fit = [&](size_t i) {
    const SourceTable& source = query.sources[i];
    return source.relation.has_all_rows && source.relation.table != nullptr &&
           !source.item->is_left_joined;
  };
  if (found) return is_fit(*found) ? found : std::nullopt;
  for (size_t i = 0; i < query.sources.size(); ++i) {
    if (!is_fit(i)) continue;
    if (dropped_joins(query, i).size() + 1 == query.sources.size()) return i;
    const auto rows = [&](size_t source) { return query.sources[source].relation.table->rows(); };
    if (!found || rows(i) > rows(*found)) found = i;
  }
  return found;
}

// Returns whether the values of a group do not depend on the choice of its row.
bool shows_groups_only(const NamedSelect& query) {
  std::vector<ColumnRef> given;
  const auto add_column = [&](Tokens tokens) {
    const std::optional<ColumnName> name = parse_column(tokens);
    const std::optional<ColumnRef> column = name ? resolve(query.sources, *name) : std::nullopt;
    if (column) given.push_back(*column);
  };
  for (const Part& group : query.groups) add_column(group.tokens);
  for (const size_t item : query.grouped_items) add_column(query.items[item].tokens);
  const KnownColumns known(query.select, query.sources, given);
  const auto is_known = [&](const Part& part) {
    const bool is_group = std::ranges::any_of(
        query.groups, [&](const Part& group) { return is_same(group.tokens, part.tokens); });
    const bool is_grouped_item = std::ranges::any_of(query.grouped_items, [&](size_t item) {
      return is_same(query.items[item].tokens, part.tokens);
    });
    if (is_group || is_grouped_item) return true;
    return std::ranges::all_of(part.read.columns, [&](const ColumnName& name) {
      const std::optional<ColumnRef> column = resolve(query.sources, name);
      if (column) return known.contains(*column);
      return name.table.empty() && item_named(query, name.column).has_value();
    });
  };
  return for_all_results(query, is_known);
}

// Matches `SELECT max(ts) FROM slice`, which reads one end of a sorted column.
bool is_single_extreme(const NamedSelect& query) {
  if (!query.select.group_by.empty() || query.items.size() != 1) return false;
  const std::vector<AggregateCall>& calls = query.items[0].read.aggregates;
  return calls.size() == 1 && query.select.having.empty() &&
         (same_name(calls[0].function, "min") || same_name(calls[0].function, "max"));
}

// Returns whether the condition visibly compares texts with texts and numbers with numbers. The
// meaning of other conditions depends on whether a scan or SQLite evaluates them, because SQLite
// converts constants to the type of the column.
bool compares_alike(const NamedSelect& query, const Part& condition, std::span<const Cell> values) {
  bool has_numbers = false, has_texts = false;
  for (const Token& token : condition.tokens) {
    const Cell* value = token.kind == TokenKind::Variable ? value_of(token, values) : nullptr;
    const Cell::Kind kind = value == nullptr ? Cell::Kind::Null : value->kind;
    has_numbers |=
        token.kind == TokenKind::Number || kind == Cell::Kind::Int || kind == Cell::Kind::Real;
    has_texts |= token.kind == TokenKind::Quoted || kind == Cell::Kind::Text;
    if (kind == Cell::Kind::Blob) return false;
  }
  return std::ranges::all_of(condition.read.columns, [&](const ColumnName& name) {
    const std::optional<ColumnRef> column = resolve(query.sources, name);
    if (!column || column->column->column == nullptr) return true;
    return column->column->column->sql_type == SqlType::Text ? !has_numbers : !has_texts;
  });
}

// Rewrites the text and collects the groups.
class Rewriting {
 public:
  Rewriting(const NamedSelect& query, size_t table, std::span<const Cell> values,
            const PushdownFunctions& functions)
      : query_(query),
        values_(values),
        functions_(functions),
        source_(query.sources[table]),
        table_(table),
        is_dropped_(query.sources.size()) {
    result_.groups.table = source_.relation.table;
  }

  // Returns false if a part of the statement is not supported.
  bool run(std::string_view groups_name) {
    replace_table(groups_name);
    for (const DroppedJoin& join : dropped_joins(query_, table_))
      if (!drop(join)) return false;
    for (size_t i = 0; i < query_.sources.size(); ++i)
      if (query_.sources[i].item->is_call && !is_dropped_[i]) return false;
    std::vector<Part> read = query_.groups;
    for (size_t i = 0; i < query_.conditions.size(); ++i) {
      const Part& condition = query_.conditions[i];
      if (i < query_.first_of_where && is_dropped_[i]) continue;
      if (std::ranges::find(taken_, i) != taken_.end()) continue;
      if (i >= query_.first_of_where &&
          take_filter(condition.tokens, table_, result_.groups.filters, result_.literals))
        continue;
      if (!compares_alike(query_, condition, values_)) return false;
      result_.narrows_joins |= i >= query_.first_of_where;
      read.push_back(condition);
    }
    for (size_t i = 0; i < query_.first_of_order; ++i)
      if (!compares_alike(query_, query_.after[i], values_)) return false;
    read.insert(read.end(), query_.items.begin(), query_.items.end());
    read.insert(read.end(), query_.after.begin(), query_.after.end());
    for (size_t i = 0; i < query_.sources.size(); ++i)
      for (const std::string_view column : query_.sources[i].item->using_columns)
        if (!is_dropped_[i] && !add_key({source_.item->name, column}, true)) return false;
    for (const Part& part : read) {
      for (const ColumnName& column : part.read.columns)
        if (!add_key(column, false)) return false;
      for (const AggregateCall& call : part.read.aggregates)
        if (!replace(call)) return false;
    }
    return true;
  }

  Pushdown take(std::string_view sql) {
    std::ranges::sort(changes_, {}, [](const Change& change) { return change.part.data(); });
    const char* at = sql.data();
    for (const Change& change : changes_) {
      result_.sql.append(at, change.part.data()).append(change.with);
      at = change.part.data() + change.part.size();
    }
    result_.sql.append(at, sql.data() + sql.size());
    return std::move(result_);
  }

 private:
  struct Change {
    std::string_view part;
    std::string with;
  };

  void replace(Tokens tokens, std::string with) {
    const char* const begin = tokens.front().text.data();
    const char* const end = tokens.back().text.data() + tokens.back().text.size();
    changes_.push_back({{begin, static_cast<size_t>(end - begin)}, std::move(with)});
  }

  // Leaves out a join: the rows that it removes are filtered, and the rows that it adds are
  // counted. Returns false if a condition on the joined rows is not supported.
  bool drop(const DroppedJoin& join) {
    const SourceTable& source = query_.sources[join.source];
    is_dropped_[join.source] = true;
    replace(source.item->text, "");
    if (join.joined != nullptr) {
      result_.joined =
          std::make_unique<JoinedCounts>(JoinedCounts{source.relation.table, join.joined, {}, {}});
      weight_ = derive(row_counts_of(*result_.joined, *join.column, functions_.stop));
      for (const size_t condition : join.conditions)
        if (!take_filter(query_.conditions[condition].tokens, join.source, result_.joined->filters,
                         result_.joined_literals))
          return false;
      taken_ = join.conditions;
      result_.narrows_joins |= !taken_.empty();
    } else if (source.item->is_call) {
      weight_ = derive(row_counts_of(*source.function, *join.column, functions_.stop));
    } else if (!source.item->is_left_joined) {
      const auto add_filter = [&](Op op, std::string bound) {
        result_.groups.filters.push_back({{join.column, op, true}, {}});
        result_.literals.push_back({std::move(bound)});
      };
      add_filter(Op::Ge, "0");
      add_filter(Op::Lt, fmt::format("{}", source.relation.table->rows()));
    }
    return true;
  }

  const ColumnView* derive(DerivedColumn::Evaluate evaluate) {
    if (result_.workers == nullptr) result_.workers = std::make_unique<Workers>(functions_.threads);
    result_.derived.push_back(std::make_unique<DerivedColumn>(
        source_.relation.table->rows(), std::move(evaluate), *result_.workers));
    result_.views.push_back(std::make_unique<const ColumnView>(result_.derived.back()->view()));
    return result_.views.back().get();
  }

  // Returns null if the call is not supported.
  const ColumnView* derived_column(const AggregateCall& call) {
    const ColumnView* const column = column_of(call.computed->column);
    if (column == nullptr || column->sql_type != SqlType::Integer || !is_groupable(*column) ||
        !functions_.function)
      return nullptr;
    const SqlFunction* const function =
        functions_.function(call.computed->function, 1 + call.computed->constants.size());
    if (function == nullptr) return nullptr;
    std::vector<Cell> constants;
    for (const Token& constant : call.computed->constants) {
      // Other literals need a parser.
      const std::optional<std::string_view> text = plain_text(constant);
      if (!text) return nullptr;
      constants.push_back(Cell::of(*text));
    }
    return derive(results_of(*function, *column, std::move(constants),
                             !same_name(call.function, "count"), functions_.stop));
  }

  void replace_table(std::string_view groups_name) {
    const FromItem& item = *source_.item;
    const bool has_alias = item.name.data() != item.table.text.data();
    replace({&item.table, 1},
            has_alias ? std::string(groups_name) : fmt::format("{} AS {}", groups_name, item.name));
  }

  // Returns null if the name is not a column of the source, or its table does not store the column.
  const ColumnView* column_of(const ColumnName& name, size_t source) const {
    const std::optional<ColumnRef> column = resolve(query_.sources, name);
    return column && column->source == source ? column->column->column : nullptr;
  }
  const ColumnView* column_of(const ColumnName& name) const { return column_of(name, table_); }

  // Moves a condition on a source to filters of its scan. Returns false if it is not supported.
  bool take_filter(Tokens condition, size_t source, std::vector<GroupFilter>& filters,
                   std::vector<std::vector<std::string>>& literals) {
    const std::vector<FilterText> parsed = parse_filters(condition, values_);
    for (const FilterText& filter : parsed) {
      const ColumnView* column = column_of(filter.column, source);
      if (column == nullptr) return false;
      const bool is_text = column->sql_type == SqlType::Text;
      // SQLite evaluates comparisons with values of another type, because it may convert them.
      const bool fits = std::ranges::all_of(
          filter.literals, [&](const Literal& literal) { return literal.is_text == is_text; });
      const bool compares = filter.op != Op::IsNull && filter.op != Op::IsNotNull;
      if (compares && !fits) return false;
    }
    for (const FilterText& filter : parsed) {
      const bool is_constant =
          filter.op != Op::In && filter.op != Op::IsNull && filter.op != Op::IsNotNull;
      filters.push_back({{column_of(filter.column, source), filter.op, is_constant}, {}});
      std::vector<std::string>& texts = literals.emplace_back();
      for (const Literal& literal : filter.literals) texts.push_back(literal.sql);
    }
    if (!parsed.empty()) replace(condition, "1");
    return !parsed.empty();
  }

  // Adds a column that is read outside of aggregates. `is_optional`: the table may lack the column.
  bool add_key(const ColumnName& name, bool is_optional) {
    const std::optional<ColumnRef> column = resolve(query_.sources, name);
    if (!column)
      return is_optional || (name.table.empty() && item_named(query_, name.column).has_value());
    if (column->source != table_) return true;
    const ColumnView* view = column->column->column;
    if (view == nullptr || !is_groupable(*view)) return false;
    std::vector<GroupKey>& keys = result_.groups.keys;
    const bool has = std::ranges::any_of(
        keys, [&](const GroupKey& key) { return key.name == column->column->name; });
    if (!has) keys.push_back({column->column->name, view});
    return true;
  }

  // Returns the name of a column of the groups.
  std::string column(GroupValue value, const ColumnView* of) {
    if (value == GroupValue::Count && !may_be_null(*of)) value = GroupValue::Rows;
    const GroupColumn wanted{value, value == GroupValue::Rows ? nullptr : of};
    std::vector<GroupColumn>& columns = result_.groups.columns;
    const auto found = std::ranges::find(columns, wanted);
    const auto index = static_cast<size_t>(found - columns.begin());
    if (found == columns.end()) columns.push_back(wanted);
    return fmt::format("{}.{}", source_.item->name, group_column_name(index));
  }

  // Replaces count, sum, ... of rows by the aggregate that gives the same result over groups.
  bool replace(const AggregateCall& call) {
    const ColumnView* of = nullptr;
    if (call.argument) of = column_of(*call.argument);
    if (call.computed) of = derived_column(call);
    const bool has_value = call.argument || call.computed;
    if (has_value && (of == nullptr || !is_aggregable(*of))) return false;
    if (weight_ != nullptr) {
      if (has_value) return false;
      replace(call.call, fmt::format("ifnull(sum({}),0)", column(GroupValue::Sum, weight_)));
      return true;
    }
    const auto is = [&](std::string_view name) { return same_name(call.function, name); };
    if (is("count")) {
      const GroupValue value = of == nullptr ? GroupValue::Rows : GroupValue::Count;
      replace(call.call, fmt::format("ifnull(sum({}),0)", column(value, of)));
    } else if (is("min") || is("max")) {
      const GroupValue value = is("min") ? GroupValue::Min : GroupValue::Max;
      replace(call.call, fmt::format("{}({})", call.function, column(value, of)));
    } else {
      if (of->sql_type != SqlType::Integer) return false;  // sums of reals depend on the order
      const std::string sum = column(GroupValue::Sum, of);
      replace(call.call,
              is("avg") ? fmt::format("(total({})/sum({}))", sum, column(GroupValue::Count, of))
                        : fmt::format("{}({})", call.function, sum));
    }
    return true;
  }

  const NamedSelect& query_;
  std::span<const Cell> values_;  // values of variables
  const PushdownFunctions& functions_;
  const SourceTable& source_;
  size_t table_;
  std::vector<bool> is_dropped_;        // by source
  std::vector<size_t> taken_;           // conditions on joined rows that are counted
  const ColumnView* weight_ = nullptr;  // the number of joined rows for each row
  Pushdown result_;
  std::vector<Change> changes_;
};

}  // namespace

std::optional<Pushdown> push_down(std::string_view sql, std::span<const Cell> values,
                                  const RelationOf& relation_of, std::string_view groups_name,
                                  size_t least_rows, const PushdownFunctions& functions) {
  const std::optional<NamedSelect> query = read_query(sql, relation_of, functions.table_function);
  if (!query) return std::nullopt;
  const bool has_aggregates =
      !for_all_results(*query, [](const Part& part) { return part.read.aggregates.empty(); });
  if ((!has_aggregates && query->select.group_by.empty()) || is_single_extreme(*query))
    return std::nullopt;
  const std::optional<size_t> table = table_to_group(*query);
  if (!table || query->sources[*table].relation.table->rows() < least_rows ||
      !shows_groups_only(*query))
    return std::nullopt;
  Rewriting rewriting(*query, *table, values, functions);
  if (!rewriting.run(groups_name)) return std::nullopt;
  return rewriting.take(sql);
}

}  // namespace tracebraid
