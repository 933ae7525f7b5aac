#include "query/functions/function.h"

#include <fmt/core.h>

#include <memory>
#include <string>
#include <vector>

#include "query/scan/sqlite_module.h"
#include "query/scan/value.h"

namespace tracebraid {
namespace {

struct Registered {
  const SqlFunction* function;
  StopCheck* stop;
};

void call(sqlite3_context* context, int count, sqlite3_value** values) {
  const auto& registered = *static_cast<const Registered*>(sqlite3_user_data(context));
  without_exceptions(context, *registered.stop, [&] {
    std::vector<Cell> arguments;
    arguments.reserve(static_cast<size_t>(count));
    for (int i = 0; i < count; ++i) arguments.push_back(cell_of(values[i]));
    const Result<Cell> result = registered.function->call(arguments);
    if (result)
      set_result(context, *result, true);
    else if (ends_statement(result.error()))
      fail_with(context, *registered.stop, result.error());
    else
      sqlite3_result_error(context, result.error().message.c_str(), -1);
  });
}

}  // namespace

Result<> add_functions(sqlite3* db, std::span<const SqlFunction> functions, StopCheck& stop) {
  constexpr int kFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  for (const SqlFunction& function : functions) {
    auto data = std::make_unique<Registered>(Registered{&function, &stop});
    const std::string name(function.signature.name);
    if (sqlite3_create_function_v2(db, name.c_str(), function.signature.arity(), kFlags,
                                   data.release(), call, nullptr, nullptr, [](void* registered) {
                                     delete static_cast<Registered*>(registered);
                                   }) != SQLITE_OK)
      return fail(ErrorCode::Sql, fmt::format("{}(): {}", name, sqlite3_errmsg(db)));
  }
  return {};
}

}  // namespace tracebraid
