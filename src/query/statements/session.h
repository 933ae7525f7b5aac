// Session: what the statements of the dialect created on one connection.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "query/compile/connection_state.h"
#include "query/library/packages.h"
#include "query/statements/created_table.h"
#include "query/statements/functions.h"
#include "query/statements/query_log.h"

namespace tracebraid {

enum class ModuleProgress : uint8_t { Running, Stopped, Done, Failed };

struct Session {
  struct Module {
    ModuleProgress progress = ModuleProgress::Running;
    std::string failure = {};  // the message, of one line
    std::string ran = {};      // the text of the statements that ran before a stop
  };

  struct Index {
    std::string table;  // its number
    std::vector<std::string> columns;
  };

  int64_t last_number = 0;  // of created tables and table functions
  ScalarFunctions functions;
  ViewFunctions view_functions;
  std::map<std::string, Index, std::less<>> indexes;  // by name
  Packages packages;
  std::map<std::string, Module, std::less<>> modules;  // that were included, by key
  // The tables that the running query created, which count against its limit of memory.
  std::vector<std::weak_ptr<CreatedTable>> created_by_query;
  QueryLog log;
};

std::unique_ptr<Session> new_session();

// Finalizes the prepared statements of functions.
void finalize_statements(Session& session);

// Releases the memory of the tables that the query created from its limit. Call at its end.
void release_created_by_query(Session& session);

// Frees the rows of tables that no longer exist. Call while no statement of the connection runs.
// Does nothing within a transaction, which may be rolled back.
void free_dropped_tables(ConnectionState& connection);

// Returns the number of the created table of this name; empty if there is none.
std::string created_table_number(const ConnectionState& connection, std::string_view name);

}  // namespace tracebraid
