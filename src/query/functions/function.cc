#include "query/functions/function.h"

#include <fmt/core.h>

#include <new>
#include <string>
#include <vector>

#include "query/scan/value.h"

namespace tracebraid {
namespace {

void call(sqlite3_context* context, int count, sqlite3_value** values) {
  try {
    const auto& function = *static_cast<const SqlFunction*>(sqlite3_user_data(context));
    std::vector<Cell> arguments;
    arguments.reserve(static_cast<size_t>(count));
    for (int i = 0; i < count; ++i) arguments.push_back(cell_of(values[i]));
    if (const Result<Cell> result = function.call(arguments))
      set_result(context, *result, true);
    else
      sqlite3_result_error(context, result.error().message.c_str(), -1);
  } catch (const std::bad_alloc&) {
    sqlite3_result_error_nomem(context);
  }
}

}  // namespace

Result<> add_functions(sqlite3* db, std::span<const SqlFunction> functions) {
  constexpr int kFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  for (const SqlFunction& function : functions) {
    void* const data = const_cast<SqlFunction*>(&function);
    const std::string name(function.signature.name);
    if (sqlite3_create_function_v2(db, name.c_str(), function.signature.arity(), kFlags, data, call,
                                   nullptr, nullptr, nullptr) != SQLITE_OK)
      return fail(ErrorCode::Sql, fmt::format("{}(): {}", name, sqlite3_errmsg(db)));
  }
  return {};
}

}  // namespace tracebraid
