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

namespace tracebraid {

class Query;
class Trace;

// Used by one thread at a time. Holds the trace. Its connection runs nothing else while it lives.
class TraceQuery {
 public:
  ~TraceQuery();
  TraceQuery(const TraceQuery&) = delete;
  TraceQuery& operator=(const TraceQuery&) = delete;

  // Runs the statements up to the next one that gives rows, and begins that. False: there is none.
  // What is left of the result before is dropped. Of query_all() only, and to be called first.
  Result<bool> next_result();
  // Returns the columns. Where types depend on the rows, this runs the query until 64 MB of rows
  // are kept.
  Result<std::shared_ptr<const Schema>> schema();
  // Returns up to 65,536 rows or 16 MB of texts, and nothing behind the last row. The batches stay
  // valid without the query. Errors: Sql, Cancelled, Timeout, Limit, TypeChanged, or that of
  // damaged input; after one there are no more rows. Behind the last row of query() the other
  // statements of the text run; one that gives rows as well is Usage.
  Result<std::optional<RecordBatch>> next();

  // What was changed so that rows fit: texts that are not UTF-8, numbers among texts.
  const std::vector<std::string>& warnings() const;

 private:
  friend class TraceConnection;
  TraceQuery(std::shared_ptr<const Trace> trace, std::shared_ptr<Stop> stop, Query query);

  std::shared_ptr<const Trace> trace_;
  std::shared_ptr<Stop> stop_;  // of the connection; null if the caller has one of its own
  std::unique_ptr<Query> query_;
};

}  // namespace tracebraid
