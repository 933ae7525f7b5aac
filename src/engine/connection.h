// SQL over a Trace. Input: a trace and statements. Output: rows as column batches.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/stop.h"
#include "engine/query.h"
#include "engine/trace.h"
#include "query/batch/batch_sink.h"
#include "query/compile/query_options.h"
#include "query/library/packages.h"
#include "query/relation_info.h"
#include "query/row_sink.h"
#include "query/scan/query_stats.h"

namespace tracebraid {

class Connection;

// Any number of connections to one trace work concurrently; each is used by one thread at a time.
// Temporary tables and views live as long as their connection. A connection shares ownership of its
// trace.
class TraceConnection {
 public:
  static Result<std::unique_ptr<TraceConnection>> open(std::shared_ptr<const Trace> trace);
  ~TraceConnection();
  TraceConnection(const TraceConnection&) = delete;
  TraceConnection& operator=(const TraceConnection&) = delete;

  // Runs the statements of `sql`, separated by ';', up to the first that returns rows, and begins
  // that one. Error Usage: no statement returns rows, or another query of the connection exists. An
  // Error of code Sql names line and column. Without options.stop, interrupt() ends the query.
  Result<std::unique_ptr<TraceQuery>> query(std::string_view sql, QueryOptions options = {});
  // Begins a query over the results of all statements, of which there may be none.
  // TraceQuery::next_result() runs the first. Errors are those of query().
  Result<std::unique_ptr<TraceQuery>> query_all(std::string_view sql, QueryOptions options = {});
  // Returns the columns of a single statement, without running it. Types that depend on the rows
  // are Unknown, but arithmetic of integers is taken to give integers. Error Sql names line and
  // column.
  Result<Schema> describe(std::string_view sql, const QueryOptions& options = {});
  // Runs all statements of `sql` and passes their results to the sink, with QueryOptions::verbatim.
  // interrupt() ends it. After an error of damaged input, rows before it may be wrong.
  Result<> run(std::string_view sql, BatchSink& sink, QueryOptions options = {});
  // The same, row by row. Errors as of query().
  Result<> run(std::string_view sql, RowSink& rows);
  // Ends the running statement with Cancelled, or else the next one. Call from any thread, or from
  // a signal handler.
  void interrupt();

  // Statements append what they read, and how long their operators took, to `stats` until the next
  // call; null: nothing is recorded. `stats` must outlive them.
  void set_stats(QueryStats* stats);

  // Returns the tables and views that statements see.
  Result<std::vector<RelationInfo>> relations();
  // Returns the names of functions and table functions that SQLite does not have itself.
  std::vector<std::string> function_names() const;

  // Returns the keys of the modules that INCLUDE PERFETTO MODULE finds, sorted.
  std::vector<std::string> module_keys() const;
  // Returns whether no statement left anything here: a table, view, function, macro or module.
  bool is_as_new() const;
  // Makes modules of the user known to this connection: name and texts of a package, or its folder.
  // Error Usage: a package of its name exists, and it does not replace it.
  Result<> register_package(SqlPackage package);

  Connection& connection() { return *connection_; }  // for sources of the engine only

 private:
  TraceConnection(std::shared_ptr<const Trace> trace, std::unique_ptr<Connection> connection);
  using Begin = Result<Query> (*)(Connection&, std::string_view, QueryOptions);
  Result<std::unique_ptr<TraceQuery>> query(Begin begin, std::string_view sql,
                                            QueryOptions options);
  template <class Sink>
  Result<> run_all(std::string_view sql, Sink& sink, QueryOptions options);

  std::shared_ptr<const Trace> trace_;
  std::unique_ptr<Connection> connection_;
  std::shared_ptr<Stop> stop_ = std::make_shared<Stop>();
};

// Disables SQLite's memory statistics. Call from the main function of a program only, because it
// changes the process; see query/compile/connection.h.
void stop_counting_sqlite_memory();

}  // namespace tracebraid
