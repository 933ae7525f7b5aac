#include "query/compile/script.h"

#include <fmt/core.h>

#include <algorithm>

#include "query/compile/dialect.h"
#include "query/compile/position.h"
#include "query/compile/tokens.h"
#include "query/library/name_hint.h"
#include "query/macros/expand.h"
#include "query/scan/sqlite_module.h"

namespace tracebraid {
namespace {

// The statement at the start of a text.
struct StatementExtent {
  size_t length = 0;       // up to its ';'
  bool has_calls = false;  // of macros
};

// Finds the end of the statement without compiling it; some place in it if stopped.
StatementExtent statement_at(std::string_view sql, const StopCheck& stop) {
  PacedStopCheck check(stop);
  StatementExtent extent;
  TokenKind before = TokenKind::End;
  for (Token token = first_token(sql); token.kind != TokenKind::End && token.text != ";";
       token = first_token(sql.substr(extent.length))) {
    if (check.stopped()) break;
    extent.length += token.text.size();
    const bool follows_name = before == TokenKind::Word || before == TokenKind::Variable;
    if (token.text == "!" && follows_name && skip_space(sql.substr(extent.length)).starts_with('('))
      extent.has_calls = true;
    if (token.kind != TokenKind::Space) before = token.kind;
  }
  return extent;
}

// Returns the text without leading blanks, comments and ';'.
std::string_view skip_empty_statements(std::string_view sql) {
  sql = skip_space(sql);
  while (sql.starts_with(';')) sql = skip_space(sql.substr(1));
  return sql;
}

Error failure_at(const ConnectionState& connection, const SourceMap& map, std::string_view text) {
  sqlite3* const db = connection.db.get();
  const int rc = sqlite3_errcode(db);
  if (connection.stop.failure()) return *connection.stop.failure();
  if (rc == SQLITE_INTERRUPT) return connection.stop.error();
  if (rc == SQLITE_NOMEM) return sqlite_error(db);
  const std::string& refused = connection.guard.reason;
  if (refused == kNoMemoryReason) return refusal(connection.guard);
  const auto offset = static_cast<size_t>(std::max(0, sqlite3_error_offset(db)));
  const std::string message = refused.empty() ? reworded(sqlite3_errmsg(db)) : refused;
  return {ErrorCode::Sql, traceback(map, text, offset) + message,
          name_hint(connection, text, message)};
}

}  // namespace

std::string reworded(std::string_view message) {
  constexpr std::string_view kNear = "near \"", kSyntax = "\": syntax error";
  if (!message.starts_with(kNear) || !message.ends_with(kSyntax)) return std::string(message);
  message.remove_prefix(kNear.size());
  message.remove_suffix(kSyntax.size());
  return fmt::format("syntax error near '{}'", message);
}

Result<Script> Script::of(std::string_view sql) {
  constexpr size_t kLongest = 1'000'000'000;
  if (sql.size() > kLongest) return fail(ErrorCode::Limit, "the SQL text is longer than 1 GB");
  return Script(std::make_shared<const SourceText>(SourceText{"File \"stdin\"", std::string(sql)}));
}

Script::Script(SourceTextPtr source) : source_(std::move(source)), rest_(source_->text) {}

Script::Script(SqlText statement)
    : single_(std::make_unique<const SqlText>(std::move(statement))), rest_(single_->text) {}

size_t Script::line() const {
  if (map_.frames().empty()) return 1;
  return position_at(map_.frames()[0].source->text, map_.frames()[0].begin).line;
}

std::string_view Script::source_statement() const {
  if (map_.frames().empty()) return {};
  const SourceFrame& frame = map_.frames()[0];
  return std::string_view(frame.source->text).substr(frame.begin, frame.end - frame.begin);
}

bool Script::is_at_end() const { return skip_empty_statements(rest_).empty(); }

Error Script::error(ErrorCode code, size_t offset, std::string_view message) const {
  return {code, traceback(map_, statement_, offset) + std::string(message)};
}

Error Script::failure(const ConnectionState& connection) const {
  return failure_at(connection, map_, statement_);
}

Error error_at(const SqlText& sql, ErrorCode code, size_t offset, std::string_view message) {
  return {code, traceback(sql.map, sql.text, offset) + std::string(message)};
}

Result<StatementPtr> compile(const ConnectionState& connection, const SqlText& sql,
                             unsigned flags) {
  sqlite3_stmt* compiled = nullptr;
  const char* tail = nullptr;
  const int rc = sqlite3_prepare_v3(connection.db.get(), sql.text.c_str(),
                                    static_cast<int>(sql.text.size() + 1), flags, &compiled, &tail);
  StatementPtr statement(compiled);
  if (rc != SQLITE_OK) return tl::unexpected(failure_of(connection, sql));
  // SQLite stops at a NUL.
  const auto length = static_cast<size_t>(tail - sql.text.c_str());
  if (compiled == nullptr || !skip_space(std::string_view(sql.text).substr(length)).empty())
    return tl::unexpected(error_at(sql, ErrorCode::Sql, length, "unrecognized token"));
  return statement;
}

Error failure_of(const ConnectionState& connection, const SqlText& sql) {
  return failure_at(connection, sql.map, sql.text);
}

// Sets `statement_` to the first `length` bytes of the rest, after the expansion of macros.
Result<> Script::begin_statement(ConnectionState& connection, Statement kind, size_t length,
                                 bool has_calls) {
  statement_ = rest_.substr(0, length);
  if (source_ == nullptr) {
    map_ = single_->map;
    return {};
  }
  const auto begin = static_cast<size_t>(rest_.data() - source_->text.data());
  const SourceFrame frame{source_, begin, begin + length};
  map_ = SourceMap(frame);
  // The body of a macro is expanded with its calls.
  if (!has_calls || kind == Statement::CreateMacro) return {};
  Result<SqlText> expanded = expand_macros(frame, connection.macros, connection.stop);
  if (!expanded) {
    Error& error = expanded.error();
    error.hint = name_hint(connection, statement_, error.message);
    return tl::unexpected(std::move(error));
  }
  expanded_ = std::make_unique<const SqlText>(*std::move(expanded));
  statement_ = expanded_->text;
  map_ = expanded_->map;
  return {};
}

Result<StatementPtr> Script::next(ConnectionState& connection, OwnStatements own) {
  for (;;) {
    rest_ = skip_empty_statements(rest_);
    if (rest_.empty()) {
      if (!any_) return fail(ErrorCode::Sql, "No valid SQL to run");
      return nullptr;
    }
    any_ = true;
    connection.guard.reason.clear();
    const Statement kind = source_ == nullptr ? Statement::Sqlite : kind_of_statement(rest_);
    const StatementExtent extent =
        source_ == nullptr ? StatementExtent{rest_.size()} : statement_at(rest_, connection.stop);
    if (connection.stop.stopped()) return tl::unexpected(connection.stop.error());
    expanded_.reset();
    TB_TRY(begin_statement(connection, kind, extent.length, extent.has_calls));
    if (kind != Statement::Sqlite) {
      rest_.remove_prefix(extent.length);
      if (own == OwnStatements::Stop) return nullptr;
      TB_TRY(connection.run_own(connection, SqlText{std::string(statement_), map_}, kind));
      if (own == OwnStatements::RunOne) return nullptr;
      continue;
    }
    sqlite3_stmt* compiled = nullptr;
    const char* tail = nullptr;
    // SQLite finds the end of a statement without macros, which may be a trigger with ';' inside.
    // Including the terminating NUL in the size saves SQLite a copy of the text.
    const std::string_view text = expanded_ != nullptr ? statement_ : rest_;
    const int rc = sqlite3_prepare_v3(connection.db.get(), text.data(),
                                      static_cast<int>(text.size() + 1), 0, &compiled, &tail);
    StatementPtr statement(compiled);
    if (rc != SQLITE_OK) {
      if (expanded_ == nullptr) statement_ = rest_.substr(0, extent.length + 1);
      if (expanded_ == nullptr && source_ != nullptr)
        TB_TRY(begin_statement(connection, kind, statement_.size(), false));
      return tl::unexpected(failure(connection));
    }
    const auto length = static_cast<size_t>(tail - text.data());
    if (length == 0) return tl::unexpected(error(ErrorCode::Sql, 0, "unrecognized token"));
    const bool is_whole = expanded_ != nullptr || source_ == nullptr;
    if (is_whole && !skip_space(text.substr(length)).empty())  // SQLite stops at a NUL
      return tl::unexpected(error(ErrorCode::Sql, length, "unrecognized token"));
    if (expanded_ != nullptr) {
      rest_.remove_prefix(extent.length);
      return statement;
    }
    const size_t without_end = length - (text[length - 1] == ';' ? 1 : 0);
    if (without_end != extent.length) TB_TRY(begin_statement(connection, kind, without_end, false));
    rest_.remove_prefix(length);
    return statement;
  }
}

}  // namespace tracebraid
