// TraceQuery: the rows of one statement over a Trace, or of several in order, as column batches in
// Arrow's layout. Made by TraceConnection::query() and query_all().
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop.h"
#include "query/batch/record_batch.h"
#include "query/compile/statement_info.h"

namespace tracebraid {

class Query;
class Trace;

// Used by one thread at a time. Shares ownership of the trace. While it exists, its connection can
// run nothing else.
class TraceQuery {
 public:
  ~TraceQuery();
  TraceQuery(const TraceQuery&) = delete;
  TraceQuery& operator=(const TraceQuery&) = delete;

  // Runs the statements up to the next one that returns rows, and begins that one. Returns false
  // if there is none. Drops the rest of the previous result. Requires: a query of query_all(),
  // for which the first call comes before schema() and next().
  Result<bool> next_result();
  // Runs the statements one by one, instead of next_result(): the next one to its end, or if it has
  // columns, begins it. Returns false behind the last one. Requires: a query of query_all().
  Result<bool> next_statement();
  // Returns the statement that next_statement() began.
  StatementInfo statement() const;
  // Skips the first bytes of the text, which still count for lines. Requires: nothing has run.
  void skip(size_t bytes);
  // Returns the columns. If types depend on the rows, runs the query until up to 64 MB of rows are
  // buffered.
  Result<std::shared_ptr<const Schema>> schema();
  // Returns up to 65,536 rows or 16 MB of texts, and nothing after the last row. The batches stay
  // valid without the query. Errors: Sql, Cancelled, Timeout, Limit, TypeChanged, or that of
  // damaged input; an error ends the rows. After the last row, a query of query() runs the
  // remaining statements of the text; a statement that also returns rows is a Usage error.
  Result<std::optional<RecordBatch>> next();

  // Returns changes that made rows fit: replaced bytes in texts that are not UTF-8, numbers among
  // texts.
  const std::vector<std::string>& warnings() const;

 private:
  friend class TraceConnection;
  TraceQuery(std::shared_ptr<const Trace> trace, std::shared_ptr<Stop> stop, Query query);

  std::shared_ptr<const Trace> trace_;
  std::shared_ptr<Stop> stop_;  // of the connection; null if the caller has one of its own
  std::unique_ptr<Query> query_;
};

}  // namespace tracebraid
