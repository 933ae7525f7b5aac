// ResultWriter: writes the messages QueryResult of one query (spec viewer 4.4).
//
// Input: the rows and the outcome of a query. Output: messages to a MessageWriter. Called by
// run_query().
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "engine/query.h"
#include "server/rpc/cells_batch.h"
#include "server/rpc/message_writer.h"

namespace tracebraid::rpc {

// The first message says this of the whole query.
struct ResultHead {
  std::vector<std::string> columns;
  uint32_t statements = 0, statements_with_output = 0;
  std::string last_statement;
};

class ResultWriter {
 public:
  explicit ResultWriter(MessageWriter& to) : to_(to) {}

  // Requires: called before rows.
  void set_head(ResultHead head) { head_ = std::move(head); }
  // Adds rows, and sends the batches that they complete. Returns false if the client is gone, or a
  // batch is too large; then call finish().
  bool add(const RecordBatch& rows);
  // Sends the last batch, and the error unless it is empty.
  void finish(const std::string& error);

 private:
  bool send(bool is_last, const std::string& error);

  MessageWriter& to_;
  CellsBatch batch_;
  ResultHead head_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  bool has_sent_ = false, is_gone_ = false, is_too_large_ = false;
};

}  // namespace tracebraid::rpc
