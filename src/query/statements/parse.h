// Parses the statements of the dialect (spec sql-dialect 2.1) into values.
//
// Input: a statement after the expansion of macros. Output: a ParsedStatement, or where its syntax
// is wrong. Called to run statements, and to read the documentation of modules.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "query/compile/dialect.h"
#include "query/compile/token_list.h"

namespace tracebraid {

// A range of the statement, bytes.
struct TextRange {
  size_t begin = 0, end = 0;
};

// An argument or a column: "utid JOINID(thread.id)", "x ANY...".
struct DeclaredName {
  std::string name;
  std::string type;            // without the column in brackets
  std::string reference = {};  // "thread.id"
  bool is_variadic = false;
  size_t at = 0, type_at = 0;  // offsets of name and type in the statement
};

struct ParsedStatement {
  Statement kind = Statement::Sqlite;
  bool replaces = false;
  std::string name;  // without quotes; of a module the key, such as slices.*
  size_t name_at = 0;
  std::string implementation = {};         // of USING
  bool has_schema = false;                 // of a table or view
  std::vector<DeclaredName> columns = {};  // of the schema, or those that a function returns
  std::vector<DeclaredName> arguments = {};
  bool returns_table = false;
  DeclaredName returns = {};  // type of the result; `at` is that of RETURNS
  std::string target = {};    // of DELEGATES TO
  TextRange body = {};        // the select, or the tokens of a macro
  std::string table = {};     // of an index
  std::vector<std::string> index_columns = {};
};

struct SyntaxError {
  size_t at = 0;  // offset in the statement
  std::string message;
};

// Requires: `kind` is that of the statement, and not Sqlite.
tl::expected<ParsedStatement, SyntaxError> parse_statement(const TokenList& statement,
                                                           Statement kind);

// Parses "name TYPE, name TYPE" up to the end of the text, for create_function().
tl::expected<std::vector<DeclaredName>, SyntaxError> parse_declarations(std::string_view text);

// Returns a name without its quotes.
std::string unquoted(std::string_view token);

}  // namespace tracebraid
