// Script: divides a text into statements, expands their macros, and gives errors their position in
// the text.
#pragma once

#include <sqlite3.h>

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "query/compile/connection_state.h"
#include "query/compile/source_map.h"
#include "query/compile/statement.h"

namespace tracebraid {

class Script {
 public:
  // Makes a script of the user's text. Returns an Error (Limit) if it is too long for SQLite.
  static Result<Script> of(std::string_view sql);
  // Makes a script of a whole text, such as that of a module.
  explicit Script(SourceTextPtr source);
  // Makes a script of one statement whose macros are expanded.
  explicit Script(SqlText statement);
  Script(const Script&) = delete;
  Script& operator=(const Script&) = delete;
  Script(Script&&) = default;
  Script& operator=(Script&&) = default;

  // Compiles the next statement of SQLite. Runs the statements of the dialect before it, except
  // with `OwnStatements::Stop`, which returns null at one, and `RunOne`, which returns null behind
  // one. Returns null at the end of the text. An Error names line and column.
  enum class OwnStatements : uint8_t { Run, Stop, RunOne };
  Result<StatementPtr> next(ConnectionState& connection, OwnStatements own = OwnStatements::Run);

  // Returns the text of the statement that next() compiled last, after the expansion of its macros,
  // without its ';'.
  std::string_view statement() const { return statement_; }
  // Returns the text of that statement as the user wrote it, without its ';'. Requires: a script of
  // a whole text.
  std::string_view source_statement() const;
  // Returns whether no statement follows.
  bool is_at_end() const;
  // Returns whether any statement was found so far.
  bool has_any() const { return any_; }
  // Returns the offset of the first byte that was not compiled. Requires: a script of a whole text.
  size_t offset() const { return static_cast<size_t>(rest_.data() - source_->text.data()); }
  // Skips the first bytes of the text, which still count for lines. Requires: none was compiled.
  void skip(size_t bytes) { rest_.remove_prefix(bytes); }
  // Returns the line of the text where that statement begins, from 1.
  size_t line() const;
  // `offset` is the offset of a byte in the expanded statement.
  Error error(ErrorCode code, size_t offset, std::string_view message) const;
  // Returns the error of the last call of SQLite for the statement.
  Error failure(const ConnectionState& connection) const;

 private:
  Result<> begin_statement(ConnectionState& connection, Statement kind, size_t length,
                           bool has_calls);

  SourceTextPtr source_;                     // null for one statement
  std::unique_ptr<const SqlText> single_;    // that statement
  std::unique_ptr<const SqlText> expanded_;  // if macros were expanded
  std::string_view rest_, statement_;        // of the texts above
  SourceMap map_;                            // of `statement_`
  bool any_ = false;                         // whether any statement was found
};

// Compiles a statement. An Error has a traceback. `flags` are those of sqlite3_prepare_v3().
Result<StatementPtr> compile(const ConnectionState& connection, const SqlText& sql,
                             unsigned flags = 0);

// Rewords SQLite's `near "x": syntax error` as `syntax error near 'x'`.
std::string reworded(std::string_view message);

// Returns an error at a byte of a text.
Error error_at(const SqlText& sql, ErrorCode code, size_t offset, std::string_view message);
// Returns the error of the last call of SQLite, which compiled or ran this text.
Error failure_of(const ConnectionState& connection, const SqlText& sql);

}  // namespace tracebraid
