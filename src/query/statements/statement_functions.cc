#include "query/statements/statement_functions.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <string>

#include "query/compile/select_text.h"
#include "query/compile/token_list.h"
#include "query/functions/table_function.h"
#include "query/library/library_tables.h"
#include "query/scan/column_values.h"
#include "query/statements/create_function.h"
#include "query/statements/include.h"
#include "query/statements/session.h"
#include "query/statements/view_function.h"

namespace tracebraid {
namespace {

using Arguments = std::span<const Cell>;

constexpr std::string_view kActing[] = {
    "create_function", "create_view_function", "experimental_memoize", "export_json", "import",
    "run_metric"};

// Returns an Error if an argument is no text.
Result<> check_texts(Arguments arguments, std::string_view function,
                     std::span<const std::string_view> names) {
  for (size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].kind != Cell::Kind::Text)
      return fail(ErrorCode::Sql, fmt::format("{}: {} must be string", function, names[i]));
  return {};
}

constexpr std::string_view kFunctionArguments[] = {"function prototype (first argument)",
                                                   "return type (second argument)",
                                                   "SQL definition (third argument)"};

// Runs an INCLUDE. The message of the Error is its last line, because the caller has a position of
// its own.
Result<Cell> import(ConnectionState& connection, std::string_view key) {
  if (Result<> included = include(connection, SqlText(), key); !included) {
    const std::string& message = included.error().message;
    return fail(included.error().code, message.substr(message.rfind('\n') + 1));
  }
  return Cell::null();
}

// The columns of a raw or created table: perfetto_table_info().
class TableInfoRows final : public TableFunctionRows {
 public:
  explicit TableInfoRows(const ConnectionState& connection) : connection_(connection) {}

  Result<> call(std::span<const Cell> arguments) override {
    const std::string_view name =
        arguments[0].kind == Cell::Kind::Text ? arguments[0].text : std::string_view();
    table_ = find(name);
    name_ = name;
    is_done_ = false;
    if (table_ != nullptr) return {};
    return fail(ErrorCode::Sql, fmt::format("Perfetto table '{}' not found.", name));
  }
  Result<size_t> next_chunk() override {
    const size_t rows = is_done_ ? 0 : table_->view().columns.size();
    is_done_ = true;
    return rows;
  }
  Cell cell(size_t row, size_t column) const override {
    const ColumnView& of = table_->view().columns[row];
    switch (column) {
      case 0:
        return Cell::of(static_cast<int64_t>(row));
      case 1:
        return Cell::of(std::string_view(name_));
      case 2:
        return Cell::of(of.name);
      case 3:
        return Cell::of(type_of(of));
      case 4:
        return Cell::of(int64_t{has_null(of)});
      default:
        return Cell::of(int64_t{of.type == CellType::RowNumber ? 0
                                : of.order == Order::Sorted    ? 2
                                                               : 3});
    }
  }

 private:
  const Table* find(std::string_view name) const {
    for (const Table* raw : connection_.module.raw)
      if (same_name(raw->view().name, name)) return raw;
    const std::string number = created_table_number(connection_, name);
    return number.empty() ? nullptr : connection_.module.created.find(number)->second.get();
  }
  static std::string_view type_of(const ColumnView& column) {
    if (column.sql_type == SqlType::Real) return "double";
    if (column.sql_type == SqlType::Text) return "string";
    if (column.type == CellType::RowNumber) return "id";
    const bool is_small = column.type == CellType::UInt32 || column.type == CellType::UInt8 ||
                          column.type == CellType::OptRow;
    return is_small ? "uint32" : "int64";
  }
  bool has_null(const ColumnView& column) const {
    const bool is_never_null = column.type == CellType::RowNumber ||
                               column.type == CellType::Int64 || column.type == CellType::UInt32 ||
                               column.type == CellType::UInt8;
    PacedStopCheck check(connection_.stop);
    for (size_t row = 0; !is_never_null && row < table_->rows(); ++row) {
      if (check.stopped()) return false;  // the statement ends
      if (tracebraid::cell(column, row, table_->strings()).kind == Cell::Kind::Null) return true;
    }
    return false;
  }

  const ConnectionState& connection_;
  const Table* table_ = nullptr;
  std::string name_;
  bool is_done_ = true;
};

}  // namespace

std::vector<SqlFunction> statement_functions(ConnectionState* connection) {
  std::vector<SqlFunction> functions;
  functions.push_back(
      {"create_function(prototype STRING, returns STRING, body STRING) LONG",
       "Creates or replaces a function, as CREATE OR REPLACE PERFETTO FUNCTION does: 'f(x LONG)', "
       "'LONG', 'SELECT $x'.",
       [connection](Arguments arguments) -> Result<Cell> {
         TB_TRY(check_texts(arguments, "CREATE_FUNCTION", kFunctionArguments));
         before_change(*connection);
         TB_TRY(create_function_of_text(*connection, arguments[0].text, arguments[1].text,
                                        arguments[2].text));
         return Cell::null();
       }});
  functions.push_back(
      {"create_view_function(prototype STRING, columns STRING, body STRING) LONG",
       "Creates or replaces a table function: 'g(x LONG)', 'a LONG, b STRING', 'SELECT ...'.",
       [connection](Arguments arguments) -> Result<Cell> {
         TB_TRY(check_texts(arguments, "CREATE_VIEW_FUNCTION", kFunctionArguments));
         before_change(*connection);
         TB_TRY(create_view_function_of_text(*connection, arguments[0].text, arguments[1].text,
                                             arguments[2].text));
         return Cell::null();
       }});
  functions.push_back({"experimental_memoize(function STRING) LONG",
                       "Keeps the results of a function of one integer. Its recursion does not "
                       "nest.",
                       [connection](Arguments arguments) -> Result<Cell> {
                         constexpr std::string_view kName[] = {"function name (first argument)"};
                         TB_TRY(check_texts(arguments, "EXPERIMENTAL_MEMOIZE", kName));
                         connection->is_as_new = false;
                         TB_TRY(memoize_function(*connection, arguments[0].text));
                         return Cell::null();
                       }});
  functions.push_back({"import(module STRING) LONG",
                       "Includes a module, as INCLUDE PERFETTO MODULE does.",
                       [connection](Arguments arguments) -> Result<Cell> {
                         constexpr std::string_view kName[] = {"module name (first argument)"};
                         TB_TRY(check_texts(arguments, "IMPORT", kName));
                         connection->is_as_new = false;
                         return import(*connection, arguments[0].text);
                       }});
  functions.push_back(
      {"run_metric(file STRING, value ANY...) LONG",
       "Fails for each file: metrics are not supported.", [](Arguments arguments) -> Result<Cell> {
         constexpr std::string_view kName[] = {"file name (first argument)"};
         TB_TRY(check_texts(arguments.first(std::min<size_t>(1, arguments.size())), "RUN_METRIC",
                            kName));
         return fail(ErrorCode::Sql, fmt::format("RUN_METRIC: Unknown filename provided {}",
                                                 arguments.empty() ? "" : arguments[0].text));
       }});
  functions.push_back({"export_json(file STRING) LONG",
                       "Fails, because SQL writes no files: use the export command.",
                       [](Arguments arguments) -> Result<Cell> {
                         if (arguments[0].kind == Cell::Kind::Null)
                           return fail(ErrorCode::Sql, "EXPORT_JSON: filename cannot be null");
                         if (arguments[0].kind != Cell::Kind::Text)
                           return fail(ErrorCode::Sql,
                                       "EXPORT_JSON: argument must be a filename string");
                         return fail(ErrorCode::Sql, "EXPORT_JSON: File I/O is disabled");
                       }});
  functions.push_back({"__intrinsic_file_write(file STRING, bytes BYTES) LONG",
                       "Fails, because SQL writes no files.", [](Arguments) -> Result<Cell> {
                         return fail(ErrorCode::Sql,
                                     "__intrinsic_file_write: File I/O is disabled");
                       }});
  return functions;
}

Result<> add_session_tables(ConnectionState& connection) {
  connection.session_tables = {
      {.name = "perfetto_table_info",
       .about = "The columns of a raw table, or of one that CREATE PERFETTO TABLE made.",
       .parameters = {{"name", "STRING", "Name of the table."}},
       .columns = {{"id", SqlType::Integer, "Number of the column."},
                   {"table_name", SqlType::Text, "Name of the table."},
                   {"name", SqlType::Text, "Name of the column."},
                   {"col_type", SqlType::Text, "Storage: id, uint32, int64, double or string."},
                   {"nullable", SqlType::Integer, "0 if no value can be NULL."},
                   {"sorted", SqlType::Integer, "0 row number, 2 sorted, 3 unsorted."}},
       .open = [&connection] { return std::make_unique<TableInfoRows>(connection); }},
      stdlib_objects(),
      sqlstats(connection.session->log)};
  TB_TRY(add_table_functions(connection.db.get(), connection.session_tables, {}, connection.stop));
  return add_view_function_module(connection);
}

bool only_acts(std::string_view select) {
  if (!is_keyword(first_token(skip_space(select)), "SELECT")) return false;
  const TokenList list = token_list(select);
  const bool is_call = list.is(2, "(") && list.tokens[2].partner != kNoToken &&
                       std::ranges::any_of(kActing, [&](std::string_view name) {
                         return same_name(list.token(1).text, name);
                       });
  if (!is_call) return false;
  const size_t after = list.tokens[2].partner + 1;
  return after >= list.tokens.size() || list.tokens[after].kind == TokenKind::Word;
}

}  // namespace tracebraid
