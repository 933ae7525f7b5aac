// SqlFunction: a scalar function of SQL as a value.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "column/column.h"
#include "query/functions/signature.h"

namespace tracebraid {

// Signature, description, body. SQLite copies `text` of the result before the next `call`.
struct SqlFunction {
  FunctionSignature signature;
  std::string_view about;
  // The cells are valid during the call. The message of an Error becomes the SQL error. `call` may
  // keep state between calls, because each connection has its own functions.
  std::function<Result<Cell>(std::span<const Cell> args)> call;
  std::vector<std::string_view> reads = {};  // raw tables that `call` reads
  // Whether any number of threads may call `call` at once, and the result depends on the arguments
  // only.
  bool is_pure = false;
  // Optional: call() for many rows at once, with integers as results. The first argument of a row
  // is values[i], or NULL unless valid[i]; both are replaced by the result. The other arguments are
  // `constants`. Returns false if call() fails for a row or returns anything but an integer or
  // NULL. Any number of threads may call it if is_pure.
  std::function<bool(std::span<const Cell> constants, std::span<int64_t> values,
                     std::span<bool> valid)>
      call_for_integers = {};
  // Whether call_for_integers() fails because of the constants only.
  bool gives_integers = false;
};

}  // namespace tracebraid
