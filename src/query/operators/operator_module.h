// Registers modules that CREATE VIRTUAL TABLE names.
#pragma once

#include <fmt/core.h>

#include <string>

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

}  // namespace tracebraid
