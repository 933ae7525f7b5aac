// Table functions: SELECT * FROM f(x, y), also joined: FROM slice, ancestor_slice(slice.id).
#pragma once

#include <sqlite3.h>

#include <functional>
#include <memory>
#include <source_location>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/source_file.h"
#include "column/column.h"
#include "query/scan/stop_check.h"

namespace tracebraid {

// The rows of one call, computed in chunks. An object serves one call after another, on one thread.
class TableFunctionRows {
 public:
  virtual ~TableFunctionRows() = default;
  // Begins a call. The message of an Error becomes the SQL error. The cells are valid during it.
  virtual Result<> call(std::span<const Cell> arguments) = 0;
  // Computes the next chunk and returns its number of rows; 0 at the end.
  virtual Result<size_t> next_chunk() = 0;
  // Returns a cell of the chunk. Texts are valid until the next chunk.
  virtual Cell cell(size_t row, size_t column) const = 0;

  // The stop of the running statement, for calls that take long; an Error of it ends the statement
  // with its code.
  const StopCheck* stop = nullptr;
};

struct TableFunction {
  struct Parameter {
    std::string_view name, type, about;  // type of the dialect: LONG, STRING ...
  };
  struct Column {
    std::string_view name;
    SqlType type;
    std::string_view about;
  };

  std::string_view name;  // lower case
  std::string_view about;
  std::vector<Parameter> parameters;
  std::vector<Column> columns;
  // Creates the rows of a cursor. Called on the thread of a connection.
  std::function<std::unique_ptr<TableFunctionRows>()> open;
  std::vector<std::string_view> reads = {};  // raw tables that the rows depend on
  // Whether the rows depend on the arguments only, and any number of threads may call `open` and
  // use an object each.
  bool is_pure = false;
  // The source file of the declaration, from src/ on.
  std::string_view file = file_below_root(std::source_location::current().file_name());
};

// Creates a table for each function, which is not listed in the schema. Its hidden columns are
// _fn_arg0, _fn_arg1 ... and _auto_id, the number of the row in the result. `functions` must
// outlive the connection. `before_use` (query/scan/virtual_table.h) may be empty. `stop` is that of
// the running statement.
Result<> add_table_functions(sqlite3* db, std::span<const TableFunction> functions,
                             const std::function<bool(std::string_view)>& before_use,
                             StopCheck& stop);

}  // namespace tracebraid
