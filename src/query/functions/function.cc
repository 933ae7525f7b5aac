#include "query/functions/function.h"

#include <fmt/core.h>

#include <memory>
#include <string>
#include <vector>

#include "query/functions/new_text.h"
#include "query/scan/sqlite_module.h"
#include "query/scan/value.h"

namespace tracebraid {
namespace {

struct Registered {
  const SqlFunction* function;
  StopCheck* stop;
};

// Sets a text or bytes, which are copied.
void set_bytes(sqlite3_context* context, const Cell& cell, StopCheck& stop) {
  NewText made;
  PacedStopCheck check(stop);
  if (!made.reserve(context, cell.text.size())) return;
  if (!made.append(cell.text, check)) return fail_with(context, stop, check.error());
  if (cell.kind == Cell::Kind::Blob)
    made.give_blob(context);
  else
    made.give_text(context);
}

void call(sqlite3_context* context, int count, sqlite3_value** values) {
  const auto& registered = *static_cast<const Registered*>(sqlite3_user_data(context));
  without_exceptions(context, *registered.stop, [&] {
    std::vector<Cell> arguments;
    arguments.reserve(static_cast<size_t>(count));
    for (int i = 0; i < count; ++i) arguments.push_back(cell_of(values[i]));
    const Result<Cell> result = registered.function->call(arguments);
    constexpr size_t kLong = size_t{1} << 16;
    if (result && result->text.size() >= kLong)
      set_bytes(context, *result, *registered.stop);
    else if (result)
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
