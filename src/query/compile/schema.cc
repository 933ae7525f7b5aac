#include "query/compile/schema.h"

#include <fmt/core.h>

#include <string>
#include <vector>

#include "base/words.h"
#include "query/compile/statement.h"
#include "query/compile/tokens.h"
#include "query/scan/sqlite_module.h"

namespace tracebraid {
namespace {

// Takes the next token that is no blank off the start of `sql`.
Token take(std::string_view& sql) {
  sql = skip_space(sql);
  const Token token = first_token(sql);
  sql.remove_prefix(token.text.size());
  return token;
}

// Takes a statement off the start of `sql`, and its semicolon. Without text: the end.
std::string_view take_statement(std::string_view& sql) {
  sql = skip_space(sql);
  const char* const begin = sql.data();
  const char* end = begin;
  for (Token token = take(sql); token.kind != TokenKind::End; token = take(sql)) {
    if (token.text == ";") break;
    end = token.text.data() + token.text.size();
  }
  return {begin, static_cast<size_t>(end - begin)};
}

// A row of sqlite_schema.
struct SchemaRow {
  std::string_view type;  // "table" or "view"
  std::string name;
  std::string sql;
};

// Returns the row that CREATE VIEW and CREATE VIRTUAL TABLE would add. Other statements, also with
// a quoted name, have no type.
SchemaRow row_of(std::string_view statement) {
  std::string_view rest = statement;
  if (!is_keyword(take(rest), "CREATE")) return {};
  Token token = take(rest);
  const bool is_view = is_keyword(token, "VIEW");
  if (!is_view && (!is_keyword(token, "VIRTUAL") || !is_keyword(take(rest), "TABLE"))) return {};
  token = take(rest);
  const bool has_conditions = is_keyword(token, "IF");
  if (token.kind != TokenKind::Word || has_conditions) return {};
  return {is_view ? "view" : "table", std::string(token.text), std::string(statement)};
}

Result<> execute(sqlite3* db, const std::string& sql) {
  if (sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  return tl::unexpected(sqlite_error(db));
}

Result<> insert(sqlite3* db, const std::vector<SchemaRow>& rows) {
  const StatementPtr statement =
      prepare(db, "INSERT INTO main.sqlite_schema VALUES (?1, ?2, ?2, 0, ?3)");
  sqlite3_stmt* const compiled = statement.get();
  if (compiled == nullptr) return tl::unexpected(sqlite_error(db));
  const auto bind = [&](int index, std::string_view text) {
    sqlite3_bind_text(compiled, index, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
  };
  for (const SchemaRow& row : rows) {
    bind(1, row.type);
    bind(2, row.name);
    bind(3, row.sql);
    if (sqlite3_step(compiled) != SQLITE_DONE) return tl::unexpected(sqlite_error(db));
    sqlite3_reset(compiled);
  }
  return {};
}

}  // namespace

// SQLite takes ten times as long for each CREATE statement as for a row of the schema that it
// reads: it clears what it knows of the other tables each time.
Result<> make_schema(sqlite3* db, TableModule& module, std::string_view prelude) {
  std::vector<SchemaRow> rows;
  for (const Table* table : module.raw) {
    const std::string name(table->view().name);
    rows.push_back(
        {"table", name, fmt::format("CREATE VIRTUAL TABLE \"{}\" USING {}", name, kTableModule)});
  }
  std::string others;
  for (std::string_view rest = prelude, text = take_statement(rest); !text.empty();
       text = take_statement(rest)) {
    SchemaRow row = row_of(text);
    if (row.type.empty())
      others.append(text).append(";\n");
    else
      rows.push_back(std::move(row));
  }
  for (const SchemaRow& row : rows)
    if (row.type == "table") module.listed.insert(in_lower_case(row.name));
  TB_TRY(execute(db, "BEGIN; PRAGMA writable_schema = ON"));
  TB_TRY(insert(db, rows));
  // SQLite reads the schema anew, and says here what is wrong in it.
  TB_TRY(execute(db, "COMMIT; PRAGMA writable_schema = RESET; SELECT 1 FROM sqlite_schema"));
  return others.empty() ? Result<>() : execute(db, "BEGIN;" + others + "COMMIT");
}

}  // namespace tracebraid
