#include "query/compile/named_select.h"

#include <charconv>

namespace tracebraid {
namespace {

bool read_part(Tokens tokens, std::vector<Part>& parts) {
  std::optional<Expression> read = parse_expression(tokens);
  if (read) parts.push_back({tokens, *std::move(read)});
  return read.has_value();
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

}  // namespace

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

std::optional<NamedSelect> read_query(std::string_view sql, const RelationOf& relation_of,
                                      const TableFunctionOf& function_of) {
  std::optional<SelectText> select = parse_select(sql);
  if (!select) return std::nullopt;
  NamedSelect query{*std::move(select), {}, {}, {}, 0, {}, {}, {}, 0};
  std::optional<std::vector<SourceTable>> sources =
      sources_of(query.select, relation_of, function_of);
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

}  // namespace tracebraid
