// SqlFunction: a scalar function of SQL as a value.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "column/column.h"

namespace tracebraid {

// Name, signature, body. The text of a result is copied before the next call.
struct SqlFunction {
  std::string_view name;  // lower case
  int arity;              // -1: any
  std::string_view about;
  // Computes the result. Cells are valid during the call. The message of an Error becomes the SQL
  // error. May keep state between calls, because each connection has its own functions.
  std::function<Result<Cell>(std::span<const Cell> args)> call;
  std::vector<std::string_view> reads = {};  // raw tables that `call` reads
};

}  // namespace tracebraid
