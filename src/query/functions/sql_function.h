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

// Signature, meaning, body. `text` of the result is copied before `call` is entered again.
struct SqlFunction {
  FunctionSignature signature;
  std::string_view about;
  // The cells live during the call. An Error's message becomes the SQL error. `call` may keep
  // state between calls: each connection has functions of its own.
  std::function<Result<Cell>(std::span<const Cell> args)> call;
  std::vector<std::string_view> reads = {};  // raw tables that `call` looks into
};

}  // namespace tracebraid
