// Script: a text of several statements, cut into them one after the other, and the errors of each
// with their place in the text.
#pragma once

#include <sqlite3.h>

#include <string>
#include <string_view>

#include "base/result.h"
#include "query/compile/connection_state.h"
#include "query/compile/source_map.h"
#include "query/compile/statement.h"

namespace tracebraid {

class Script {
 public:
  // An Error (Limit) if the text is too long for SQLite.
  static Result<Script> of(std::string_view sql);
  Script(const Script&) = delete;
  Script& operator=(const Script&) = delete;
  Script(Script&&) = default;
  Script& operator=(Script&&) = default;

  // Compiles the next statement. Null at the end of the text. An Error names line and column.
  Result<StatementPtr> next(ConnectionState& connection);

  // Of the statement that next() compiled last: its text without the ';' behind it.
  std::string_view statement() const { return statement_; }
  std::string_view text() const { return *text_; }
  // `offset` is of a byte in the statement as it runs, after expansion.
  Error error(ErrorCode code, size_t offset, std::string_view message) const;
  // The error of the last call of SQLite about the statement.
  Error failure(const ConnectionState& connection) const;

 private:
  explicit Script(std::string_view sql)
      : text_(std::make_unique<const std::string>(sql)), rest_(*text_) {}

  std::unique_ptr<const std::string> text_;  // the others point into it
  std::string_view rest_, statement_;
  SourceMap map_;     // from the statement as it runs to statement_
  bool any_ = false;  // statement was found
};

}  // namespace tracebraid
