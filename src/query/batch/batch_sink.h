// BatchSink: receives the result sets of a query as batches.
#pragma once

#include <optional>

#include "base/result.h"
#include "query/batch/record_batch.h"

namespace tracebraid {

class BatchSink {
 public:
  virtual ~BatchSink() = default;
  // A result set starts, also if no row follows.
  virtual void begin(const Schema& schema) = 0;
  // False stops the query.
  virtual bool add(const RecordBatch& batch) = 0;
  virtual void end() {}  // of this result set
};

// Pulls all results of a Query of several results, or of one over an engine's Query, into the sink.
// A result set begins with its first batch, so not if an error comes first.
template <class QueryOfResults>
Result<> hand_out(QueryOfResults& query, BatchSink& sink) {
  for (;;) {
    TB_TRY_ASSIGN(const bool has_result, query.next_result());
    if (!has_result) return {};
    for (bool has_begun = false;; has_begun = true) {
      TB_TRY_ASSIGN(const std::optional<RecordBatch> batch, query.next());
      if (!has_begun) {
        TB_TRY_ASSIGN(const std::shared_ptr<const Schema> schema, query.schema());
        sink.begin(*schema);
      }
      if (!batch) break;
      if (!sink.add(*batch)) return {};
    }
    sink.end();
  }
}

}  // namespace tracebraid
