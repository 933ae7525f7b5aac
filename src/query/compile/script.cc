#include "query/compile/script.h"

#include <fmt/core.h>

#include <algorithm>

#include "query/compile/dialect.h"
#include "query/compile/position.h"
#include "query/compile/tokens.h"

namespace tracebraid {
namespace {

// Returns the statement at the start of `sql` up to its ';', without compiling it.
std::string_view statement_at(std::string_view sql) {
  size_t length = 0;
  for (Token token = first_token(sql); token.kind != TokenKind::End && token.text != ";";
       token = first_token(sql.substr(length)))
    length += token.text.size();
  return sql.substr(0, length);
}

// Rewords SQLite's `near "x": syntax error`.
std::string reworded(std::string_view message) {
  constexpr std::string_view kNear = "near \"", kSyntax = "\": syntax error";
  if (!message.starts_with(kNear) || !message.ends_with(kSyntax)) return std::string(message);
  message.remove_prefix(kNear.size());
  message.remove_suffix(kSyntax.size());
  return fmt::format("syntax error near '{}'", message);
}

}  // namespace

Result<Script> Script::of(std::string_view sql) {
  constexpr size_t kLongest = 1'000'000'000;
  if (sql.size() > kLongest) return fail(ErrorCode::Limit, "the SQL text is longer than 1 GB");
  return Script(sql);
}

Error Script::error(ErrorCode code, size_t offset, std::string_view message) const {
  const auto begin = static_cast<size_t>(statement_.data() - text_->data());
  return {code, error_text(*text_, statement_, begin + map_.original(offset), message)};
}

Error Script::failure(const ConnectionState& connection) const {
  sqlite3* const db = connection.db.get();
  const int rc = sqlite3_errcode(db);
  if (connection.stop.failure()) return *connection.stop.failure();
  if (rc == SQLITE_INTERRUPT) return connection.stop.error();
  if (rc == SQLITE_NOMEM) return sqlite_error(db);
  const std::string& refused = connection.guard.reason;
  const int offset = sqlite3_error_offset(db);
  return error(ErrorCode::Sql, static_cast<size_t>(std::max(0, offset)),
               refused.empty() ? reworded(sqlite3_errmsg(db)) : refused);
}

Result<StatementPtr> Script::next(ConnectionState& connection) {
  rest_ = skip_space(rest_);
  while (rest_.starts_with(';')) rest_ = skip_space(rest_.substr(1));
  if (rest_.empty()) {
    if (!any_) return fail(ErrorCode::Sql, "No valid SQL to run");
    return nullptr;
  }
  any_ = true;
  if (connection.stop.stopped()) return tl::unexpected(connection.stop.error());
  statement_ = rest_;
  map_ = {};
  connection.guard.reason.clear();
  const Statement kind = kind_of_statement(rest_);
  if (kind != Statement::Sqlite) {
    statement_ = statement_at(rest_);
    return tl::unexpected(
        error(ErrorCode::Sql, 0, fmt::format("{} is not supported yet", name_of(kind))));
  }
  sqlite3_stmt* compiled = nullptr;
  const char* tail = nullptr;
  // Including the terminating NUL in the size saves SQLite a copy of the text.
  const int rc = sqlite3_prepare_v3(connection.db.get(), rest_.data(),
                                    static_cast<int>(rest_.size() + 1), 0, &compiled, &tail);
  StatementPtr statement(compiled);
  if (rc != SQLITE_OK) {
    statement_ = rest_.substr(0, statement_at(rest_).size() + 1);
    return tl::unexpected(failure(connection));
  }
  const auto length = static_cast<size_t>(tail - rest_.data());
  if (length == 0) return tl::unexpected(error(ErrorCode::Sql, 0, "unrecognized token"));
  statement_ = rest_.substr(0, length);
  if (statement_.ends_with(';')) statement_.remove_suffix(1);
  rest_.remove_prefix(length);
  return statement;
}

}  // namespace tracebraid
