// CREATE PERFETTO TABLE and CREATE PERFETTO VIEW (spec sql-dialect 2.3, 2.4).
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "query/compile/connection_state.h"
#include "query/compile/source_map.h"
#include "query/statements/parse.h"

namespace tracebraid {

// `statement` was parsed from `sql`. Errors have a traceback.
Result<> create_table(ConnectionState& connection, const SqlText& sql,
                      const ParsedStatement& statement);
Result<> create_view(ConnectionState& connection, const SqlText& sql,
                     const ParsedStatement& statement);

// Creates a virtual table "name" with the rows that the module keeps under `number`. With
// `replaces` drops a table of this name first. The Error is SQLite's message.
Result<> create_virtual_table(ConnectionState& connection, std::string_view name,
                              std::string_view module, std::string_view number, bool replaces);

// Runs a statement of the tool. The Error is SQLite's message.
Result<> execute(ConnectionState& connection, const std::string& sql);

// Returns a name as SQL contains it: in double quotes unless it is a plain word.
std::string quoted_name(std::string_view name);

}  // namespace tracebraid
