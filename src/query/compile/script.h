// Script: divides a text into statements, and gives errors their position in the text.
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
  // Returns an Error (Limit) if the text is too long for SQLite.
  static Result<Script> of(std::string_view sql);
  Script(const Script&) = delete;
  Script& operator=(const Script&) = delete;
  Script(Script&&) = default;
  Script& operator=(Script&&) = default;

  // Compiles the next statement. Returns null at the end of the text. An Error names line and
  // column.
  Result<StatementPtr> next(ConnectionState& connection);

  // Returns the text of the statement that next() compiled last, without its ';'.
  std::string_view statement() const { return statement_; }
  std::string_view text() const { return *text_; }
  // `offset` is the offset of a byte in the expanded statement.
  Error error(ErrorCode code, size_t offset, std::string_view message) const;
  // Returns the error of the last call of SQLite for the statement.
  Error failure(const ConnectionState& connection) const;

 private:
  explicit Script(std::string_view sql)
      : text_(std::make_unique<const std::string>(sql)), rest_(*text_) {}

  std::unique_ptr<const std::string> text_;  // other members point into it
  std::string_view rest_, statement_;
  SourceMap map_;     // from the expanded statement to statement_
  bool any_ = false;  // whether any statement was found
};

}  // namespace tracebraid
