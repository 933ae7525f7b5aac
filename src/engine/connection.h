// SQL over a Trace. In: a trace and statements. Out: rows, for whoever runs the statements.
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

// Several of one trace work side by side; each is used by one thread at a time. Temporary tables
// and views of statements live as long as it. It holds the trace.
class TraceConnection {
 public:
  static Result<std::unique_ptr<TraceConnection>> open(std::shared_ptr<const Trace> trace);
  ~TraceConnection();
  TraceConnection(const TraceConnection&) = delete;
  TraceConnection& operator=(const TraceConnection&) = delete;

  // Runs all statements of `sql`, separated by ';'. An Error of code Sql names line and column.
  Result<> run(std::string_view sql, RowSink& rows);
  // Ends run() with Cancelled, or the next run(), if none is under way. From any thread, and in a
  // signal handler.
  void interrupt();

  std::vector<RelationInfo> relations();

  Connection& connection() { return *connection_; }  // for the engine's own sources

 private:
  TraceConnection(std::shared_ptr<const Trace> trace, std::unique_ptr<Connection> connection);

  std::shared_ptr<const Trace> trace_;
  std::unique_ptr<Connection> connection_;
  std::shared_ptr<Stop> stop_ = std::make_shared<Stop>();
};

// For the main function of a program, which alone may change its process: see
// query/compile/connection.h.
void stop_counting_sqlite_memory();

}  // namespace tracebraid
