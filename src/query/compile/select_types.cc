#include "query/compile/select_types.h"

#include <algorithm>
#include <deque>
#include <map>

#include "base/words.h"
#include "query/compile/select_text.h"

namespace tracebraid {
namespace {

constexpr size_t kLongestSelect = 100'000;  // bytes
constexpr int kDeepestSelect = 16;          // subqueries and views
constexpr size_t kMostTokens = 1'000'000;   // of all SELECTs, some of which are read repeatedly

constexpr std::string_view kSelectClauses[] = {"FROM",   "WHERE", "GROUP", "HAVING",
                                               "WINDOW", "ORDER", "LIMIT"};
constexpr std::string_view kCompounds[] = {"UNION", "INTERSECT", "EXCEPT"};
constexpr std::string_view kJoinWords[] = {"NATURAL", "LEFT",  "RIGHT", "FULL",
                                           "OUTER",   "INNER", "CROSS", "JOIN"};
constexpr std::string_view kBehindTables[] = {"ON", "USING", "INDEXED", "NOT"};

// Returns the name in lower case, without quotes; empty for another token.
std::string lower_name(const Token& token) {
  if (token.kind == TokenKind::Word) return in_lower_case(token.text);
  if (token.kind != TokenKind::Quoted || token.text.size() < 2) return {};
  return in_lower_case(token.text.substr(1, token.text.size() - 2));
}
bool can_name(const Token& token) {
  return token.kind == TokenKind::Word ||
         (token.kind == TokenKind::Quoted && token.text[0] != 'x' && token.text[0] != 'X' &&
          token.text[0] != '\'');
}

struct NamedColumns {
  std::string name;
  TypedColumns columns;
};
// The names that a SELECT sees, and those of the statement around it.
struct NameScope {
  const NameScope* outer = nullptr;
  std::vector<NamedColumns> sources;
};
using Definitions = std::map<std::string, TypedColumns>;  // of WITH

class SelectTyper {
 public:
  explicit SelectTyper(const SelectNames& catalog) : catalog_(catalog) {}

  // `outer` may be null.
  std::optional<TypedColumns> statement(Tokens tokens, const Definitions& known,
                                        const NameScope* outer, int depth);
  Tokens tokens_of_text(std::string_view sql) { return kept_.emplace_back(tokens_of(sql)); }

 private:
  bool read_with(TokenReader& reader, Definitions& known, const NameScope* outer, int depth);
  TypedColumns definition(const std::string& name, Tokens list, Tokens body,
                          const Definitions& known, const NameScope* outer, int depth);
  std::optional<TypedColumns> compound(Tokens tokens, const Definitions& known,
                                       const NameScope* outer, int depth);
  std::optional<TypedColumns> select(Tokens tokens, const Definitions& known,
                                     const NameScope* outer, int depth);
  void read_from(Tokens tokens, const Definitions& known, NameScope& scope, int depth);
  void read_source(TokenReader& reader, const Definitions& known, NameScope& scope, int depth);
  TypedColumns relation(const std::string& name, bool has_schema, const Definitions& known,
                        int depth);
  std::optional<TypedColumns> view(const std::string& name, int depth);
  ExpressionNames names(const Definitions& known, const NameScope& scope, int depth);

  const SelectNames& catalog_;
  std::deque<std::vector<Token>> kept_;
  std::deque<std::string> texts_;                  // of views
  std::map<std::string, TypedColumns> relations_;  // tables and views that were looked up
  size_t tokens_left_ = kMostTokens;
};

// Returns the type of a column by its name, in the innermost scope that has it.
ValueType column_type(Tokens tokens, const NameScope& scope) {
  constexpr size_t kQualified = 3;  // tokens
  const bool is_alone = tokens.size() == 1;
  const bool is_qualified =
      tokens.size() >= kQualified && is_symbol(tokens[tokens.size() - 2], ".");
  if ((!is_alone && !is_qualified) || !can_name(tokens.back())) return {};
  const std::string column = lower_name(tokens.back());
  const std::string table =
      is_qualified ? lower_name(tokens[tokens.size() - kQualified]) : std::string();
  for (const NameScope* at = &scope; at != nullptr; at = at->outer)
    for (const NamedColumns& source : at->sources) {
      if (is_qualified && source.name != table) continue;
      const auto found = std::ranges::find_if(
          source.columns, [&](const TypedColumn& of) { return same_name(of.name, column); });
      if (found != source.columns.end()) return found->type;
    }
  const bool is_number = column == "rowid" || column == "_rowid_" || column == "oid";
  return is_number ? ValueType{DataType::Int64} : ValueType{};
}

// Appends the columns that `*` or `table.*` stands for. Returns false for another item.
bool expand(Tokens item, const NameScope& scope, TypedColumns& columns) {
  constexpr size_t kQualified = 3;  // tokens
  if (item.empty() || !is_symbol(item.back(), "*")) return false;
  const bool is_qualified = item.size() == kQualified && is_symbol(item[1], ".");
  if (item.size() != 1 && !is_qualified) return false;
  for (const NamedColumns& source : scope.sources)
    if (!is_qualified || source.name == lower_name(item[0]))
      columns.insert(columns.end(), source.columns.begin(), source.columns.end());
  return true;
}

std::string name_of_item(const ResultItem& item) {
  if (!item.alias.empty()) return std::string(item.alias);
  const bool is_column =
      can_name(item.expression.back()) &&
      (item.expression.size() == 1 || is_symbol(item.expression[item.expression.size() - 2], "."));
  return is_column ? lower_name(item.expression.back()) : std::string();
}

// Gives columns the names of a list (a, b), as in WITH name(a, b).
void rename(Tokens list, TypedColumns& columns) {
  size_t at = 0;
  for (const Tokens name : split(list, ","))
    if (name.size() == 1 && at < columns.size()) columns[at++].name = lower_name(name[0]);
}

void take_common(const TypedColumns& other, TypedColumns& columns) {
  for (size_t i = 0; i < columns.size(); ++i)
    columns[i].type = i < other.size() ? common_type(columns[i].type, other[i].type) : ValueType{};
}

ExpressionNames SelectTyper::names(const Definitions& known, const NameScope& scope, int depth) {
  return {.column = [&scope](Tokens tokens) { return column_type(tokens, scope); },
          .subquery =
              [this, &known, &scope, depth](Tokens tokens) {
                const auto columns = statement(tokens, known, &scope, depth + 1);
                return columns && !columns->empty() ? columns->front().type : ValueType{};
              },
          .declared = catalog_.declared,
          .text = catalog_.text};
}

std::optional<TypedColumns> SelectTyper::statement(Tokens tokens, const Definitions& known,
                                                   const NameScope* outer, int depth) {
  if (depth > kDeepestSelect || tokens.size() > tokens_left_) return std::nullopt;
  tokens_left_ -= tokens.size();
  TokenReader reader{tokens};
  if (!reader.is_at("WITH")) return compound(tokens, known, outer, depth);
  Definitions all = known;
  if (!read_with(reader, all, outer, depth)) return std::nullopt;
  return compound(reader.left, all, outer, depth);
}

// Reads WITH [RECURSIVE] name [(columns)] AS [[NOT] MATERIALIZED] (SELECT ...), ...
bool SelectTyper::read_with(TokenReader& reader, Definitions& known, const NameScope* outer,
                            int depth) {
  reader.take("WITH");
  reader.take("RECURSIVE");
  for (;;) {
    const Tokens name = reader.take_first(1);
    if (name.empty() || !can_name(name[0])) return false;
    Tokens list;
    if (reader.is_at_symbol("(")) list = reader.take_brackets();
    if (!reader.take("AS")) return false;
    reader.take("NOT");
    reader.take("MATERIALIZED");
    if (!reader.is_at_symbol("(")) return false;
    const Tokens body = reader.take_brackets();
    known[lower_name(name[0])] = definition(lower_name(name[0]), list, body, known, outer, depth);
    if (!reader.is_at_symbol(",")) return true;
    reader.take_first(1);
  }
}

// Returns the columns of `name (list) AS (body)`. A body that names itself begins with columns of
// NULLs, which take the types of its values until no type changes.
TypedColumns SelectTyper::definition(const std::string& name, Tokens list, Tokens body,
                                     const Definitions& known, const NameScope* outer, int depth) {
  constexpr int kMostRounds = 8;  // a type changes a few times: NULL, int64, float64, unknown
  Definitions inside = known;
  inside[name] = {};
  const auto columns_of_body = [&] {
    TypedColumns columns = statement(body, inside, outer, depth + 1).value_or(TypedColumns());
    rename(list, columns);
    return columns;
  };
  TypedColumns columns = columns_of_body();
  if (std::ranges::none_of(body, [&](const Token& token) { return lower_name(token) == name; }))
    return columns;
  for (TypedColumn& column : columns) column.type = {DataType::Null};
  for (int round = 0; round < kMostRounds; ++round) {
    inside[name] = columns;
    TypedColumns next = columns_of_body();
    if (next == columns) return columns;
    columns = std::move(next);
  }
  for (TypedColumn& column : columns) column.type = {};
  return columns;
}

// Reads SELECT ... UNION [ALL] SELECT ... and VALUES (...), (...).
std::optional<TypedColumns> SelectTyper::compound(Tokens tokens, const Definitions& known,
                                                  const NameScope* outer, int depth) {
  std::optional<TypedColumns> columns;
  TokenReader reader{tokens};
  for (;;) {
    const Tokens part = reader.take_first(find_outside(
        reader.left, 0, [](const Token& token) { return is_one_of(token, kCompounds); }));
    const std::optional<TypedColumns> of_part = select(part, known, outer, depth);
    if (!of_part) return std::nullopt;
    if (columns)
      take_common(*of_part, *columns);
    else
      columns = of_part;
    if (reader.left.empty()) return columns;
    reader.take_first(1);
    reader.take("ALL");
  }
}

std::optional<TypedColumns> SelectTyper::select(Tokens tokens, const Definitions& known,
                                                const NameScope* outer, int depth) {
  TokenReader reader{tokens};
  NameScope scope{outer, {}};
  TypedColumns columns;
  if (reader.take("VALUES")) {
    const ExpressionNames of = names(known, scope, depth);
    for (const Tokens row : split(reader.left, ",")) {
      TokenReader brackets{row};
      if (!brackets.is_at_symbol("(")) return std::nullopt;
      TypedColumns values;
      for (const Tokens value : split(brackets.take_brackets(), ","))
        values.push_back(
            {"column" + std::to_string(values.size() + 1), expression_type(value, of)});
      if (columns.empty())
        columns = std::move(values);
      else
        take_common(values, columns);
    }
    return columns;
  }
  if (!reader.take("SELECT")) return std::nullopt;
  reader.take("DISTINCT");
  reader.take("ALL");
  const auto is_clause = [](const Token& token) { return is_one_of(token, kSelectClauses); };
  const Tokens items = reader.take_first(find_outside(reader.left, 0, is_clause));
  if (reader.take("FROM"))
    read_from(reader.take_first(find_outside(reader.left, 0, is_clause)), known, scope, depth);
  const ExpressionNames of = names(known, scope, depth);
  for (const Tokens tokens_of_item : split(items, ",")) {
    if (expand(tokens_of_item, scope, columns)) continue;
    const std::optional<ResultItem> item = parse_result_item(tokens_of_item);
    if (!item) return std::nullopt;
    columns.push_back({name_of_item(*item), expression_type(item->expression, of)});
  }
  return columns;
}

void SelectTyper::read_from(Tokens tokens, const Definitions& known, NameScope& scope, int depth) {
  TokenReader reader{tokens};
  while (!reader.left.empty()) {
    if (reader.is_at_symbol(",") || is_one_of(reader.left[0], kJoinWords)) {
      reader.take_first(1);
      continue;
    }
    read_source(reader, known, scope, depth);
    // ON, USING and INDEXED BY name no more tables.
    reader.take_first(find_outside(reader.left, 0, [](const Token& token) {
      return is_symbol(token, ",") || is_one_of(token, kJoinWords);
    }));
  }
}

// Reads `schema.name AS alias`, `name(arguments)`, `(SELECT ...) alias` or `(a JOIN b)`.
void SelectTyper::read_source(TokenReader& reader, const Definitions& known, NameScope& scope,
                              int depth) {
  NamedColumns source;
  if (reader.is_at_symbol("(")) {
    const Tokens inside = reader.take_brackets();
    const TokenReader start{inside};
    if (start.is_at("SELECT") || start.is_at("WITH") || start.is_at("VALUES"))
      source.columns = statement(inside, known, scope.outer, depth + 1).value_or(TypedColumns());
    else if (depth < kDeepestSelect)
      read_from(inside, known, scope, depth + 1);
  } else {
    Tokens name = reader.take_first(1);
    const bool has_schema = reader.is_at_symbol(".");
    if (has_schema) {
      reader.take_first(1);
      name = reader.take_first(1);
    }
    if (name.empty() || !can_name(name[0])) return;
    source.name = lower_name(name[0]);
    if (reader.is_at_symbol("(")) {
      reader.take_brackets();
      if (const TableFunction* const function = catalog_.table_function(source.name))
        for (const TableFunction::Column& column : function->columns)
          source.columns.push_back(
              {std::string(column.name), {data_type(column.type, catalog_.text)}});
    } else {
      source.columns = relation(source.name, has_schema, known, depth);
    }
  }
  const bool has_as = reader.take("AS");
  const bool has_alias = !reader.left.empty() && can_name(reader.left[0]) &&
                         !is_one_of(reader.left[0], kJoinWords) &&
                         !is_one_of(reader.left[0], kBehindTables);
  if (has_as || has_alias)
    if (const Tokens alias = reader.take_first(1); !alias.empty())
      source.name = lower_name(alias[0]);
  scope.sources.push_back(std::move(source));
}

TypedColumns SelectTyper::relation(const std::string& name, bool has_schema,
                                   const Definitions& known, int depth) {
  const auto defined = known.find(name);
  if (!has_schema && defined != known.end()) return defined->second;
  if (const auto found = relations_.find(name); found != relations_.end()) return found->second;
  std::optional<TypedColumns> columns = view(name, depth);
  if (!columns) columns = catalog_.table(name);
  return relations_[name] = std::move(columns).value_or(TypedColumns());
}

// Follows CREATE VIEW name [(columns)] AS SELECT ...
std::optional<TypedColumns> SelectTyper::view(const std::string& name, int depth) {
  std::string text = catalog_.view(name);
  if (text.empty() || text.size() > kLongestSelect) return std::nullopt;
  const Tokens tokens = tokens_of_text(texts_.emplace_back(std::move(text)));
  const size_t as =
      find_outside(tokens, 0, [](const Token& token) { return is_keyword(token, "AS"); });
  if (as == tokens.size()) return std::nullopt;
  std::optional<TypedColumns> columns = statement(tokens.subspan(as + 1), {}, nullptr, depth + 1);
  const auto list = std::ranges::find_if(tokens.first(as),
                                         [](const Token& token) { return is_symbol(token, "("); });
  TokenReader names{Tokens(list, tokens.begin() + static_cast<ptrdiff_t>(as))};
  if (columns && !names.left.empty()) rename(names.take_brackets(), *columns);
  return columns;
}

}  // namespace

std::optional<TypedColumns> select_types(std::string_view sql, const SelectNames& catalog) {
  if (sql.size() > kLongestSelect) return std::nullopt;
  SelectTyper typer(catalog);
  return typer.statement(typer.tokens_of_text(sql), {}, nullptr, 0);
}

}  // namespace tracebraid
