// Registers modules that CREATE VIRTUAL TABLE names.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "query/operators/operator_context.h"
#include "query/scan/sqlite_module.h"

namespace tracebraid {

// Makes a module as module_of() does. `Module::connect` makes and opens a table, which is the same
// because all tables live in memory.
template <class Module>
sqlite3_module creatable_module_of() {
  sqlite3_module m = module_of<Module>();
  // A function of its own, because a module with equal xCreate and xConnect is a table itself.
  m.xCreate = [](sqlite3* db, void* data, int count, const char* const* arguments,
                 sqlite3_vtab** vtab, char** error) {
    static const sqlite3_module same = module_of<Module>();
    return same.xConnect(db, data, count, arguments, vtab, error);
  };
  m.xDestroy = m.xDisconnect;
  return m;
}

// `module` and `data` must outlive the connection.
inline Result<> add_module(sqlite3* db, const char* name, const sqlite3_module& module,
                           void* data) {
  if (sqlite3_create_module_v2(db, name, &module, data, nullptr) == SQLITE_OK) return {};
  return fail(ErrorCode::Sql, fmt::format("{}: {}", name, sqlite3_errmsg(db)));
}

// Sets the message of a failed xCreate. Returns the code of the failure.
inline int fail_create(char** message, const Error& error) {
  *message = sqlite3_mprintf("%s", error.message.c_str());
  return SQLITE_ERROR;
}

// The same for an Error that may end the statement with its code.
inline int fail_create(char** message, StopCheck& stop, const Error& error) {
  if (error.code == ErrorCode::Sql) return fail_create(message, error);
  stop.stop_with(error);
  return SQLITE_INTERRUPT;
}

// Passes `column = x` of the hidden columns from `first` on as arguments, in their order. Returns
// false if one is not given.
inline bool take_arguments(sqlite3_index_info& info, int first, int count) {
  std::vector<bool> given(static_cast<size_t>(count));
  for (int i = 0; i < info.nConstraint; ++i) {
    const auto& constraint = info.aConstraint[i];
    const int argument = constraint.iColumn - first;
    if (constraint.op != SQLITE_INDEX_CONSTRAINT_EQ || argument < 0 || argument >= count ||
        constraint.usable == 0 || given[static_cast<size_t>(argument)])
      continue;
    given[static_cast<size_t>(argument)] = true;
    info.aConstraintUsage[i].argvIndex = argument + 1;
    info.aConstraintUsage[i].omit = 1;
  }
  return std::ranges::find(given, false) == given.end();
}

}  // namespace tracebraid
