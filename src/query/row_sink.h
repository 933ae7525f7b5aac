// RowSink: receives the result sets of a query row by row, as an adapter over batches
// (query/batch/batch_sink.h); for tests and small results.
//
// Input: SQL over the tables of a trace. Output: batches (query/batch/record_batch.h). Called by
// the engine. The interface of this folder is query/compile/connection.h.
#pragma once

#include <span>
#include <string>

#include "column/cell.h"

namespace tracebraid {

// Must not throw: an exception counts as a broken invariant.
class RowSink {
 public:
  virtual ~RowSink() = default;
  // A statement with columns begins, even if no row follows.
  virtual void columns(std::span<const std::string> names) = 0;
  // The cells are valid until the call returns. Return false to stop the query.
  virtual bool row(std::span<const Cell> cells) = 0;
  virtual void end() {}  // of this result set
};

}  // namespace tracebraid
