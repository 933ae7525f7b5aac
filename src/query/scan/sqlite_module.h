// Common code of the SQLite modules for tables and table functions.
#pragma once

#include <sqlite3.h>

#include <memory>
#include <new>
#include <span>
#include <string_view>

#include "base/boundary.h"
#include "base/result.h"
#include "column/column.h"
#include "query/scan/stop_check.h"

namespace tracebraid {

// Calls body(), which returns an SQLite code. No exception may pass through SQLite, which is C:
// one other than std::bad_alloc stops the statement with its Error.
template <class Body>
int without_exceptions(StopCheck& stop, Body&& body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  } catch (...) {
    stop.stop_with(error_of_exception());
    return SQLITE_INTERRUPT;
  }
}

// The same for a function of SQL, which sets its result.
template <class Body>
void without_exceptions(sqlite3_context* context, StopCheck& stop, Body&& body) {
  const int code = without_exceptions(stop, [&] {
    body();
    return SQLITE_OK;
  });
  if (code != SQLITE_OK) sqlite3_result_error_code(context, code);
}

// Returns the error of the last call for `db`, which failed: NoMemory, or Sql with the message of
// SQLite.
inline Error sqlite_error(sqlite3* db) {
  if (sqlite3_errcode(db) == SQLITE_NOMEM) return {ErrorCode::NoMemory, "out of memory"};
  return {ErrorCode::Sql, sqlite3_errmsg(db)};
}

// Whether an error ends the statement with its own code, rather than as an error of SQL.
inline bool ends_statement(const Error& error) {
  return error.code == ErrorCode::Cancelled || error.code == ErrorCode::Timeout ||
         error.code == ErrorCode::Limit || error.code == ErrorCode::NoMemory;
}

// Reports a failed function of SQL. Errors other than Sql end the statement with their code.
inline void fail_with(sqlite3_context* context, StopCheck& stop, const Error& error) {
  if (error.code == ErrorCode::Sql)
    return sqlite3_result_error(context, error.message.data(),
                                static_cast<int>(error.message.size()));
  stop.stop_with(error);
  sqlite3_result_error_code(context, SQLITE_INTERRUPT);
}

// Sets the message of a failed call. Returns the code of the failure.
inline int fail_with(sqlite3_vtab* vtab, std::string_view message) {
  sqlite3_free(vtab->zErrMsg);
  vtab->zErrMsg = sqlite3_mprintf("%.*s", static_cast<int>(message.size()), message.data());
  return SQLITE_ERROR;
}

// Returns the type of a column in the declaration of a virtual table.
inline std::string_view declared_type(SqlType type) {
  return type == SqlType::Real ? "DOUBLE" : name_of(type);
}

// Makes a sqlite3_module from a struct `Module` with the members below. Constant, because the
// library has no writable data.
//
//   Vtab : sqlite3_vtab, may have a destructor; Cursor : sqlite3_vtab_cursor
//   static stop_of(data), stop_of(Vtab&), stop_of(Cursor&): the StopCheck of the connection
//   static connect(db, data, span of arguments, unique_ptr<Vtab>& made, char** error),
//   best_index(Vtab&, info), open(Vtab&, Cursor&), filter(Cursor&, number, text, span of values),
//   next(Cursor&), at_end(Cursor&), column_value(Cursor&, context, column), row_id(Cursor&)
template <class Module>
constexpr sqlite3_module module_of() {
  using Vtab = typename Module::Vtab;
  using Cursor = typename Module::Cursor;
  sqlite3_module m{};
  m.iVersion = 1;
  m.xConnect = [](sqlite3* db, void* data, int count, const char* const* arguments,
                  sqlite3_vtab** vtab, char** error) {
    return without_exceptions(Module::stop_of(data), [&] {
      std::unique_ptr<Vtab> made;
      const int rc =
          Module::connect(db, data, {arguments, static_cast<size_t>(count)}, made, error);
      if (rc != SQLITE_OK) return rc;
      sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
      *vtab = made.release();
      return SQLITE_OK;
    });
  };
  m.xDisconnect = [](sqlite3_vtab* vtab) {
    delete static_cast<Vtab*>(vtab);
    return SQLITE_OK;
  };
  m.xBestIndex = [](sqlite3_vtab* vtab, sqlite3_index_info* info) {
    Vtab& table = *static_cast<Vtab*>(vtab);
    return without_exceptions(Module::stop_of(table),
                              [&] { return Module::best_index(table, *info); });
  };
  m.xOpen = [](sqlite3_vtab* vtab, sqlite3_vtab_cursor** opened) {
    Vtab& table = *static_cast<Vtab*>(vtab);
    return without_exceptions(Module::stop_of(table), [&] {
      auto cursor = std::make_unique<Cursor>();
      Module::open(table, *cursor);
      *opened = cursor.release();
      return SQLITE_OK;
    });
  };
  m.xClose = [](sqlite3_vtab_cursor* cursor) {
    delete static_cast<Cursor*>(cursor);
    return SQLITE_OK;
  };
  m.xFilter = [](sqlite3_vtab_cursor* of, int number, const char* text, int count,
                 sqlite3_value** values) {
    Cursor& cursor = *static_cast<Cursor*>(of);
    return without_exceptions(Module::stop_of(cursor), [&] {
      return Module::filter(cursor, number, text, {values, static_cast<size_t>(count)});
    });
  };
  m.xNext = [](sqlite3_vtab_cursor* of) {
    Cursor& cursor = *static_cast<Cursor*>(of);
    return without_exceptions(Module::stop_of(cursor), [&] { return Module::next(cursor); });
  };
  m.xEof = [](sqlite3_vtab_cursor* cursor) {
    return Module::at_end(*static_cast<Cursor*>(cursor)) ? 1 : 0;
  };
  m.xColumn = [](sqlite3_vtab_cursor* cursor, sqlite3_context* context, int index) {
    return Module::column_value(*static_cast<Cursor*>(cursor), context, index);
  };
  m.xRowid = [](sqlite3_vtab_cursor* cursor, sqlite3_int64* row) {
    *row = Module::row_id(*static_cast<Cursor*>(cursor));
    return SQLITE_OK;
  };
  return m;
}

}  // namespace tracebraid
