// SQL over a Trace. In: a trace and statements. Out: rows, for the front end.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/stop.h"
#include "engine/trace.h"
#include "query/relation_info.h"
#include "query/row_sink.h"

namespace tracebraid {

class Connection;

// Any number of connections to one trace work concurrently; each is used by one thread at a time.
// Temporary tables and views live as long as their connection. A connection owns a reference to its
// trace.
class TraceConnection {
 public:
  static Result<std::unique_ptr<TraceConnection>> open(std::shared_ptr<const Trace> trace);
  ~TraceConnection();
  TraceConnection(const TraceConnection&) = delete;
  TraceConnection& operator=(const TraceConnection&) = delete;

  // Runs all statements of `sql`, separated by ';'. An Error of code Sql gives line and column.
  Result<> run(std::string_view sql, RowSink& rows);
  // Ends the current run(), or else the next one, with Cancelled. Safe from any thread and in a
  // signal handler.
  void interrupt();

  std::vector<RelationInfo> relations();

  Connection& connection() { return *connection_; }  // for sources of the engine only

 private:
  TraceConnection(std::shared_ptr<const Trace> trace, std::unique_ptr<Connection> connection);

  std::shared_ptr<const Trace> trace_;
  std::unique_ptr<Connection> connection_;
  std::shared_ptr<Stop> stop_ = std::make_shared<Stop>();
};

// For the main function of a program only, because it changes the process; see
// query/compile/connection.h.
void stop_counting_sqlite_memory();

}  // namespace tracebraid
