#include "query/statements/parse.h"

#include <fmt/core.h>

#include <utility>
#include <variant>

namespace tracebraid {
namespace {

template <class T>
using Parsed = tl::expected<T, SyntaxError>;

class Parser {
 public:
  explicit Parser(const TokenList& list) : list_(list) {}

  Parsed<ParsedStatement> parse(Statement kind);
  Parsed<std::vector<DeclaredName>> declarations(std::string_view end);

 private:
  using Done = Parsed<std::monostate>;

  bool is_at_end() const { return at_ == list_.tokens.size(); }
  Token peek() const { return list_.token(at_); }
  size_t offset() const { return is_at_end() ? list_.text.size() : list_.tokens[at_].begin; }
  bool take(std::string_view symbol) {
    const bool is_next = list_.is(at_, symbol);
    at_ += is_next ? 1 : 0;
    return is_next;
  }
  bool take_keyword(std::string_view upper) {
    const bool is_next = is_keyword(peek(), upper);
    at_ += is_next ? 1 : 0;
    return is_next;
  }
  tl::unexpected<SyntaxError> wrong() const {
    if (is_at_end()) return tl::unexpected(SyntaxError{offset(), "incomplete input"});
    return tl::unexpected(
        SyntaxError{offset(), fmt::format("syntax error near '{}'", peek().text)});
  }
  Done expect(std::string_view symbol) { return take(symbol) ? Done() : Done(wrong()); }
  Done expect_keyword(std::string_view upper) {
    return take_keyword(upper) ? Done() : Done(wrong());
  }
  Parsed<std::string> word();
  Parsed<std::string> name();
  Parsed<DeclaredName> declared_type();
  Parsed<DeclaredName> declaration();
  Parsed<TextRange> select();
  Parsed<TextRange> rest();

  Done relation(ParsedStatement& to);
  Done function(ParsedStatement& to);
  Done macro(ParsedStatement& to);
  Done index(ParsedStatement& to);
  Done module(ParsedStatement& to);

  const TokenList& list_;
  size_t at_ = 0;
};

#define TB_PARSE(expr)                                                                      \
  do {                                                                                      \
    if (auto tb_done = (expr); !tb_done) return tl::unexpected(std::move(tb_done).error()); \
  } while (0)

Parsed<std::string> Parser::word() {
  if (peek().kind != TokenKind::Word) return wrong();
  return std::string(list_.token(at_++).text);
}

Parsed<std::string> Parser::name() {
  const Token token = peek();
  const bool is_name =
      token.kind == TokenKind::Word ||
      (token.kind == TokenKind::Quoted && token.text[0] != 'x' && token.text[0] != 'X');
  if (!is_name) return wrong();
  ++at_;
  return unquoted(token.text);
}

// Parses TYPE, TYPE(table.column) and TYPE...
Parsed<DeclaredName> Parser::declared_type() {
  DeclaredName type;
  type.type_at = offset();
  TB_TRY_ASSIGN(type.type, word());
  if (take("(")) {
    TB_TRY_ASSIGN(const std::string table, word());
    TB_PARSE(expect("."));
    TB_TRY_ASSIGN(const std::string column, word());
    type.reference = table + "." + column;
    TB_PARSE(expect(")"));
  }
  if (take(".")) {
    TB_PARSE(expect("."));
    TB_PARSE(expect("."));
    type.is_variadic = true;
  }
  return type;
}

Parsed<DeclaredName> Parser::declaration() {
  const size_t at = offset();
  TB_TRY_ASSIGN(std::string name, word());
  TB_TRY_ASSIGN(DeclaredName declared, declared_type());
  declared.name = std::move(name);
  declared.at = at;
  return declared;
}

// Parses declarations up to the token `end`, which may be the end of the text, and skips it.
Parsed<std::vector<DeclaredName>> Parser::declarations(std::string_view end) {
  std::vector<DeclaredName> names;
  do {
    TB_TRY_ASSIGN(DeclaredName name, declaration());
    names.push_back(std::move(name));
  } while (take(","));
  if (end.empty() ? !is_at_end() : !take(end)) return wrong();
  return names;
}

// Returns the remaining tokens, of which there must be one.
Parsed<TextRange> Parser::rest() {
  if (is_at_end()) return wrong();
  const ListedToken& last = list_.tokens.back();
  TextRange range{offset(), last.begin + last.length};
  at_ = list_.tokens.size();
  return range;
}

Parsed<TextRange> Parser::select() {
  for (const std::string_view first : {"SELECT", "WITH", "VALUES"})
    if (is_keyword(peek(), first)) return rest();
  return wrong();
}

Parser::Done Parser::relation(ParsedStatement& to) {
  TB_TRY_ASSIGN(to.name, name());
  if (to.kind == Statement::CreateTable && take_keyword("USING")) {
    TB_TRY_ASSIGN(to.implementation, word());
  }
  if (take("(")) {
    to.has_schema = true;
    TB_TRY_ASSIGN(to.columns, declarations(")"));
  }
  TB_PARSE(expect_keyword("AS"));
  TB_TRY_ASSIGN(to.body, select());
  return {};
}

Parser::Done Parser::function(ParsedStatement& to) {
  TB_TRY_ASSIGN(to.name, name());
  TB_PARSE(expect("("));
  if (!take(")")) {
    TB_TRY_ASSIGN(to.arguments, declarations(")"));
  }
  const size_t returns_at = offset();
  TB_PARSE(expect_keyword("RETURNS"));
  if (is_keyword(peek(), "TABLE") && list_.is(at_ + 1, "(")) {
    at_ += 2;
    to.returns_table = true;
    TB_TRY_ASSIGN(to.columns, declarations(")"));
  } else {
    TB_TRY_ASSIGN(to.returns, declared_type());
    if (take_keyword("DELEGATES")) {
      TB_PARSE(expect_keyword("TO"));
      TB_TRY_ASSIGN(to.target, word());
      to.returns.at = returns_at;
      return is_at_end() ? Done() : Done(wrong());
    }
  }
  to.returns.at = returns_at;
  TB_PARSE(expect_keyword("AS"));
  TB_TRY_ASSIGN(to.body, select());
  return {};
}

Parser::Done Parser::macro(ParsedStatement& to) {
  TB_TRY_ASSIGN(to.name, name());
  TB_PARSE(expect("("));
  if (!take(")")) {
    TB_TRY_ASSIGN(to.arguments, declarations(")"));
  }
  to.returns.at = offset();
  TB_PARSE(expect_keyword("RETURNS"));
  to.returns.type_at = offset();
  TB_TRY_ASSIGN(to.returns.type, word());
  TB_PARSE(expect_keyword("AS"));
  TB_TRY_ASSIGN(to.body, rest());
  return {};
}

Parser::Done Parser::index(ParsedStatement& to) {
  TB_TRY_ASSIGN(to.name, name());
  TB_PARSE(expect_keyword("ON"));
  TB_TRY_ASSIGN(to.table, name());
  if (to.kind == Statement::CreateIndex) {
    TB_PARSE(expect("("));
    do {
      TB_TRY_ASSIGN(std::string column, word());
      to.index_columns.push_back(std::move(column));
    } while (take(","));
    TB_PARSE(expect(")"));
  }
  return is_at_end() ? Done() : Done(wrong());
}

// A part of a key is a word or '*', never both.
Parser::Done Parser::module(ParsedStatement& to) {
  for (bool is_first = true; is_first || take("."); is_first = false) {
    if (!is_first) to.name += '.';
    if (take("*")) {
      to.name += '*';
      continue;
    }
    TB_TRY_ASSIGN(const std::string part, word());
    to.name += part;
  }
  return is_at_end() ? Done() : Done(wrong());
}

Parsed<ParsedStatement> Parser::parse(Statement kind) {
  ParsedStatement statement{.kind = kind, .name = {}};
  ++at_;  // CREATE, DROP, INCLUDE
  if (take_keyword("OR")) {
    TB_PARSE(expect_keyword("REPLACE"));
    statement.replaces = true;
  }
  at_ += 2;  // PERFETTO TABLE
  statement.name_at = offset();
  Done done;
  switch (kind) {
    case Statement::Sqlite:
      break;
    case Statement::IncludeModule:
      done = module(statement);
      break;
    case Statement::CreateTable:
    case Statement::CreateView:
      done = relation(statement);
      break;
    case Statement::CreateFunction:
      done = function(statement);
      break;
    case Statement::CreateMacro:
      done = macro(statement);
      break;
    case Statement::CreateIndex:
    case Statement::DropIndex:
      done = index(statement);
      break;
  }
  TB_PARSE(std::move(done));
  return statement;
}

}  // namespace

Parsed<ParsedStatement> parse_statement(const TokenList& statement, Statement kind) {
  return Parser(statement).parse(kind);
}

Parsed<std::vector<DeclaredName>> parse_declarations(std::string_view text) {
  const TokenList list = token_list(text);
  if (list.tokens.empty()) return std::vector<DeclaredName>();
  return Parser(list).declarations("");
}

std::string unquoted(std::string_view token) {
  if (token.size() < 2 ||
      (token[0] != '"' && token[0] != '\'' && token[0] != '`' && token[0] != '['))
    return std::string(token);
  const char quote = token[0] == '[' ? ']' : token[0];
  std::string name;
  for (size_t i = 1; i + 1 < token.size(); ++i) {
    name += token[i];
    if (token[i] == quote && token[i + 1] == quote) ++i;
  }
  return name;
}

}  // namespace tracebraid
