// Arrow C streams over queries and over tables in memory. In: a query, or batches. Out: an
// ArrowArrayStream that owns them. Called by query.cc and facts.cc.
#pragma once

#include <memory>
#include <vector>

#include "capi/handles.h"

namespace tracebraid::capi {

// A query and what it needs, destroyed in this order: the query first.
struct RunningQuery {
  std::shared_ptr<OpenTrace> open;
  std::shared_ptr<TraceConnection> connection;
  std::unique_ptr<TraceQuery> query;

  RunningQuery() = default;
  RunningQuery(RunningQuery&&) = default;
  RunningQuery& operator=(RunningQuery&& other) noexcept {
    query = std::move(other.query);  // before its connection
    connection = std::move(other.connection);
    open = std::move(other.open);
    return *this;
  }
};

// Sets *out to a stream of the rows. Its get_next runs the query.
void export_stream(RunningQuery query, ArrowArrayStream* out);
// The same for rows in memory.
void export_stream(std::shared_ptr<OpenTrace> open, std::shared_ptr<const Schema> schema,
                   std::vector<RecordBatch> batches, ArrowArrayStream* out);

}  // namespace tracebraid::capi
