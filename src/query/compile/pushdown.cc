#include "query/compile/pushdown.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "query/compile/filter_text.h"
#include "query/compile/select_names.h"

namespace tracebraid {
namespace {

struct Part {
  Tokens tokens;
  Expression read;
};

// A SELECT with its names resolved.
struct NamedSelect {
  SelectText select;
  std::vector<SourceTable> sources;
  std::vector<Part> items;
  std::vector<Part> conditions;       // of joins, then of WHERE
  size_t first_of_where = 0;          // in `conditions`
  std::vector<Part> groups;           // groups that are neither numbers nor names of items
  std::vector<size_t> grouped_items;  // items that GROUP BY names or repeats
  std::vector<Part> after;            // terms of HAVING, and of ORDER BY except names of items
  size_t first_of_order = 0;          // in `after`
};

bool read_part(Tokens tokens, std::vector<Part>& parts) {
  std::optional<Expression> read = parse_expression(tokens);
  if (read) parts.push_back({tokens, *std::move(read)});
  return read.has_value();
}

bool is_same(Tokens a, Tokens b) {
  return std::ranges::equal(a, b, {}, &Token::text, &Token::text);
}

std::optional<size_t> item_named(const NamedSelect& query, std::string_view name) {
  for (size_t i = 0; i < query.select.items.size(); ++i) {
    const std::string_view alias = query.select.items[i].alias;
    if (!alias.empty() && same_name(alias, name)) return i;
  }
  return std::nullopt;
}

// Removes ASC, DESC, NULLS FIRST, NULLS LAST.
Tokens without_direction(Tokens term) {
  if (term.size() > 2 && is_keyword(term[term.size() - 2], "NULLS"))
    term = term.first(term.size() - 2);
  const bool has_direction =
      term.size() > 1 && (is_keyword(term.back(), "ASC") || is_keyword(term.back(), "DESC"));
  return has_direction ? term.first(term.size() - 1) : term;
}

bool is_number(Tokens tokens) { return tokens.size() == 1 && tokens[0].kind == TokenKind::Number; }

// Reads a term of GROUP BY, in which columns take precedence over names of items; in ORDER BY,
// names of items do.
bool read_group(NamedSelect& query, Tokens term) {
  if (is_number(term)) {
    size_t number = 0;
    const std::string_view text = term[0].text;
    std::from_chars(text.data(), text.data() + text.size(), number);
    if (number < 1 || number > query.items.size()) return false;
    query.grouped_items.push_back(number - 1);
    return true;
  }
  const std::optional<ColumnName> name = parse_column(term);
  if (name && !resolve(query.sources, *name)) {
    const std::optional<size_t> item = item_named(query, name->column);
    if (!item || !name->table.empty()) return false;
    query.grouped_items.push_back(*item);
    return true;
  }
  for (size_t i = 0; i < query.items.size(); ++i)
    if (is_same(query.items[i].tokens, term)) query.grouped_items.push_back(i);
  return read_part(term, query.groups);
}

bool read_order(NamedSelect& query, Tokens term) {
  term = without_direction(term);
  const bool names_item = term.size() == 1 && term[0].kind == TokenKind::Word &&
                          item_named(query, term[0].text).has_value();
  return is_number(term) || names_item || read_part(term, query.after);
}

std::optional<NamedSelect> read_query(std::string_view sql, const RelationOf& relation_of) {
  std::optional<SelectText> select = parse_select(sql);
  if (!select) return std::nullopt;
  NamedSelect query{*std::move(select), {}, {}, {}, 0, {}, {}, {}, 0};
  std::optional<std::vector<SourceTable>> sources = sources_of(query.select, relation_of);
  if (!sources) return std::nullopt;
  query.sources = *std::move(sources);
  bool known = true;
  for (const ResultItem& item : query.select.items)
    known = known && read_part(item.expression, query.items);
  for (const FromItem& item : query.select.from)
    known = known && read_part(item.on, query.conditions);
  query.first_of_where = query.conditions.size();
  if (!query.select.where.empty())
    for (const Tokens condition : conjuncts(query.select.where))
      known = known && read_part(condition, query.conditions);
  for (const Tokens term : query.select.group_by) known = known && read_group(query, term);
  for (const Tokens condition : conjuncts(query.select.having))
    known = known && read_part(condition, query.after);
  query.first_of_order = query.after.size();
  for (const Tokens term : query.select.order_by) known = known && read_order(query, term);
  return known ? std::optional(std::move(query)) : std::nullopt;
}

// Visits all terms that are evaluated after grouping.
template <class Visit>
bool for_all_results(const NamedSelect& query, Visit visit) {
  return std::ranges::all_of(query.items, visit) && std::ranges::all_of(query.after, visit);
}

// Returns the table whose columns are aggregated; the one with the most rows, if only rows are
// counted.
std::optional<size_t> table_to_group(const NamedSelect& query) {
  std::optional<size_t> found;
  const bool agree = for_all_results(query, [&](const Part& part) {
    return std::ranges::all_of(part.read.aggregates, [&](const AggregateCall& call) {
      if (!call.argument) return true;
      const std::optional<ColumnRef> column = resolve(query.sources, *call.argument);
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
    const auto rows = [&](size_t source) { return query.sources[source].relation.table->rows(); };
    if (is_fit(i) && (!found || rows(i) > rows(*found))) found = i;
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
  Rewriting(const NamedSelect& query, size_t table, std::span<const Cell> values)
      : query_(query), values_(values), source_(query.sources[table]), table_(table) {
    result_.groups.table = source_.relation.table;
  }

  // Returns false if a part of the statement is not supported.
  bool run(std::string_view groups_name) {
    replace_table(groups_name);
    std::vector<Part> read = query_.groups;
    for (size_t i = 0; i < query_.conditions.size(); ++i) {
      const Part& condition = query_.conditions[i];
      if (i >= query_.first_of_where && take_filter(condition.tokens)) continue;
      if (!compares_alike(query_, condition, values_)) return false;
      read.push_back(condition);
    }
    for (size_t i = 0; i < query_.first_of_order; ++i)
      if (!compares_alike(query_, query_.after[i], values_)) return false;
    read.insert(read.end(), query_.items.begin(), query_.items.end());
    read.insert(read.end(), query_.after.begin(), query_.after.end());
    for (const FromItem& item : query_.select.from)
      for (const std::string_view column : item.using_columns)
        if (!add_key({source_.item->name, column}, true)) return false;
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

  void replace_table(std::string_view groups_name) {
    const FromItem& item = *source_.item;
    const bool has_alias = item.name.data() != item.table.text.data();
    replace({&item.table, 1},
            has_alias ? std::string(groups_name) : fmt::format("{} AS {}", groups_name, item.name));
  }

  // Returns null if the name is not a column of the table, or the table does not store the column.
  const ColumnView* column_of(const ColumnName& name) const {
    const std::optional<ColumnRef> column = resolve(query_.sources, name);
    return column && column->source == table_ ? column->column->column : nullptr;
  }

  // Moves a condition to the scan.
  bool take_filter(Tokens condition) {
    const std::vector<FilterText> filters = parse_filters(condition, values_);
    for (const FilterText& filter : filters) {
      const ColumnView* column = column_of(filter.column);
      if (column == nullptr) return false;
      const bool is_text = column->sql_type == SqlType::Text;
      // SQLite evaluates comparisons with values of another type, because it may convert them.
      const bool fits = std::ranges::all_of(
          filter.literals, [&](const Literal& literal) { return literal.is_text == is_text; });
      const bool compares = filter.op != Op::IsNull && filter.op != Op::IsNotNull;
      if (compares && !fits) return false;
    }
    for (const FilterText& filter : filters) {
      const bool is_constant =
          filter.op != Op::In && filter.op != Op::IsNull && filter.op != Op::IsNotNull;
      result_.groups.filters.push_back({{column_of(filter.column), filter.op, is_constant}, {}});
      std::vector<std::string>& literals = result_.literals.emplace_back();
      for (const Literal& literal : filter.literals) literals.push_back(literal.sql);
    }
    if (!filters.empty()) replace(condition, "1");
    return !filters.empty();
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
    const ColumnView* of = call.argument ? column_of(*call.argument) : nullptr;
    if (call.argument && (of == nullptr || !is_aggregable(*of))) return false;
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
  const SourceTable& source_;
  size_t table_;
  Pushdown result_;
  std::vector<Change> changes_;
};

}  // namespace

std::optional<Pushdown> push_down(std::string_view sql, std::span<const Cell> values,
                                  const RelationOf& relation_of, std::string_view groups_name,
                                  size_t least_rows) {
  const std::optional<NamedSelect> query = read_query(sql, relation_of);
  if (!query) return std::nullopt;
  const bool has_aggregates =
      !for_all_results(*query, [](const Part& part) { return part.read.aggregates.empty(); });
  if ((!has_aggregates && query->select.group_by.empty()) || is_single_extreme(*query))
    return std::nullopt;
  const std::optional<size_t> table = table_to_group(*query);
  if (!table || query->sources[*table].relation.table->rows() < least_rows ||
      !shows_groups_only(*query))
    return std::nullopt;
  Rewriting rewriting(*query, *table, values);
  if (!rewriting.run(groups_name)) return std::nullopt;
  return rewriting.take(sql);
}

}  // namespace tracebraid
